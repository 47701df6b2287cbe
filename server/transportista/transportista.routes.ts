import type { FastifyInstance } from 'fastify';
import { autoAsignar, listDisponibles } from '../../contract/transportista.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { presentCarried, presentOpen } from '../pedidos/present.ts';
import { takePedido } from '../pedidos/transition.ts';
import { listAvailable } from './available.ts';

/** Lists available orders and lets a carrier take them. */
export function transportistaRoutes(app: FastifyInstance, { db }: Deps): void {
  route(app, listDisponibles, async ({ actor, query }) => {
    const page = await listAvailable(db, actor, query);
    return { ...page, data: page.data.map(presentOpen) };
  });
  route(app, autoAsignar, async ({ actor, params, body }) => ({
    message: 'Pedido asignado exitosamente',
    pedido: presentCarried(await takePedido(db, actor, params.id, body?.empresa_transporte ?? null)),
  }));
}
