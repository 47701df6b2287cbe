import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import * as api from '../../contract/audit/audit.ts';
import type { ErrorCode } from '../../contract/kit/errors.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { audit } from './audit.ts';
import { auditFeed, hideLog, listLogs } from './logs.ts';

/** Log of actions and refusals. */
export const auditFeature: Feature = {
  name: 'audit',
  tables: { audit_logs: 'kept' },
  routes,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  auditRefusals(app, db);
  route(app, api.listAudit, async ({ query }) => ({ data: await auditFeed(db, query) }));
  route(app, api.listLogs, async ({ actor, query }) => listLogs(db, actor, query));
  route(app, api.hideLog, ({ actor, params }) => doneAfter(hideLog(db, actor, params.id), 'Registro eliminado de la lista'));
}

// Codes that mean an attempt at something forbidden. A refusal for an expired password has a different code.
const AUDITED: readonly string[] = ['permission_missing', 'not_for_keys'] satisfies ErrorCode[];

/** Logs requests refused for lack of permission (403). */
function auditRefusals(app: FastifyInstance, db: Db): void {
  app.addHook('onError', async (request, _, error) => {
    const refused: unknown = error;
    if (!(refused instanceof DomainError) || !AUDITED.includes(refused.body.code) || !request.actor) return;
    await auditRefusal(db, request.actor, `${request.method} ${request.routeOptions.url ?? ''}`);
  });
}

/** Logs a refusal that repeats within a minute only once, so that repeats cannot flood the log. */
async function auditRefusal(db: Db, actor: Actor, what: string): Promise<void> {
  const description = `Acceso denegado: ${what}`;
  await transact(db, async (tx) => {
    const again = await tx
      .selectFrom('audit_logs')
      .select('id')
      // Matches the partial index `audit_logs_recent`; otherwise each refusal scans the whole log.
      .where('hidden_at', 'is', null)
      .where('created_at', '>', sql<string>`now() - interval '1 minute'`)
      .where('actor_user_id', '=', actor.id)
      .where('description', '=', description)
      .limit(1)
      .executeTakeFirst();
    if (!again) await audit(tx, actor, { action: 'denied', entity_type: 'session', description });
  });
}
