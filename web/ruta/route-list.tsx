import { ActionIcon, Button, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconNavigation, IconPin, IconRoute } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { MAX_PER_PAGE } from '../../contract/kit/pages.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import { listPedidos, type PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { mayLeave } from '../../contract/pedidos/situation.ts';
import { getRuta, guardarRuta } from '../../contract/ruta/ruta.ts';
import { directionsHref, townLine } from '../../contract/text/address.ts';
import { plural } from '../../contract/text/plural.ts';
import { ApiError, useApi } from '../api.ts';
import { LeaveAll } from '../carga/leave-all.tsx';
import type { Operation } from '../outbox/operation.ts';
import { outboxFor, reportFault } from '../pedidos/actions/outbox.ts';
import { useSession } from '../session/session.ts';
import { isoDay, today } from '../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { HeaderAction } from '../ui/page/header-action.tsx';
import thumb from '../ui/page/thumb-bar.module.css';
import { toast } from '../ui/page/toast.tsx';
import { inOrder, moveStop, type Orden, pinnedAtEnds, proposedOrder } from './arrange.ts';
import classes from './ruta.module.css';
import { useDrag } from './use-drag.ts';

/** Maximum number of waypoints that a maps link accepts in a phone's browser. */
const BETWEEN = 3;
const AWAY = { component: 'a', target: '_blank', rel: 'noreferrer', variant: 'default', mih: 44, px: 'xs' } as const;

// Includes the lines, so that a phone without coverage knows the contents of each order.
const IN_HAND = { query: { estado: EN_MANOS.join(','), per_page: MAX_PER_PAGE, dir: 'asc', con: 'lineas' } } as const;

/** Switch between list and route; loads the route's data early, for a day without coverage. */
export function RouteButton({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  useApi(listPedidos, IN_HAND);
  useApi(getRuta, {});
  return <HeaderAction label="Ruta" icon={<IconRoute size={18} aria-hidden />} pressed={on} onClick={() => onChange(!on)} />;
}

type Props = {
  operations: readonly Operation[];
  /** Applies this phone's unsent steps to the orders. */
  optimistic: (rows: readonly PedidoTransportista[]) => readonly PedidoTransportista[];
  onOpen: (pedido: PedidoTransportista) => void;
  /** Renders the next order, with its steps. */
  card: (pedido: PedidoTransportista) => ReactNode;
};

/** «Ruta»: own orders in the sequence of visits, arranged by dragging, by keys or by a proposal. */
export function RouteList({ operations, optimistic, onOpen, card }: Props) {
  const orders = useApi(listPedidos, IN_HAND);
  const { ruta, paradas, arrange } = useRuta(operations);
  const [announcement, setSaid] = useState('');
  const [before, setBefore] = useState<Orden>();
  const own = optimistic(orders.data?.data.filter((pedido): pedido is PedidoTransportista => 'cliente_telefono' in pedido) ?? []);
  const stops = inOrder(
    own.filter((pedido) => EN_MANOS.includes(pedido.estado) && mayLeave(pedido)),
    ruta,
  );
  const ids = stops.map(({ id }) => id);
  const numberOf = (id: string) => stops.find((stop) => stop.id === id)?.numero_orden ?? '';

  function put(pedidos: string[], id: string): void {
    setBefore(undefined);
    arrange({ ...ruta, pedidos });
    setSaid(`${numberOf(id)}: parada ${pedidos.indexOf(id) + 1} de ${pedidos.length}`);
  }
  function propose(): void {
    const { pedidos, unknown } = proposedOrder(stops, paradas, ruta);
    setBefore({ ...ruta, pedidos: ids });
    arrange({ ...ruta, pedidos });
    const left = plural(unknown, 'pedido de población desconocida', 'pedidos de población desconocida');
    setSaid(`Ruta propuesta: ${pedidos.length} paradas${unknown > 0 ? `. Sin situar: ${left}` : ''}`);
  }
  function undo(orden: Orden): void {
    setBefore(undefined);
    arrange(orden);
    setSaid('La ruta está como antes');
  }

  const [next] = stops;
  if (!next)
    return (
      <Loaded query={orders} failed="No se pudo cargar la ruta" waiting={<Skeletons heights={[44, 160, 56, 56]} />}>
        {() => <EmptyState title="No tienes pedidos en curso" hint="Toma un pedido de la lista de disponibles para empezar." />}
      </Loaded>
    );
  const ahead = stops.slice(0, BETWEEN + 1);
  const end = ahead.at(-1);
  return (
    <Stack>
      <Text c="dimmed" role="status">
        {announcement}
      </Text>
      <section className={classes.next} aria-label="Siguiente">
        {card(next)}
      </section>
      <Stops stops={stops} ruta={ruta} onMove={put} onPin={(pins) => arrange({ ...ruta, pedidos: ids, ...pins })} onOpen={onOpen} />
      <Group className={`${thumb.bar} ${classes.actions}`}>
        <LeaveAll pedidos={stops} />
        <Button mih={48} px="xs" variant="default" leftSection={<IconRoute size={18} aria-hidden />} onClick={propose}>
          Proponer ruta
        </Button>
        {before && (
          <Button mih={48} variant="default" onClick={() => undo(before)}>
            Deshacer
          </Button>
        )}
        <Button {...AWAY} href={directionsHref(next)} leftSection={<IconNavigation size={18} aria-hidden />}>
          Ir a la siguiente
        </Button>
        {end && ahead.length > 1 && (
          <Button {...AWAY} href={directionsHref(end, ahead.slice(0, -1))} leftSection={<IconNavigation size={18} aria-hidden />}>
            Ir a las {ahead.length} siguientes
          </Button>
        )}
      </Group>
    </Stack>
  );
}

type StopsProps = Pick<Props, 'onOpen'> & {
  stops: readonly PedidoTransportista[];
  ruta: Orden;
  onMove: (ids: string[], id: string) => void;
  onPin: (pins: Partial<Orden>) => void;
};

function Stops({ stops, ruta, onMove, onPin, onOpen }: StopsProps) {
  const ids = stops.map(({ id }) => id);
  const { seen, held, list, handle } = useDrag(ids, onMove);

  function move(id: string, to: number): void {
    if (to >= 0 && to < ids.length && to !== ids.indexOf(id)) onMove(moveStop(ids, id, to), id);
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, id: string, at: number) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: ids.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(id, to);
  };
  return (
    <>
      <VisuallyHidden id="ruta-teclas">Con las flechas cambia de sitio.</VisuallyHidden>
      <ol className={classes.list} aria-label="Ruta" {...list}>
        {stops.map((stop, at) => {
          const { id, numero_orden } = stop;
          const place = seen.indexOf(id);
          const pins = [
            at === 0 && ({ pin: 'primera', label: 'Fijar la primera' } as const),
            at > 0 && at === ids.length - 1 && ({ pin: 'ultima', label: 'Fijar la última' } as const),
          ].filter((pin) => !!pin);
          return (
            <li key={id} className={classes.item} style={{ order: place }} data-held={held === id || undefined}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={48}
                className={classes.handle}
                aria-label={`Mover ${numero_orden}: parada ${place + 1} de ${ids.length}`}
                aria-describedby="ruta-teclas"
                onKeyDown={(event) => onKeyDown(event, id, at)}
                {...handle(id)}
              >
                <IconGripVertical size={18} aria-hidden />
                {place + 1}
              </ActionIcon>
              <div className={classes.text}>
                <UnstyledButton w="100%" mih={48} onClick={() => onOpen(stop)}>
                  <Text fw={600}>
                    {numero_orden} · {stop.cliente_nombre}
                  </Text>
                  <Text variant="detail">{[stop.cliente_direccion, townLine(stop)].filter(Boolean).join(', ')}</Text>
                </UnstyledButton>
                {pins.map(({ pin, label }) => (
                  <Button
                    key={pin}
                    size="compact-sm"
                    mih={48}
                    px={4}
                    variant={ruta[pin] === id ? 'light' : 'subtle'}
                    color="gray"
                    leftSection={<IconPin size={16} aria-hidden />}
                    aria-pressed={ruta[pin] === id}
                    onClick={() => onPin({ [pin]: ruta[pin] === id ? null : id })}
                  >
                    {label}
                  </Button>
                ))}
              </div>
              {[
                { label: 'Subir', to: at - 1, Icon: IconArrowUp },
                { label: 'Bajar', to: at + 1, Icon: IconArrowDown },
              ].map(({ label, to, Icon }) => (
                <ActionIcon
                  key={label}
                  variant="default"
                  size={48}
                  aria-label={`${label} ${numero_orden}`}
                  aria-disabled={to < 0 || to >= ids.length}
                  onClick={() => move(id, to)}
                >
                  <Icon size={18} aria-hidden />
                </ActionIcon>
              ))}
            </li>
          );
        })}
      </ol>
    </>
  );
}

