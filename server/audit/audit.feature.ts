import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/audit/audit.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { auditFeed, hideLog, listLogs } from './logs.ts';
import { auditRefusals } from './refusals.ts';

/** Log of actions and refusals. */
export const auditFeature: Feature = {
  name: 'audit',
  tables: { audit_logs: 'kept' },
  routes: (app, deps) => {
    auditRefusals(app, deps.db);
    routes(app, deps);
  },
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listAudit, async ({ query }) => ({ data: await auditFeed(db, query) }));
  route(app, api.listLogs, async ({ actor, query }) => listLogs(db, actor, query));
  route(app, api.hideLog, ({ actor, params }) => doneAfter(hideLog(db, actor, params.id), 'Registro eliminado de la lista'));
}
