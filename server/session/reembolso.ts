import { can, type Person } from '../../contract/policy.ts';
import type { Db } from '../db/open.ts';

/** True if the person delivers or may sell orders paid on delivery; a reseller needs permission (decision 051). */
export async function dealsInReembolso(db: Db, person: Person): Promise<boolean> {
  if (!can(person, 'pedido:create') || can(person, 'pedido:create-free')) return true;
  const row = await db.selectFrom('users').select('contra_reembolso').where('id', '=', person.id).executeTakeFirst();
  return row?.contra_reembolso ?? false;
}
