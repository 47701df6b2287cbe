import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { SITUACIONES, type Situacion } from '../../contract/tienda/fields.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import { DomainError, notFound } from '../kit/errors.ts';
import { encrypt } from '../kit/secrets.ts';
import { countUse } from '../repeats/bounds.ts';
import { readSecretSettings } from '../settings/settings.ts';
import type { Connector } from './connector.ts';
import { CONNECTORS, connectorFor } from './connectors.ts';
import type { Deletion, WebOrder } from './order.ts';
import { listSources, notifyOffice, originOf, signersOf, sourceOf, type WebShop } from './sources.ts';

/** The office is notified at most once an hour of wrong signatures, and of each shop's unreadable messages. */
const UNREADABLE = { clase: 'tienda_ilegible', minutes: 60, most: 1 };
const FORGED = { clase: 'tienda_firma', minutes: 60, most: 1 };
const REFUSED = { clase: 'tienda_rechazados', minutes: 1440, most: 1 };
/** Id for counts that belong to no shop. */
const ALL = '00000000-0000-0000-0000-000000000000';

type Taken = { received: boolean; motivo?: string };

/**
 * Stores a shop's message, which a job processes later. Accepts every signed message, because WooCommerce disables a webhook after five
 * failures; an unreadable message is stored whole. Throws 404 while `storeActive` is off, 400 for a wrong signature.
 */
export async function receiveMessage(db: Db, secretKey: string, raw: Buffer, headers: IncomingHttpHeaders): Promise<Taken> {
  const settings = await readSecretSettings(db, secretKey);
  if (!settings.storeActive) throw notFound();
  if (CONNECTORS.some(({ isPing }) => isPing?.(raw))) return { received: false };
  const connector = connectorFor(headers);
  const sources = await listSources(db);
  const signed = connector ? signersOf(sources, { connector, raw, headers, secretKey }, settings) : [];
  if (!connector || signed.length === 0) {
    if (connector) await reportForged(db, originOf(connector, headers));
    throw new DomainError(400, 'La firma no es válida', { code: 'signature_invalid' });
  }
  const topic = String(headers[connector.headers.topic ?? ''] ?? '');
  return transact(db, async (tx) => {
    const source = await sourceOf(tx, sources, { connector, origen: originOf(connector, headers), signed });
    // Writes at most once a minute, so that a burst of messages does not wait for one row.
    if (source.rescatados > 0 || Date.parse(source.oido_at ?? '1970-01-01') < Date.now() - 60_000)
      await sql`UPDATE tiendas SET oido_at = now(), rescatados = 0 WHERE id = ${source.id}`.execute(tx);
    if (source.estado === 'ignorada') return { received: false };
    const order = readOr(connector, raw, topic);
    if (order instanceof DomainError) return storeUnreadable(tx, secretKey, source, { raw, topic, error: order });
    const isNew = await storeMessage(tx, secretKey, source, order, topic);
    await log(tx, source, { tema: topic, externo_id: order.externo_id, resultado: isNew ? 'recibido' : 'anterior' });
    emitJob(tx, 'tienda');
    return { received: true };
  });
}

/** Reads a message; returns, not throws, the error if the message is no order. */
export function readOr(connector: Connector, raw: Buffer, topic: string): WebOrder | Deletion | DomainError {
  try {
    return connector.read(parsed(raw), { topic });
  } catch (error) {
    if (error instanceof DomainError && error.status < 500) return error;
    throw error;
  }
}

/** Stores an unreadable message whole; a polled one only once. */
export async function storeUnreadable(
  tx: Tx,
  secretKey: string,
  source: WebShop,
  { raw, topic, error }: { raw: Buffer; topic: string; error: DomainError },
): Promise<Taken> {
  const motivo = error.body.message;
  const contenido = encrypt(secretKey, raw.toString('utf8').replaceAll('\u0000', '').toWellFormed());
  const externo_id = topic === ASKED ? createHash('sha256').update(raw).digest('hex') : undefined;
  if (externo_id && (await isLogged(tx, source, externo_id))) return { received: false };
  await log(tx, source, { tema: topic, resultado: 'ilegible', motivo, contenido, ...(externo_id && { externo_id }) });
  if ((await countUse(tx, UNREADABLE, source.id)) === 1)
    await notifyOffice(tx, `La tienda «${source.nombre}» ha enviado un mensaje que no se puede leer: está entero en «Tienda en línea»`);
  return { received: false, motivo };
}

/** Topic of a polled message. */
export const ASKED = 'sondeo';
const isLogged = (tx: Tx, { id }: WebShop, externo_id: string) =>
  tx
    .selectFrom('tienda_mensajes')
    .select('id')
    .where('tienda_id', '=', id)
    .where('resultado', '=', 'ilegible')
    .where('externo_id', '=', externo_id)
    .executeTakeFirst();

