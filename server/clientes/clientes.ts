import { sql } from 'kysely';
import type { Cliente } from '../../contract/clientes.ts';
import { CLIENTE_FIELDS } from '../../contract/pedidos.fields.ts';
import type { Actor } from '../../contract/policy.ts';
import type { Db } from '../db/open.ts';
import { found, listed } from '../pedidos/filter.ts';

const SHOWN = 8;
/** The number of latest matching orders to examine. */
const LOOKED_AT = 200;

/** Finds customers by name or phone, with the data of their latest order; resellers find only their own, nobody those whose data is out. */
export async function findClientes(db: Db, actor: Actor, search: string): Promise<Cliente[]> {
  // The indexed search column finds candidates, but it also matches streets and products: check name and phone.
  const shown = sql<string>`normaliza(' ' || cliente_nombre || ' ' || coalesce(cliente_telefono, '') || ' ' || regexp_replace(coalesce(cliente_telefono, ''), '[^0-9]', '', 'g'))`;
  const latest = listed(db, actor, { search })
    .where(found(shown, search))
    .where('anonimizado_at', 'is', null)
    .where('bloqueado_at', 'is', null)
    .select([...CLIENTE_FIELDS, 'fecha_pedido'])
    .orderBy('fecha_pedido', 'desc')
    .limit(LOOKED_AT)
    .as('p');
  // The same normalised name and phone are one customer.
  const key = sql`normaliza(cliente_nombre), regexp_replace(coalesce(cliente_telefono, ''), '[^0-9]', '', 'g')`;
  const { rows } = await sql<Cliente & { fecha_pedido: string }>`
    SELECT * FROM (
      SELECT DISTINCT ON (${key}) p.*, count(*) OVER (PARTITION BY ${key}) AS pedidos FROM ${latest} ORDER BY ${key}, fecha_pedido DESC
    ) c ORDER BY fecha_pedido DESC LIMIT ${SHOWN}`.execute(db);
  return rows;
}
