import { sql } from 'kysely';
import { edits, isEditable } from '../../contract/pedidos.access.ts';
import { EN_MANOS, FINALES } from '../../contract/pedidos.estados.ts';
import { EDITABLE_FIELDS, type EditableField } from '../../contract/pedidos.fields.ts';
import { alreadyRunning } from '../../contract/pedidos.flow.ts';
import type { UpdatePedido } from '../../contract/pedidos.ts';
import { type Actor, can, mayEver, SISTEMA } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { giveAgain, takeBack } from '../ganancias/ledger.ts';
import { conflict, forbidden, notFound } from '../kit/errors.ts';
import { isSameMetadata, mergeMetadata } from '../kit/metadata.ts';
import { refuseStale } from '../kit/version.ts';
import { refuseBlockedData } from './blocked.ts';
import { blockedBecause, refuseBlocked } from './cliente.ts';
import { change } from './history.ts';
import { adjustStock, readLines } from './lineas.ts';
import { instantOf } from './promised.ts';
import { DELETED } from './reassigned.ts';
import { reship } from './reship.ts';
import { lockPedido, type PedidoRow } from './row.ts';
import { applyTransition, returnUnits } from './transition.ts';

/**
 * Edits customer, address and, for superadmins, the promised date; `means` explains the effect on shipping. Throws 404, 403, 409 if stale,
 * frozen (design, section 4.8) or redacted, 422 for a blocked customer.
 */
export async function updatePedido(
  db: Db,
  actor: Actor,
  id: string,
  input: UpdatePedido,
): Promise<{ row: PedidoRow; means?: string | undefined }> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, input.version, 'este pedido');
    refuseBlockedData(row, 'modificar');
    if (!can(actor, 'pedido:edit', row)) {
      if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
      if (row.estado === 'cancelado') throw conflict('Un pedido cancelado no se puede modificar');
      throw conflict(alreadyRunning(row), 'estado');
    }
    // Fields the actor may not write stay unchanged, whatever is sent.
    const changed = EDITABLE_FIELDS.filter((field) => edits(actor, field, row) && row[field] !== input[field]);
    const { fecha_estimada } = input;
    const metadata = edits(actor, 'metadata', row) ? mergeMetadata(row.metadata, input.metadata) : row.metadata;
    const marked = !isSameMetadata(row.metadata, metadata);
    if (fecha_estimada !== undefined && !edits(actor, 'fecha_estimada', row)) throw forbidden('pedido:promise');
    const onlyMarked = changed.length === 0 && fecha_estimada === undefined;
    if (onlyMarked && !marked) return { row };
    if (!changed.every((field) => isEditable(field, row)) || (fecha_estimada !== undefined && !isEditable('fecha_estimada', row))) {
      throw conflict('En un pedido completado solo se pueden cambiar las instrucciones y los datos de programas');
    }
    const written = Object.fromEntries(changed.map((field) => [field, input[field]]));
    const { set: shipping, means } = await reship(tx, row, written);
    const set = {
      ...shipping,
      ...written,
      ...(marked && { metadata }),
      ...(fecha_estimada !== undefined && { fecha_estimada: instantOf(fecha_estimada), fecha_estimada_fijada: fecha_estimada !== null }),
    };
    const updated = await change(tx, actor, row, set, {
      accion: onlyMarked ? 'Datos de programas cambiados' : 'Pedido editado',
      action: 'update',
      nota: means,
    });
    if (changed.some((field) => KNOWN_BY.includes(field))) await refuseBlockedOrder(tx, actor, id);
    return { row: updated, means };
  });
}

/** Fields that identify a customer (migration 031). */
const KNOWN_BY: readonly EditableField[] = ['cliente_nombre', 'cliente_telefono', 'cliente_codigo_postal'];

// A new telephone could turn the order into a blocked customer's.
async function refuseBlockedOrder(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (mayEver(actor, 'cliente:block')) return;
  const row = tx
    .selectFrom('pedidos')
    .select(['cliente_telefono', blockedBecause.as('bloqueado')])
    .where('id', '=', id);
  refuseBlocked(actor, await row.executeTakeFirstOrThrow());
}

/** Soft-deletes an order; an open one returns its units, a completed one reverses its earnings (design, section 4.7). Throws 404, 403. */
export async function deletePedido(db: Db, actor: Actor, id: string): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    if (row.deleted_at) throw notFound();
    if (!can(actor, 'pedido:delete', row)) throw forbidden('pedido:delete');
    const open = !FINALES.includes(row.estado);
    if (row.estado === 'completado') await takeBack(tx, id);
    const set = { deleted_at: sql<string>`now()`, ...(open && { unidades_retenidas: 0 }) };
    const deleted = await change(tx, actor, row, set, { accion: DELETED, action: 'delete' });
    // Locks stock after order and customer, like a new order, to avoid deadlocks.
    if (open) await returnUnits(tx, actor, row);
    return deleted;
  });
}

/** Restores a deleted order with its units or earnings. Throws 404, 403, 422 for insufficient stock, 409 for redacted data. */
export async function restorePedido(db: Db, actor: Actor, id: string): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    if (!can(actor, 'pedido:restore', row)) throw row.deleted_at ? forbidden('pedido:restore') : conflict('El pedido no está eliminado');
    // A restored order is meant to be delivered.
    refuseBlockedData(row, 'restaurar');
    const lines = FINALES.includes(row.estado) ? [] : await readLines(tx, row.id);
    const units = lines.reduce((sum, { unidades }) => sum + unidades, 0);
    if (row.estado === 'completado') await giveAgain(tx, id);
    const set = { deleted_at: null, ...(units && { unidades_retenidas: units }) };
    const restored = await change(tx, actor, row, set, { accion: 'Pedido restaurado', action: 'restore' });
    await adjustStock(tx, actor, row.id, [[], lines], { motivo: 'restauracion' });
    return releaseOrphan(tx, restored);
  });
}

// A deleted carrier cannot sign in to deliver it.
async function releaseOrphan(tx: Tx, row: PedidoRow): Promise<PedidoRow> {
  if (!row.transportista_id || !EN_MANOS.includes(row.estado)) return row;
  const carrier = await tx.selectFrom('users').select('deleted_at').where('id', '=', row.transportista_id).forShare().executeTakeFirst();
  if (!carrier?.deleted_at) return row;
  const motivo = 'Su transportista ya no está';
  const back =
    row.estado === 'asignado'
      ? row
      : await applyTransition(tx, SISTEMA, row, { name: row.estado === 'en_ruta' ? 'fallar' : 'volver', motivo });
  return applyTransition(tx, SISTEMA, back, { name: 'devolver', motivo });
}
