import { sql } from 'kysely';
import type { Person } from '../contract/policy/policy.ts';
import type { Tx } from '../server/db/open.ts';
import { change } from '../server/pedidos/historia/change.ts';
import { lockPedido } from '../server/pedidos/lectura/row.ts';
import { ACCOUNTS } from './people.ts';

/** Switches on labels and loading, with half of the orders of the demo's carrier in the vehicle. */
export async function addLabels(tx: Tx): Promise<void> {
  await tx
    .updateTable('settings')
    .set({ data: sql`data || ${JSON.stringify({ labelsAndLoading: true })}::jsonb` })
    .execute();
  const email = ACCOUNTS.find(({ role }) => role === 'transportista')?.email ?? '';
  const carrier = await tx.selectFrom('users').select(['id', 'full_name']).where('email', '=', email).executeTakeFirstOrThrow();
  const actor: Person = { ...carrier, role: 'transportista' };
  const orders = await tx
    .selectFrom('pedidos')
    .select('id')
    .where('transportista_id', '=', carrier.id)
    .where('estado', 'in', ['asignado', 'en_proceso'])
    .where('incidencia_at', 'is', null)
    .orderBy('fecha_pedido')
    .execute();
  for (const { id } of orders.slice(0, Math.ceil(orders.length / 2))) {
    const row = await lockPedido(tx, actor, id);
    await change(tx, actor, row, { cargado_at: new Date().toISOString() }, { accion: 'Cargado en el vehículo', action: 'update' });
  }
}
