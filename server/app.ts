import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { z } from 'zod';
import { es } from 'zod/locales';
import type { AppConfig } from './config.ts';
import { FEATURES } from './features.ts';
import { errorHandler } from './kit/errors.ts';
import type { Process } from './kit/feature.ts';
import { describeApi } from './kit/openapi.ts';
import { serveWeb } from './kit/serve-web.ts';
import { formActions } from './payments/providers.ts';
import { installGuard } from './session/guard.ts';

// Default validation messages reach the user, so they must be in Spanish too.
z.config(es());

// PGlite errors carry the parameters of the failed statement, which may hold customers' data.
const PRIVATE = ['req.headers.cookie', 'req.headers.authorization', 'err.params'];

/** Builds the HTTP server, ready for `listen` or `inject`. The caller owns the database. */
export async function buildApp(given: Process & { config: AppConfig }): Promise<FastifyInstance> {
  const { db, listen, config } = given;
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
  // Accept only JSON; anything else gets 415.
  app.removeContentTypeParser('text/plain');

  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Mantine injects style elements for its responsive props.
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

  await describeApi(app);
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async () => {
    await sql`SELECT 1`.execute(db);
    return { ok: true };
  });

  for (const { routes } of FEATURES) await routes?.(app, { ...given, features: FEATURES });
  await serveWeb(app);
  return app;
}
