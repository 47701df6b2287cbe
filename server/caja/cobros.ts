import { sql } from 'kysely';
import type { Cobro } from '../../contract/caja/caja.ts';
import { MAX_OFICINA } from '../../contract/caja/fields.ts';
import { METODO_PAGO_LABEL } from '../../contract/payments/fields.ts';
import { type Actor, personIdOf, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, forbidden, notFound } from '../kit/errors.ts';
import { inEuros, toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { markCompared, toCompare } from '../pedidos/pagos/cash.ts';
import { annulIn } from '../pedidos/pagos/pagos.ts';

/* Card and Bizum payments at the door: the carrier notes them, and the office confirms them at terminal or bank (decision 092). */

/** Returns the payments that the office has yet to confirm, oldest first. */
export async function listToCompare(db: Db | Tx): Promise<Cobro[]> {
  const { rows } = await sql<Omit<Cobro, 'importe'> & { cents: number }>`
    SELECT g.id, g.pedido_id, p.numero_orden, g.transportista_id, u.full_name AS transportista_nombre, g.proveedor AS metodo,
      g.importe_cents AS cents, g.fecha::text AS dia
    FROM (SELECT * FROM pagos WHERE ${toCompare} ORDER BY fecha, id LIMIT ${MAX_OFICINA}) g
    JOIN pedidos p ON p.id = g.pedido_id JOIN users u ON u.id = g.transportista_id ORDER BY g.fecha, g.created_at, g.id`.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, importe: toEuros(cents) }));
}

/** Confirms that payments arrived; returns how many. Throws 409 if any is already confirmed or annulled, 403 for programs. */
export async function confirmFound(db: Db, actor: Actor, ids: readonly string[]): Promise<number> {
  const comprobado_por = personIdOf(actor);
  if (!comprobado_por) throw forbidden('caja:confirm');
  const wanted = [...new Set(ids)];
  return transact(db, async (tx) => {
    const found = await markCompared(tx, wanted, comprobado_por);
    if (found.length < wanted.length) throw conflict('Alguno ya está comprobado o anulado: vuelve a mirar la lista', 'lista');
    const cents = found.reduce((sum, part) => sum + part, 0);
    await audit(tx, actor, {
      type: 'transportista',
      action: 'update',
      entity_type: 'pago',
      entity_id: wanted[0] ?? '',
      description: `Cobros comprobados: ${found.length}`,
      despues: { cobros: wanted, importe_cents: cents },
    });
    emit(tx, { topic: 'caja', roles: rolesOf('caja:confirm'), users: [] });
    return found.length;
  });
}

/** Annuls a payment that never arrived, and notifies its carrier. Throws 404; 409 if already confirmed, annulled or partly refunded. */
export async function neverArrived(db: Db, actor: Actor, id: string, motivo: string): Promise<void> {
  await transact(db, async (tx) => {
    const pago = await tx
      .selectFrom('pagos')
      .select(['transportista_id', 'proveedor', 'importe_cents', 'caja_dia'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!pago?.transportista_id || pago.caja_dia) throw notFound();
    const pedido = await annulIn(tx, actor, id, motivo);
    const label = METODO_PAGO_LABEL[pago.proveedor as Cobro['metodo']];
    await notify(tx, {
      tipo: 'diferencia_entrega',
      texto: `No ha llegado el cobro por ${label} de ${inEuros(pago.importe_cents)} de ${pedido.numero_orden}: ${motivo}`,
      users: [pago.transportista_id],
      enlace: `/pedidos-asignados?estado=completado&search=${encodeURIComponent(pedido.numero_orden)}`,
      except: actor.id,
      mail: true,
    });
    emit(tx, { topic: 'caja', roles: rolesOf('caja:confirm'), users: [] });
  });
}
