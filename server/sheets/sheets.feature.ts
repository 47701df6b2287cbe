import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/sheets/formats.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { deleteOldFormats, keepFormat, listFormats } from './formats.ts';

/** Answers about files of other programs, kept for the next file with the same headings. */
export const sheetsFeature: Feature = {
  name: 'sheets',
  tables: { formatos: 'kept' },
  routes,
  clean: deleteOldFormats,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listFormats, async ({ actor }) => ({ data: await listFormats(db, actor) }));
  route(app, api.keepFormat, ({ actor, body }) => doneAfter(keepFormat(db, actor, body), 'Guardado para la próxima vez'));
}
