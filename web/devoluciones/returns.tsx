import { ActionIcon, Badge, Button, Group, Menu, Skeleton, Stack, Text } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type Ref, useState } from 'react';
import { anularDevolucion, type Devolucion, listDevoluciones, pedirResto } from '../../contract/devoluciones/devoluciones.ts';
import { CAMINO, DESTINO_LABEL, MOTIVO_DEVOLUCION_LABEL, MOTIVO_PARTE_LABEL, PARCIAL } from '../../contract/devoluciones/fields.ts';
import type { PedidoFacts } from '../../contract/policy/facts.ts';
import { can } from '../../contract/policy/policy.ts';
import { useApi, useMutate } from '../api.ts';
import { useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { ReasonForm, useReason } from '../ui/form/form-actions.tsx';
import { fechaHora, money, number } from '../ui/format/format.ts';
import classes from '../ui/list/entries.module.css';
import { ErrorState } from '../ui/list/loaded.tsx';
import { Section } from '../ui/page/panel.tsx';
import { ReceiveGoods } from './receive-goods.tsx';
import { Settle, WAYS, type Way } from './refunds.tsx';
import { ReturnForm } from './return-form.tsx';

type Props = {
  pedido: PedidoFacts & { id: string; cantidad_devuelta?: number | undefined };
  /** Form that opens at once: of a return, or of the refund of a return. */
  start?: 'return' | 'refund' | undefined;
  /** True if the screen has the step «Registrar devolución» elsewhere; an order without returns then shows nothing. */
  quiet?: boolean;
  /** Returns true if leaving would lose a half-filled form. */
  dirty?: Ref<() => boolean> | undefined;
};

/** Returns of a delivered order, and a form to register more. Hidden if the order has no returns and the person cannot register any. */
export default function Returns({ pedido, start, quiet = false, dirty }: Props) {
  const actor = useSession();
  const manage = can(actor, 'devolucion:manage');
  const shown = pedido.estado === 'completado' && can(actor, 'pedido:returns', pedido) && (manage || !!pedido.cantidad_devuelta);
  return shown ? <Registered id={pedido.id} manage={manage && !pedido.deleted_at} start={start} quiet={quiet} dirty={dirty} /> : null;
}

type RegisteredProps = Pick<Props, 'dirty' | 'start' | 'quiet'> & { id: string; manage: boolean };
function Registered({ id, manage, start, quiet, dirty }: RegisteredProps) {
  const { data, error, refetch } = useApi(listDevoluciones, { params: { id } });
  const [registering, setRegistering] = useState(start === 'return');
  if (quiet && !registering && !error && !data?.data.length) return null;
  return (
    <Section title="Devoluciones" order={3} mb="sm">
      <Stack>
        {error && !data && <ErrorState title="No se pudieron cargar las devoluciones" error={error} onRetry={() => void refetch()} />}
        {!error && !data && <Skeleton h={36} role="status" aria-label="Cargando las devoluciones" />}
        {data?.data.length === 0 && !registering && <Text c="dimmed">El cliente no ha devuelto nada.</Text>}
        {data && data.data.length > 0 && (
          <ul className={classes.list} aria-label="Devoluciones">
            {data.data.map((devolucion) => (
              <One pedido={id} key={devolucion.id} devolucion={devolucion} manage={manage} start={start === 'refund'} />
            ))}
          </ul>
        )}
        {manage &&
          data &&
          (registering ? (
            <ReturnForm id={id} returns={data.data} onDone={() => setRegistering(false)} dirty={dirty} />
          ) : (
            !quiet && (
              <Button variant="light" className={classes.start} onClick={() => setRegistering(true)}>
                Registrar devolución
              </Button>
            )
          ))}
      </Stack>
    </Section>
  );
}

type OneProps = { pedido: string; devolucion: Devolucion; manage: boolean; start: boolean };
function One({ pedido, devolucion, manage, start }: OneProps) {
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
  const acts = manage && !anulada_at;
  const [doing, setDoing] = useState<Way | 'annul' | undefined>(start && acts && devolucion.por_reembolsar > 0 ? 'refund' : undefined);
  const done = () => setDoing(undefined);
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" align="start">
        <Text fw={600}>{MOTIVO_DEVOLUCION_LABEL[motivo]}</Text>
        {acts && !doing && <ReturnMenu devolucion={devolucion} onPick={setDoing} />}
        {anulada_at && (
          <Badge color="gray" maw="none">
            Anulada
          </Badge>
        )}
      </Group>
      {lineas.map(({ numero, producto, cantidad, destino, parte }) => (
        <Text key={`${numero} ${destino} ${parte ?? ''}`} className={classes.words} td={anulada_at ? 'line-through' : undefined}>
          {number(cantidad)} × {producto}: {parte && `${MOTIVO_PARTE_LABEL[parte].toLowerCase()}; `}
          {DESTINO_LABEL[destino].toLowerCase()}
        </Text>
      ))}
      {reembolso > 0 && (
        <Text className={classes.words} td={anulada_at ? 'line-through' : undefined}>
          Reembolso de <strong>{money(reembolso)}</strong>
          {referencia && ` · Ref. ${referencia}`}
          {de_mas > 0 && `, ${money(de_mas)} más de lo que valía`}
        </Text>
      )}
      {retenido > 0 && (
        <Text className={classes.words} td={anulada_at ? 'line-through' : undefined}>
          No se reembolsan <strong>{money(retenido)}</strong>: «{retenido_motivo}»
        </Text>
      )}
      {nota && <Text className={classes.words}>«{nota}»</Text>}
      <Text variant="detail">
        {actor_nombre} · <time dateTime={created_at}>{fechaHora(created_at)}</time>
      </Text>
      {anulada_at && (
        <Text className={classes.words}>
          Anulada el <time dateTime={anulada_at}>{fechaHora(anulada_at)}</time>: «{anulada_motivo}»
        </Text>
      )}
      {acts && lineas.some(({ destino }) => destino === CAMINO) && <ReceiveGoods id={pedido} />}
      {acts && devolucion.por_reembolsar > 0 && !doing && (
        <Text>
          Por reembolsar: <strong>{money(devolucion.por_reembolsar)}</strong>
        </Text>
      )}
      {devolucion.resto_pedido_id && (
        <Text my={4} component={Link} to={`/pedidos/${devolucion.resto_pedido_id}`}>
          Ver el pedido del resto
        </Text>
      )}
      {doing === 'annul' ? (
        <Annul id={devolucion.id} onDone={done} />
      ) : (
        doing && <Settle devolucion={devolucion} way={doing} onDone={done} />
      )}
    </li>
  );
}

