import { sql } from 'kysely';
import { type Actor, SISTEMA } from '../contract/policy/policy.ts';
import type { Tx } from '../server/db/open.ts';
import { anonymise, blockOrders } from '../server/privacidad/block.ts';
import { CLAVE } from '../server/privacidad/persona.ts';

const ANONYMISED = 6;

export async function blockSome(tx: Tx, secretKey: string): Promise<void> {
  const oldest = await tx
    .selectFrom('pedidos')
    .select(['id', 'numero_orden'])
    .where('estado', '=', 'completado')
    .orderBy('fecha_pedido')
    .limit(ANONYMISED)
    .execute();
  if (oldest.length) await anonymise(tx, SISTEMA, oldest, 'Pedidos de una prueba del año pasado');

  const { rows } = await sql<{ ids: string[] }>`
    SELECT array_agg(id::text) AS ids FROM pedidos WHERE anonimizado_at IS NULL GROUP BY ${CLAVE}
    HAVING count(*) > 1 AND bool_and(estado IN ('completado', 'cancelado')) ORDER BY max(fecha_pedido) DESC, 1 LIMIT 1`.execute(tx);
  const office = await tx
    .selectFrom('users')
    .select(['id', 'full_name'])
    .where('role', '=', 'superadmin')
    .orderBy('created_at')
    .executeTakeFirst();
  const [customer] = rows;
  if (!customer || !office) return;
  const actor: Actor = { ...office, role: 'superadmin' };
  const motivo = 'Pide que no se usen sus datos mientras se resuelve su reclamación';
  await blockOrders(tx, actor, { pedidos: customer.ids, motivo }, { secretKey });
}