const EMPTY: Orden = { pedidos: [], primera: null, ultima: null };

/** Today's route with this phone's unsent changes. `arrange` shows a new sequence at once, and sends it through the outbox. */
function useRuta(operations: readonly Operation[]) {
  const actor = useSession();
  const { data } = useApi(getRuta, {});
  // The new sequence of visits, until the outbox has stored it.
  const [shown, setShown] = useState<Orden>();
  const own = operations.findLast(({ path, state, at }) => path === guardarRuta.path && state !== 'rechazado' && isoDay(at) === today());
  const ruta = shown ?? (own?.body as Orden | undefined) ?? data?.data ?? EMPTY;

  async function store(orden: Orden): Promise<void> {
    const at = new Date().toISOString();
    const outbox = outboxFor(actor);
    const before = outbox.operations().filter(({ path, state }) => path === guardarRuta.path && state === 'pendiente');
    const { method, path } = guardarRuta;
    const numero = 'Ruta del día';
    const result = outbox.add({ pedido: 'ruta', numero, label: 'Ordenar', method, path, body: { ...orden, ocurrido: at }, at });
    // Only the last arrangement is worth sending.
    await Promise.all(before.map(({ id }) => outbox.discard(id)));
    const answer = await result;
    if (answer.kind === 'refused' && answer.error instanceof ApiError) toast.failure(answer.error, 'No se pudo guardar la ruta');
    if (answer.kind === 'faulty') reportFault(answer.reason);
  }

  function arrange(orden: Orden): void {
    const next = pinnedAtEnds(orden);
    setShown(next);
    store(next)
      .catch(() => toast.error('Este teléfono no puede guardar la ruta'))
      .finally(() => setShown((now) => (now === next ? undefined : now)));
  }

  const { pedidos, primera, ultima } = ruta;
  return { ruta: { pedidos, primera, ultima }, paradas: data?.data.paradas ?? [], arrange };
}
