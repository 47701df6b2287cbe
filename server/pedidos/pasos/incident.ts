import type { z } from 'zod';
import { RESPUESTA_LABEL } from '../../../contract/pedidos/attempts.ts';
import { storedPlace } from '../../../contract/pedidos/direccion.ts';
import { PROGRESO } from '../../../contract/pedidos/estados.ts';
import { CLIENTE_FIELDS } from '../../../contract/pedidos/fields.ts';
import type { aplazarPedido, responderIncidencia } from '../../../contract/pedidos/schemas.ts';
import { type Actor, can, SISTEMA } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, forbidden, invalid, refuseStale } from '../../kit/errors.ts';
import { type Notice, notify } from '../../notifications/notify.ts';
import { noteAttempt } from '../historia/attempts.ts';
import { changePedido } from '../historia/change.ts';
import { refuseBlockedData } from '../lectura/blocked.ts';
import { nextWorkingDays, typedInstant } from '../lectura/promised.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';
import { refuseCashSale } from '../pagos/cash-limit.ts';
import { repriceShipping } from './reship.ts';
import { applyTransition } from './transition.ts';

/**
 * Records a failed delivery that a company reports: the order waits for an answer at once, because no carrier tries again. Notifies like a
 * carrier's attempt. Throws 409, 403.
 */
export async function openIncident(tx: Tx, actor: Actor, row: PedidoRow, empresa: string, motivo: string): Promise<PedidoRow> {
  const back = PROGRESO.camino.includes(row.estado) ? await applyTransition(tx, actor, row, { name: 'fallar', motivo }) : row;
  if (back === row) await noteAttempt(tx, row, empresa, motivo);
  const at = new Date().toISOString();
  const set = { motivo, incidencia_at: back.incidencia_at ?? at, ...(back === row && { intento_at: at, intentos: row.intentos + 1 }) };
  return changePedido(tx, actor, back, set, { accion: 'No entregado', action: 'update', nota: motivo });
}

type Answer = z.output<typeof responderIncidencia.body>;
/** `means` explains the shipping price of a new address. */
type Answered = { row: PedidoRow; means?: string | undefined };

/** Records the answer after too many failed attempts (decision 059). Throws 404, 403, 409 if stale or not waiting, 422 if incomplete. */
export const answerIncident = async (db: Db, actor: Actor, id: string, { version, ...answer }: Answer): Promise<Answered> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, version, 'este pedido');
    refuseBlockedData(row, 'modificar');
    if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
    if (!row.incidencia_at) throw conflict('Este pedido no espera respuesta', 'estado');
    if (can(SISTEMA, 'pedido:postpone', row) && !can(actor, 'pedido:postpone', row)) throw forbidden('pedido:postpone');
    return ANSWERS[answer.respuesta](tx, actor, row, answer);
  });

const ANSWERS: Record<Answer['respuesta'], (tx: Tx, actor: Actor, row: PedidoRow, answer: Omit<Answer, 'version'>) => Promise<Answered>> = {
  otro_dia: async (tx, actor, row, { dia, nota }) => {
    if (!dia) throw invalid('dia', 'Elige un día');
    return { row: await postponeToDay(tx, actor, row, { dia, nota }) };
  },
  otra_direccion: async (tx, actor, row, answer) => {
    if (!answer.cliente_direccion) throw invalid('cliente_direccion', 'Escribe la dirección');
    const fields = CLIENTE_FIELDS.flatMap((name) => (name in answer ? [[name, answer[name as keyof typeof answer] ?? null]] : []));
    const address = placeOf(row, Object.fromEntries(fields));
    const { set, means } = await repriceShipping(tx, row, address);
    const updated = await answered(tx, actor, row, { ...set, ...address, aviso_cliente: wordsOf(answer), recoge_at: null }, answer, means);
    if (set.precio_total_cents !== undefined) await refuseCashSale(tx, [row.id], () => 'cliente_codigo_postal');
    return { row: updated, means };
  },
  recogida: async (tx, actor, row, answer) => ({
    row: await answered(tx, actor, row, { aviso_cliente: wordsOf(answer), recoge_at: new Date().toISOString() }, answer),
  }),
  devolucion: async (tx, actor, row, { nota }) => {
    if (!can(actor, 'paso:cancelar', row)) throw forbidden('paso:cancelar');
    return { row: await applyTransition(tx, actor, row, { name: 'cancelar', motivo: nota ?? 'No se pudo entregar' }) };
  },
};

/** Returns the new address as stored, in the order's country. */
function placeOf({ cliente_pais }: PedidoRow, fields: Record<string, string | null>) {
  const { cliente_pais: _, ...place } = storedPlace({ ...fields, cliente_pais });
  return place;
}

const wordsOf = ({ respuesta, nota }: Pick<Answer, 'respuesta' | 'nota'>) => [RESPUESTA_LABEL[respuesta], nota].filter(Boolean).join('. ');

type Said = Pick<Answer, 'respuesta' | 'nota'>;

async function answered(tx: Tx, actor: Actor, row: PedidoRow, set: object, answer: Said, means?: string): Promise<PedidoRow> {
  const written = { ...set, incidencia_at: null };
  const step = { accion: `Respuesta: ${RESPUESTA_LABEL[answer.respuesta]}`, action: 'update', nota: means } as const;
  const updated = await changePedido(tx, actor, row, written, step);
  await notify(tx, {
    tipo: 'incidencia_respondida',
    texto: `${row.numero_orden}: ${wordsOf(answer)}`,
    users: [row.transportista_id],
    enlace: `/pedidos-asignados?search=${encodeURIComponent(row.numero_orden)}`,
    except: actor.id,
    pedido_id: row.id,
  });
  return updated;
}

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
    return postponeToDay(tx, actor, row, wish);
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
  return postponeToDay(tx, SISTEMA, row, wish);
}

const STEP = 'El cliente pide otro día';

/** Postpones the delivery of a locked order. Throws like `postponePedido`. */
export async function postponeToDay(tx: Tx, actor: Actor, row: PedidoRow, { dia, nota }: Postponed): Promise<PedidoRow> {
  const days = await daysFor(tx, row);
  if (days.length === 0) throw conflict('Este pedido no se puede aplazar: no está por entregar', 'estado');
  if (!days.includes(dia)) throw invalid('dia', 'Elige uno de los próximos días de reparto');
  const aviso_cliente = [`Entregar el ${dayWords(dia)}`, nota].filter(Boolean).join('. ');
  // A repeated wish sends no second notice.
  if (aviso_cliente === row.aviso_cliente && !row.incidencia_at && !row.recoge_at) return row;
  const set = {
    aviso_cliente,
    fecha_estimada: typedInstant(dia),
    fecha_estimada_fijada: true,
    incidencia_at: null,
    recoge_at: null,
    aplazado_at: new Date().toISOString(),
  };
  const updated = await changePedido(tx, actor, row, set, { accion: STEP, action: 'update' });
  await notify(tx, ...noticesOf(actor, updated, dia));
  return updated;
}

const dayWords = (dia: string) =>
  new Intl.DateTimeFormat('es-ES', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
    .format(new Date(dia))
    .replace(',', '');

function noticesOf(actor: Actor, row: PedidoRow, dia: string): Notice[] {
  const { id, numero_orden, cliente_nombre, transportista_id, revendedor_id } = row;
  const search = `search=${encodeURIComponent(numero_orden)}`;
  const notice = {
    tipo: 'entrega_aplazada',
    texto: `${cliente_nombre} no estará: pide ${numero_orden} el ${dayWords(dia)}`,
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
