import type { Tx } from '../db/open.ts';
import { endSubscriptionsOf } from '../push/push.ts';
import { closeSessionsOf } from '../session/sessions.ts';

/** Ends a person's sessions except `except` (a token hash), with the push subscriptions made in them. */
export async function endSessionsOf(tx: Tx, userId: string, except?: string): Promise<void> {
  await closeSessionsOf(tx, userId, except);
  await endSubscriptionsOf(tx, userId, except);
}
