import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { SITUACIONES } from '../../../contract/tienda/fields.ts';
import type { Tx } from '../../db/open.ts';
import { emitJob } from '../../jobs/wake.ts';
import type { DomainError } from '../../kit/errors.ts';
import { type Deletion, type WebOrder, withoutPerson } from '../reading/order.ts';
import { hasKeys, notifyOnce, TOLD, type WebShop } from '../shop.ts';

/* One row an order of a shop. Only a newer message changes it, and a repeated one never. */

/** The office is notified at most once an hour of each shop's unreadable messages. */
const UNREADABLE = { clase: 'tienda_ilegible', minutes: 60, most: 1 };
/** Topic of what the shop answered when asked. */
export const ASKED = 'sondeo';

/** Rank of a state. Of two messages of the same second, or without a time, the one with the higher rank counts. */
const rankOf = (situacion: string) => sql<number>`coalesce(array_position(${[...SITUACIONES]}::text[], ${sql.ref(situacion)}), 3)`;
const SEEN = 20;

const digestOf = (order: WebOrder) => createHash('sha256').update(JSON.stringify(order)).digest('base64url').slice(0, 22);

/**
 * Stores an order. Returns false for an older or repeated message, which changes nothing. `asked`: the shop's own answer, which also counts
 * if its time is not newer.
 */
export async function storeMessage(tx: Tx, shop: WebShop, order: WebOrder, asked = false): Promise<boolean> {
  const known = await knownOf(tx, shop, order.externo_id);
  const kept = known?.erased ? withoutPerson(order) : order;
  const { externo_id, numero, modificado, situacion = null } = kept;
  const digest = digestOf(order);
  // A time ahead of the clock would make all later messages older.
  const at = modificado ? sql<string>`least(${modificado}::timestamptz, now())` : sql<string>`now()`;
  const asksRefunds = !asked && !!known?.pedido_id && order.devuelto_cents > Number(known.told) && hasKeys(shop);
  const isNewer = modificado ? sql`t.modificado_at < excluded.modificado_at OR` : sql``;
  const isSame = modificado ? sql`t.modificado_at = excluded.modificado_at` : sql`true`;
  const counts = asked
    ? sql`(t.situacion IS DISTINCT FROM excluded.situacion AND t.modificado_at <= excluded.modificado_at)
        OR (t.modificado_at < excluded.modificado_at AND NOT (${digest} = ANY (t.vistos)))`
    : sql`NOT (${digest} = ANY (t.vistos)) AND (${isNewer} (${isSame} AND ${rankOf('t.situacion')} <= ${rankOf('excluded.situacion')}))`;
  const { rows } = await sql<{ id: string }>`
    INSERT INTO tienda_pedidos AS t (tienda_id, externo_id, numero, modificado_at, situacion, contenido, vistos, pregunta)
    VALUES (${shop.id}, ${externo_id}, ${numero.slice(0, 200)}, ${at}, ${situacion}, ${JSON.stringify(kept)}::jsonb, ARRAY[${digest}]::text[],
      ${asksRefunds ? 'reembolsos' : null})
    ON CONFLICT (tienda_id, externo_id) DO UPDATE SET
      modificado_at = ${modificado ? sql`greatest(t.modificado_at, excluded.modificado_at)` : sql`t.modificado_at`},
      numero = excluded.numero, situacion = excluded.situacion, contenido = excluded.contenido, estado = 'recibido', updated_at = now(),
      vistos = (t.vistos || excluded.vistos)[greatest(1, cardinality(t.vistos) + 2 - ${SEEN}):], pregunta = excluded.pregunta,
      leida = CASE WHEN ${asked} AND t.pedido_id IS NULL THEN NULL ELSE t.leida END
    WHERE ${counts}
    RETURNING t.id`.execute(tx);
  if (asksRefunds && rows.length > 0) emitJob(tx, 'sondeo');
  return rows.length > 0 || (!asked && (await storeDoubtful(tx, shop, kept, digest)));
}

/** Returns the row of an order, locked. `erased`: nothing of the person may come back; `told`: cents of the refunds that are known. */
const knownOf = (tx: Tx, shop: WebShop, externo_id: string) =>
  tx
    .selectFrom('tienda_pedidos as t')
    .leftJoin('pedidos as p', 'p.id', 't.pedido_id')
    .select(['t.id', 't.pedido_id', TOLD.as('told')])
    .select(sql<boolean>`t.olvidado_at IS NOT NULL OR p.anonimizado_at IS NOT NULL OR p.bloqueado_at IS NOT NULL`.as('erased'))
    .where('t.tienda_id', '=', shop.id)
    .where('t.externo_id', '=', externo_id)
    .forUpdate('t')
    .executeTakeFirst();

