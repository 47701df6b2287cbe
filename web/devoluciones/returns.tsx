import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type Ref, useState } from 'react';
import { anularDevolucion, type Devolucion, listDevoluciones } from '../../contract/devoluciones/devoluciones.ts';
import { CAMINO, DESTINO_LABEL, MOTIVO_DEVOLUCION_LABEL, PARCIAL } from '../../contract/devoluciones/fields.ts';
import { MOTIVO_PARTE_LABEL } from '../../contract/devoluciones/partes.ts';
import type { PedidoFacts } from '../../contract/policy/facts.ts';
import { can } from '../../contract/policy/policy.ts';
import { useApi, useMutate } from '../api.ts';
import { useSession } from '../session/session.ts';
import { ReasonForm, useReason } from '../ui/form/reason-form.tsx';
import { fechaHora, money, number } from '../ui/format/format.ts';
import classes from '../ui/list/entries.module.css';
import { ErrorState } from '../ui/list/error-state.tsx';
import { Section } from '../ui/page/section.tsx';
import { Partial } from './partial.tsx';
import { ReceiveGoods } from './receive-goods.tsx';
import { Refunds } from './refunds.tsx';
import { ReturnForm } from './return-form.tsx';

type Props = {
  pedido: PedidoFacts & { id: string; cantidad_devuelta?: number | undefined };
  /** Opens the form of a return, or of the refund of a return. */
  start?: 'return' | 'refund' | undefined;
  /** Returns true if leaving would lose a half-filled form. */
  dirty?: Ref<() => boolean> | undefined;
};

/** Returns of a delivered order, and a form to register more. Hidden if the order has no returns and the person cannot register any. */
export default function Returns({ pedido, start, dirty }: Props) {
  const actor = useSession();
  const manage = can(actor, 'devolucion:manage');
  const shown = pedido.estado === 'completado' && can(actor, 'pedido:returns', pedido) && (manage || !!pedido.cantidad_devuelta);
  return shown ? <Registered id={pedido.id} manage={manage && !pedido.deleted_at} start={start} dirty={dirty} /> : null;
}

function Registered({ id, manage, start, dirty }: Pick<Props, 'dirty' | 'start'> & { id: string; manage: boolean }) {
  const { data, error, refetch } = useApi(listDevoluciones, { params: { id } });
  const [registering, setRegistering] = useState(start === 'return');
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
              <One key={devolucion.id} devolucion={devolucion} manage={manage} start={start === 'refund'} />
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

function One({ devolucion, manage, start }: { devolucion: Devolucion; manage: boolean; start: boolean }) {
  const {
    motivo,
    nota,
    reembolso,
    retenido,
    retenido_motivo,
    de_mas,
    referencia,
    actor_nombre,
    created_at,
    anulada_at,
    anulada_motivo,
    lineas,
  } = devolucion;
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
      {lineas.map(({ numero, producto, cantidad, destino, parte }) => (
        <Text key={`${numero} ${destino} ${parte}`} size="sm" className={classes.words} td={anulada_at ? 'line-through' : undefined}>
          {number(cantidad)} × {producto}: {parte && `${MOTIVO_PARTE_LABEL[parte].toLowerCase()}; `}
          {DESTINO_LABEL[destino].toLowerCase()}
        </Text>
      ))}
      {reembolso > 0 && (
        <Text size="sm" className={classes.words} td={anulada_at ? 'line-through' : undefined}>
          Reembolso de <strong>{money(reembolso)}</strong>
          {referencia && ` · Ref. ${referencia}`}
          {de_mas > 0 && `, ${money(de_mas)} más de lo que valía`}
        </Text>
      )}
      {retenido > 0 && (
        <Text size="sm" className={classes.words} td={anulada_at ? 'line-through' : undefined}>
          No se reembolsan <strong>{money(retenido)}</strong>: «{retenido_motivo}»
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
      {manage && !anulada_at && lineas.some(({ destino }) => destino === CAMINO) && <ReceiveGoods id={devolucion.id} />}
      {manage && !anulada_at && <Refunds devolucion={devolucion} start={start} />}
      {manage && !anulada_at && motivo === PARCIAL && <Partial devolucion={devolucion} />}
      {manage && !anulada_at && <AnnulReturn id={devolucion.id} />}
    </li>
  );
}

function AnnulReturn({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const form = useReason();
  const annul = useMutate(anularDevolucion, { form, failure: 'No se pudo anular la devolución' });
  if (!asking) {
    return (
      <Button variant="subtle" color="red" size="compact-sm" ml={-8} onClick={() => setAsking(true)}>
        Anular
      </Button>
    );
  }
  return (
    <ReasonForm
      form={form}
      name="Anular la devolución"
      description="Lo que volvió al stock saldrá de él."
      placeholder="Por qué se registró por error"
      autoFocus
      submit="Anular la devolución"
      busy={annul.isPending}
      onReason={(motivo) => annul.mutate({ params: { id }, body: { motivo } })}
      onCancel={() => setAsking(false)}
    />
  );
}
