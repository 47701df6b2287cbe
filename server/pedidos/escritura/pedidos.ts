import { sql } from 'kysely';
import { editsField, isEditable } from '../../../contract/pedidos/access.ts';
import { storedPlace } from '../../../contract/pedidos/direccion.ts';
import { EN_MANOS, FINALES } from '../../../contract/pedidos/estados.ts';
import { EDITABLE_FIELDS, type EditableField } from '../../../contract/pedidos/fields.ts';
import { alreadyRunning } from '../../../contract/pedidos/flow.ts';
import type { UpdatePedido } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can, mayEver, SISTEMA } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { withoutTimeout } from '../../db/pool.ts';
import { giveAgain, reverseEarnings } from '../../ganancias/ledger.ts';
import { conflict, forbidden, notFound, refuseStale } from '../../kit/errors.ts';
import { isSameMetadata, mergeMetadata } from '../../kit/metadata.ts';
import { emit } from '../../live/emit.ts';
import { type Change, changeAll, changePedido } from '../historia/change.ts';
import { refuseBlockedData } from '../lectura/blocked.ts';
import { blockedBecause, refuseBlocked } from '../lectura/cliente.ts';
import { typedInstant } from '../lectura/promised.ts';
import { DELETED } from '../lectura/reassigned.ts';
import { findPedido, lockPedido, lockPedidos, type Outcomes, type PedidoRow } from '../lectura/row.ts';
import { adjustStock, adjustStockOf, type Line, linesByOrder } from '../lineas/lineas.ts';
import { refuseCashSale } from '../pagos/cash-limit.ts';
import { notifyRefundsDue } from '../pagos/overpaid.ts';
import { attemptEach, onlyOutcome, replaceOutcomes } from '../pasos/outcomes.ts';
import { type Address, repriceShipping } from '../pasos/reship.ts';
import { endsOutside } from '../pasos/step.ts';
import { applyTransition, releaseIfPaid, returnUnits } from '../pasos/transition.ts';
import { editableFields } from './create.ts';
import { refuseUnwritable } from './unwritable.ts';

/**
 * Edits customer, address, metadata and, for superadmins, the promised date; `before` is the order as it was, `means` explains the effect on shipping. Throws 404, 403, 409 if stale,
 * frozen (design, section 4.8) or redacted, 422 for a blocked customer.
 */
export const updatePedido = async (
  db: Db,
  actor: Actor,
  id: string,
  changes: Partial<UpdatePedido>,
): Promise<{ before: PedidoRow; row: PedidoRow; means?: string | undefined }> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, changes.version, 'este pedido');
    refuseBlockedData(row, 'modificar');
    if (!can(actor, 'pedido:edit', row)) {
      if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
      if (row.estado === 'cancelado') throw conflict('Un pedido cancelado no se puede modificar');
      throw conflict(alreadyRunning(row), 'estado');
    }
    refuseUnwritable(actor, changes, (field) => editsField(actor, field as EditableField, row));
    // Fields that a person may not write stay unchanged, as do fields that a PATCH leaves out.
    const input = storedPlace({ ...editableFields(row), ...changes });
    const changed = EDITABLE_FIELDS.filter(
      (field) => changes[field] !== undefined && editsField(actor, field, row) && row[field] !== input[field],
    );
    const { fecha_estimada } = changes;
    const metadata = editsField(actor, 'metadata', row) ? mergeMetadata(row.metadata, changes.metadata) : row.metadata;
    const marked = !isSameMetadata(row.metadata, metadata);
    if (fecha_estimada !== undefined && !editsField(actor, 'fecha_estimada', row)) throw forbidden('pedido:promise');
    const onlyMarked = changed.length === 0 && fecha_estimada === undefined;
    if (onlyMarked && !marked) return { before: row, row };
    if (!changed.every((field) => isEditable(field, row)) || (fecha_estimada !== undefined && !isEditable('fecha_estimada', row))) {
      throw conflict('En un pedido completado solo se pueden cambiar las instrucciones, el NIF y los datos de programas');
    }
    const written = Object.fromEntries(changed.map((field) => [field, input[field]]));
    const { set: shipping, means } = await repriceShipping(tx, row, written);
    const set = {
      ...shipping,
      ...written,
      ...(marked && { metadata }),
      ...(fecha_estimada !== undefined && { fecha_estimada: typedInstant(fecha_estimada), fecha_estimada_fijada: fecha_estimada !== null }),
    };
    const updated = await changePedido(tx, actor, row, set, {
      accion: onlyMarked ? 'Datos de programas cambiados' : 'Pedido editado',
      action: 'update',
      nota: means,
    });
    const known = changed.some((field) => KNOWN_BY.includes(field));
    if (known) await refuseBlockedOrder(tx, actor, id);
    // A new name, telephone or postcode may join the order to others in one sale; a new address may raise the total.
    if (known || updated.precio_total_cents > row.precio_total_cents)
      await refuseCashSale(tx, [id], () =>
        changed.includes('cliente_codigo_postal') ? 'cliente_codigo_postal' : (changed[0] ?? 'contra_reembolso'),
      );
    return { before: row, row: await releaseIfPaid(tx, updated), means };
  });

