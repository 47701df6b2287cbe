import type { Settings } from '../../contract/settings/values.ts';
import type { Tx } from '../db/open.ts';
import { enqueue } from '../outbox/outbox.ts';

/** Queues notices for the browsers of their recipients in the caller's transaction, if push is enabled. */
export async function queuePushes(tx: Tx, { pushNotifications }: Settings, notices: { id: string; user_id: string }[]): Promise<void> {
  if (!pushNotifications) return;
  const people = notices.map(({ user_id }) => user_id);
  const browsers = await tx.selectFrom('push_subscriptions').select(['user_id', 'endpoint']).where('user_id', 'in', people).execute();
  const messages = notices.flatMap(({ id: notification_id, user_id }) =>
    browsers
      .filter((browser) => browser.user_id === user_id)
      .map(({ endpoint: recipient }) => ({ recipient, payload: { notification_id } })),
  );
  await enqueue(tx, 'push', messages);
}
