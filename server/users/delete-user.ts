import { sql } from 'kysely';
import type { QueryOut } from '../../contract/kit/endpoint.ts';
import { type Actor, can } from '../../contract/policy/policy.ts';
import { type deleteUser as endpoint, MUST_HAND_OVER } from '../../contract/users/users.ts';
import { revokeKeysOf } from '../api-keys/api-keys.ts';
import { type Db, transact } from '../db/open.ts';
import { conflict } from '../kit/errors.ts';
import { inEuros } from '../kit/money.ts';
import { cashInHand } from '../pedidos/pagos/cash.ts';
import { handOver } from '../pedidos/pasos/hand-over.ts';
import { endInvitation } from '../session/invitations.ts';
import { updatePerson } from '../session/people.ts';
import { endSessionsOf } from '../session/sessions.ts';
import { lockUser } from './lock-user.ts';
import { openOrdersOf } from './open-orders.ts';
import { recordPerson } from './users.ts';

type Leaving = { id: string } & QueryOut<typeof endpoint>;

/** Soft-deletes a person (design, section 4.15). Throws 404, 409 for oneself, the last superadmin, open orders or cash in hand, 422 like `handOver`. */
export async function deleteUser(db: Db, actor: Actor, { id, pedidos_a, revocar_claves }: Leaving): Promise<void> {
  await transact(db, async (tx) => {
    const { user, refuseLastSuperadmin } = await lockUser(tx, id);
    if (!can(actor, 'user:delete', user)) throw conflict('No puedes eliminar tu propia cuenta');
    refuseLastSuperadmin();
    if (pedidos_a !== undefined) await handOver(tx, actor, user, pedidos_a);
    if (revocar_claves) await revokeKeysOf(tx, actor, id);
    const open = await openOrdersOf(tx, user);
    if (open > 0 && MUST_HAND_OVER.includes(user.role)) {
      const orders = open === 1 ? '1 pedido sin entregar: reasígnalo' : `${open} pedidos sin entregar: reasígnalos`;
      throw conflict(`${user.full_name} tiene ${orders} antes de eliminar el usuario`);
    }
    const cents = await cashInHand(tx, id);
    if (cents > 0) throw conflict(`${user.full_name} tiene ${inEuros(cents)} en efectivo: recíbelos en Caja antes de eliminar el usuario`);
    await updatePerson(tx, id, { deleted_at: sql`now()` });
    await endSessionsOf(tx, id);
    await endInvitation(tx, id);
    await recordPerson(tx, actor, user, { action: 'delete', description: `Usuario eliminado: ${user.full_name}` });
  });
}
