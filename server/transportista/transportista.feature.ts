import type { FastifyInstance } from 'fastify';
import {
  autoAsignar,
  contarNoAceptado,
  listCiudades,
  listDisponibles,
  listSinEnviar,
  tomarPedidos,
} from '../../contract/transportista/transportista.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { presentCarried, presentOpen } from '../pedidos/lectura/present.ts';
import { notifyRefused } from '../pedidos/pasos/refused-act.ts';
import { takePedido } from '../pedidos/pasos/transition.ts';
import { listAvailable, listTowns, takeMany } from './available.ts';
import { listenUnsent, listUnsent, notifyUnsent } from './unsent.ts';

/** Orders that a carrier can take, and has taken. */
export const transportistaFeature: Feature = {
  name: 'transportista',
  // Lost rows do no harm: a telephone reports again with the next request.
  tables: { sin_enviar: 'passing' },
  routes,
  jobs: ({ db }) => [{ name: 'sin-enviar', cron: '*/10 * * * *', run: () => notifyUnsent(db) }],
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, listDisponibles, async ({ actor, query }) => {
    const page = await listAvailable(db, actor, query);
    return { ...page, data: page.data.map(presentOpen) };
  });
  route(app, autoAsignar, async ({ actor, params, body }) => ({
    message: 'Pedido asignado exitosamente',
    pedido: presentCarried(actor, await takePedido(db, actor, params.id, body?.empresa_transporte ?? null)),
  }));
  route(app, tomarPedidos, async ({ actor, body }) => takeMany(db, actor, body.ids));
  route(app, contarNoAceptado, async ({ actor, body }) => {
    await notifyRefused(db, actor, body);
    return { message: 'La oficina lo sabe' };
  });
  listenUnsent(app, db);
  route(app, listSinEnviar, async () => ({ data: await listUnsent(db) }));
  route(app, listCiudades, async ({ actor, query }) => ({ data: await listTowns(db, actor, query) }));
}
