import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/tienda/tienda.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { delivered } from '../outbox/undelivered.ts';
import { readReceived } from './process.ts';
import { receive } from './receive.ts';
import { dismiss, forgetUnseen, listWaiting, match, retry } from './review.ts';
import { tellShop } from './send-back.ts';

/** Orders of a web shop: received automatically, with their state sent back. */
export const tiendaFeature: Feature = {
  name: 'tienda',
  tables: { tienda_pedidos: 'kept', tienda_productos: 'kept' },
  routes,
  jobs: ({ db, config }) => [
    {
      name: 'tienda',
      cron: '* * * * *',
      run: async () => {
        await readReceived(db, config.secretKey);
        await delivered(db, 'tienda', () => tellShop(db, config));
      },
    },
  ],
  clean: forgetUnseen,
};

function routes(app: FastifyInstance, { db, config: { secretKey } }: Deps): void {
  route(app, api.listTienda, async ({ query }) => listWaiting(db, secretKey, query));
  route(app, api.emparejarTienda, async ({ actor, body }) => {
    await match(db, actor, body);
    return { success: true, message: 'Guardado: se vuelven a leer los pedidos que esperaban' };
  });
  route(app, api.reintentarTienda, async ({ actor, params }) => {
    await retry(db, actor, params.id);
    return { success: true, message: 'Se vuelve a leer' };
  });
  route(app, api.descartarTienda, async ({ actor, params }) => {
    await dismiss(db, actor, params.id);
    return { success: true, message: 'Descartado' };
  });
  // The signature covers the raw bytes, whatever their content type.
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, raw, done) => done(null, raw));
    route(scope, api.receiveTienda, async ({ request: { body, headers } }) => ({
      received: await receive(db, secretKey, Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers),
    }));
    ready();
  });
}
