import { sql } from 'kysely';
import type { Answer } from '../../contract/kit/endpoint.ts';
import type { Esperando, listUndelivered as endpoint } from '../../contract/outbox/outbox.ts';
import { MAX_PERDIDOS } from '../../contract/outbox/schemas.ts';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import { conflict } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { type Channel, MAX_ATTEMPTS, requeueMessages, WAITING } from './outbox.ts';

/** Attempts after which a message counts as stuck: about two minutes. */
const STUCK = 3;

/** Thrown by a channel's job when messages are stuck although the job itself worked; reported like a failure, but not retried. */
export class Stuck extends Error {
  readonly attempts: number;
  readonly waiting: Esperando[];
  constructor(waiting: Esperando[]) {
    const words = waiting.map(({ servidor, motivo, mensajes: n }) => `${servidor ?? 'sin dirección'}: ${motivo} (${plural(n, 'mensaje')})`);
    super(words.join('; '));
    this.attempts = Math.max(...waiting.map(({ intentos }) => intentos));
    this.waiting = waiting;
  }
}

/** Wakes the channel's job when its next retry is due, if that is before the next run by the clock. A process that ends leaves it to the clock. */
async function wakeAtNextTry(db: Db, channel: Channel): Promise<void> {
  const { rows } = await sql<{ ms: number | null }>`SELECT ceil(extract(epoch FROM min(due_at) - now()) * 1000)::int AS ms FROM outbox
    WHERE channel = ${channel} AND attempts > 0 AND due_at > now() AND due_at < now() + interval '1 minute' AND ${WAITING}`.execute(db);
  // A database that is closed meanwhile has no job to wake.
  if (rows[0]?.ms) setTimeout(() => void transact(db, async (tx) => emitJob(tx, channel)).catch(() => undefined), rows[0].ms).unref();
}

/** Runs a channel's delivery; throws `Stuck` if messages have failed several times and still wait. */
export async function runDelivery(db: Db, channel: Channel, deliver: () => Promise<unknown>): Promise<void> {
  await deliver();
  await wakeAtNextTry(db, channel);
  const stuck = (await listStuck(db)).filter(({ canal }) => canal === channel);
  if (stuck.length) throw new Stuck(stuck);
}

/** Returns stuck messages by channel and host, oldest first. Counts every failed message of the host, even after fewer attempts. */
export async function listStuck(db: Db): Promise<Esperando[]> {
  const { rows } = await sql<Esperando>`
    SELECT channel AS canal, host AS servidor, count(*) AS mensajes, max(attempts) AS intentos, min(created_at) AS desde,
      (array_agg(split_part(error, ':', 1) ORDER BY attempts DESC, due_at DESC))[1] AS motivo
    FROM outbox WHERE ${WAITING} AND error IS NOT NULL
    GROUP BY channel, host HAVING max(attempts) >= ${STUCK} ORDER BY min(created_at)`.execute(db);
  return rows;
}

const GIVEN_UP = sql`sent_at IS NULL AND failed_at IS NOT NULL AND (${sql.join(
  Object.entries(MAX_ATTEMPTS)
    .filter(([channel]) => channel !== 'push')
    .map(([channel, attempts]) => sql`(channel = ${sql.lit(channel)} AND attempts >= ${sql.lit(attempts)})`),
  sql` OR `,
)})`;

/** Returns stuck messages, and given-up ones newest first. Omits given-up pushes, which are soon obsolete. */
export async function listUndelivered(db: Db): Promise<Answer<typeof endpoint>> {
  const { rows } = await sql<Answer<typeof endpoint>['perdidos'][number]>`
    SELECT id, channel AS canal, host AS servidor, error AS motivo, created_at, failed_at AS perdido_at,
      CASE channel WHEN 'correo' THEN recipient END AS para,
      coalesce(payload->>'asunto', payload->>'tipo') AS asunto
    FROM outbox WHERE ${GIVEN_UP} ORDER BY failed_at DESC, id LIMIT ${MAX_PERDIDOS}`.execute(db);
  return { esperando: await listStuck(db), perdidos: rows };
}

/** Requeues given-up messages; returns how many. Throws 409 if none is given up any more. */
export const resendGivenUp = async (db: Db, actor: Actor, ids: string[]): Promise<number> =>
  transact(db, async (tx) => {
    const { rows } = await sql<{ id: string; channel: Channel }>`
      SELECT id, channel FROM outbox WHERE id IN (${sql.join(ids)}) AND ${GIVEN_UP} ORDER BY id FOR UPDATE`.execute(tx);
    if (!rows.length) throw conflict('Esos mensajes ya se han enviado otra vez');
    for (const [channel, messages] of Map.groupBy(rows, (row) => row.channel))
      await requeueMessages(tx, channel, ...messages.map(({ id }) => id));
    const description = `Mensajes reenviados: ${rows.length}`;
    await audit(tx, actor, { action: 'update', entity_type: 'mensaje', description });
    emit(tx, { topic: 'failures', roles: rolesOf('job:read') });
    return rows.length;
  });

/** Returns the age in seconds of the oldest message that is due or being retried, by channel. */
export async function oldestWaiting(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ channel: string; seconds: number }>`
    SELECT channel, extract(epoch FROM now() - min(created_at))::int AS seconds FROM outbox
    WHERE ${WAITING} AND (attempts > 0 OR due_at <= now()) GROUP BY channel`.execute(db);
  return Object.fromEntries(rows.map(({ channel, seconds }) => [channel, seconds]));
}
