import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import helmet from 'helmet';
import { z } from 'zod';
import es from 'zod/v4/locales/es.js';
import { KEY_REQUESTS } from '../contract/api-keys/fields.ts';
import { bearsKey, hashKey, keyIn } from './api-keys/api-keys.ts';
import type { AppConfig } from './config.ts';
import { freeRoom } from './db/disk.ts';
import { failingJobs } from './failures/failures.ts';
import { FEATURES } from './features.ts';
import { countRuns } from './jobs/runner.ts';
import { compressAnswers } from './kit/compress.ts';
import { DomainError, errorHandler } from './kit/errors.ts';
import type { Process } from './kit/feature.ts';
import { warnOfUntrustedProxies } from './kit/forwarded.ts';
import { reportHealth } from './kit/health.ts';
import { installMetrics } from './kit/metrics.ts';
import { VERSION } from './kit/release.ts';
import { refuseWritesWithoutRoom } from './kit/room.ts';
import { serveWeb } from './kit/serve-web.ts';
import { answerUnreadable, bareHeaders } from './kit/unhooked.ts';
import { formActions } from './payments/providers.ts';
import { installRepeats } from './repeats/repeats.ts';
import { installGuard } from './session/guard.ts';
import { pageOfSession } from './session/page.ts';

z.config(es());

const roomLeft = ({ freeRoom: room, config: { backupDir, databaseUrl } }: Process) => ({
  ...(databaseUrl ? {} : { database: room() }),
  backups: freeRoom(backupDir),
});

const REQUEST_ID = /^[\w-]{8,64}$/;

/** Milliseconds: limit for a whole request to arrive, and interval between checks. Only tests change these values. */
export const ARRIVAL_LIMITS = { requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/** Builds the HTTP server, ready for `listen` or `inject`. The caller owns the database. */
export async function buildApp(parts: Process & { config: AppConfig }): Promise<FastifyInstance> {
  const { db, listen, config, log } = parts;
  const https = config.publicUrl?.startsWith('https:') ?? false;
  const app = Fastify({
    bodyLimit: 64 * 1024,
    requestTimeout: ARRIVAL_LIMITS.requestTimeout,
    http: { headersTimeout: ARRIVAL_LIMITS.requestTimeout, connectionsCheckingInterval: ARRIVAL_LIMITS.connectionsCheckingInterval },
    trustProxy: config.trustProxy,
    loggerInstance: log,
    genReqId: ({ headers: { 'x-request-id': id } }) => (typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID()),
    forceCloseConnections: 'idle',
    // Answers requests accepted before the close: the database is still open, and `drain` refuses late requests itself.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => void errorHandler(error, request, reply.headers(bareHeaders(https, request.id))),
    clientErrorHandler: answerUnreadable(https),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(errorHandler);
  app.removeContentTypeParser('text/plain');

  await app.register(cookie);
  const dress = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Allows WebAssembly, which reads QR codes on phones whose browser has no reader (decision 066).
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
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
    strictTransportSecurity: https,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onRequest', (request, reply, done) => dress(request.raw, reply.raw, () => done()));
  app.decorate('metrics', config.metricsPort === undefined ? undefined : await installMetrics(app));
  app.metrics?.addGauge('enruta_connections', 'Connections to PostgreSQL, by state', parts.connections);
  app.metrics?.addGauge('enruta_info', 'Version of the program', () => ({ [VERSION]: 1 }), 'version');
  app.metrics?.addGauge('enruta_disk_free_bytes', 'Room on the disk of the backups, and of the own database', () => roomLeft(parts));
  app.metrics?.addGauge('enruta_jobs', 'Runs of jobs, by state', () => countRuns(db));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // The camera scans labels.
    reply.header('permissions-policy', 'camera=(self), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()');
    // Default for every response; serve-web.ts overrides this header for files.
    reply.header('cache-control', 'no-store');
  });

  warnOfUntrustedProxies(app, config.secretKey);
  await installGuard(app, db, config, listen);

  compressAnswers(app);
  installRepeats(app, db, config.secretKey);
  refuseWritesWithoutRoom(app, parts.freeRoom);
  await limitPrograms(app);
  reportHealth(app, () => failingJobs(db));

  for (const { routes } of FEATURES) await routes?.(app, { ...parts, features: FEATURES });
  await serveWeb(app, pageOfSession(db));
  return app;
}

/** Rate-limits each key on the endpoints registered after this call; browsers are not limited. */
async function limitPrograms(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    max: KEY_REQUESTS,
    timeWindow: 60_000,
    allowList: (request) => !bearsKey(request.headers.authorization),
    keyGenerator: ({ headers: { authorization } }) => hashKey(keyIn(authorization ?? '')),
    errorResponseBuilder: () => new DomainError(429, `Como mucho ${KEY_REQUESTS} peticiones por minuto con una clave: espera un momento`),
  });
}
