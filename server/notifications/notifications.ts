import { type RawBuilder, sql } from 'kysely';
import type { Notification } from '../../contract/notifications/notifications.ts';
import type { Person } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { emit } from '../live/emit.ts';

const SHOWN = 30;
/** Limit of the count of unread notices: above 99 the bell shows «99+». */
const COUNTED = 100;
/** Longer than any transaction: a notice becomes visible on commit, later than its timestamp. */
const STILL_COMING = sql`interval '1 minute'`;

// The bell merges all notices of this type into one line.
const OFFER = 'pedido_disponible';

const isRead = (reader: Person) => sql`(n.created_at <= h.read_until OR EXISTS (
  SELECT FROM notification_reads r WHERE r.user_id = ${reader.id} AND r.notification_id = n.id))`;
const isOwn = (reader: Person) => sql`n.user_id = ${reader.id}`;
// Excludes notices older than the person's account, and notices of the person's own actions.
const isOfRole = (reader: Person) => sql`(n.role = ${reader.role} AND n.except_id IS DISTINCT FROM ${reader.id}
  AND n.created_at >= (SELECT created_at FROM users WHERE id = ${reader.id}))`;
const from = (reader: Person) => sql`FROM notifications n LEFT JOIN notification_readers h ON h.user_id = ${reader.id}`;

/** Returns the latest notifications, orders on offer first, then newest first. The number of unread notifications is exact up to 99. */
export async function listNotifications(db: Db, reader: Person): Promise<{ data: Notification[]; unread: number }> {
  const [offer, latest, rest] = await Promise.all([readOffer(db, reader), readLatest(db, reader), countUnread(db, reader)]);
  return { data: [...offer, ...latest].slice(0, SHOWN), unread: offer.filter(({ read_at }) => read_at === null).length + rest };
}

// Two queries, so that each uses its own index.
const both = (reader: Person, part: (whose: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql`(${part(isOwn(reader))}) UNION ALL (${part(sql`${isOfRole(reader)} AND n.tipo <> ${sql.lit(OFFER)}`)})`;

async function readLatest(db: Db, reader: Person): Promise<Notification[]> {
  const part = (whose: RawBuilder<unknown>) => sql`
    SELECT n.id, n.tipo, n.texto, n.enlace, n.created_at,
      coalesce(CASE WHEN n.created_at <= h.read_until THEN h.read_until END,
        (SELECT r.read_at FROM notification_reads r WHERE r.user_id = ${reader.id} AND r.notification_id = n.id)) AS read_at
    ${from(reader)} WHERE ${whose} ORDER BY n.created_at DESC, n.id DESC LIMIT ${sql.lit(SHOWN)}`;
  const { rows } = await sql<Notification>`
    SELECT * FROM (${both(reader, part)}) n ORDER BY created_at DESC, id DESC LIMIT ${sql.lit(SHOWN)}`.execute(db);
  return rows;
}

async function countUnread(db: Db, reader: Person): Promise<number> {
  const part = (whose: RawBuilder<unknown>) => sql`
    SELECT 1 ${from(reader)} WHERE ${whose} AND ${isRead(reader)} IS NOT TRUE LIMIT ${sql.lit(COUNTED)}`;
  const { rows } = await sql<{ unread: number }>`SELECT count(*) AS unread FROM (${both(reader, part)}) n`.execute(db);
  return rows[0]?.unread ?? 0;
}

async function readOffer(db: Db, reader: Person): Promise<Notification[]> {
  const { rows } = await sql<{ n: number; id: string; created_at: string; unread: boolean }>`
    SELECT count(*) AS n, (array_agg(n.id ORDER BY n.created_at DESC))[1] AS id, max(n.created_at) AS created_at,
      bool_or(${isOfRole(reader)} AND ${isRead(reader)} IS NOT TRUE) AS unread
    ${from(reader)} WHERE n.tipo = ${sql.lit(OFFER)} AND n.role = ${reader.role} HAVING count(*) > 0`.execute(db);
  return rows.map(({ n, unread, ...row }) => ({
    ...row,
    tipo: OFFER,
    texto: plural(n, 'pedido disponible', 'pedidos disponibles'),
    enlace: '/pedidos-disponibles',
    read_at: unread ? null : row.created_at,
  }));
}

type Which = { ids?: string[] | undefined; pedido_id?: string | undefined };

/** Marks notifications of the caller as read: the given `ids`, all about an order, or all. Ignores ids of other people's notifications. */
export async function readNotifications(db: Db, reader: Person, { ids, pedido_id }: Which): Promise<void> {
  await transact(db, async (tx) => {
    if (pedido_id) await mark(tx, reader, sql`n.pedido_id = ${pedido_id}`);
    if (ids?.length) await mark(tx, reader, withOffer(ids));
    if (!ids && !pedido_id) {
      await mark(tx, reader, sql`n.created_at > now() - ${STILL_COMING}`);
      await sql`INSERT INTO notification_readers (user_id, read_until) VALUES (${reader.id}, now() - ${STILL_COMING})
        ON CONFLICT (user_id) DO UPDATE SET read_until = excluded.read_until`.execute(tx);
    }
    emit(tx, { topic: 'notifications', users: [reader.id] });
  });
}

// The id of one offer stands for all offers, because the bell merges offers into one line.
const withOffer = (ids: string[]) => sql`(n.id = ANY (${ids}::uuid[]) OR (n.tipo = ${sql.lit(OFFER)}
  AND EXISTS (SELECT FROM notifications o WHERE o.id = ANY (${ids}::uuid[]) AND o.tipo = ${sql.lit(OFFER)})))`;

async function mark(tx: Tx, reader: Person, which: RawBuilder<unknown>): Promise<void> {
  await sql`INSERT INTO notification_reads (user_id, notification_id)
    SELECT ${reader.id}::uuid, n.id FROM notifications n WHERE ${which} AND (${isOwn(reader)} OR ${isOfRole(reader)})
    FOR KEY SHARE OF n ON CONFLICT DO NOTHING`.execute(tx);
}

/** Deletes personal notices a month after they are read, and all after four months except orders still on offer. */
export async function deleteOldNotifications(db: Db): Promise<void> {
  await sql`DELETE FROM notifications n WHERE created_at < now() - interval '120 days' AND tipo <> ${sql.lit(OFFER)}
    OR EXISTS (SELECT FROM notification_reads r
      WHERE r.notification_id = n.id AND r.user_id = n.user_id AND r.read_at < now() - interval '30 days')`.execute(db);
}
