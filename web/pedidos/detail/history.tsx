import '@mantine/core/styles/Timeline.css';
import { Badge, Button, Group, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { registrarLoQuePaso } from '../../../contract/caja/caja.ts';
import { pedidoLabel } from '../../../contract/pedidos/fields.ts';
import { happenedEarlier } from '../../../contract/pedidos/happened.ts';
import { companyLabel } from '../../../contract/pedidos/metodos.ts';
import { getHistorial, type HistoryEntry } from '../../../contract/pedidos/pedidos.ts';
import { hecho } from '../../../contract/pedidos/words.ts';
import { ROLE_LABEL, ROLES } from '../../../contract/policy/policy.ts';
import { TIPO_LABEL } from '../../../contract/pruebas/fields.ts';
import { useApi, useMutate } from '../../api.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, fechaHora, hora, money } from '../../ui/format/format.ts';
import { ErrorState } from '../../ui/list/error-state.tsx';
import { Section } from '../../ui/page/section.tsx';
import classes from './delivery-proof.module.css';

export function Historial({ id }: { id: string }) {
  const { data, error, refetch } = useApi(getHistorial, { params: { id } });
  return (
    <Section title="Historial" order={3} mb="sm">
      {error && !data && <ErrorState title="No se pudo cargar el historial" error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Waiting />}
      {data && (
        <Timeline bulletSize={14} lineWidth={2} active={-1}>
          {data.data.map((entry) => (
            <Timeline.Item key={entry.id} title={hecho(entry.accion)}>
              <Step entry={entry} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Section>
  );
}

function Step({ entry }: { entry: HistoryEntry }) {
  const role = ROLES.find((known) => known === entry.actor_role);
  const { estado_anterior: before, estado_nuevo: after } = entry;
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {entry.actor_nombre}
        {role && ` (${ROLE_LABEL[role]})`} · <time dateTime={entry.created_at}>{fechaHora(entry.created_at)}</time>
      </Text>
      <Times entry={entry} />
      {after && (
        <Group gap={6}>
          {before && (
            <>
              <EstadoBadge estado={before} />
              <Arrow />
            </>
          )}
          <EstadoBadge estado={after} />
        </Group>
      )}
      {Object.entries(entry.cambios).map(([field, [from, to]]) => (
        <Text key={field} component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit c="dimmed">
            {pedidoLabel(field)}:{' '}
          </Text>
          <Shown field={field} value={from} /> <Arrow /> <Shown field={field} value={to} />
        </Text>
      ))}
      {entry.nota && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          «{entry.nota}»
        </Text>
      )}
      <Files entry={entry} />
      {entry.sin_registrar && <Register entry={entry} amount={entry.sin_registrar} />}
    </Stack>
  );
}

/** Button to record the money collected in a refused delivery. */
function Register({ entry: { id, actor_nombre }, amount }: { entry: HistoryEntry; amount: number }) {
  const save = useMutate(registrarLoQuePaso, { failure: 'No se pudo registrar' });
  return (
    <>
      <Text size="sm">
        {actor_nombre} cobró <strong>{money(amount)}</strong>, que no están en ninguna caja.
      </Text>
      <Button
        size="compact-md"
        variant="light"
        style={{ alignSelf: 'start' }}
        loading={save.isPending}
        onClick={() => save.mutate({ params: { id } })}
      >
        Registrar lo que pasó
      </Button>
    </>
  );
}

function Files({ entry: { created_at, pruebas = [] } }: { entry: HistoryEntry }) {
  const missing = pruebas.filter(({ enviada }) => !enviada).map(({ tipo }) => TIPO_LABEL[tipo].toLowerCase());
  return (
    <>
      {missing.length > 0 && (
        <Text size="sm" c="dimmed">
          Falta por llegar: {missing.join(', ')}
        </Text>
      )}
      {pruebas.map(
        ({ tipo, url }) =>
          url && (
            <a key={url} href={url} target="_blank" rel="noreferrer" className={classes.proof}>
              <img src={url} alt={`${TIPO_LABEL[tipo]} del paso sin registrar, ${fechaHora(created_at)}`} loading="lazy" />
            </a>
          ),
      )}
    </>
  );
}

/** Both times of a step that was sent long after it happened, and the telephone's time if the server adjusted it. */
function Times({ entry }: { entry: HistoryEntry }) {
  const { created_at, ocurrido_at, ocurrido_dicho } = entry;
  const sameDay = ocurrido_at && fecha(ocurrido_at) === fecha(created_at);
  const when = (at: string) => (sameDay ? hora(Date.parse(at)) : fechaHora(at));
  return (
    <>
      {ocurrido_at && happenedEarlier(entry) && (
        <Text size="sm" fw={500}>
          Registrado a las {hora(Date.parse(created_at))}, ocurrió {sameDay ? 'a las' : 'el'} {when(ocurrido_at)}
        </Text>
      )}
      {ocurrido_dicho && (
        <Text size="xs" c="dimmed">
          El teléfono decía {fechaHora(ocurrido_dicho)}: hora ajustada
        </Text>
      )}
    </>
  );
}

const Arrow = () => <IconArrowRight size={14} aria-label="pasa a" role="img" style={{ verticalAlign: '-2px' }} />;

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function Shown({ field, value }: { field: string; value: string | null }) {
  if (!value) return <Badge color="gray">vacío</Badge>;
  if (field === 'fecha_estimada') return fecha(value);
  return INSTANT.test(value) ? fechaHora(value) : companyLabel(value);
}

const Waiting = () => (
  <Stack gap="sm" role="status" aria-label="Cargando el historial">
    <Skeleton h={44} />
    <Skeleton h={44} />
  </Stack>
);
