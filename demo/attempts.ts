import { sql } from 'kysely';
import type { Person } from '../contract/policy/policy.ts';
import type { Tx } from '../server/db/open.ts';
import { nextWorkingDays } from '../server/pedidos/lectura/promised.ts';
import { lockPedido } from '../server/pedidos/lectura/row.ts';
import { postpone } from '../server/pedidos/pasos/postpone.ts';
import { applyTransition } from '../server/pedidos/pasos/transition.ts';
import { ACCOUNTS } from './people.ts';

/** Adds the failed attempts of the histories. The demo's carrier gets an order that waits for an answer, and a postponed order. */
export async function addAttempts(tx: Tx): Promise<void> {
  await sql`INSERT INTO intentos (pedido_id, transportista_id, transportista_nombre, motivo, llamado, created_at)
    SELECT pedido_id, actor_user_id, actor_nombre, nota, 'cliente', created_at FROM pedidos_historial WHERE accion = 'Intento fallido'`.execute(
    tx,
  );
  const email = ACCOUNTS.find(({ role }) => role === 'transportista')?.email ?? '';
  const carrier = await tx.selectFrom('users').select(['id', 'full_name']).where('email', '=', email).executeTakeFirstOrThrow();
  const actor: Person = { ...carrier, role: 'transportista' };
  const orders = await tx
    .selectFrom('pedidos')
    .select('id')
    .where('transportista_id', '=', carrier.id)
    .where('estado', '=', 'en_ruta')
    .orderBy('fecha_pedido')
    .limit(2)
    .execute();
  const [waiting, later] = orders.map(({ id }) => id);
  if (waiting) {
    const { id: transportista_id, full_name: transportista_nombre } = carrier;
    const before = { pedido_id: waiting, transportista_id, transportista_nombre };
    await tx
      .insertInto('intentos')
      .values([
        { ...before, motivo: 'Ausente', llamado: 'nadie', created_at: sql`now() - interval '2 days'` },
        { ...before, motivo: 'Ausente: el vecino no sabe nada', llamado: 'cliente', created_at: sql`now() - interval '1 day'` },
      ])
      .execute();
    await applyTransition(tx, actor, await lockPedido(tx, actor, waiting), { name: 'fallar', motivo: 'Ausente', llamado: 'cliente' });
  }
  const [, dia] = await nextWorkingDays(tx, 2);
  if (later && dia) await postpone(tx, actor, await lockPedido(tx, actor, later), { dia, nota: 'Por la tarde, a partir de las seis' });
}
