import type { Role } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';

/** The columns that name a carrier on an order, locked against deletion; undefined unless the person is an active carrier. */
export async function carrierLocked(tx: Tx, id: string) {
  const carrier = await activePerson(tx, id, 'transportista');
  return carrier && { transportista_id: carrier.id, transportista_nombre: carrier.full_name };
}

export const noCarrier = () => invalid('transportista_id', 'Ese transportista no existe o no está activo');

/** A person of `role` who is active, locked against deletion; undefined for anybody else. */
export const activePerson = (tx: Tx, id: string, role: Role) => personLocked(tx, id, role).executeTakeFirst();

/** The query of the same, to be made part of another. */
export const personLocked = (tx: Pick<Tx, 'selectFrom'>, id: string, role: Role) =>
  tx
    .selectFrom('users')
    .select(['id', 'full_name'])
    .where('id', '=', id)
    .where('role', '=', role)
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .forShare();
