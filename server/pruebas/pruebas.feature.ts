import type { FastifyInstance } from 'fastify';
import { asDone } from '../../contract/kit/endpoint.ts';
import { MAX_PRUEBA_BYTES } from '../../contract/pruebas/fields.ts';
import * as api from '../../contract/pruebas/pruebas.ts';
import { openFiles } from '../files/open-files.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { sendPicture } from '../kit/picture.ts';
import { route } from '../kit/route.ts';
import { addPrueba, readDelivery, readFichero } from './pruebas.ts';
import { deleteLeftOver, deleteWithdrawn, hideOld } from './term.ts';

/** Proof of delivery: signatures and photos, sealed in a chain. */
export const pruebasFeature: Feature = {
  name: 'pruebas',
  tables: { pruebas: 'kept' },
  routes,
  jobs: ({ db, config }) => [
    {
      name: 'pruebas',
      cron: '*/15 * * * *',
      run: async () => {
        const files = openFiles(config);
        await hideOld(db);
        await deleteWithdrawn(db, files);
        await deleteLeftOver(db, files);
      },
    },
  ],
};

function routes(app: FastifyInstance, { db, config }: Deps): void {
  const files = openFiles(config);
  route(app, api.getEntrega, async ({ actor, params }) => ({ data: await readDelivery(db, actor, params.id) }));
  route(app, api.getFichero, async ({ actor, params, reply }) => sendPicture(reply, await readFichero(db, files, actor, params.id)));

  // Reads every content type as raw bytes: addPrueba checks the bytes, not the declared type.
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_PRUEBA_BYTES }, (_request, raw, done) => done(null, raw));
    route(scope, api.sendPrueba, async ({ actor, params, request: { body } }) =>
      asDone('Prueba guardada', await addPrueba(db, files, actor, params.id, Buffer.isBuffer(body) ? body : Buffer.alloc(0))),
    );
    ready();
  });
}
