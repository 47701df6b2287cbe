import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import { settingSql } from '../settings/setting-sql.ts';

/**
 * Puts these notifications on their way to the browsers of those they are for, in the transaction they tell of.
 * Nothing is queued while the setting `pushNotifications` is off, which it is by default.
 */
export async function queuePushes(tx: Tx, notifications: string[]): Promise<void> {
  const { numAffectedRows } = await sql`
    INSERT INTO pushes (notification_id, endpoint)
    SELECT n.id, s.endpoint FROM notifications n JOIN push_subscriptions s ON s.user_id = n.user_id
    WHERE n.id = ANY (${notifications}::uuid[]) AND ${settingSql('pushNotifications')}`.execute(tx);
  if (numAffectedRows) await emitJob(tx, 'push');
}
