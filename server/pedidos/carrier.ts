import type { Tx } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';

/** The columns that name a carrier on an order, locked against deletion. Throws 422 unless the person is an active carrier. */
export async function activeCarrier(tx: Tx, id: string) {
  return tx
    .selectFrom('users')
    .select(['id as transportista_id', 'full_name as transportista_nombre'])
    .where('id', '=', id)
    .where('role', '=', 'transportista')
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirstOrThrow(() => invalid('transportista_id', 'Ese transportista no existe o no está activo'));
}
