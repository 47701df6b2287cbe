import { sql } from 'kysely';
import type { Cliente } from '../../contract/clientes.ts';
import type { Actor } from '../../contract/policy.ts';
import type { Db } from '../db/open.ts';
import { found, listed } from '../pedidos/filter.ts';

const SHOWN = 8;
/** How many of the latest matching orders are looked at. */
const LOOKED_AT = 200;

/** Known customers by name or phone, as their latest order has them; a reseller's from their own orders only. */
export async function findClientes(db: Db, actor: Actor, search: string): Promise<Cliente[]> {
  // The search column finds the orders, by its index; a street or a product of the same words is no customer.
  const shown = sql<string>`normaliza(' ' || cliente_nombre || ' ' || coalesce(cliente_telefono, '') || ' ' || regexp_replace(coalesce(cliente_telefono, ''), '[^0-9]', '', 'g'))`;
  const latest = listed(db, actor, { search })
    .where(found(shown, search))
    .select([
      'cliente_nombre',
      'cliente_telefono',
      'cliente_direccion',
      'cliente_direccion2',
      'cliente_ciudad',
      'cliente_provincia',
      'cliente_codigo_postal',
      'cliente_pais',
      'fecha_pedido',
    ])
    .orderBy('fecha_pedido', 'desc')
    .limit(LOOKED_AT)
    .as('p');
  // One customer is one name with one phone, however either is written.
  const key = sql`normaliza(cliente_nombre), regexp_replace(coalesce(cliente_telefono, ''), '[^0-9]', '', 'g')`;
  const { rows } = await sql<Cliente & { fecha_pedido: string }>`
    SELECT * FROM (
      SELECT DISTINCT ON (${key}) p.*, count(*) OVER (PARTITION BY ${key}) AS pedidos FROM ${latest} ORDER BY ${key}, fecha_pedido DESC
    ) c ORDER BY fecha_pedido DESC LIMIT ${SHOWN}`.execute(db);
  return rows;
}
