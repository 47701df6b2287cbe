import { sql } from 'kysely';
import type { Answer, BodyOut } from '../../contract/kit.ts';
import type { PedidoFilters } from '../../contract/pedidos.filters.ts';
import { TRANSITIONS, type TransitionInput } from '../../contract/pedidos.flow.ts';
import { type calcularDevolucion, type lotePedidos as endpoint, MAX_LOTE } from '../../contract/pedidos.lote.ts';
import type { Actor } from '../../contract/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { asRefusal, conflict } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { assignTransportista } from './assign.ts';
import { notePago } from './cobrar.ts';
import { ordersFor } from './filter.ts';
import { deletePedido, restorePedido } from './pedidos.ts';
import { lockPedido } from './row.ts';
import { applyTransition } from './transition.ts';

type Input = BodyOut<typeof endpoint>;

/** Applies an action to each order in its own transaction. Throws 409 if the filter now matches another number. */
export async function runLote(
  db: Db,
  actor: Actor,
  { pedidos, accion }: Input,
  onError: (error: unknown) => void,
): Promise<Answer<typeof endpoint>> {
  const chosen = await find(db, actor, pedidos, accion.tipo === 'restaurar' ? { eliminados: 'si' } : {});
  const data: Answer<typeof endpoint>['data'] = [];
  for (const [i, { id, numero_orden }] of chosen.entries()) {
    try {
      await one(db, actor, id, accion);
      data.push({ id, numero_orden, ok: true, message: done(accion) });
    } catch (error) {
      const refusal = asRefusal(error);
      if (refusal) {
        data.push({ id, numero_orden, ok: false, message: refusal.message, code: refusal.body.code });
        continue;
      }
      if (data.length === 0) throw error;
      onError(error);
      data.push(...chosen.slice(i).map((rest) => ({ ...rest, ok: false, message: UNEXPECTED, code: 'internal_error' })));
      break;
    }
  }
  const hechos = data.filter((row) => row.ok).length;
  return { message: `${hechos} de ${data.length} pedidos: ${done(accion).toLowerCase()}`, hechos, data };
}

const UNEXPECTED = 'No se ha hecho por un error inesperado';

type Accion = Input['accion'];
const DONE: Record<Exclude<Accion['tipo'], 'asignar'>, string> = {
  cancelar: 'Cancelado',
  eliminar: 'Eliminado',
  restaurar: 'Restaurado',
  pagar: 'Pagado',
  preparar: 'En proceso',
  volver: 'Asignado',
  salir: 'En ruta',
  completar: 'Completado',
};
function done(accion: Accion): string {
  if (accion.tipo === 'asignar') return accion.transportista_id === null ? 'Sin asignar' : 'Asignado';
  return DONE[accion.tipo];
}

function one(db: Db, actor: Actor, id: string, accion: Accion) {
  if (accion.tipo === 'asignar')
    return assignTransportista(db, actor, id, { transportista_id: accion.transportista_id, empresa_transporte: accion.empresa_transporte });
  if (accion.tipo === 'eliminar') return deletePedido(db, actor, id);
  if (accion.tipo === 'restaurar') return restorePedido(db, actor, id);
  if (accion.tipo === 'pagar') return notePago(db, actor, id, accion);
  const { tipo: name, ...input } = accion;
  return transact(db, async (tx) => applyTransition(tx, actor, await lockPedido(tx, actor, id), { name, ...input } as TransitionInput));
}

/** Refund in euros after cancelling those of the orders that can be cancelled. */
export async function refundOf(db: Db, actor: Actor, pedidos: Input['pedidos']): Promise<Answer<typeof calcularDevolucion>> {
  const { pagados, cents } = await among(db, actor, pedidos)
    .where('estado', 'in', TRANSITIONS.cancelar.from)
    .where('pagado_cents', '>', 0)
    .select((eb) => [eb.fn.countAll<number>().as('pagados'), sql<number>`coalesce(sum(pagado_cents), 0)::bigint`.as('cents')])
    .executeTakeFirstOrThrow();
  return { pagados, importe: toEuros(cents) };
}

const among = (db: Db, actor: Actor, pedidos: Input['pedidos'], also: PedidoFilters = {}) =>
  'ids' in pedidos ? ordersFor(db, actor, also).where('id', 'in', pedidos.ids) : ordersFor(db, actor, { ...pedidos.filtro, ...also });

async function find(db: Db, actor: Actor, pedidos: Input['pedidos'], also: PedidoFilters) {
  const found = await among(db, actor, pedidos, also)
    .select(['id', 'numero_orden'])
    .orderBy('fecha_pedido', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LOTE + 1)
    .execute();
  if ('esperados' in pedidos && found.length !== pedidos.esperados) {
    throw conflict('La lista ha cambiado mientras tanto: vuelve a mirarla antes de seguir', 'lista');
  }
  return found;
}
