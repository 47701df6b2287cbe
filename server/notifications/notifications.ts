import { sql } from 'kysely';
import type { Notification } from '../../contract/notifications.ts';
import type { Actor } from '../../contract/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { emit } from '../live/emit.ts';

const SHOWN = 30;

/** Lists the caller's latest notifications, newest first, with the total number of unread ones. */
export async function listNotifications(db: Db, actor: Actor): Promise<{ data: Notification[]; unread: number }> {
  const mine = db.selectFrom('notifications').where('user_id', '=', actor.id);
  const [data, { unread }] = await Promise.all([
    mine
      .select(['id', 'tipo', 'texto', 'enlace', 'created_at', 'read_at'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(SHOWN)
      .execute(),
    mine.where('read_at', 'is', null).select(sql<number>`count(*)`.as('unread')).executeTakeFirstOrThrow(),
  ]);
  return { data, unread };
}

/** Marks the caller's notifications as read: `ids`, or all. Ignores other people's. */
export async function readNotifications(db: Db, actor: Actor, ids: string[] | undefined): Promise<void> {
  if (actor.id === null || ids?.length === 0) return;
  const users = [actor.id];
  await transact(db, async (tx) => {
    let query = tx.updateTable('notifications').set({ read_at: sql`now()` }).where('user_id', '=', actor.id).where('read_at', 'is', null);
    if (ids) query = query.where('id', 'in', ids);
    await query.execute();
    emit(tx, { topic: 'notifications', users });
  });
}

/** Deletes notifications a month after they were read, or four months after they were created. */
export async function forgetOldNotifications(db: Db): Promise<void> {
  await sql`DELETE FROM notifications WHERE read_at < now() - interval '30 days' OR created_at < now() - interval '120 days'`.execute(db);
}
