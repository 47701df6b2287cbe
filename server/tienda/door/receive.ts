import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { CONECTOR } from '../../../contract/tienda/fields.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { emitJob } from '../../jobs/wake.ts';
import { DomainError, notFound } from '../../kit/errors.ts';
import { decrypt } from '../../kit/secrets.ts';
import { countUse } from '../../repeats/bounds.ts';
import { readSecretSettings } from '../../settings/settings.ts';
import type { Connector } from '../connector.ts';
import { CONNECTORS, connectorFor, findConnector } from '../connectors.ts';
import type { Deletion, WebOrder } from '../reading/order.ts';
import { emitShops, listWebShops, lockNames, notifyOffice, notifyOnce, type WebShop } from '../shop.ts';
import { claimRestored, logMessage, questionDeletion, storeMessage, storeUnreadable } from './store.ts';

/* Who signed a message is the shop (decision 112). No header changes that: address and topic are hints. */

/** Notices at most: of wrong signatures once an hour, of a shop that still uses the common address once a day. */
const FORGED = { clase: 'tienda_firma', minutes: 60 };
const COMMON = { clase: 'tienda_comun', minutes: 1440 };
const REFUSED = { clase: 'tienda_rechazados', minutes: 1440 };
/** Id for counts that belong to no shop. */
const ALL = '00000000-0000-0000-0000-000000000000';

type Taken = { received: boolean; motivo?: string };
/** `id`: shop of the address, null for the common one. */
type Message = { id: string | null; raw: Buffer; headers: IncomingHttpHeaders };

/**
 * Stores a shop's message, which a job processes later. Accepts every signed message, because WooCommerce disables a webhook after five
 * failures; an unreadable message is stored whole. Throws 404 while shops are off and for an unknown address, 400 for a wrong signature.
 */
export async function receiveMessage(db: Db, secretKey: string, { id, raw, headers }: Message): Promise<Taken> {
  const { storeActive, storeSecret } = await readSecretSettings(db, secretKey);
  if (!storeActive) throw notFound();
  if (CONNECTORS.some(({ isPing }) => isPing?.(raw))) return { received: false };
  const shops = await listWebShops(db);
  const door = id === null ? undefined : shops.find((shop) => shop.id === id);
  if (id !== null && !door) throw notFound();
  const connector = door ? findConnector(door.conector) : connectorFor(headers);
  const signature = String((connector && headers[connector.headers.signature]) ?? '');
  const isSignedBy = (secret: string | undefined) => !!secret && !!connector?.signed(raw, secret, signature);
  const ownSecret = ({ secreto }: WebShop) => (secreto ? decrypt(secretKey, secreto) : undefined);
  const signer = (door ? [door] : shops).find((shop) => shop.conector === connector?.id && isSignedBy(ownSecret(shop)));
  const byCommon = !signer && (!door || door.comun === true) && isSignedBy(storeSecret);
  if (!connector || (!signer && !byCommon)) {
    if (connector) await reportForged(db, door?.nombre ?? originOf(connector, headers));
    throw new DomainError(400, 'La firma no es válida', { code: 'signature_invalid' });
  }
  const topic = String(headers[connector.headers.topic ?? ''] ?? '');
  return transact(db, async (tx) => {
    const shop: Common = signer ?? door ?? (await commonShop(tx, shops, connector, originOf(connector, headers)));
    if (shop.estado === 'ignorada') return { received: false };
    await markHeard(tx, shop, id !== null && !byCommon);
    const refusal = shop.isThird ? THIRD : signer && !door ? contradictionOf(signer, shops, originOf(connector, headers)) : undefined;
    const order = refusal ?? readOr(connector, raw);
    if (order instanceof DomainError) return storeUnreadable(tx, shop, { text: raw.toString('utf8'), topic, error: order });
    const isNew = await take(tx, shop, order, topic);
    await logMessage(tx, shop, { tema: topic, externo_id: order.externo_id, resultado: isNew ? 'recibido' : 'anterior' });
    emitJob(tx, 'tienda');
    return { received: true };
  });
}

/** Stores an order. A deletion, and a restoration that is not newer, are questions to the shop, because no signature covers them. */
async function take(tx: Tx, shop: WebShop, order: WebOrder | Deletion, topic: string): Promise<boolean> {
  if ('borrado' in order) return questionDeletion(tx, shop, order);
  const isNew = await storeMessage(tx, shop, order);
  return isNew || (topic.endsWith('.restored') && (await claimRestored(tx, shop, order)));
}