/** Stores a paid order without its state if it was cancelled in the same second, so that a person decides. Returns false for other orders. */
async function storeDoubtful(tx: Tx, shop: WebShop, order: WebOrder, digest: string): Promise<boolean> {
  if (order.situacion !== 'pagado') return false;
  const doubtful = { ...order, situacion: undefined, estado: `${order.estado}, y en el mismo momento cancelado` };
  // Makes a repetition of either message older.
  const { rows } = await sql<{ id: string }>`UPDATE tienda_pedidos SET contenido = ${JSON.stringify(doubtful)}::jsonb, situacion = NULL,
      estado = 'recibido', modificado_at = modificado_at + interval '1 millisecond', vistos = vistos || ${digest}::text, updated_at = now()
    WHERE tienda_id = ${shop.id} AND externo_id = ${order.externo_id} AND situacion = 'cancelado' AND NOT (${digest} = ANY (vistos))
      AND modificado_at = coalesce(${order.modificado ?? null}::timestamptz, modificado_at) RETURNING id`.execute(tx);
  return rows.length > 0;
}

/** Notes that a message names an order as deleted; the shop is asked, or a person without its keys. Returns false if nothing is to be asked. */
export async function questionDeletion(tx: Tx, shop: WebShop, { externo_id }: Deletion): Promise<boolean> {
  const known = await knownOf(tx, shop, externo_id);
  if (known) {
    const { numUpdatedRows } = await tx
      .updateTable('tienda_pedidos')
      .set({ pregunta: 'borrado', estado: 'recibido', updated_at: sql`now()` })
      .where('id', '=', known.id)
      .where(sql<boolean>`situacion IS DISTINCT FROM 'borrado' AND estado <> 'ignorado'`)
      .executeTakeFirst();
    if (hasKeys(shop)) emitJob(tx, 'sondeo');
    return numUpdatedRows > 0n;
  }
  if (hasKeys(shop)) return false;
  // An order that comes after its deletion waits for a person.
  const values = { tienda_id: shop.id, externo_id, numero: externo_id, modificado_at: '1970-01-01Z' };
  await tx
    .insertInto('tienda_pedidos')
    .values({ ...values, situacion: 'borrado', leida: 'borrado', estado: 'ignorado', motivo: 'Borrado en la tienda' })
    .onConflict((on) => on.columns(['tienda_id', 'externo_id']).doNothing())
    .execute();
  return true;
}

/** Notes that a message claims that an ended order was restored, which its signature does not cover. Returns false for an order that lives. */
export async function claimRestored(tx: Tx, shop: WebShop, order: WebOrder): Promise<boolean> {
  const known = await knownOf(tx, shop, order.externo_id);
  if (!known) return false;
  const claimed = JSON.stringify(known.erased ? withoutPerson(order) : order);
  const contenido = hasKeys(shop) ? sql`contenido` : sql`${claimed}::jsonb`;
  const { rows } =
    await sql`UPDATE tienda_pedidos SET pregunta = 'recuperado', estado = 'recibido', contenido = ${contenido}, updated_at = now()
    WHERE id = ${known.id} AND situacion IN ('cancelado', 'reembolsado', 'borrado') RETURNING id`.execute(tx);
  if (rows.length > 0 && hasKeys(shop)) emitJob(tx, 'sondeo');
  return rows.length > 0;
}

/** Marks an order that the shop, when asked, does not have any more. */
export async function markDeleted(tx: Tx, shop: WebShop, externo_id: string): Promise<void> {
  await sql`UPDATE tienda_pedidos SET situacion = 'borrado', pregunta = NULL, updated_at = now(),
      estado = CASE WHEN estado = 'ignorado' THEN estado ELSE 'recibido' END
    WHERE tienda_id = ${shop.id} AND externo_id = ${externo_id} AND (situacion IS DISTINCT FROM 'borrado' OR pregunta IS NOT NULL)`.execute(
    tx,
  );
}

type Unreadable = { text: string; topic: string; error: DomainError };

/** Stores an unreadable message whole; one that the shop answered only once. */
export async function storeUnreadable(
  tx: Tx,
  shop: WebShop,
  { text, topic, error }: Unreadable,
): Promise<{ received: false; motivo?: string }> {
  const motivo = error.body.message;
  const contenido = text.replaceAll('\u0000', '').toWellFormed();
  const externo_id = topic === ASKED ? createHash('sha256').update(text).digest('hex') : undefined;
  if (externo_id && (await isLogged(tx, shop, externo_id))) return { received: false };
  await logMessage(tx, shop, { tema: topic, resultado: 'ilegible', motivo, contenido, ...(externo_id && { externo_id }) });
  const sentence = `La tienda «${shop.nombre}» ha enviado un mensaje que no se puede leer: está entero en «Tienda en línea»`;
  await notifyOnce(tx, UNREADABLE, shop.id, sentence);
  return { received: false, motivo };
}

const isLogged = (tx: Tx, { id }: WebShop, externo_id: string) =>
  tx
    .selectFrom('tienda_mensajes')
    .select('id')
    .where('tienda_id', '=', id)
    .where('resultado', '=', 'ilegible')
    .where('externo_id', '=', externo_id)
    .executeTakeFirst();

type Logged = { tema: string; externo_id?: string; resultado: 'recibido' | 'anterior' | 'ilegible'; motivo?: string; contenido?: string };
export const logMessage = (tx: Tx, shop: WebShop, { tema, ...row }: Logged) =>
  tx
    .insertInto('tienda_mensajes')
    .values({ tienda_id: shop.id, tema: tema.slice(0, 60) || null, ...row })
    .execute();