/** Returns the effect of a new address on an order's price, in Spanish, without writing; null if there is none. Throws 404. */
export async function shippingMeans(db: Db, actor: Actor, id: string, address: Address): Promise<string | null> {
  const texts = Object.fromEntries(Object.entries(address).filter(([, text]) => text != null));
  return (await repriceShipping(db, await findPedido(db, actor, id), texts)).means ?? null;
}

/** Fields that identify a customer (migration 031). */
const KNOWN_BY: readonly EditableField[] = ['cliente_nombre', 'cliente_telefono', 'cliente_codigo_postal'];

// A new telephone could assign the order to a blocked customer.
async function refuseBlockedOrder(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (mayEver(actor, 'cliente:block')) return;
  const row = tx
    .selectFrom('pedidos')
    .select(['cliente_telefono', blockedBecause.as('bloqueado')])
    .where('id', '=', id);
  refuseBlocked(actor, await row.executeTakeFirstOrThrow());
}

/** Soft-deletes an order: returns open orders' units to stock, reverses earnings, and makes a refund of paid money due. Throws 404, 403. */
export const deletePedido = (db: Db, actor: Actor, id: string): Promise<PedidoRow> =>
  transact(db, async (tx) => onlyOutcome(await deleteAll(tx, actor, [id])));

/** Like `deletePedido` for many orders; a refusal affects only its own order. */
export async function deleteAll(tx: Tx, actor: Actor, ids: readonly string[]): Promise<Outcomes> {
  const outcomes = await lockPedidos(tx, actor, ids);
  const deleted_at = sql<string>`now()`;
  const rows = await attemptEach(outcomes, (row) => {
    if (row.deleted_at) throw notFound();
    if (!can(actor, 'pedido:delete', row)) throw forbidden('pedido:delete');
    return row;
  });
  const open = rows.filter(({ estado }) => !FINALES.includes(estado));
  await reverseEarnings(tx, completed(rows));
  const changes = rows.map((row): Change => {
    const set = {
      deleted_at,
      ...(open.includes(row) && { unidades_retenidas: 0, ...endsOutside(row) }),
    };
    return { row, set, step: { accion: DELETED, action: 'delete' } };
  });
  const deleted = await changeAll(tx, actor, changes);
  await notifyRefundsDue(
    tx,
    rows.map((before) => ({ before, after: deleted.get(before.id) ?? before })),
  );
  replaceOutcomes(outcomes, deleted);
  // Locks stock after order and customer, like a new order, to avoid deadlocks.
  await returnUnits(tx, actor, open);
  return outcomes;
}

const completed = (rows: readonly PedidoRow[]) => rows.filter(({ estado }) => estado === 'completado').map(({ id }) => id);

/** Restores a deleted order with its units or earnings. Throws 404, 403, 422 for insufficient stock, 409 for redacted data. */
export const restorePedido = (db: Db, actor: Actor, id: string): Promise<PedidoRow> =>
  transact(db, async (tx) => onlyOutcome(await restoreAll(tx, actor, [id])));

