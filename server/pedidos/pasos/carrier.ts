import type { Role } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';

/** Returns the columns that name an active carrier, and locks the carrier against deletion; undefined if not active. */
export async function carrierLocked(tx: Tx, id: string) {
  const carrier = await activePerson(tx, id, 'transportista');
  return carrier && { transportista_id: carrier.id, transportista_nombre: carrier.full_name };
}

export const noCarrier = () => invalid('transportista_id', 'Ese transportista no existe o no está activo');

/** Returns and locks an active person of `role`; undefined if there is none. */
export const activePerson = (tx: Tx, id: string, role: Role) => personLocked(tx, id, role).executeTakeFirst();

export const personLocked = (tx: Pick<Tx, 'selectFrom'>, id: string, role: Role) =>
  tx
    .selectFrom('users')
    .select(['id', 'full_name'])
    .where('id', '=', id)
    .where('role', '=', role)
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .forShare();
