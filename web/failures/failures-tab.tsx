import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Failure, listFailures } from '../../contract/failures/failures.ts';
import { type Canal, type Esperando, listUndelivered, type Perdido, resendGivenUp } from '../../contract/outbox/outbox.ts';
import { plural } from '../../contract/text/plural.ts';
import { WEBHOOK_EVENTS } from '../../contract/webhooks/fields.ts';
import { useApi, useMutate } from '../api.ts';
import { ago, fechaHora } from '../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { ScreenSpeeds } from '../vitals/speed.tsx';

export const FailuresTab = () => (
  <Stack gap="xl">
    <Tasks />
    <ScreenSpeeds />
  </Stack>
);

const Tasks = () => (
  <Loaded
    query={useApi(listFailures, {}, { refetchInterval: 60_000 })}
    failed="No se pudieron cargar las tareas"
    waiting={<Skeletons heights={[96]} />}
  >
    {({ data }) =>
      data.length === 0 ? (
        <Undelivered
          otherwise={
            <EmptyState title="Ninguna tarea falla" hint="Los correos, las copias y lo demás que el sistema hace solo van bien." />
          }
        />
      ) : (
        <Stack gap="lg">
          <Stack component="ul" aria-label="Tareas con error">
            {data.map((failure) => (
              <Line key={failure.name} failure={failure} />
            ))}
          </Stack>
          <Undelivered />
        </Stack>
      )
    }
  </Loaded>
);

const Line = ({ failure: { titulo, consejo, motivo, veces, desde, ultima_vez } }: { failure: Failure }) => (
  <Paper component="li" p="md">
    <Group justify="space-between" gap="sm">
      <Text variant="title">{titulo}</Text>
      <Badge color="red">{`Ha fallado ${plural(veces, 'vez', 'veces seguidas')}`}</Badge>
    </Group>
    <Text mt={4}>{consejo}</Text>
    <Text variant="detail" mt={4}>
      Desde el {fechaHora(desde)} · Última vez: {fechaHora(ultima_vez)} · Motivo: {motivo}
    </Text>
  </Paper>
);

const NOUN: Record<Canal, [one: string, many: string]> = {
  correo: ['correo espera', 'correos esperan'],
  push: ['aviso al móvil espera', 'avisos al móvil esperan'],
  webhook: ['webhook espera', 'webhooks esperan'],
  tienda: ['aviso a la tienda espera', 'avisos a la tienda esperan'],
};
const EVENTS: Readonly<Record<string, string>> = WEBHOOK_EVENTS;

/** `hace 12 min`, lowercase for use within a sentence. */
const since = (when: string) =>
  ago(when)
    .toLowerCase()
    .replace(/m$/, ' min')
    .replace(/([hd])$/, ' $1');

function Undelivered({ otherwise }: { otherwise?: ReactNode }) {
  const query = useApi(listUndelivered, {}, { refetchInterval: 60_000 });
  return (
    <Loaded query={query} failed="No se pudieron cargar los mensajes" waiting={<Skeletons heights={[72]} />}>
      {({ esperando, perdidos }) => (
        <Stack gap="lg">
          {esperando.length + perdidos.length === 0 && otherwise}
          {esperando.length > 0 && (
            <Stack component="ul" aria-label="Mensajes que esperan">
              {esperando.map((waiting) => (
                <Waiting key={`${waiting.canal} ${waiting.servidor ?? ''}`} waiting={waiting} />
              ))}
            </Stack>
          )}
          {perdidos.length > 0 && <GivenUp perdidos={perdidos} />}
        </Stack>
      )}
    </Loaded>
  );
}

function Waiting({ waiting: { canal, mensajes, desde, servidor, motivo } }: { waiting: Esperando }) {
  return (
    <Paper component="li" p="md">
      <Text variant="title">
        {plural(mensajes, ...NOUN[canal])} desde {since(desde)}
      </Text>
      <Text mt={4}>{[servidor, motivo].filter(Boolean).join(': ')}. Se siguen intentando enviar.</Text>
    </Paper>
  );
}

function GivenUp({ perdidos }: { perdidos: Perdido[] }) {
  const resend = useMutate(resendGivenUp, { failure: 'No se pudieron reenviar', invalidates: [listFailures, listUndelivered] });
  const send = (ids: string[]) => resend.mutate({ body: { ids } });
  return (
    <section aria-label="Dados por perdidos">
      <Group gap="md" justify="space-between" mb="sm">
        <Title order={3} size="h5">
          Dados por perdidos
        </Title>
        {perdidos.length > 1 && (
          <Button variant="default" size="xs" mih={36} disabled={resend.isPending} onClick={() => send(perdidos.map(({ id }) => id))}>
            Reenviar todos
          </Button>
        )}
      </Group>
      <Stack component="ul">
        {perdidos.map((message) => (
          <Lost key={message.id} message={message} busy={resend.isPending} onResend={() => send([message.id])} />
        ))}
      </Stack>
    </section>
  );
}

function Lost({ message, busy, onResend }: { message: Perdido; busy: boolean; onResend: () => void }) {
  const { asunto, para, servidor, motivo, perdido_at } = message;
  const title = EVENTS[asunto ?? ''] ?? asunto ?? 'Mensaje';
  return (
    <Paper component="li" p="md">
      <Group justify="space-between" gap="sm">
        <Text variant="title">{title}</Text>
        <Button
          variant="default"
          size="xs"
          mih={36}
          leftSection={<IconRefresh size={14} aria-hidden />}
          disabled={busy}
          onClick={onResend}
          aria-label={`Reenviar ${title}`}
        >
          Reenviar
        </Button>
      </Group>
      <Text variant="detail" mt={4}>
        {[para && `Para ${para}`, `Dado por perdido el ${fechaHora(perdido_at)}`, [servidor, motivo].filter(Boolean).join(': ')]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </Paper>
  );
}
