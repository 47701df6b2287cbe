import type { FastifyInstance } from 'fastify';
import { cambiosClientes } from '../../contract/cambios/cambios.ts';
import * as api from '../../contract/clientes/clientes.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { readChanges } from '../cambios/cambios.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { clientesAmong, listClientes, readCliente } from './clientes.ts';
import { readCostumbre } from './costumbre.ts';
import { blockCliente, editCliente, joinCliente, separateCliente } from './manage.ts';

/** Customers, derived from orders by triggers (migration 031). */
export const clientesFeature: Feature = {
  name: 'clientes',
  tables: { clientes: 'kept' },
  routes,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listClientes, async ({ actor, query }) => listClientes(db, actor, query));
  route(app, cambiosClientes, async ({ actor, query }) => readChanges(db, actor, 'cliente', query, (ids) => clientesAmong(db, actor, ids)));
  route(app, api.getCostumbre, async ({ actor, query }) => ({ data: await readCostumbre(db, actor, query.cliente_id) }));
  route(app, api.getCliente, async ({ actor, params }) => ({ data: await readCliente(db, actor, params.id) }));
  route(app, api.updateCliente, async ({ actor, params, body }) =>
    asDone('Cliente actualizado', await editCliente(db, actor, params.id, body)),
  );
  route(app, api.bloquearCliente, async ({ actor, params, body }) =>
    asDone(body.motivo === null ? 'Cliente desbloqueado' : 'Cliente bloqueado', await blockCliente(db, actor, params.id, body)),
  );
  route(app, api.unirCliente, async ({ actor, params, body }) => asDone('Clientes unidos', await joinCliente(db, actor, params.id, body)));
  route(app, api.separarCliente, async ({ actor, params }) => asDone('Cliente separado', await separateCliente(db, actor, params.id)));
}
