import type { FastifyInstance, FastifyRequest } from 'fastify';
import { plural } from '../../contract/text/plural.ts';
import * as api from '../../contract/tienda/tienda.ts';
import { emitJob } from '../jobs/wake.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { runDelivery } from '../outbox/undelivered.ts';
import { askShops } from './door/ask.ts';
import { receiveMessage } from './door/receive.ts';
import { applyChanges, correctWaiting } from './office/correct.ts';
import { deleteMatch, deleteMethod, fetchProducts, listMatches, listMethods, nameProduct, setMethod } from './office/matches.ts';
import { deleteUnseen, discardHeldOrder, listWaiting, retryHeldOrder } from './office/review.ts';
import { createShop, listShops, listUnreadable, seeUnreadable, shopFigures, switchWebhooksOn, updateShop } from './office/shops.ts';
import { readReceived } from './order/process.ts';
import { queueForShops } from './order/send-back.ts';
import { readAgain } from './shop.ts';

// Settings on which the outcome of a waiting order depends.
const RULES: readonly string[] = ['cashOnDelivery', 'iva', 'storeActive'];

/** Orders of web shops: received by webhook or polled, with their state sent back. */
export const tiendaFeature: Feature = {
  name: 'tienda',
  tables: {
    tiendas: 'kept',
    tienda_pedidos: 'kept',
    tienda_productos: 'kept',
    tienda_formas: 'kept',
    tienda_mensajes: 'kept',
  },
  routes,
  jobs: ({ db, config }) => [
    {
      name: 'tienda',
      cron: '* * * * *',
      run: async () => {
        await readReceived(db, config);
        await runDelivery(db, 'tienda', () => queueForShops(db, config));
      },
    },
    { name: 'sondeo', cron: '*/5 * * * *', atStart: true, run: () => askShops(db, config) },
  ],
  clean: deleteUnseen,
  settingsChanged: async (tx, { changed }) => {
    if (!changed.some((name) => RULES.includes(name))) return;
    await readAgain(tx);
    emitJob(tx, 'tienda');
  },
};

const done = (message: string) => ({ success: true as const, message });

function routes(app: FastifyInstance, { db, config }: Deps): void {
  const { secretKey } = config;
  app.metrics?.addGauge('enruta_tienda', 'Web shops: seconds since their last message and order, and what waits', () => shopFigures(db));
  route(app, api.listTienda, async ({ query }) => listWaiting(db, query));
  route(app, api.listParejas, async ({ query }) => listMatches(db, query));
  route(app, api.emparejarTienda, async ({ actor, body }) =>
    doneAfter(nameProduct(db, actor, body), 'Guardado: se vuelven a leer los pedidos que esperaban'),
  );
  route(app, api.deletePareja, async ({ actor, params }) =>
    doneAfter(deleteMatch(db, actor, params.id), 'Borrado: se preguntará otra vez'),
  );
  route(app, api.listFormas, async () => ({ success: true as const, data: await listMethods(db) }));
  route(app, api.setForma, async ({ actor, body }) =>
    doneAfter(setMethod(db, actor, body), 'Guardado: se vuelven a leer los pedidos que esperaban'),
  );
  route(app, api.deleteForma, async ({ actor, params }) =>
    doneAfter(deleteMethod(db, actor, params.id), 'Borrada: se preguntará otra vez'),
  );
  route(app, api.listIlegibles, async ({ query }) => listUnreadable(db, query));
  route(app, api.verIlegible, async ({ actor, params }) => doneAfter(seeUnreadable(db, actor, params.id), 'Visto'));
  route(app, api.listFuentes, async () => ({ success: true as const, data: await listShops(db) }));
  route(app, api.createFuente, async ({ actor, body }) => doneAfter(createShop(db, actor, secretKey, body), 'Tienda añadida'));
  route(app, api.updateFuente, async ({ actor, params, body }) =>
    doneAfter(updateShop(db, actor, secretKey, { ...body, ...params }), 'Guardado'),
  );
  route(app, api.encenderWebhooks, async ({ actor, params }) => {
    const n = await switchWebhooksOn(db, actor, config, params.id);
    return done(plural(n, 'webhook encendido', 'webhooks encendidos'));
  });
  route(app, api.traerProductos, async ({ actor, params }) => {
    const n = await fetchProducts(db, actor, config, params.id);
    return done(plural(n, 'producto nuevo', 'productos nuevos'));
  });
  route(app, api.corregirTienda, async ({ actor, params, body }) =>
    doneAfter(correctWaiting(db, actor, { ...body, ...params }), 'Corregido: se vuelve a leer'),
  );
  route(app, api.aplicarTienda, async ({ actor, params }) =>
    doneAfter(applyChanges(db, actor, params.id), 'El pedido está ahora como en la tienda'),
  );
  route(app, api.reintentarTienda, async ({ actor, params }) => doneAfter(retryHeldOrder(db, actor, params.id), 'Se vuelve a leer'));
  route(app, api.descartarTienda, async ({ actor, params, body }) =>
    doneAfter(discardHeldOrder(db, actor, params.id, body?.motivo ?? null), 'Descartado'),
  );
  // The signature covers the raw bytes, whatever their content type.
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, raw, done) => done(null, raw));
    const receive = (id: string | null, { body, headers }: FastifyRequest) =>
      receiveMessage(db, secretKey, { id, raw: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers });
    route(scope, api.receiveTienda, async ({ request }) => receive(null, request));
    route(scope, api.receivePuerta, async ({ params, request }) => receive(params.id, request));
    ready();
  });
}
