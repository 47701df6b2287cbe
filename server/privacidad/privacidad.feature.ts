import type { FastifyInstance } from 'fastify';
import { type Answer, asDone, asPage, type Paged, type QueryOut } from '../../contract/kit/endpoint.ts';
import * as api from '../../contract/privacidad/privacidad.ts';
import * as schemas from '../../contract/privacidad/schemas.ts';
import { plural } from '../../contract/text/plural.ts';
import { type Db, onPage } from '../db/open.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { readSettings, readTermInForce } from '../settings/settings.ts';
import { anonymiseOrders, blockOrders, unblockOrders } from './block.ts';
import { personFile, searchPeople } from './search.ts';
import { anonymiseDue, CRON, countDue, nextRun } from './term.job.ts';

/** Personal data of customers: found, exported, blocked, anonymised. */
export const privacidadFeature: Feature = {
  name: 'privacidad',
  tables: { datos_bloqueados: 'kept' },
  routes,
  jobs: ({ db }) => [{ name: 'anonimizar', cron: CRON, expireInSeconds: 7200, run: () => anonymiseDue(db) }],
};

function routes(app: FastifyInstance, { db, config }: Deps): void {
  route(app, api.buscarPersonas, async ({ actor, query }) => searchPeople(db, actor, query));
  route(app, api.exportarPersona, async ({ actor, query, reply }) => {
    const { name, content } = await personFile(db, actor, query);
    reply
      .header('content-type', `${schemas.exportarPersona.response.file}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${name}"`);
    reply.send(content);
    return undefined;
  });
  route(app, api.bloquear, async ({ actor, body }) => {
    const pedidos = await blockOrders(db, actor, body, config);
    return asDone(plural(pedidos, 'pedido bloqueado', 'pedidos bloqueados'), { pedidos });
  });
  route(app, api.desbloquear, async ({ actor, body }) => {
    const pedidos = await unblockOrders(db, actor, body, config);
    return asDone(plural(pedidos, 'pedido desbloqueado', 'pedidos desbloqueados'), { pedidos });
  });
  route(app, api.anonimizar, async ({ actor, body }) => {
    const pedidos = await anonymiseOrders(db, actor, body);
    return asDone(plural(pedidos, 'pedido anonimizado', 'pedidos anonimizados'), { pedidos });
  });
  route(app, api.listBloqueos, async ({ query }) => listBlocked(db, query));
  route(app, api.getPlazo, async () => ({ data: await readTerm(db) }));
}

/** Returns one page of orders with blocked data, latest first. */
async function listBlocked(db: Db, query: QueryOut<typeof api.listBloqueos>): Promise<Paged<api.Bloqueo>> {
  const { total } = await db
    .selectFrom('datos_bloqueados')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('datos_bloqueados as d')
    .innerJoin('pedidos as p', 'p.id', 'd.pedido_id')
    .leftJoin('users as u', 'u.id', 'd.bloqueado_por')
    .select(['d.pedido_id', 'p.numero_orden', 'd.motivo', 'u.full_name as bloqueado_por', 'd.created_at'])
    .orderBy('d.created_at', 'desc')
    .orderBy('d.pedido_id')
    .$call(onPage(query))
    .execute();
  return asPage(rows, total, query);
}

/** Returns the term of the settings, the orders due, and the next run. */
async function readTerm(db: Db, now = new Date()): Promise<Answer<typeof api.getPlazo>['data']> {
  const { anonymizeMonths: meses } = await readSettings(db);
  const { n: anonimizados } = await db
    .selectFrom('pedidos')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('anonimizado_at', 'is not', null)
    .executeTakeFirstOrThrow();
  if (meses === 0) return { meses, pendientes: 0, proxima: null, anonimizados };
  const { until } = await readTermInForce(db, 'anonymizeMonths');
  return { meses, pendientes: await countDue(db, meses), proxima: nextRun(until ? new Date(until) : now).toISOString(), anonimizados };
}
