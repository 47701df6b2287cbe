import type { Selectable } from 'kysely';
import { roleMay, rolesOf } from '../../contract/policy/policy.ts';
import type { Tx } from '../db/open.ts';
import type { UsersTable } from '../db/schema.ts';
import { conflict, notFound } from '../kit/errors.ts';

const isIn = ({ is_active, invited_at }: Pick<Selectable<UsersTable>, 'is_active' | 'invited_at'>) => is_active && invited_at === null;

/** Locks the person `id` and everyone who can manage people, in a fixed order, so that two superadmins cannot remove each other. Throws 404. */
export async function lockUser(tx: Tx, id: string): Promise<{ user: Selectable<UsersTable>; refuseLastSuperadmin: () => void }> {
  const people = await tx
    .selectFrom('users')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('id', '=', id), eb('role', 'in', rolesOf('user:manage'))]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const user = people.find((person) => person.id === id);
  if (!user) throw notFound();
  const refuseLastSuperadmin = () => {
    // Ignores invited people, who may never accept.
    const isOther = people.some((person) => roleMay(person.role, 'user:manage') && isIn(person) && person.id !== id);
    if (roleMay(user.role, 'user:manage') && !isOther) throw conflict('Es el último administrador activo: crea o activa otro antes');
  };
  return { user, refuseLastSuperadmin };
}
