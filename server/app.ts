import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { z } from 'zod';
import { es } from 'zod/locales';
import { accountRoutes } from './account/account.routes.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { auditRefusals } from './audit/refusals.ts';
import { backupsRoutes } from './backups/backups.routes.ts';
import type { AppConfig } from './config.ts';
import type { OpenDb } from './db/open.ts';
import { exportsRoutes } from './exports/exports.routes.ts';
import { errorHandler } from './kit/errors.ts';
import { describeApi } from './kit/openapi.ts';
import { serveWeb } from './kit/serve-web.ts';
import { liveRoutes } from './live/live.routes.ts';
import { notificationsRoutes } from './notifications/notifications.routes.ts';
import { paymentsRoutes } from './payments/payments.routes.ts';
import { formActions } from './payments/providers.ts';
import { pedidosRoutes } from './pedidos/pedidos.routes.ts';
import { productsRoutes } from './products/products.routes.ts';
import { pushRoutes } from './push/push.routes.ts';
import { installGuard } from './session/guard.ts';
import { sessionRoutes } from './session/session.routes.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { statsRoutes } from './stats/stats.routes.ts';
import { usersRoutes } from './users/users.routes.ts';

export type Deps = Pick<OpenDb, 'db' | 'engine' | 'listen'> & { config: AppConfig };

// What no schema words itself is said in Spanish too.
z.config(es());

// The embedded database puts a failed statement's values, customers among them, into its error.
const PRIVATE = ['req.headers.cookie', 'req.headers.authorization', 'err.params'];

/** The whole HTTP side, ready for `listen` or `inject`. It opens nothing and closes nothing. */
export async function buildApp({ db, engine, listen, config }: Deps): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: 64 * 1024,
    trustProxy: config.trustProxy,
    logger: config.logLevel === 'silent' ? false : { level: config.logLevel, redact: PRIVATE },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => void errorHandler(error, request, reply),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(errorHandler);
  // Only JSON is read: anything else is a 415.
  app.removeContentTypeParser('text/plain');

  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Mantine writes style elements for its responsive properties.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'", ...formActions(config)],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: config.publicUrl?.startsWith('https:') ?? false,
    referrerPolicy: { policy: 'same-origin' },
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });

  await installGuard(app, db, config, listen);
  auditRefusals(app, db);

  await describeApi(app);
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async () => {
    await sql`SELECT 1`.execute(db);
    return { ok: true };
  });

  sessionRoutes(app, db, config.secretKey);
  accountRoutes(app, db, config.secretKey);
  exportsRoutes(app, db);
  notificationsRoutes(app, db);
  pushRoutes(app, db, config.secretKey);
  settingsRoutes(app, db, engine, config.secretKey);
  backupsRoutes(app, db, config.backupDir);
  usersRoutes(app, db);
  productsRoutes(app, db);
  statsRoutes(app, db);
  auditRoutes(app, db);
  pedidosRoutes(app, db, config.publicUrl);
  await paymentsRoutes(app, db, config);

  await liveRoutes(app, listen);

  await serveWeb(app);
  return app;
}
