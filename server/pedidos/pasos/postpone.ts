import type { z } from 'zod';
import type { aplazarPedido } from '../../../contract/pedidos/schemas.ts';
import { type Actor, can, SISTEMA } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, forbidden, invalid } from '../../kit/errors.ts';
import { refuseStale } from '../../kit/version.ts';
import { type Notice, notify } from '../../notifications/notify.ts';
import { change } from '../historia/change.ts';
import { refuseBlockedData } from '../lectura/blocked.ts';
import { instantOf, nextWorkingDays } from '../lectura/promised.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';

/* Postponed deliveries, at the customer's wish (decision 054). */

export type Postponed = { dia: string; nota?: string | null | undefined };

const DAYS = 10;
/** Maximum number of changes through the payment link, per order. */
const MAX_BY_LINK = 5;

/** Returns the days to which a delivery can be postponed (yyyy-MM-dd); empty unless the order is to be delivered. */
export const daysFor = async (db: Db | Tx, row: PedidoRow): Promise<string[]> =>
  can(SISTEMA, 'pedido:postpone', row) ? nextWorkingDays(db, DAYS) : [];

/** Postpones a delivery for the office or the reseller. Throws 404, 403, 409 if stale or not to be delivered, 422 for a day not offered. */
export const postponePedido = async (
  db: Db,
  actor: Actor,
  id: string,
  { version, ...wish }: z.output<typeof aplazarPedido.body>,
): Promise<PedidoRow> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, version, 'este pedido');
    refuseBlockedData(row, 'modificar');
    if (can(SISTEMA, 'pedido:postpone', row) && !can(actor, 'pedido:postpone', row)) throw forbidden('pedido:postpone');
    return postpone(tx, actor, row, wish);
  });

/** Postpones a locked order for its customer. Throws like `postponePedido`, and 409 after `MAX_BY_LINK` changes. */
export async function postponeByLink(tx: Tx, row: PedidoRow, wish: Postponed): Promise<PedidoRow> {
  const { times } = await tx
    .selectFrom('pedidos_historial')
    .select(({ fn }) => fn.countAll<string>().as('times'))
    .where('pedido_id', '=', row.id)
    .where('accion', '=', STEP)
    .where('actor_user_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(times) >= MAX_BY_LINK) throw conflict('Ya has cambiado el día varias veces: ponte en contacto con la tienda');
  return postpone(tx, SISTEMA, row, wish);
}

const STEP = 'El cliente pide otro día';

/** Postpones the delivery of a locked order. Throws like `postponePedido`. */
export async function postpone(tx: Tx, actor: Actor, row: PedidoRow, { dia, nota }: Postponed): Promise<PedidoRow> {
  const days = await daysFor(tx, row);
  if (days.length === 0) throw conflict('Este pedido no se puede aplazar: no está por entregar', 'estado');
  if (!days.includes(dia)) throw invalid('dia', 'Elige uno de los próximos días de reparto');
  const aviso_cliente = [`Entregar el ${wordsOf(dia)}`, nota].filter(Boolean).join('. ');
  // A repeated wish sends no second notice.
  if (aviso_cliente === row.aviso_cliente && !row.incidencia_at && !row.recoge_at) return row;
  const set = { aviso_cliente, fecha_estimada: instantOf(dia), fecha_estimada_fijada: true, incidencia_at: null, recoge_at: null };
  const updated = await change(tx, actor, row, set, { accion: STEP, action: 'update' });
  await notify(tx, ...noticesOf(actor, updated, dia));
  return updated;
}

const wordsOf = (dia: string) =>
  new Intl.DateTimeFormat('es-ES', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
    .format(new Date(dia))
    .replace(',', '');

function noticesOf(actor: Actor, row: PedidoRow, dia: string): Notice[] {
  const { id, numero_orden, cliente_nombre, transportista_id, revendedor_id } = row;
  const search = `search=${encodeURIComponent(numero_orden)}`;
  const notice = {
    tipo: 'entrega_aplazada',
    texto: `${cliente_nombre} no estará: pide ${numero_orden} el ${wordsOf(dia)}`,
    except: actor.id,
    pedido_id: id,
    renews: true,
  } as const;
  return [
    { ...notice, users: [transportista_id], enlace: `/pedidos-asignados?${search}` },
    { ...notice, users: [revendedor_id], enlace: `/mis-pedidos?${search}` },
    { ...notice, roles: ['superadmin'], enlace: `/pedidos/${id}` },
  ];
}
