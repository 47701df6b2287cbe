import { type Kysely, sql } from 'kysely';

/** A hint to look for changes; carries no data. */
export type Wake = { channel: string; payload: string };

/** NOTIFY locks the whole server until commit, so an instance sends at most about ten a second. */
const REST_MS = 100;
const RETRY_MS = 1000;

type Sender = { waiting: Map<string, Wake>; round: Promise<void> | undefined; rest: NodeJS.Timeout | undefined };
const senders = new WeakMap<object, Sender>();

/** Sends wake-ups at once or in the next round, without duplicates. Retries failures; polling covers lost wake-ups. */
export function sendWakes<T>(db: Kysely<T>, wakes: Wake[]): void {
  if (wakes.length === 0) return;
  const sender: Sender = senders.get(db) ?? { waiting: new Map(), round: undefined, rest: undefined };
  senders.set(db, sender);
  for (const wake of wakes) sender.waiting.set(`${wake.channel} ${wake.payload}`, wake);
  if (!sender.rest && !sender.round) sender.round = send(db, sender);
}

/** Sends the pending wake-ups, then stops. */
export async function flushWakes<T>(db: Kysely<T>): Promise<void> {
  const sender = senders.get(db);
  await sender?.round;
  clearTimeout(sender?.rest);
  if (sender?.waiting.size) await send(db, sender);
  clearTimeout(sender?.rest);
}

async function send<T>(db: Kysely<T>, sender: Sender): Promise<void> {
  const sent = [...sender.waiting];
  sender.waiting.clear();
  let rest = REST_MS;
  try {
    const [channels, payloads] = [sent.map(([, { channel }]) => channel), sent.map(([, { payload }]) => payload)];
    await sql`SELECT pg_notify(w.channel, w.payload) FROM unnest(${channels}::text[], ${payloads}::text[]) AS w (channel, payload)`.execute(
      db,
    );
  } catch {
    // Retries, because listeners refetch only after losing the server, not after the loss of this connection.
    for (const [key, wake] of sent) sender.waiting.set(key, wake);
    rest = RETRY_MS;
  }
  sender.round = undefined;
  sender.rest = setTimeout(() => {
    sender.rest = undefined;
    if (sender.waiting.size) sender.round = send(db, sender);
  }, rest).unref();
}
