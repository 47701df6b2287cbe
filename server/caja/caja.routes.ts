import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/caja/caja.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { confirmCash, handOverCash, listCash, receiveCash } from './caja.ts';

export function cajaRoutes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listCajas, async ({ actor, query }) => ({ data: await listCash(db, actor, query.transportista_id) }));
  route(app, api.entregarCaja, async ({ actor, body }) => asDone('Caja entregada', await handOverCash(db, actor, body)));
  route(app, api.recibirCaja, async ({ actor, body }) => asDone('Caja recibida', await receiveCash(db, actor, body)));
  route(app, api.confirmarCaja, async ({ actor, params, body }) =>
    asDone('Caja confirmada', await confirmCash(db, actor, params.id, body)),
  );
}
