import { sql } from 'kysely';
import { type MetodoEntrega, TRANSITIONS, type TransitionInput, type TransitionName, transitionTo } from '../../contract/pedidos.flow.ts';
import type { InputName } from '../../contract/pedidos.inputs.ts';
import type { EstadoInput } from '../../contract/pedidos.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { MovedEstado } from '../db/schema.ts';
import { conflict, invalid, notFound } from '../kit/errors.ts';
import { moveStock } from '../products/stock.ts';
import { activeCarrier } from './carrier.ts';
import { record } from './history.ts';
import { oweRefund, type Paid, recordPago } from './pagos.ts';
import { COLUMNS, lockPedido, type PedidoRow } from './row.ts';
import { refuse, step } from './step.ts';

/**
 * Takes an order to the estado that a call asks for (specification, section 7). Throws 404 out of scope, 409
 * when the order is no longer where it was, 403 when the actor may not, 422 when something needed is missing.
 */
export async function setEstado(db: Db, actor: Actor, id: string, body: EstadoInput): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, body.version);
    const name = transitionTo(actor, row, body.estado);
    refuse(actor, row, name, body.estado);
    return applyTransition(tx, actor, row, inputFrom(name, body));
  });
}

/** A carrier takes an available order. The one who comes late gets a 409 that says what happened. */
export async function takePedido(db: Db, actor: Actor, id: string, empresa_transporte: MetodoEntrega | null): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    // Read without the scope: an order somebody else has just taken is out of it, and must say so.
    const row = await tx
      .selectFrom('pedidos')
      .select(COLUMNS)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!row || row.estado === 'pendiente_pago' || actor.id === null) throw notFound();
    if (!can(actor, 'pedido:take', row)) {
      if (row.transportista_id === actor.id) throw conflict('Ya tienes asignado este pedido', 'taken');
      throw conflict(row.transportista_id ? 'Otro transportista ya ha tomado este pedido' : 'Este pedido ya no está disponible', 'taken');
    }
    return applyTransition(tx, actor, row, { name: 'tomar', ...(await activeCarrier(tx, actor.id)), empresa_transporte });
  });
}

/** Throws 409 when the caller looked at an older version of the order. */
export function refuseStale(row: PedidoRow, version: number | undefined): void {
  if (version !== undefined && version !== row.version)
    throw conflict('Otra persona ha cambiado este pedido mientras lo tenías abierto', 'version');
}

/**
 * The only code that changes an order's estado. `row` must be locked. History, audit entry and stock movement are
 * written in the same transaction. Throws 409 when the order is not where the transition begins, 403 when the
 * actor may not make it. `pago`: by what it was paid; by hand when not said.
 */
export async function applyTransition(tx: Tx, actor: Actor, row: PedidoRow, input: TransitionInput, pago?: Paid): Promise<PedidoRow> {
  const { set, accion, nota, devueltas } = step(row, input, actor, sql<string>`now()`);
  // Locks the product's row before the totals' (which the trigger touches), as creating an order does.
  if (devueltas) await returnUnits(tx, actor, row);
  const updated = await tx
    .updateTable('pedidos')
    .set({ ...set, estado: set.estado as MovedEstado })
    .where('id', '=', row.id)
    .where('estado', '=', row.estado)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!updated) throw conflict('El pedido ha cambiado mientras tanto. Vuelve a intentarlo.', 'estado');
  if (input.name === 'pagar') {
    const { referencia } = input;
    await recordPago(tx, row, { proveedor: 'manual', ...pago, estado: 'pagado', referencia, importe_cents: row.precio_total_cents });
  }
  if (input.name === 'cancelar') await oweRefund(tx, updated);
  await record(tx, actor, { accion, action: 'update', nota }, row, updated);
  return updated;
}

/** Gives an order's units back to its product, once: what it still holds is what goes back. */
export async function returnUnits(tx: Tx, actor: Actor, row: PedidoRow): Promise<void> {
  if (!row.product_id || row.unidades_retenidas === 0) return;
  await moveStock(tx, { product_id: row.product_id, unidades: row.unidades_retenidas, motivo: 'devolucion', pedido_id: row.id }, actor);
}

// A carrier is never given here: it has a call of its own.
function inputFrom(name: TransitionName, body: EstadoInput): TransitionInput {
  for (const [field, missing] of Object.entries(TRANSITIONS[name].input)) {
    if (missing && !body[field as InputName]) throw invalid(field, missing);
  }
  return { ...body, name } as TransitionInput;
}
