import { sql } from 'kysely';
import { EN_MANOS } from '../contract/pedidos/estados.ts';
import type { Tx } from '../server/db/open.ts';

const NOTES = [
  'Prefiere que se le llame por la tarde.',
  'Si no está, dejar el paquete en la frutería de al lado.',
  'Portal sin número: la puerta verde junto al estanco.',
  'Regala cestas en Navidad: avisarle en noviembre.',
];
const BEFORE = 'Trabaja a turnos: llamar media hora antes de llegar.';
const BLOCKED = 'Ha rechazado dos entregas seguidas';

export async function describeClientes(tx: Tx): Promise<void> {
  const regulars = await tx
    .selectFrom('clientes')
    .select(['id', 'revendedor_id', 'nombre'])
    .where('pedidos', '>', 1)
    .orderBy('pedidos', 'desc')
    .orderBy('clave')
    .limit(40)
    .execute();
  for (const [i, { id }] of regulars.slice(0, 12).entries())
    if (i % 3 === 0)
      await tx
        .updateTable('clientes')
        .set({ nota: NOTES[(i / 3) % NOTES.length] ?? null })
        .where('id', '=', id)
        .execute();

  const awaited = tx
    .selectFrom('pedidos')
    .select('cliente_id')
    .where('estado', 'in', EN_MANOS)
    .where('deleted_at', 'is', null)
    .orderBy('transportista_nombre', 'desc')
    .orderBy('numero_orden', 'desc');
  const [first] = await awaited.where('transportista_nombre', 'like', 'Javier%').limit(1).execute();
  for (const cliente_id of [first?.cliente_id, regulars[1]?.id])
    if (cliente_id) await tx.updateTable('clientes').set({ avisar_antes: true, nota: BEFORE }).where('id', '=', cliente_id).execute();

  const bad = regulars.findLast(({ id, revendedor_id }) => revendedor_id !== null && id !== first?.cliente_id);
  if (bad) await tx.updateTable('clientes').set({ bloqueado_motivo: BLOCKED }).where('id', '=', bad.id).execute();

  const [main] = regulars;
  if (!main) return;
  const other = await tx
    .selectFrom('clientes')
    .select('id')
    .where('clave', 'like', 't:%')
    .where('revendedor_id', main.revendedor_id ? '=' : 'is', main.revendedor_id)
    .where('pedidos', '=', 1)
    .where('nota', 'is', null)
    .orderBy('clave')
    .limit(1)
    .executeTakeFirst();
  if (!other) return;
  await tx.updateTable('pedidos').set({ cliente_nombre: main.nombre }).where('cliente_id', '=', other.id).execute();
  await tx.updateTable('clientes').set({ unido_a: main.id }).where('id', '=', other.id).execute();
  await sql`SELECT contar_clientes(${[main.id, other.id]}::uuid[])`.execute(tx);
}
