import { sql } from 'kysely';
import { isEnding } from '../../contract/etiquetas/fields.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import { type Actor, mayEver } from '../../contract/policy/policy.ts';
import type { Db } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { withdrawalOf } from '../pedidos/lectura/reassigned.ts';
import { COLUMNS, type PedidoRow } from '../pedidos/lectura/row.ts';
import { available, inScope } from '../pedidos/lectura/scope.ts';

/** Maximum orders returned for one code. */
const MAX_OFFERED = 20;

/**
 * Returns the orders that a code names, the actor's own first. A whole number finds own and available orders in any estado; its last digits
 * find available orders and own orders in hand. Throws 404, which tells only the order's former carrier who has the order now.
 */
export async function scan(db: Db, actor: Actor, codigo: string): Promise<PedidoRow[]> {
  const whole = sql<boolean>`numero_orden IN (${codigo}, ${codigo.toUpperCase()})`;
  const rows = await db
    .selectFrom('pedidos')
    .select(COLUMNS)
    .where((eb) =>
      eb.or([
        eb.and([whole, eb.or([inScope(actor), available(actor)])]),
        ...(isEnding(codigo)
          ? [
              eb.and([eb('estado', 'in', EN_MANOS), inScope(actor), sql<boolean>`numero_orden LIKE ${`%${codigo}`}`]),
              eb.and([available(actor), sql<boolean>`numero_orden LIKE ${`%${codigo}`}`]),
            ]
          : []),
      ]),
    )
    .orderBy(sql`transportista_id IS NULL`)
    .orderBy('fecha_pedido')
    .limit(MAX_OFFERED)
    .execute();
  if (rows.length > 0) return rows;
  const other = await db.selectFrom('pedidos').select('id').where(whole).executeTakeFirst();
  const said = other && mayEver(actor, 'pedido:load') ? await withdrawalOf(db, actor, other.id) : undefined;
  throw notFound(said ?? 'Este pedido no es tuyo');
}
