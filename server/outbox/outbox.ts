import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { emitJob } from '../jobs/wake.ts';
import { Undeliverable } from '../kit/no-answer.ts';

/** A channel has the name of the job that delivers its messages. */
export type Channel = Tables['outbox']['channel'];
export type Message<Payload> = { id: string; recipient: string; payload: Payload };
/** `batch`: the message alone, or the recipient's whole digest, oldest (`message`) first. */
export type Deliver<Payload> = (message: Message<Payload>, batch: Message<Payload>[]) => Promise<boolean>;

/** Time after which another process delivers the message of a crashed process. */
const LEASE = '2 minutes';
/** Retries last about a day and a half; for `webhook` and `tienda`, one day. */
export const MAX_ATTEMPTS: Record<Channel, number> = { correo: 40, push: 40, webhook: 31, tienda: 31 };
export const WAITING = sql`sent_at IS NULL AND failed_at IS NULL`;

/** Queues messages in the caller's transaction and wakes the job. With `digestAt` they wait and go out together per recipient. */
export async function queueMessages(
  tx: Tx,
  channel: Channel,
  messages: Omit<Message<object>, 'id'>[],
  digestAt?: RawBuilder<string>,
): Promise<void> {
  if (messages.length === 0) return;
  const when = digestAt ? { digest: true, due_at: digestAt } : {};
  const rows = messages.map(({ recipient, payload }) => ({ channel, recipient, payload: JSON.stringify(payload), ...when }));
  await tx.insertInto('outbox').values(rows).execute();
  if (!digestAt) emitJob(tx, channel);
}

/** Delivers due messages; returns how many. `deliver`: false drops the message, an error retries it. A crash may repeat it. */
export async function deliverDue<Payload>(db: Db, channel: Channel, deliver: Deliver<Payload>, atOnce = 1): Promise<number> {
  let sent = 0;
  const lane = async () => {
    for (let batch = await lease<Payload>(db, channel); batch[0]; batch = await lease(db, channel)) {
      if ((await attempt(db, deliver, batch[0], batch, MAX_ATTEMPTS[channel])) === true) sent += batch.length;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return sent;
}

/** Delivers and stores one message at once, without retries. Returns the error message if it failed. */
export async function deliverNow<Payload extends object>(
  db: Db,
  channel: Channel,
  { recipient, payload }: Omit<Message<Payload>, 'id'>,
  deliver: Deliver<Payload>,
): Promise<string | undefined> {
  const { id } = await db
    .insertInto('outbox')
    .values({ channel, recipient, payload: JSON.stringify(payload), due_at: sql`now() + ${LEASE}::interval`, attempts: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const message = { id, recipient, payload };
  const outcome = await attempt(db, deliver, message, [message], 1);
  return typeof outcome === 'string' ? outcome : undefined;
}

/** Requeues sent or given-up messages under their ids and wakes the channel's job. */
export async function requeueMessages(tx: Tx, channel: Channel, ...ids: string[]): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ sent_at: null, failed_at: null, error: null, attempts: 0, due_at: sql`now()` })
    .where('id', 'in', ids)
    .execute();
  emitJob(tx, channel);
}

// Returns true if sent, false if no longer wanted, else the error message.
async function attempt<Payload>(
  db: Db,
  deliver: Deliver<Payload>,
  first: Message<Payload>,
  batch: Message<Payload>[],
  maxTries: number,
): Promise<boolean | string> {
  const ids = batch.map(({ id }) => id);
  let host: string | undefined;
  const outcome = await deliver(first, batch).catch((error: unknown) => {
    if (error instanceof Undeliverable) host = error.host;
    return error instanceof Error ? error.message : String(error);
  });
  if (typeof outcome === 'string') await postpone(db, ids, { error: outcome, host }, maxTries);
  else if (!outcome) await db.deleteFrom('outbox').where('id', 'in', ids).execute();
  else await db.updateTable('outbox').set({ sent_at: sql`now()`, error: null }).where('id', 'in', ids).execute();
  return outcome;
}

/** Marks pending messages as failed: of all channels, of one, or of one recipient. Returns the channel of each. */
export async function abandonMessages(db: Db | Tx, reason: string, channel?: Channel, recipient?: string): Promise<Channel[]> {
  const { rows } = await sql<{ channel: Channel }>`
    UPDATE outbox SET failed_at = now(), error = ${reason}
    WHERE ${WAITING} ${channel ? sql`AND channel = ${channel}` : sql``} ${recipient ? sql`AND recipient = ${recipient}` : sql``}
    RETURNING channel`.execute(db);
  return rows.map((row) => row.channel);
}

// Reserves messages by moving `due_at` to the end of the lease. Skips locked rows, so that two processes split a digest instead of waiting.
async function lease<Payload>(db: Db, channel: Channel): Promise<Message<Payload>[]> {
  const due = sql`channel = ${channel} AND due_at <= now() AND ${WAITING}`;
  const { rows } = await sql<Message<Payload>>`
    WITH first AS (
        SELECT id AS first_id, recipient AS to_one, digest AS gathers FROM outbox
        WHERE ${due} ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED),
      batch AS (
        SELECT id FROM outbox JOIN first ON id = first_id OR (gathers AND digest AND recipient = to_one)
        WHERE ${due} FOR UPDATE OF outbox SKIP LOCKED),
      leased AS (
        UPDATE outbox SET due_at = now() + ${LEASE}::interval, attempts = attempts + 1 WHERE id IN (SELECT id FROM batch)
        RETURNING id, recipient, payload, created_at)
    SELECT id, recipient, payload FROM leased ORDER BY created_at, id`.execute(db);
  // The oldest message gives the digest its id, so that the id stays the same when newer messages join a retry.
  return rows;
}

// Backs off from half a minute, doubling up to an hour.
async function postpone(
  db: Db,
  ids: string[],
  { error, host = null }: { error: string; host?: string | null | undefined },
  maxTries: number,
) {
  await sql`
    UPDATE outbox SET error = ${error.slice(0, 500)}, host = ${host},
      due_at = now() + least(interval '1 hour', interval '30 seconds' * power(2, least(attempts, 10) - 1)),
      failed_at = CASE WHEN attempts >= ${maxTries} THEN now() ELSE failed_at END
    WHERE id IN (${sql.join(ids)})`.execute(db);
}

export async function deleteOldMessages(db: Db): Promise<void> {
  await sql`DELETE FROM outbox WHERE coalesce(sent_at, failed_at) < now() - interval '30 days'`.execute(db);
}

export async function countWaiting(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ channel: string; count: number }>`
    SELECT channel, count(*) FROM outbox WHERE ${WAITING} GROUP BY channel`.execute(db);
  return Object.fromEntries(rows.map(({ channel, count }) => [channel, count]));
}
