import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/stats.ts';
import type { Db } from '../db/open.ts';
import { route } from '../kit/route.ts';
import { adminStats, revendedorStats } from './stats.ts';
import { transportistaStats } from './transportista-stats.ts';

export function statsRoutes(app: FastifyInstance, db: Db): void {
  route(app, api.adminStats, async ({ actor, query }) => ({ data: await adminStats(db, actor, query) }));
  route(app, api.revendedorStats, async ({ actor, query }) => ({ data: await revendedorStats(db, actor, query) }));
  route(app, api.transportistaStats, async ({ actor }) => ({ data: await transportistaStats(db, actor) }));
}
