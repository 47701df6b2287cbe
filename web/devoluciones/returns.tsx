import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type Ref, useState } from 'react';
import { DESTINO_LABEL, type Devolucion, listDevoluciones, MOTIVO_DEVOLUCION_LABEL } from '../../contract/devoluciones.ts';
import { can, type PedidoFacts } from '../../contract/policy.ts';
import { useApi } from '../api.ts';
import { useSession } from '../session/session.ts';
import { fechaHora, money, number } from '../ui/format/format.ts';
import classes from '../ui/list/entries.module.css';
import { ErrorState } from '../ui/list/error-state.tsx';
import { Section } from '../ui/page/section.tsx';
import { AnnulReturn } from './annul-return.tsx';
import { ReturnForm } from './return-form.tsx';

type Props = {
  pedido: PedidoFacts & { id: string; cantidad_devuelta?: number | undefined };
  /** Begins to register one. */
  start?: boolean;
  /** Whether leaving would lose what is written. */
  dirty?: Ref<() => boolean> | undefined;
};

/** What has come back of a delivered order, and a form to register more; nothing where there is neither. */
export default function Returns({ pedido, start = false, dirty }: Props) {
  const actor = useSession();
  const manage = can(actor, 'devolucion:manage');
  const shown = pedido.estado === 'completado' && can(actor, 'pedido:returns', pedido) && (manage || !!pedido.cantidad_devuelta);
  return shown ? <Registered id={pedido.id} manage={manage && !pedido.deleted_at} start={start} dirty={dirty} /> : null;
}

type RegisteredProps = Pick<Props, 'dirty'> & { id: string; manage: boolean; start: boolean };
function Registered({ id, manage, start, dirty }: RegisteredProps) {
  const { data, error, refetch } = useApi(listDevoluciones, { params: { id } });
  const [registering, setRegistering] = useState(start);
  return (
    <Section title="Devoluciones" order={3} mb="sm">
      <Stack gap="sm">
        {error && !data && <ErrorState title="No se pudieron cargar las devoluciones" error={error} onRetry={() => void refetch()} />}
        {!error && !data && <Skeleton h={36} role="status" aria-label="Cargando las devoluciones" />}
        {data?.data.length === 0 && !registering && (
          <Text size="sm" c="dimmed">
            El cliente no ha devuelto nada.
          </Text>
        )}
        {data && data.data.length > 0 && (
          <ul className={classes.list} aria-label="Devoluciones">
            {data.data.map((devolucion) => (
              <One key={devolucion.id} devolucion={devolucion} manage={manage} />
            ))}
          </ul>
        )}
        {manage &&
          data &&
          (registering ? (
            <ReturnForm id={id} returns={data.data} onDone={() => setRegistering(false)} dirty={dirty} />
          ) : (
            <Button variant="light" size="sm" className={classes.start} onClick={() => setRegistering(true)}>
              Registrar devolución
            </Button>
          ))}
      </Stack>
    </Section>
  );
}

function One({ devolucion, manage }: { devolucion: Devolucion; manage: boolean }) {
  const { motivo, nota, reembolso, referencia, actor_nombre, created_at, anulada_at, anulada_motivo, lineas } = devolucion;
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Text size="sm" fw={600}>
          {MOTIVO_DEVOLUCION_LABEL[motivo]}
        </Text>
        {anulada_at && (
          <Badge color="gray" maw="none">
            Anulada
          </Badge>
        )}
      </Group>
      {lineas.map(({ numero, producto, cantidad, destino }) => (
        <Text key={`${numero} ${destino}`} size="sm" className={classes.words} td={anulada_at ? 'line-through' : undefined}>
          {number(cantidad)} × {producto}: {DESTINO_LABEL[destino].toLowerCase()}
        </Text>
      ))}
      {reembolso > 0 && (
        <Text size="sm" className={classes.words} td={anulada_at ? 'line-through' : undefined}>
          Reembolso de <strong>{money(reembolso)}</strong>
          {referencia && ` · Ref. ${referencia}`}
        </Text>
      )}
      {nota && (
        <Text size="sm" className={classes.words}>
          «{nota}»
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {actor_nombre} · <time dateTime={created_at}>{fechaHora(created_at)}</time>
      </Text>
      {anulada_at && (
        <Text size="sm" className={classes.words}>
          Anulada el <time dateTime={anulada_at}>{fechaHora(anulada_at)}</time>: «{anulada_motivo}»
        </Text>
      )}
      {manage && !anulada_at && <AnnulReturn id={devolucion.id} />}
    </li>
  );
}
