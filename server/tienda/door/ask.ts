import { sql } from 'kysely';
import { FINALES } from '../../../contract/pedidos/estados.ts';
import { plural } from '../../../contract/text/plural.ts';
import { type Db, transact } from '../../db/open.ts';
import { emitJob } from '../../jobs/wake.ts';
import type { Config } from '../../kit/config.ts';
import { DomainError } from '../../kit/errors.ts';
import { readSettings } from '../../settings/settings.ts';
import type { Connector, ShopApi } from '../connector.ts';
import { findConnector } from '../connectors.ts';
import type { WebOrder } from '../reading/order.ts';
import { emitShops, listWebShops, notifyOffice, notifyOnce, shopApi, type WebShop } from '../shop.ts';
import { readOr } from './receive.ts';
import { ASKED, markDeleted, storeMessage, storeUnreadable } from './store.ts';

/* Asks the shops, because messages can be lost by a restart, a full disk or a wrong secret, and claim things that no signature covers. */

const RESCUED = { clase: 'tienda_rescatados', minutes: 60 };
const UNANSWERED = { clase: 'tienda_sin_respuesta', minutes: 1440 };
/** Overlap of two rounds, so that an order written while the shop answered is not missed. */
const OVERLAP_MS = 10 * 60_000;
/** Number of orders that are asked for at once. */
const AT_ONCE = 50;

type Asking = { db: Db; shop: WebShop; connector: Connector; api: ShopApi };

/** Asks each shop with keys, all at once: what messages claimed, what has changed, whether it still has our open orders, and its webhooks. */
export async function askShops(db: Db, config: Config): Promise<void> {
  if (!(await readSettings(db)).storeActive) return;
  const asked = (await listWebShops(db)).flatMap((shop) => {
    const [connector, api] = [findConnector(shop.conector), shopApi(shop, config)];
    return connector?.changed && api ? [askOne({ db, shop, connector, api })] : [];
  });
  await Promise.all(asked);
}

async function askOne(asking: Asking): Promise<void> {
  const { db, shop, connector, api } = asking;
  try {
    await fetchRefunds(asking);
    const rescued = await fetchChanged(asking);
    await compareOrders(asking);
    const isOff = (await connector.isOff?.(api)) ?? false;
    await transact(db, async (tx) => {
      const before = await tx.selectFrom('tiendas').select('webhook_apagado').where('id', '=', shop.id).executeTakeFirstOrThrow();
      await tx
        .updateTable('tiendas')
        .set({ sondeo_at: sql`now()`, sondeo_error: null, webhook_apagado: isOff, rescatados: sql`rescatados + ${rescued}` })
        .where('id', '=', shop.id)
        .execute();
      emitShops(tx);
      emitJob(tx, 'tienda');
      if (isOff && !before.webhook_apagado)
        await notifyOffice(
          tx,
          `La tienda «${shop.nombre}» ha apagado su webhook: se le pregunta cada pocos minutos; enciéndelo en «Tienda en línea»`,
        );
      const many = plural(rescued, 'pedido');
      if (rescued > 0) await notifyOnce(tx, RESCUED, shop.id, `La tienda «${shop.nombre}» no había enviado ${many}: ya están aquí`);
    });
  } catch (error) {
    const sondeo_error = (error instanceof Error ? error.message : String(error)).slice(0, 300);
    await transact(db, async (tx) => {
      await tx.updateTable('tiendas').set({ sondeo_error }).where('id', '=', shop.id).execute();
      emitShops(tx);
      await notifyOnce(tx, UNANSWERED, shop.id, `No se puede preguntar a la tienda «${shop.nombre}»: ${sondeo_error}`);
    });
  }
}

/** Adds the goods to new refunds, all at once. An order whose refunds the shop does not tell is processed without them. */
async function fetchRefunds({ db, shop, connector, api }: Asking): Promise<void> {
  const rows = await db
    .selectFrom('tienda_pedidos')
    .select(['id', 'externo_id', 'contenido'])
    .where('tienda_id', '=', shop.id)
    .where('pregunta', '=', 'reembolsos')
    .orderBy('updated_at')
    .limit(AT_ONCE)
    .execute();
  const answers = await Promise.allSettled(rows.map(({ externo_id }) => connector.refunds?.(api, externo_id)));
  await transact(db, async (tx) => {
    for (const [i, { id, contenido }] of rows.entries()) {
      const answer = answers[i];
      const devoluciones = answer?.status === 'fulfilled' ? answer.value : undefined;
      const content = devoluciones && JSON.stringify({ ...(contenido as WebOrder), devoluciones });
      await tx
        .updateTable('tienda_pedidos')
        .set({ pregunta: null, ...(content && { contenido: content }) })
        .where('id', '=', id)
        .where('pregunta', '=', 'reembolsos')
        .execute();
    }
  });
}

