import type { Settings } from '../../contract/settings.ts';
import type { Tx } from '../db/open.ts';
import { enqueue } from '../outbox/outbox.ts';

/** Queues notifications for their recipients' browsers in the caller's transaction, if push is enabled. */
export async function queuePushes(tx: Tx, { pushNotifications }: Settings, notifications: { id: string }[]): Promise<void> {
  if (!pushNotifications) return;
  const ids = notifications.map(({ id }) => id);
  const pushes = await tx
    .selectFrom('push_subscriptions as s')
    .innerJoin('notifications as n', 'n.user_id', 's.user_id')
    .select(['s.endpoint as recipient', 'n.id as notification_id'])
    .where('n.id', 'in', ids)
    .execute();
  const messages = pushes.map(({ recipient, notification_id }) => ({ recipient, payload: { notification_id } }));
  await enqueue(tx, 'push', messages);
}
