import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/audit.ts';
import type { Db } from '../db/open.ts';
import { route } from '../kit/route.ts';
import { auditFeed } from './feed.ts';

export function auditRoutes(app: FastifyInstance, db: Db): void {
  route(app, api.listAudit, async ({ actor, query }) => ({ data: await auditFeed(db, actor, query.limit) }));
}
