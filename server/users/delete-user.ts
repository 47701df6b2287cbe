import { sql } from 'kysely';
import { EN_MANOS } from '../../contract/pedidos.flow.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { endSessionsOf } from '../account/end-sessions.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict } from '../kit/errors.ts';
import { ALL_TIME } from '../pedidos/totals.ts';
import { updatePerson } from '../session/people.ts';
import { lockUser } from './lock-user.ts';
import { recordPerson } from './users.ts';

/**
 * Soft-deletes a person: signs them out, keeps the name on orders and frees the e-mail (design, section 4.15).
 * Throws 409 for oneself, the last active superadmin, or a carrier who still holds orders.
 */
export async function deleteUser(db: Db, actor: Actor, { id }: { id: string }): Promise<void> {
  await transact(db, async (tx) => {
    const { user, refuseLastSuperadmin } = await lockUser(tx, id);
    if (!can(actor, 'user:delete', user)) throw conflict('No puedes eliminar tu propia cuenta');
    refuseLastSuperadmin();
    const held = await ordersInHand(tx, id);
    if (held > 0) {
      const orders = held === 1 ? '1 pedido sin entregar: reasígnalo' : `${held} pedidos sin entregar: reasígnalos`;
      throw conflict(`${user.full_name} tiene ${orders} antes de eliminar el usuario`);
    }
    await updatePerson(tx, id, { deleted_at: sql`now()` });
    await endSessionsOf(tx, id);
    await recordPerson(tx, actor, user, { action: 'delete', description: `Usuario eliminado: ${user.full_name}` });
  });
}

async function ordersInHand(tx: Tx, id: string): Promise<number> {
  const { held } = await tx
    .selectFrom('pedidos_totales')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('pedidos'), sql<number>`0`).as('held'))
    .where('ambito', '=', 'transportista')
    .where('ambito_id', '=', id)
    .where('dia', '=', ALL_TIME)
    .where('estado', 'in', EN_MANOS)
    .executeTakeFirstOrThrow();
  return held;
}