/** Reads a message; returns, not throws, the error if the message is no order. */
export function readOr(connector: Connector, raw: Buffer | object): WebOrder | Deletion | DomainError {
  try {
    return connector.read(Buffer.isBuffer(raw) ? parsed(raw) : raw);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}

// Writes at most once a minute, so that a burst of messages does not wait for one row.
async function markHeard(tx: Tx, { id, nombre, oido_at, rescatados, comun }: WebShop, hasMoved: boolean): Promise<void> {
  const isDue = rescatados > 0 || Date.parse(oido_at ?? '1970-01-01') < Date.now() - 60_000 || (comun && hasMoved);
  if (!isDue) return;
  await sql`UPDATE tiendas SET oido_at = now(), rescatados = 0, comun = CASE WHEN ${comun && hasMoved} THEN NULL ELSE comun END WHERE id = ${id}`.execute(
    tx,
  );
  if (comun && !hasMoved)
    await notifyOnce(
      tx,
      COMMON,
      id,
      `La tienda «${nombre}» envía a la dirección común: pon en ella su propia dirección y su secreto («Tiendas»)`,
    );
}

/** Returns the address that a message names, without scheme, trailing slash and letter case; null without one. */
function originOf({ headers: { source } }: Connector, headers: IncomingHttpHeaders): string | null {
  return (
    String(headers[source] ?? '')
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/\/+$/, '')
      .slice(0, 200) || null
  );
}

/** Returns why a message is only stored: it names the address of another shop than the one that signed it. */
function contradictionOf(shop: WebShop, shops: readonly WebShop[], origen: string | null): DomainError | undefined {
  const other = origen && shops.find(({ id, origen: known, conector }) => known === origen && id !== shop.id && conector === shop.conector);
  return other ? new DomainError(422, `Lo firma «${shop.nombre}» y dice que viene de «${origen}», que es otra tienda`) : undefined;
}

const THIRD = new DomainError(422, 'Llega a la dirección común con un tercer nombre: di antes de quién es la tienda que espera');
type Common = WebShop & { isThird?: boolean };

/**
 * Returns the shop of the common address, made by its first message. What comes under another name waits as one shop of each kind, because
 * nothing tells a second shop or a test copy from a forged name. A third name is not taken (`isThird`).
 */
async function commonShop(tx: Tx, shops: readonly WebShop[], connector: Connector, origen: string | null): Promise<Common> {
  const ownIn = (all: readonly WebShop[]) => all.find(({ conector, comun }) => conector === connector.id && comun);
  const isOf = (shop: WebShop | undefined) => shop && (origen === null || shop.origen === origen);
  const known = ownIn(shops);
  if (known && isOf(known)) return known;
  await lockNames(tx);
  const now = (await listWebShops(tx)).filter(({ conector }) => conector === connector.id);
  const own = ownIn(now);
  if (own && isOf(own)) return own;
  if (own?.origen === null) {
    await tx.updateTable('tiendas').set({ origen }).where('id', '=', own.id).execute();
    return { ...own, origen };
  }
  const waiting = now.find(({ estado }) => estado === 'por_confirmar');
  if (waiting) return { ...waiting, isThird: waiting.origen !== origen };
  return addShop(tx, connector, origen, !now.some(({ comun }) => comun !== false));
}

async function addShop(tx: Tx, connector: Connector, origen: string | null, isFirst: boolean): Promise<WebShop> {
  const nombre = (origen ?? CONECTOR[connector.id].label).slice(0, 80);
  const values = { conector: connector.id, origen, nombre, comun: isFirst, estado: isFirst ? 'activa' : 'por_confirmar' };
  const shop = await tx.insertInto('tiendas').values(values).returningAll().executeTakeFirstOrThrow();
  emitShops(tx);
  if (!isFirst) await notifyOffice(tx, `Llegan pedidos de «${nombre}» a la dirección común, que es de otra tienda: di de quién son`);
  return shop;
}

async function reportForged(db: Db, origin: string | null): Promise<void> {
  await transact(db, async (tx) => {
    await countUse(tx, REFUSED, ALL);
    const from = origin ? `de «${origin.slice(0, 100)}» ` : '';
    const sentence = `Llegan mensajes ${from}a la tienda en línea con una firma que no vale: comprueba el secreto de sus webhooks`;
    await notifyOnce(tx, FORGED, ALL, sentence);
  });
}
