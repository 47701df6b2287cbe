import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/ruta/ruta.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { deleteRutas, readRuta, refuseUnused, storeRuta } from './ruta.ts';

/** The day's route of a carrier, and the arrival times that customers see. */
export const rutaFeature: Feature = {
  name: 'ruta',
  tables: { rutas: 'kept' },
  routes,
  clean: deleteRutas,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.getRuta, async ({ actor }) => {
    await refuseUnused(db);
    return { data: await readRuta(db, actor) };
  });
  route(app, api.guardarRuta, async ({ actor, body }) => {
    await refuseUnused(db);
    await storeRuta(db, actor, body);
    return { success: true, message: 'Ruta guardada' };
  });
}
