import { sql } from 'kysely';
import { can, mayEver, type Person } from '../../contract/policy/policy.ts';
import type { Db } from '../db/open.ts';

/** True if the person delivers or may sell orders paid on delivery; a reseller needs permission (decision 051). */
export async function dealsInContraReembolso(db: Db, person: Person): Promise<boolean> {
  if (!can(person, 'pedido:create') || can(person, 'pedido:create-free')) return true;
  const row = await db.selectFrom('users').select('contra_reembolso').where('id', '=', person.id).executeTakeFirst();
  return row?.contra_reembolso ?? false;
}

/** True if cash waits to be handed over or confirmed, or the office has other work in the Caja. Ignores the setting of cash on delivery. */
export async function hasCash(db: Db, person: Person): Promise<boolean> {
  if (!mayEver(person, 'caja:read')) return false;
  const { rows } = await sql<{ waits: boolean }>`
    SELECT EXISTS (
      SELECT FROM pagos g WHERE g.caja_dia IS NOT NULL AND g.estado <> 'anulado' AND (${can(person, 'caja:confirm')} OR g.transportista_id = ${person.id})
      AND NOT EXISTS (SELECT FROM cajas c WHERE (c.transportista_id, c.dia, c.ronda) = (g.transportista_id, g.caja_dia, g.caja_ronda) AND c.confirmada_at IS NOT NULL)
    ) OR ${can(person, 'caja:confirm')} AND (
      EXISTS (SELECT FROM pagos WHERE transportista_id IS NOT NULL AND caja_dia IS NULL AND comprobado_at IS NULL AND estado <> 'anulado')
      OR EXISTS (SELECT FROM pedidos_historial WHERE cobrado_cents IS NOT NULL AND registrado_at IS NULL)
      OR EXISTS (SELECT FROM devoluciones_lineas l JOIN devoluciones d ON d.id = l.devolucion_id WHERE l.destino = 'camino' AND d.anulada_at IS NULL)
    ) AS waits`.execute(db);
  return rows[0]?.waits ?? false;
}
