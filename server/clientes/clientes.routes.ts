import type { FastifyInstance } from 'fastify';
import { listClientes } from '../../contract/clientes.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { findClientes } from './clientes.ts';

/** Customers of the orders that the caller may see. */
export function clientesRoutes(app: FastifyInstance, { db }: Deps): void {
  route(app, listClientes, async ({ actor, query }) => ({ data: await findClientes(db, actor, query.search) }));
}
