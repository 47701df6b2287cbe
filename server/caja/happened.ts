import { sql } from 'kysely';
import type { SinRegistrar } from '../../contract/caja/caja.ts';
import { MAX_OFICINA } from '../../contract/caja/fields.ts';
import { METODO_PAGO_LABEL, type METODOS_COBRO } from '../../contract/payments/fields.ts';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { inEuros, toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { recordChange } from '../pedidos/historia/history.ts';
import { lockPedido } from '../pedidos/lectura/row.ts';
import { openRound } from '../pedidos/pagos/cash.ts';
import { notifyRefundsDue } from '../pedidos/pagos/overpaid.ts';
import { recordPago } from '../pedidos/pagos/pagos.ts';
import { markRegistered } from '../pedidos/pasos/refused-act.ts';
import { releaseIfPaid } from '../pedidos/pasos/transition.ts';

/* Money that carriers collected at deliveries that the server refused. Only an entry of the history names such money (decision 092). */

type Metodo = (typeof METODOS_COBRO)[number];

/** Returns the money of refused deliveries that the office has not registered, oldest first. */
export async function listUnregistered(db: Db): Promise<SinRegistrar[]> {
  const { rows } = await sql<Omit<SinRegistrar, 'importe'> & { cents: number }>`
    SELECT h.id, h.pedido_id, p.numero_orden, h.actor_nombre AS transportista_nombre, h.cobrado_metodo AS metodo, h.cobrado_cents AS cents,
      coalesce(h.ocurrido_at, h.created_at) AS ocurrido_at, h.nota
    FROM pedidos_historial h JOIN pedidos p ON p.id = h.pedido_id
    WHERE h.cobrado_cents IS NOT NULL AND h.registrado_at IS NULL ORDER BY h.created_at, h.id LIMIT ${MAX_OFICINA}`.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, importe: toEuros(cents) }));
}

/** Books the money of a refused delivery: into the Caja, or owed back. False if booked already. Throws 404; 409 if registered. */
export const registerHappened = async (db: Db, actor: Actor, id: string): Promise<boolean> =>
  transact(db, async (tx) => {
    const { pedido_id } = await entryOf(tx, id);
    const row = await lockPedido(tx, actor, pedido_id);
    // Reads the entry again, because a concurrent request may have registered the money before the lock.
    const { carrier, nombre, cents, metodo, registrado, at } = await entryOf(tx, id);
    if (registrado) throw conflict('Esto ya está registrado');
    const same = await tx
      .selectFrom('pagos')
      .select('id')
      .where('pedido_id', '=', pedido_id)
      .where('transportista_id', '=', carrier)
      .where('proveedor', '=', metodo)
      .where('importe_cents', '=', cents)
      .where('estado', '!=', 'anulado')
      .executeTakeFirst();
    const money = [`Cobrado ${inEuros(cents)}`, METODO_PAGO_LABEL[metodo], nombre].join(' · ');
    if (same) {
      await markRegistered(tx, id);
      const nota = `${money}. Es el mismo cobro que ya estaba apuntado`;
      await recordChange(tx, actor, { accion: 'Registrado lo que pasó', action: 'update', nota }, row, row);
      emit(tx, { topic: 'caja', roles: rolesOf('caja:confirm'), users: [carrier] });
      return false;
    }
    const time = sql<string>`${at}::timestamptz`;
    const caja = metodo === 'efectivo' ? await openRound(tx, carrier, time) : {};
    const isTaken = row.estado !== 'cancelado' && !row.deleted_at;
    const pago = { proveedor: metodo, referencia: '', importe_cents: cents, transportista_id: carrier, ...caja };
    await recordPago(tx, row, { ...pago, estado: isTaken ? 'pagado' : 'tardio', fecha: sql<string>`dia_negocio(${time})` });
    await markRegistered(tx, id);
    const after = await lockPedido(tx, actor, pedido_id);
    await recordChange(tx, actor, { accion: 'Registrado lo que pasó', action: 'update', nota: money }, row, after);
    if (isTaken) {
      await notifyRefundsDue(tx, [{ before: row, after }]);
      await releaseIfPaid(tx, after);
    } else
      await notify(tx, {
        tipo: 'devolucion_pendiente',
        texto: `Reembolso pendiente: ${nombre} cobró el pedido ${row.numero_orden} (${row.cliente_nombre}), que ya no se entregaba`,
        roles: [...rolesOf('pago:manage')],
        enlace: `/pedidos/${pedido_id}`,
        pedido_id,
        mail: true,
      });
    emit(tx, { topic: 'caja', roles: rolesOf('caja:confirm'), users: [carrier] });
    return true;
  });

type Entry = { pedido_id: string; carrier: string; nombre: string; cents: number; metodo: Metodo; registrado: boolean; at: string };

async function entryOf(tx: Tx, id: string): Promise<Entry> {
  const { rows } = await sql<Entry>`
    SELECT pedido_id, actor_user_id AS carrier, actor_nombre AS nombre, cobrado_cents AS cents, cobrado_metodo AS metodo,
      registrado_at IS NOT NULL AS registrado, coalesce(ocurrido_at, created_at)::text AS at
    FROM pedidos_historial WHERE id = ${id} AND cobrado_cents IS NOT NULL AND actor_user_id IS NOT NULL`.execute(tx);
  const [entry] = rows;
  if (!entry) throw notFound();
  return entry;
}
