import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/tienda/tienda.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { receive } from './receive.ts';
import { dismiss, listWaiting, match, retry } from './review.ts';

export function tiendaRoutes(app: FastifyInstance, { db, config: { secretKey } }: Deps): void {
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