/** What can be done with a return besides receiving its goods. */
function ReturnMenu({ devolucion, onPick }: { devolucion: Devolucion; onPick: (what: Way | 'annul') => void }) {
  const rest = useRest(devolucion);
  const ways = devolucion.por_reembolsar > 0 ? (Object.keys(WAYS) as Way[]) : [];
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Acciones de la devolución del ${fechaHora(devolucion.created_at)}`}
        >
          <IconDotsVertical size={16} stroke={1.8} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {ways.map((way) => (
          <Menu.Item key={way} onClick={() => onPick(way)}>
            {WAYS[way]}
          </Menu.Item>
        ))}
        {devolucion.motivo === PARCIAL && !devolucion.resto_pedido_id && <Menu.Item onClick={rest}>Entregar el resto</Menu.Item>}
        <Menu.Item c="var(--mantine-color-error)" onClick={() => onPick('annul')}>
          Anular
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Annul({ id, onDone }: { id: string; onDone: () => void }) {
  const form = useReason();
  const annul = useMutate(anularDevolucion, { form, failure: 'No se pudo anular la devolución', onSuccess: onDone });
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
      onCancel={onDone}
    />
  );
}

/** Creates a second order for undelivered goods, after a question. */
function useRest({ id, por_reembolsar: owed }: Devolucion) {
  const rest = useMutate(pedirResto, { failure: 'No se pudo crear el pedido del resto' });
  const pays = owed > 0 ? ` Los ${money(owed)} por reembolsar pasan al pedido nuevo.` : '';
  return () =>
    void confirm({
      title: 'Entregar el resto',
      message: `Se creará otro pedido con lo que no se entregó, al precio acordado y sin gastos de envío.${pays}`,
      confirm: 'Crear el pedido',
      action: () => rest.mutateAsync({ params: { id } }),
    });
}
