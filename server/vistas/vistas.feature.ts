import type { FastifyInstance } from 'fastify';
import { asDone } from '../../contract/kit/endpoint.ts';
import * as api from '../../contract/vistas/vistas.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { createVista, deleteVista, deleteVistas, listVistas, preferVista, updateVista } from './vistas.ts';

/** Saved views of lists. */
export const vistasFeature: Feature = {
  name: 'vistas',
  tables: { vistas: 'kept', vistas_preferidas: 'kept' },
  routes,
  clean: deleteVistas,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listVistas, async ({ actor, query }) => ({ success: true, data: await listVistas(db, actor, query.lista) }));
  route(app, api.createVista, async ({ actor, body }) => asDone('Vista guardada', await createVista(db, actor, body)));
  route(app, api.updateVista, async ({ actor, params, body }) =>
    asDone('Vista actualizada', await updateVista(db, actor, { ...body, ...params })),
  );
  route(app, api.deleteVista, ({ actor, params }) => doneAfter(deleteVista(db, actor, params.id), 'Vista eliminada'));
  route(app, api.preferVista, async ({ actor, body }) => {
    await preferVista(db, actor, body);
    const message = body.vista_id ? 'La lista se abrirá con esta vista' : 'La lista se abrirá sin vista';
    return { success: true, message };
  });
}
