import type { FastifyInstance } from 'fastify';
import { asDone } from '../../contract/kit/endpoint.ts';
import * as api from '../../contract/privacidad/privacidad.ts';
import * as schemas from '../../contract/privacidad/schemas.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { anonymiseOrders, blockOrders, unblockOrders } from './block.ts';
import { listBlocked, readTerm } from './privacidad.ts';
import { personFile, searchPeople } from './search.ts';
import { anonymiseDue, CRON } from './term.job.ts';

/** Personal data of customers: found, exported, blocked, anonymised. */
export const privacidadFeature: Feature = {
  name: 'privacidad',
  tables: { datos_bloqueados: 'kept' },
  routes,
  jobs: ({ db }) => [{ name: 'anonimizar', cron: CRON, expireInSeconds: 7200, run: () => anonymiseDue(db) }],
};

function routes(app: FastifyInstance, { db, config }: Deps): void {
  route(app, api.buscarPersonas, async ({ actor, query }) => searchPeople(db, actor, query, config));
  route(app, api.exportarPersona, async ({ actor, query, reply }) => {
    const { name, content } = await personFile(db, actor, query, config);
    reply
      .header('content-type', `${schemas.exportarPersona.response.file}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${name}"`);
    reply.send(content);
    return undefined;
  });
  route(app, api.bloquear, async ({ actor, body }) => {
    const pedidos = await blockOrders(db, actor, body, config);
    return asDone(`${orders(pedidos)} ${pedidos === 1 ? 'bloqueado' : 'bloqueados'}`, { pedidos });
  });
  route(app, api.desbloquear, async ({ actor, body }) => {
    const pedidos = await unblockOrders(db, actor, body, config);
    return asDone(`${orders(pedidos)} ${pedidos === 1 ? 'desbloqueado' : 'desbloqueados'}`, { pedidos });
  });
  route(app, api.anonimizar, async ({ actor, body }) => {
    const pedidos = await anonymiseOrders(db, actor, body, config);
    return asDone(`${orders(pedidos)} ${pedidos === 1 ? 'anonimizado' : 'anonimizados'}`, { pedidos });
  });
  route(app, api.listBloqueos, async ({ query }) => listBlocked(db, query));
  route(app, api.getPlazo, async () => ({ data: await readTerm(db) }));
}

const orders = (n: number) => (n === 1 ? '1 pedido' : `${n.toLocaleString('es-ES')} pedidos`);
