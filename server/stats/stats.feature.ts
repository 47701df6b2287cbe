import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/stats/stats.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { dailyFigures, pendingWork } from './dashboard.ts';
import { endOfDay, mailEndOfDay } from './end-of-day.ts';
import { adminStats, revendedorStats } from './stats.ts';
import { toCollect } from './to-collect.ts';
import { todayFigures } from './today.ts';
import { deliveriesByCarrier, transportistaStats } from './transportista-stats.ts';

/** Figures of the three dashboards. */
export const statsFeature: Feature = {
  name: 'stats',
  routes,
  jobs: ({ db }) => [{ name: 'fin-del-dia', cron: '0 * * * *', run: () => mailEndOfDay(db) }],
};

function routes(app: FastifyInstance, { db, config: { publicUrl } }: Deps): void {
  route(app, api.adminStats, async ({ query }) => ({ data: await adminStats(db, query) }));
  route(app, api.revendedorStats, async ({ actor, query }) => ({ data: await revendedorStats(db, actor, query) }));
  route(app, api.serieStats, async ({ query }) => dailyFigures(db, query));
  route(app, api.atencionStats, async () => ({ data: await pendingWork(db) }));
  route(app, api.hoyStats, async ({ actor }) => ({ data: await todayFigures(db, actor, publicUrl ?? '') }));
  route(app, api.finDelDiaStats, async () => ({ data: await endOfDay(db) }));
  route(app, api.porCobrarStats, async () => toCollect(db));
  route(app, api.transportistasStats, async ({ query }) => deliveriesByCarrier(db, query));
  route(app, api.transportistaStats, async ({ actor }) => ({ data: await transportistaStats(db, actor) }));
}
