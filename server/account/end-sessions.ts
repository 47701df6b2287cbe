import type { Tx } from '../db/open.ts';
import { endSubscriptionsOf } from '../push/push.ts';
import { closeSessionsOf } from '../session/sessions.ts';

/**
 * Ends every session of a person but `except` (a token hash), and with them the push subscriptions made in them:
 * whoever had one for a minute must not go on hearing of orders.
 */
export async function endSessionsOf(tx: Tx, userId: string, except?: string): Promise<void> {
  await closeSessionsOf(tx, userId, except);
  await endSubscriptionsOf(tx, userId, except);
}