/**
 * Asks for orders that a message called deleted or restored, and for our open ones: WooCommerce sends no message about an order that is deleted
 * for good. The shop's answer counts.
 */
async function compareOrders(asking: Asking): Promise<void> {
  const { db, shop } = asking;
  const rows = await db
    .selectFrom('tienda_pedidos as t')
    .leftJoin('pedidos as p', 'p.id', 't.pedido_id')
    .select(['t.id', 't.externo_id'])
    .where('t.tienda_id', '=', shop.id)
    .where(sql<boolean>`(t.pregunta IN ('borrado', 'recuperado') OR t.situacion IS DISTINCT FROM 'borrado' AND t.pregunta IS NULL
      AND CASE WHEN p.id IS NULL THEN t.estado = 'por_revisar' ELSE p.deleted_at IS NULL AND p.estado <> ALL (${[...FINALES]}::text[]) END)`)
    .orderBy(sql`t.pregunta IS NULL`)
    .execute();
  for (let i = 0; i < rows.length; i += AT_ONCE) {
    const some = rows.slice(i, i + AT_ONCE);
    await takeNow(
      asking,
      some.map(({ externo_id }) => externo_id),
    );
    const ids = some.map(({ id }) => id);
    await sql`UPDATE tienda_pedidos SET pregunta = NULL WHERE id = ANY (${ids}::uuid[]) AND pregunta <> 'reembolsos'`.execute(db);
  }
}

async function takeNow({ db, shop, connector, api }: Asking, ids: readonly string[]): Promise<void> {
  const { there = [], gone = [] } = (await connector.ordersNow?.(api, ids)) ?? {};
  await transact(db, async (tx) => {
    for (const content of there) {
      const order = readOr(connector, content);
      if (order instanceof DomainError || 'borrado' in order) continue;
      await storeMessage(tx, shop, order, true);
    }
    for (const externo_id of gone) await markDeleted(tx, shop, externo_id);
  });
}

/** Stores the changed orders; returns the number of new ones, for which no message had arrived. */
async function fetchChanged({ db, shop, connector, api }: Asking): Promise<number> {
  const { since } = await db
    .selectFrom('tiendas as s')
    .select(
      // Time of the last change known here, and never ahead: one order with a wrong date would hide all others.
      sql<string>`least(now(), coalesce(s.sondeo_hasta, (SELECT max(t.modificado_at) FROM tienda_pedidos t WHERE t.tienda_id = s.id),
        s.created_at - interval '1 day'))`.as('since'),
    )
    .where('s.id', '=', shop.id)
    .executeTakeFirstOrThrow();
  const from = new Date(new Date(since).getTime() - OVERLAP_MS).toISOString().slice(0, 19);
  let [rescued, last] = [0, Date.parse(since)];
  for await (const page of connector.changed?.(api, from) ?? []) {
    await transact(db, async (tx) => {
      for (const content of page) {
        const order = readOr(connector, content as object);
        if (order instanceof DomainError) await storeUnreadable(tx, shop, { text: JSON.stringify(content), topic: ASKED, error: order });
        if (order instanceof DomainError || 'borrado' in order) continue;
        last = Math.max(last, Math.min(Date.parse(order.modificado ?? since), Date.now()));
        const known = await tx
          .selectFrom('tienda_pedidos')
          .select('id')
          .where('tienda_id', '=', shop.id)
          .where('externo_id', '=', order.externo_id)
          .executeTakeFirst();
        if (!known && order.situacion === 'espera') continue;
        if ((await storeMessage(tx, shop, order, true)) && !known) rescued += 1;
      }
    });
  }
  await db
    .updateTable('tiendas')
    .set({ sondeo_hasta: new Date(last).toISOString() })
    .where('id', '=', shop.id)
    .execute();
  return rescued;
}
