import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { WEBHOOK_EVENTS } from '../../contract/webhooks/fields.ts';
import { type Entrega, listEntregas, listWebhooks, reenviarEntrega, type Webhook } from '../../contract/webhooks/webhooks.ts';
import { useApi, useMutate } from '../api.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { fechaHora, number } from '../ui/format/format.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Pages } from '../ui/list/pages.tsx';
import classes from './webhooks.module.css';

const PER_PAGE = 10;
const EVENTS: Record<string, string> = { ...WEBHOOK_EVENTS, prueba: 'Prueba' };
const ESTADO: Record<Entrega['estado'], { words: string; color: string; Icon: typeof IconCheck }> = {
  enviado: { words: 'Enviado', color: 'green', Icon: IconCheck },
  esperando: { words: 'En espera', color: 'gray', Icon: IconClock },
  fallido: { words: 'Fallido', color: 'red', Icon: IconAlertTriangle },
};

type Props = { webhook: Webhook | undefined; opened: boolean; onClose: () => void };

/** Deliveries of a webhook in the last month, with a button to resend a delivery. */
export const EntregasDialog = ({ webhook, opened, onClose }: Props) => (
  <Dialog opened={opened && !!webhook} onClose={onClose} title="Entregas del último mes" size="lg">
    {webhook && <Content key={webhook.id} webhook={webhook} />}
  </Dialog>
);

function Content({ webhook: { id, is_active } }: { webhook: Webhook }) {
  const [page, setPage] = useState(1);
  const entregas = useApi(
    listEntregas,
    { params: { id }, query: { page, per_page: PER_PAGE } },
    // New deliveries arrive in the background.
    { keepPrevious: true, staleTime: 0, refetchInterval: 5_000 },
  );
  const { data, isPlaceholderData } = entregas;
  return (
    <Stack gap="xs">
      <Loaded query={entregas} failed="No se pudieron cargar las entregas" waiting={<Skeletons gap={6} heights={[54, 54, 54, 54]} />}>
        {({ data: rows, total }) =>
          total === 0 ? (
            <EmptyState title="Todavía no se ha enviado nada" hint="Los avisos aparecerán aquí. «Probar» envía uno ahora mismo." />
          ) : (
            <ul className={classes.entregas} aria-label="Entregas" aria-busy={isPlaceholderData}>
              {rows.map((entrega) => (
                <Line key={entrega.id} entrega={entrega} canResend={is_active} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {data && data.total > PER_PAGE && (
        <Pages of={data} noun="entregas" onPage={setPage} shown={data.data.length} busy={isPlaceholderData} />
      )}
    </Stack>
  );
}

function Line({ entrega, canResend }: { entrega: Entrega; canResend: boolean }) {
  const { id, tipo, asunto, created_at, estado, intentos, error, proximo_at } = entrega;
  const resend = useMutate(reenviarEntrega, { failure: 'No se pudo reenviar', invalidates: [listEntregas, listWebhooks] });
  const { words, color, Icon } = ESTADO[estado];
  const title = [EVENTS[tipo] ?? tipo, asunto].filter(Boolean).join(' · ');
  const tries = intentos === 1 ? '1 intento' : `${number(intentos)} intentos`;
  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <Text fw={600}>{title}</Text>
        <Text size="xs" c="dimmed">
          {[fechaHora(created_at), tries, proximo_at && intentos > 0 && `el próximo, ${fechaHora(proximo_at)}`].filter(Boolean).join(' · ')}
        </Text>
        {error && <Text>{error}</Text>}
      </div>
      <Group wrap="nowrap" className={classes.state}>
        <Badge color={color} leftSection={<Icon size={12} aria-hidden />}>
          {words}
        </Badge>
        {estado !== 'esperando' && canResend && (
          <Button
            variant="default"
            size="xs"
            mih={36}
            leftSection={<IconRefresh size={14} aria-hidden />}
            disabled={resend.isPending}
            onClick={() => resend.mutate({ params: { id } })}
            aria-label={`Reenviar ${title}`}
          >
            Reenviar
          </Button>
        )}
      </Group>
    </li>
  );
}
