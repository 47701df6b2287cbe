import { sql } from 'kysely';
import type { Topic } from '../../contract/live.ts';
import type { Role } from '../../contract/policy.ts';
import type { Tx } from '../db/open.ts';

export const CHANNEL = 'enruta';

/** A change and its audience: everyone with these roles, plus these people. */
export type Change = { topic: Topic; roles?: readonly Role[]; users?: string[] };

/** Notifies the audience's browsers, on every instance, once `tx` commits. */
export async function emit(tx: Tx, change: Change): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${JSON.stringify(change)})`.execute(tx);
}
