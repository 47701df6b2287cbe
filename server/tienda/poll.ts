import { sql } from 'kysely';
import { rolesOf } from '../../contract/policy/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import type { Config } from '../kit/config.ts';
import { DomainError } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { countUse } from '../repeats/bounds.ts';
import { readSecretSettings } from '../settings/settings.ts';
import type { Connector, ShopApi } from './connector.ts';
import { connectorOf } from './connectors.ts';
import type { WebOrder } from './order.ts';
import { ASKED, readOr, storeMessage, storeUnreadable } from './receive.ts';
import { apisOf, listSources, notifyOffice, type WebShop } from './sources.ts';

/* Polls the shops' REST APIs, because messages can be lost by a restart, a full disk or a wrong secret. */

const RESCUED = { clase: 'tienda_rescatados', minutes: 60, most: 1 };
const UNANSWERED = { clase: 'tienda_sin_respuesta', minutes: 1440, most: 1 };
/** Overlap of two rounds, so that an order written while the shop answered is not missed. */
const OVERLAP_MS = 10 * 60_000;

/** Polls each shop with keys for orders changed since the last round, and checks whether its webhooks are on. */
export async function askShops(db: Db, config: Config): Promise<void> {
  await addMain(db, config);
  const apis = await apisOf(db, config);
  for (const source of await listSources(db)) {
    const [connector, api] = [connectorOf(source.conector), apis.get(source.id)];
    if (connector?.changed && api) await askOne(db, config.secretKey, source, connector, api);
  }
}

/** Adds the shop of the settings, so that it is polled even if no message has ever arrived. */
async function addMain(db: Db, { secretKey }: Config): Promise<void> {
  const { storeActive, storeUrl, storeKey, storeKeySecret } = await readSecretSettings(db, secretKey);
  if (!storeActive || !storeUrl || !storeKey || !storeKeySecret) return;
  await sql`INSERT INTO tiendas (conector, nombre) SELECT 'woo', 'Tu tienda' WHERE NOT EXISTS (SELECT FROM tiendas WHERE conector = 'woo')`.execute(
    db,
  );
}

async function askOne(db: Db, secretKey: string, source: WebShop, connector: Connector, api: ShopApi): Promise<void> {
  try {
    const rescued = await fetchChanged(db, secretKey, source, connector, api);
    const isOff = (await connector.isOff?.(api)) ?? false;
    await transact(db, async (tx) => {
      const before = await tx.selectFrom('tiendas').select('webhook_apagado').where('id', '=', source.id).executeTakeFirstOrThrow();
      await tx
        .updateTable('tiendas')
        .set({ sondeo_at: sql`now()`, sondeo_error: null, webhook_apagado: isOff, rescatados: sql`rescatados + ${rescued}` })
        .where('id', '=', source.id)
        .execute();
      emit(tx, { topic: 'tienda', roles: rolesOf('tienda:manage') });
      if (isOff && !before.webhook_apagado)
        await notifyOffice(
          tx,
          `La tienda «${source.nombre}» ha apagado su webhook: se le pregunta cada pocos minutos; enciéndelo en «Tienda en línea»`,
        );
      if (rescued > 0 && (await countUse(tx, RESCUED, source.id)) === 1)
        await notifyOffice(
          tx,
          `La tienda «${source.nombre}» no había enviado ${rescued === 1 ? '1 pedido' : `${rescued} pedidos`}: ya están aquí`,
        );
    });
  } catch (error) {
    const sondeo_error = (error instanceof Error ? error.message : String(error)).slice(0, 300);
    await transact(db, async (tx) => {
      await tx.updateTable('tiendas').set({ sondeo_error }).where('id', '=', source.id).execute();
      if ((await countUse(tx, UNANSWERED, source.id)) === 1)
        await notifyOffice(tx, `No se puede preguntar a la tienda «${source.nombre}»: ${sondeo_error}`);
    });
  }
}

/** Stores the changed orders; returns the number of new ones, for which no message had arrived. */
async function fetchChanged(db: Db, secretKey: string, source: WebShop, connector: Connector, api: ShopApi): Promise<number> {
  const { since } = await db
    .selectFrom('tiendas as s')
    .select(
      // By the shop's clock: time of its last change known here.
      sql<string>`coalesce(s.sondeo_hasta, (SELECT max(t.modificado_at) FROM tienda_pedidos t WHERE t.tienda_id = s.id),
        s.created_at - interval '1 day')`.as('since'),
    )
    .where('s.id', '=', source.id)
    .executeTakeFirstOrThrow();
  const from = new Date(new Date(since).getTime() - OVERLAP_MS).toISOString().slice(0, 19);
  let [rescued, last] = [0, since];
  for await (const page of connector.changed?.(api, from) ?? []) {
    await transact(db, async (tx) => {
      for (const content of page) {
        const raw = Buffer.from(JSON.stringify(content));
        const order = readOr(connector, raw, ASKED);
        if (order instanceof DomainError) await storeUnreadable(tx, secretKey, source, { raw, topic: ASKED, error: order });
        if (order instanceof DomainError || 'borrado' in order) continue;
        const known = await tx
          .selectFrom('tienda_pedidos')
          .select(['modificado_at', 'situacion'])
          .where('tienda_id', '=', source.id)
          .where('externo_id', '=', order.externo_id)
          .executeTakeFirst();
        // Rounds overlap: an order known here may have been discarded and must not return.
        if (known ? isKnown(known, order) : order.situacion === 'espera') continue;
        const isNew = await storeMessage(tx, secretKey, source, order);
        if (isNew && !known) rescued += 1;
        if (order.modificado && order.modificado > last) last = order.modificado;
      }
      emitJob(tx, 'tienda');
    });
  }
  await db.updateTable('tiendas').set({ sondeo_hasta: last }).where('id', '=', source.id).execute();
  return rescued;
}

const isKnown = (known: { modificado_at: string; situacion: string | null }, { modificado, situacion }: WebOrder) =>
  (!modificado || Date.parse(modificado) <= Date.parse(known.modificado_at)) && known.situacion === (situacion ?? null);
