import type { Feature } from '../kit/feature.ts';
import { auditRoutes } from './audit.routes.ts';
import { auditRefusals } from './refusals.ts';

/** Log of actions and refusals. */
export const auditFeature: Feature = {
  name: 'audit',
  tables: { audit_logs: 'kept' },
  routes: (app, deps) => {
    auditRefusals(app, deps.db);
    auditRoutes(app, deps);
  },
};
