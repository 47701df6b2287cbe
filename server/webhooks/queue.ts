import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { CURSOR_EXPIRED } from '../../contract/cambios/cambios.ts';
import type { Answer, QueryOut } from '../../contract/kit/endpoint.ts';
import { type Actor, mayEver } from '../../contract/policy/policy.ts';
import { EVENT_DAYS, type listEvents as endpoint } from '../../contract/webhooks/events.ts';
import { eventAction, WEBHOOK_EVENT_NAMES, type WebhookEvent } from '../../contract/webhooks/fields.ts';
import { decodeCursor, encodeCursor, readTimeline } from '../cambios/cambios.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { DomainError, forbidden } from '../kit/errors.ts';
import { queueMessages } from '../outbox/outbox.ts';
import { type Data, type Payload, webhookPayload } from './payload.ts';
import { shownTo } from './shown.ts';

/** Stores events about `data` and queues them for subscribed webhooks, in the transaction. Calls `data` only if a webhook or key can read events. */
export const queueWebhooks = (tx: Tx, events: readonly WebhookEvent[], data: () => readonly Data[]): Promise<void> =>
  queueEvents(tx, events, () => {
    const contents = data();
    return events.flatMap((tipo) => contents.map((content) => ({ tipo, content })));
  });

/** Like `queueWebhooks`, for events with different contents. `tipos` must include the type of every event. */
export async function queueEvents(
  tx: Tx,
  tipos: readonly WebhookEvent[],
  events: () => readonly { tipo: WebhookEvent; content: Data }[],
): Promise<void> {
  const { rows } = await sql<{ kept: boolean; hooks: { id: string; eventos: string[] }[] }>`
    SELECT ${isKept} AS kept, (SELECT coalesce(json_agg(json_build_object('id', id, 'eventos', eventos)), '[]')
      FROM webhooks WHERE is_active AND eventos && ${[...tipos]}::text[]) AS hooks`.execute(tx);
  const { kept = false, hooks = [] } = rows[0] ?? {};
  if (!kept) return;
  const payloads = events().map(({ tipo, content }) => ({ ...webhookPayload(tipo, content), evento: randomUUID() as string, tipo }));
  await storeEvents(tx, payloads);
  const messages = hooks.flatMap(({ id: recipient, eventos }) =>
    payloads.filter(({ tipo }) => eventos.includes(tipo)).map((payload) => ({ recipient, payload })),
  );
  await queueMessages(tx, 'webhook', messages);
}

const TERM = sql`make_interval(days => ${sql.lit(EVENT_DAYS)})`;

/** SQL condition for storing events: a webhook, or a key that reads events; a recently ended key counts, for its successor. */
export const isKept = sql<boolean>`(EXISTS (SELECT FROM webhooks) OR EXISTS (SELECT FROM api_keys
  WHERE 'evento:read' = ANY (acciones) AND coalesce(least(revocada_at, caduca_at), now()) > now() - ${TERM}))`;

/** Stores events in the transaction that causes them. */
async function storeEvents(tx: Tx, events: readonly Payload[]): Promise<void> {
  const rows = events.map(({ evento: id, tipo, timestamp, data }) => ({ id, tipo, created_at: timestamp, content: data }));
  await sql`INSERT INTO events (id, tipo, created_at, content)
    SELECT id, tipo, created_at, content FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS (id uuid, tipo text, created_at timestamptz, content jsonb)) WITH ORDINALITY AS r (id, tipo, created_at, content, place)
    ORDER BY place`.execute(tx);
}

type Stored = { id: string; tipo: WebhookEvent; created_at: string; content: Payload['data']; xid: string; n: string };
/** `horizon` is the oldest running transaction; `gone` is true if an event since the cursor has been deleted. */
type Read = { horizon: string; gone: boolean } & (Stored | { id: null });

const SEQUENCE = /^\d{1,18}$/;
const START = { xid: '0', id: '0' };

/** Returns the events since the cursor that `actor` sees, up to the oldest running transaction (decision 043). Throws 403, 410. */
export async function readEvents(
  db: Db,
  actor: Actor,
  query: QueryOut<typeof endpoint>,
  origin?: string,
): Promise<Answer<typeof endpoint>> {
  const { desde, limite, tipo: wanted = WEBHOOK_EVENT_NAMES.filter((name) => mayEver(actor, eventAction(name))) } = query;
  if (!wanted.every((name) => mayEver(actor, eventAction(name)))) throw forbidden();
  const marca = await readTimeline(db);
  const from = desde === undefined ? START : decodeCursor(desde, marca, SEQUENCE);
  const place = sql`(${from.xid}::xid8, ${from.id}::bigint)`;
  // A single statement, so that rows and horizon come from the same snapshot.
  const { rows } = await sql<Read>`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
      EXISTS (SELECT FROM events WHERE content IS NULL AND (xid, n) > ${place}) AS gone, e.*
    FROM (SELECT) AS one LEFT JOIN LATERAL (
      SELECT id, tipo, created_at, content, xid::text AS xid, n::text AS n FROM events
      WHERE (xid, n) > ${place} AND xid < pg_snapshot_xmin(pg_current_snapshot()) AND content IS NOT NULL AND tipo = ANY (${[...wanted]})
      ORDER BY events.xid, events.n LIMIT ${limite + 1}) AS e ON true`.execute(db);
  if (rows[0]?.gone && desde !== undefined)
    throw new DomainError(410, `De antes de ${EVENT_DAYS} días ya no hay eventos: empieza de nuevo, sin cursor`, { code: CURSOR_EXPIRED });
  const found = rows.filter((row): row is Read & Stored => row.id !== null);
  const page = found.slice(0, limite);
  const last = page.at(-1);
  const hay_mas = found.length > limite;
  // At the end, moves the cursor to the horizon, so that the cursor does not expire while no wanted event occurs.
  const next = hay_mas && last ? { xid: last.xid, id: last.n } : { xid: rows[0]?.horizon ?? from.xid, id: '0' };
  return {
    data: page.map(({ id, tipo, created_at, content }) => ({
      id,
      type: tipo,
      timestamp: created_at,
      data: shownTo(actor, content, { at: created_at, origin }),
    })),
    cursor: encodeCursor(next, marca),
    hay_mas,
  };
}

/** Gives all events the current transaction id after a move to another server, in the same sequence. */
export const renumberEvents = (tx: Tx) => sql`UPDATE events SET xid = pg_current_xact_id()`.execute(tx);

/** Deletes events past their term; the last deleted event stays without content, so that older cursors are refused. */
export async function deleteOldEvents(db: Db): Promise<void> {
  await transact(db, async (tx) => {
    const { rows } = await sql<{ xid: string; n: string }>`
      SELECT xid::text, n::text FROM events WHERE created_at < now() - ${TERM} ORDER BY events.xid DESC, events.n DESC LIMIT 1
      FOR UPDATE`.execute(tx);
    const [last] = rows;
    if (!last) return;
    await sql`UPDATE events SET content = NULL WHERE xid = ${last.xid}::xid8 AND n = ${last.n}::bigint`.execute(tx);
    await sql`DELETE FROM events WHERE (content IS NULL OR created_at < now() - ${TERM}) AND (xid, n) < (${last.xid}::xid8, ${last.n}::bigint)`.execute(
      tx,
    );
  });
}
