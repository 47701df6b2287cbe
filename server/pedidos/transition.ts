import { sql } from 'kysely';
import { ESTADO, type Estado, type MetodoEntrega, mayTransition, type Transition, transition } from '../../contract/pedidos.flow.ts';
import type { EstadoInput } from '../../contract/pedidos.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { MovedEstado } from '../db/schema.ts';
import { conflict, forbidden, invalid, notFound } from '../kit/errors.ts';
import { oweRefund, type Paid, recordPago } from '../payments/ledger.ts';
import { moveStock } from '../products/stock.ts';
import { activeCarrier } from './carrier.ts';
import { record } from './history.ts';
import { COLUMNS, lockPedido, type PedidoRow } from './row.ts';

type Given = Partial<Omit<EstadoInput, 'estado' | 'version'>> & {
  transportista?: { id: string; full_name: string };
  /** By what it was paid; by hand when not said. */
  pago?: Paid;
};

/**
 * Takes an order through one row of the state table (specification, section 4; design, section 4.1).
 * Throws 404 out of scope, 409 when the order is no longer where it was, 403 when the actor may not, 422
 * when something needed is missing.
 */
export async function setEstado(db: Db, actor: Actor, id: string, input: EstadoInput): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, input.version);
    return applyTransition(tx, actor, row, input.estado, input);
  });
}

/** A carrier takes an available order. The one who comes late gets a 409 that says what happened. */
export async function takePedido(db: Db, actor: Actor, id: string, empresa: MetodoEntrega | null): Promise<PedidoRow> {
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
    return applyTransition(tx, actor, row, 'asignado', {
      transportista: await activeCarrier(tx, actor.id),
      ...(empresa ? { empresa_transporte: empresa } : {}),
    });
  });
}

/** Throws 409 when the caller looked at an older version of the order. */
export function refuseStale(row: PedidoRow, version: number | undefined): void {
  if (version !== undefined && version !== row.version)
    throw conflict('Otra persona ha cambiado este pedido mientras lo tenías abierto', 'version');
}

/**
 * The only code that changes an order's estado. `row` must be locked. History, audit entry and stock
 * movement are written in the same transaction.
 */
export async function applyTransition(tx: Tx, actor: Actor, row: PedidoRow, to: Estado, given: Given = {}): Promise<PedidoRow> {
  const t = transition(row.estado, to);
  if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes');
  if (row.estado === to) throw conflict(`El pedido ya está en estado «${ESTADO[to].label}»`, 'estado');
  if (!t) throw conflict(`El pedido está en estado «${ESTADO[row.estado].label}» y no puede pasar a «${ESTADO[to].label}»`, 'estado');
  if (!mayTransition(actor, t, row)) throw forbidden();
  const set = settle(t, row, given);

  // The product's row is locked before the totals' (which the trigger touches), as when an order is created.
  if (t.effect === 'return') await returnUnits(tx, actor, row);
  const updated = await tx
    .updateTable('pedidos')
    .set({
      ...set,
      estado: to as MovedEstado,
      ...(t.effect === 'return' ? { unidades_retenidas: 0 } : {}),
      version: sql`version + 1`,
      updated_at: sql`now()`,
      ...(to === 'completado' ? { fecha_completado: sql`now()` } : {}),
      ...(t.needs === 'referencia' ? { fecha_pago: sql`now()` } : {}),
    })
    .where('id', '=', row.id)
    .where('estado', '=', t.from)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!updated) throw conflict('El pedido ha cambiado mientras tanto. Vuelve a intentarlo.', 'estado');
  if (t.needs === 'referencia') {
    await recordPago(tx, row, {
      estado: 'pagado',
      referencia: given.referencia ?? '',
      importe_cents: row.precio_total_cents,
      ...(given.pago ?? { proveedor: 'manual' }),
    });
  }
  if (to === 'cancelado') await oweRefund(tx, updated);
  await record(tx, actor, { accion: t.label, action: 'update', nota: given.motivo ?? given.referencia }, row, updated);
  return updated;
}

// What the transition needs and changes besides the estado itself.
function settle(t: Transition, row: PedidoRow, given: Given) {
  if (t.needs === 'referencia' && !given.referencia) throw invalid('referencia', 'Indica la referencia del pago');
  if (t.needs === 'motivo' && !given.motivo) throw invalid('motivo', 'Indica el motivo del intento fallido');
  if (t.needs === 'metodo_entrega' && !given.metodo_entrega) throw invalid('metodo_entrega', 'Por favor, selecciona un método de entrega');
  if (t.needs === 'transportista' && !given.transportista) throw invalid('transportista_id', 'Elige un transportista');
  return {
    ...(given.transportista ? { transportista_id: given.transportista.id, transportista_nombre: given.transportista.full_name } : {}),
    ...(t.effect === 'release' ? { transportista_id: null, transportista_nombre: null } : {}),
    ...(t.to === 'completado'
      ? { metodo_entrega: given.metodo_entrega ?? null, numero_seguimiento: given.numero_seguimiento ?? null }
      : {}),
    ...(given.empresa_transporte ? { empresa_transporte: given.empresa_transporte } : {}),
    motivo: t.needs === 'motivo' ? (given.motivo ?? null) : t.to === 'completado' ? null : row.motivo,
  };
}

/** Gives an order's units back to its product, once: what it still holds is what goes back. */
export async function returnUnits(tx: Tx, actor: Actor, row: PedidoRow): Promise<void> {
  if (!row.product_id || row.unidades_retenidas === 0) return;
  await moveStock(tx, { product_id: row.product_id, unidades: row.unidades_retenidas, motivo: 'devolucion', pedido_id: row.id }, actor);
}
