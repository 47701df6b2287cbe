import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/stats.ts';
import type { Db } from '../db/open.ts';
import { route } from '../kit/route.ts';
import { atencion, serie } from './dashboard.ts';
import { adminStats, revendedorStats } from './stats.ts';
import { transportistaStats } from './transportista-stats.ts';
import { transportistas } from './transportistas.ts';

/** Figures of the dashboards and of the panel. */
export function statsRoutes(app: FastifyInstance, db: Db): void {
  route(app, api.adminStats, async ({ actor, query }) => ({ data: await adminStats(db, actor, query) }));
  route(app, api.revendedorStats, async ({ actor, query }) => ({ data: await revendedorStats(db, actor, query) }));
  route(app, api.serieStats, async ({ actor, query }) => serie(db, actor, query));
  route(app, api.atencionStats, async ({ actor }) => ({ data: await atencion(db, actor) }));
  route(app, api.transportistasStats, async ({ actor, query }) => transportistas(db, actor, query));
  route(app, api.transportistaStats, async ({ actor }) => ({ data: await transportistaStats(db, actor) }));
}