type Logged = { tema: string; externo_id?: string; resultado: 'recibido' | 'anterior' | 'ilegible'; motivo?: string; contenido?: string };
const log = (tx: Tx, source: WebShop, { tema, ...row }: Logged) =>
  tx
    .insertInto('tienda_mensajes')
    .values({ tienda_id: source.id, tema: tema.slice(0, 60) || null, ...row })
    .execute();

async function reportForged(db: Db, origin: string | null): Promise<void> {
  await transact(db, async (tx) => {
    await countUse(tx, REFUSED, ALL);
    if ((await countUse(tx, FORGED, ALL)) > 1) return;
    const from = origin ? `de «${origin.slice(0, 100)}» ` : '';
    await notifyOffice(tx, `Llegan mensajes ${from}a la tienda en línea con una firma que no vale: comprueba el secreto de sus webhooks`);
  });
}

/** Rank of a state. Of two messages of the same second, or without a time, the one with the higher rank counts. */
const RANK = sql<number>`coalesce(array_position(${[...SITUACIONES]}::text[], t.situacion), 3)`;
const rankOf = (situacion: Situacion | undefined) => (situacion ? SITUACIONES.indexOf(situacion) + 1 : 3);

/** Stores an order or its deletion. Returns false for an older message, which changes nothing. */
export async function storeMessage(tx: Tx, secretKey: string, source: WebShop, order: WebOrder | Deletion, topic = ''): Promise<boolean> {
  if ('borrado' in order) return markDeleted(tx, source, order);
  const { externo_id, numero, modificado, situacion = null } = order;
  const contenido = encrypt(secretKey, JSON.stringify(order));
  const at = modificado ? sql<string>`${modificado}::timestamptz` : sql<string>`now()`;
  // An order restored from the shop's bin keeps the time of its last change.
  const isRestored = topic === 'order.restored';
  const { rows } = await sql<{ id: string }>`
    INSERT INTO tienda_pedidos AS t (tienda_id, externo_id, numero, modificado_at, situacion, contenido)
    VALUES (${source.id}, ${externo_id}, ${numero.slice(0, 200)}, ${at}, ${situacion}, ${contenido})
    ON CONFLICT (tienda_id, externo_id) DO UPDATE SET
      modificado_at = ${modificado ? sql`excluded.modificado_at` : sql`t.modificado_at`},
      numero = excluded.numero, situacion = excluded.situacion, contenido = excluded.contenido, estado = 'recibido', updated_at = now(),
      leida = CASE WHEN ${isRestored} AND t.pedido_id IS NULL THEN NULL ELSE t.leida END
    WHERE ${isRestored} OR ${modificado ? sql`t.modificado_at < excluded.modificado_at OR` : sql``}
      (${modificado ? sql`t.modificado_at = excluded.modificado_at` : sql`true`} AND ${RANK} <= ${rankOf(order.situacion)})
    RETURNING t.id`.execute(tx);
  return rows.length > 0 || storeDoubtful(tx, secretKey, source, order);
}

/** Stores a paid order without its state if it was cancelled in the same second, so that a person decides. Returns false for other orders. */
async function storeDoubtful(tx: Tx, secretKey: string, source: WebShop, order: WebOrder): Promise<boolean> {
  if (order.situacion !== 'pagado') return false;
  const estado = `${order.estado}, y en el mismo momento cancelado`;
  const contenido = encrypt(secretKey, JSON.stringify({ ...order, situacion: undefined, estado }));
  // Makes a repetition of either message older.
  const { rows } = await sql<{ id: string }>`UPDATE tienda_pedidos SET contenido = ${contenido}, situacion = NULL, estado = 'recibido',
      modificado_at = modificado_at + interval '1 millisecond', updated_at = now()
    WHERE tienda_id = ${source.id} AND externo_id = ${order.externo_id} AND situacion = 'cancelado'
      AND modificado_at = coalesce(${order.modificado ?? null}::timestamptz, modificado_at) RETURNING id`.execute(tx);
  return rows.length > 0;
}

/** Marks an order as deleted in the shop; keeps the content of a waiting order. */
async function markDeleted(tx: Tx, source: WebShop, { externo_id }: Deletion): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO tienda_pedidos AS t (tienda_id, externo_id, numero, modificado_at, situacion, leida, estado, motivo)
    VALUES (${source.id}, ${externo_id}, ${externo_id}, '1970-01-01Z', 'borrado', 'borrado', 'ignorado', 'Borrado en la tienda')
    ON CONFLICT (tienda_id, externo_id) DO UPDATE SET situacion = 'borrado', updated_at = now(),
      estado = CASE WHEN t.estado = 'ignorado' THEN t.estado ELSE 'recibido' END
    RETURNING t.id`.execute(tx);
  return rows.length > 0;
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}
