import type { Insertable, Selectable, UpdateObject } from 'kysely';
import type { Tx } from '../db/open.ts';
import type { Tables, UsersTable } from '../db/schema.ts';

/** Inserts a person and returns the id. Throws the database's unique violation for a taken e-mail or user name. */
export async function insertPerson(tx: Tx, person: Insertable<UsersTable>): Promise<string> {
  const { id } = await tx.insertInto('users').values(person).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Updates a person if the row still matches `expected`; returns whether it did. */
export async function updatePerson(
  tx: Tx,
  id: string,
  set: UpdateObject<Tables, 'users'>,
  expected: Partial<Pick<Selectable<UsersTable>, 'password_hash' | 'totp_pending'>> = {},
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set(set)
    .where('id', '=', id)
    .where((eb) => eb.and(expected))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
