import { sql } from 'kysely';
import type { Topic } from '../../contract/live.ts';
import type { Role } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';

export const CHANNEL = 'enruta';

/** Whom a change concerns: everybody of these roles, and these people. */
export type Change = { topic: Topic; roles?: readonly Role[]; users?: string[] };

/** Wakes the screens of those concerned, on every instance, once `tx` is committed. */
export async function emit(tx: Tx, change: Change): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${JSON.stringify(change)})`.execute(tx);
}
