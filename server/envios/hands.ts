import { sql } from 'kysely';
import { TRANSITIONS } from '../../contract/pedidos/flow.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, DomainError } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { changeAll } from '../pedidos/historia/change.ts';
import { lockPedidos, type PedidoRow } from '../pedidos/lectura/row.ts';
import { BACK } from '../pedidos/pasos/step.ts';

/* Orders held by a delivery company, from the shipment file until they are completed, cancelled or taken out (decision 085). */

/** SQL condition: true if the order `p` can still be delivered by a company. */
export const DELIVERABLE = sql<boolean>`p.deleted_at IS NULL AND p.bloqueado_at IS NULL AND p.anonimizado_at IS NULL
  AND p.estado IN (${sql.join(TRANSITIONS.completar.from)})`;

const isDeliverable = ({ deleted_at, bloqueado_at, anonimizado_at, estado }: PedidoRow) =>
  !deleted_at && !bloqueado_at && !anonimizado_at && TRANSITIONS.completar.from.includes(estado);

/** Locks the given orders and returns the orders that a company can deliver. A concurrent batch waits, and `refuseHeld` then refuses. */
export async function lockDeliverable(tx: Tx, actor: Actor, ids: readonly string[]): Promise<PedidoRow[]> {
  const rows = [...(await lockPedidos(tx, actor, ids)).values()];
  return rows.filter((row): row is PedidoRow => !(row instanceof DomainError) && isDeliverable(row));
}

const NAMED = 5;

/** Throws 409, naming the orders, if another company or a carrier already has any. */
export function refuseHeld(orders: readonly PedidoRow[]): void {
  const held = orders.flatMap(({ numero_orden, en_empresa, transportista_nombre }) => {
    const holder = en_empresa ?? transportista_nombre;
    return holder ? [`${numero_orden} (${holder})`] : [];
  });
  if (held.length === 0) return;
  const more = held.length > NAMED ? ` y ${held.length - NAMED} más` : '';
  const verb = held.length === 1 ? 'Ya lo tiene otro' : 'Ya los tienen otros';
  throw conflict(`${verb}: ${held.slice(0, NAMED).join(', ')}${more}`, 'en_empresa');
}

/** Marks the lines of locked orders in earlier batches as taken out. */
export async function takeOut(tx: Tx, orders: readonly PedidoRow[]): Promise<void> {
  const ids = orders.filter(({ en_empresa_at }) => en_empresa_at).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .updateTable('envios_pedidos')
    .set({ sacado_at: sql<string>`now()` })
    .where('pedido_id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .where('sacado_at', 'is', null)
    .execute();
}

/** Marks locked orders as held by a company. */
export async function handToCompany(tx: Tx, actor: Actor, empresa: string, orders: readonly PedidoRow[]): Promise<void> {
  const at = new Date().toISOString();
  const step = { accion: `Fichero de envío de ${empresa}`, action: 'update' } as const;
  await changeAll(
    tx,
    actor,
    orders.map((row) => ({ row, set: { en_empresa: empresa, en_empresa_at: at }, step })),
  );
}

/** Takes orders out of their current batch; returns how many. Throws 409 if no company has any of these orders. */
export const sacarDeEnvio = (db: Db, actor: Actor, ids: readonly string[]): Promise<number> =>
  transact(db, async (tx) => {
    const rows = [...(await lockPedidos(tx, actor, ids)).values()];
    const held = rows.filter((row): row is PedidoRow => !(row instanceof DomainError) && row.en_empresa_at !== null);
    if (held.length === 0) throw conflict('Ninguno de esos pedidos está en manos de una empresa', 'estado');
    await takeOut(tx, held);
    const changes = held.map((row) => ({
      row,
      set: BACK,
      step: { accion: `Sacar del envío de ${row.en_empresa ?? 'la empresa'}`, action: 'update' } as const,
    }));
    await changeAll(tx, actor, changes);
    emit(tx, { topic: 'envios', roles: ['superadmin'] });
    return held.length;
  });
