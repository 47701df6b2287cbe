import { Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { getVersion } from '../../contract/version/version.ts';
import { DomainError } from './errors.ts';
import { VERSION } from './release.ts';
import { route } from './route.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Diverts new requests before closing. Resolves when requests cease. `held`: systemd's socket holds new connections, so waits only a moment. */
    drain: (held?: boolean) => Promise<void>;
  }
}

/** Maximum milliseconds for the database to answer a readiness check. */
const READY_MS = 2000;
/** Milliseconds that a proxy has to notice that this instance is closing. */
const NOTICE_MS = 2000;
/** Maximum milliseconds during which late requests are refused before closing. */
const REFUSE_MS = 3000;
/** Milliseconds that requests in flight have to end once closing begins. With NOTICE_MS, as long as the statement timeout. Tests change this value. */
export const CUT = { ms: 10_000 };
/** Milliseconds without a request after which clients are assumed to have stopped connecting. */
const QUIET_MS = 150;
/** Milliseconds that a new connection has to send its request once closing begins. Browsers open connections in advance, which send none. */
const SILENT_MS = 1000;

const UNAVAILABLE = 'El servicio se está reiniciando. Inténtalo de nuevo en unos segundos.';
const unavailable = (status = 503) =>
  new DomainError(status, UNAVAILABLE, { code: 'unavailable', headers: { 'retry-after': '2' }, expected: true });
/** Request header in which the proxy names the status that makes it try another instance (deploy/nginx.conf). A 503 would be ambiguous. */
const ASKED_FOR = 'enruta-stopping';
const ELSEWHERE = ['421', '429'];

/** Serves `/healthz`, `/readyz` and `/api/version`. Refuses late requests with a response, because closing their socket would reset them. */
export function reportHealth(app: FastifyInstance, failing: () => Promise<string[]>): void {
  let state: 'serving' | 'leaving' | 'refusing' = 'serving';
  let lastRequest = 0;
  app.decorate('drain', async (held = false) => {
    state = 'leaving';
    // Requests during the wait are answered with `Connection: close`, so that only idle connections are left to close.
    if (held) return void (await wait(QUIET_MS));
    await wait(NOTICE_MS);
    state = 'refusing';
    const until = Date.now() + REFUSE_MS;
    do await wait(QUIET_MS);
    while (Date.now() - lastRequest < QUIET_MS && Date.now() < until);
  });
  const opened = new Map<Socket, number>();
  app.server.on('connection', (socket) => {
    opened.set(socket, Date.now());
    socket.once('close', () => opened.delete(socket));
  });
  const awaitsRequest = () => [...opened].some(([socket, at]) => socket.bytesRead === 0 && Date.now() - at < SILENT_MS);
  app.addHook('preClose', async () => {
    // Cuts requests whose body never arrives, which would keep the process alive until killed.
    setTimeout(() => app.server.closeAllConnections(), CUT.ms).unref();
    // The server stops accepting here, because its own `close` destroys connections whose request is still on its way (Node 26.10).
    Server.prototype.close.call(app.server);
    while (awaitsRequest()) await wait(QUIET_MS / 10);
    for (const socket of opened.keys()) if (socket.bytesRead === 0) socket.destroy();
  });
  app.addHook('onRequest', async ({ headers: { [ASKED_FOR]: asked } }, reply) => {
    if (state === 'serving') return;
    lastRequest = Date.now();
    reply.header('connection', 'close');
    if (state === 'refusing') throw unavailable(typeof asked === 'string' && ELSEWHERE.includes(asked) ? Number(asked) : 503);
  });
  route(app, getVersion, async () => ({ version: VERSION }));
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async () => {
    if (state !== 'serving') throw unavailable();
    const late = new AbortController();
    try {
      const jobs = await Promise.race([
        failing(),
        wait(READY_MS, undefined, { signal: late.signal }).then((): never => {
          throw unavailable();
        }),
      ]);
      return { ok: true, failing: jobs };
    } finally {
      late.abort();
    }
  });
}