/** Like `restorePedido` for many orders; a refusal affects only its own order. Throws 422 for all if the stock is insufficient. */
export async function restoreAll(tx: Tx, actor: Actor, ids: readonly string[]): Promise<Outcomes> {
  const outcomes = await lockPedidos(tx, actor, ids);
  // Without the payment that an undone import annulled, a carrier would deliver the order for nothing.
  const { rows: unpaid } = await sql<{ id: string }>`SELECT g.pedido_id AS id FROM pagos g
    WHERE g.pedido_id = ANY (${ids}::uuid[]) AND g.estado = 'anulado'
      AND EXISTS (SELECT FROM importaciones i WHERE i.deshecha_at IS NOT NULL AND g.pedido_id = ANY (i.pedidos))`.execute(tx);
  const rows = await attemptEach(outcomes, (row) => {
    if (row.deleted_at && unpaid.some(({ id }) => id === row.id))
      throw conflict('Su importación se deshizo y su cobro se anuló: haz el pedido de nuevo');
    if (!can(actor, 'pedido:restore', row)) throw row.deleted_at ? forbidden('pedido:restore') : conflict('El pedido no está eliminado');
    // A restored order may still be delivered, which needs its customer's data.
    refuseBlockedData(row, 'restaurar');
    return row;
  });
  const open = rows.filter(({ estado }) => !FINALES.includes(estado)).map(({ id }) => id);
  const lines = open.length ? await linesByOrder(tx, open) : new Map<string, Line[]>();
  await giveAgain(tx, completed(rows));
  const changes = rows.map((row): Change => {
    const units = (lines.get(row.id) ?? []).reduce((sum, { unidades }) => sum + unidades, 0);
    const set = { deleted_at: null, ...(units && { unidades_retenidas: units }), ...(open.includes(row.id) && { mercancia_at: null }) };
    return { row, set, step: { accion: 'Pedido restaurado', action: 'restore' } };
  });
  const restored = await changeAll(tx, actor, changes);
  await refuseCashSale(tx, [...restored.keys()], () => 'contra_reembolso');
  const [only] = rows.length === 1 ? rows : [];
  if (only) await adjustStock(tx, actor, only.id, [[], lines.get(only.id) ?? []], { motivo: 'restauracion' });
  else
    await adjustStockOf(
      tx,
      actor,
      open.map((id) => ({ id, after: lines.get(id) ?? [] })),
      'restauracion',
    );
  replaceOutcomes(outcomes, await releaseOrphans(tx, [...restored.values()]));
  return outcomes;
}

/** Unassigns orders that come back from deleted carriers, who cannot sign in to deliver. */
export async function releaseOrphans(tx: Tx, rows: readonly PedidoRow[]): Promise<Outcomes> {
  const outcomes: Outcomes = new Map(rows.map((row) => [row.id, row]));
  const held = rows.filter(({ transportista_id, estado }) => transportista_id && EN_MANOS.includes(estado));
  if (held.length === 0) return outcomes;
  const carriers = await tx
    .selectFrom('users')
    .select(['id', 'deleted_at'])
    .where('id', '=', sql<string>`ANY (${held.map(({ transportista_id }) => transportista_id)}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute();
  const gone = carriers.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id);
  const motivo = 'Su transportista ya no está';
  for (const row of held.filter(({ transportista_id }) => gone.includes(transportista_id ?? ''))) {
    const back =
      row.estado === 'asignado'
        ? row
        : await applyTransition(tx, SISTEMA, row, { name: row.estado === 'en_ruta' ? 'fallar' : 'volver', motivo });
    outcomes.set(row.id, await applyTransition(tx, SISTEMA, back, { name: 'devolver', motivo }));
  }
  return outcomes;
}

/** Updates a person's name on their orders, which copy it so that lists need no join. */
export async function renamePerson(tx: Tx, userId: string, name: string): Promise<void> {
  await withoutTimeout(tx, async () => {
    for (const who of ['revendedor', 'transportista'] as const) {
      const of = `${who}_id` as const;
      // Locks by id, like every change of several orders, to avoid deadlocks.
      await tx.selectFrom('pedidos').select('id').where(of, '=', userId).orderBy('id').forNoKeyUpdate().execute();
      await tx
        .updateTable('pedidos')
        .set({ [`${who}_nombre`]: name })
        .where(of, '=', userId)
        .execute();
    }
  });
  emit(tx, { topic: 'pedidos', roles: ['superadmin'] });
}
