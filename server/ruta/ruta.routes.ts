import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/ruta/ruta.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { readRuta, refuseUnused, storeRuta } from './ruta.ts';

export function rutaRoutes(app: FastifyInstance, { db }: Deps): void {
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
