import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { getVersion } from '../../contract/version/version.ts';
import { DomainError } from './errors.ts';
import { VERSION } from './release.ts';
import { route } from './route.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Diverts new requests before closing; resolves when none is left, or soon if systemd's socket holds later connections. */
    drain: (held?: boolean) => Promise<void>;
  }
}

/** Milliseconds for the database to answer. */
const READY_MS = 2000;
/** Milliseconds for a proxy to notice that this instance is leaving. */
const NOTICE_MS = 2000;
/** Maximum milliseconds of refusing late requests. */
const REFUSE_MS = 3000;
/** Milliseconds that requests in flight have from the close: with the notice, as long as a statement may take. Only tests change them. */
export const CUT = { ms: 10_000 };
/** Milliseconds without a request after which no client is still connecting. */
const QUIET_MS = 150;
/** Milliseconds from the close after which a connection without a first byte is closed: a browser opens some in advance. */
const SILENT_MS = 300;

const UNAVAILABLE = 'El servicio se está reiniciando. Inténtalo de nuevo en unos segundos.';
const unavailable = (status = 503) =>
  new DomainError(status, UNAVAILABLE, { code: 'unavailable', headers: { 'retry-after': '2' }, expected: true });
/** Header with the status on which the proxy tries elsewhere (deploy/nginx.conf); a plain 503 would be ambiguous. */
const ASKED_FOR = 'enruta-stopping';
const ELSEWHERE = ['421', '429'];

/** Answers `/healthz`, `/readyz` and `/api/version`. Before closing, late requests get a sentence: closing the socket would reset them. */
export function reportHealth(app: FastifyInstance, failing: () => Promise<string[]>): void {
  let state: 'serving' | 'leaving' | 'refusing' = 'serving';
  let lastRequest = 0;
  app.decorate('drain', async (held = false) => {
    state = 'leaving';
    // Busy connections get an answer with `Connection: close` meanwhile; the close then finds only idle ones.
    if (held) return void (await wait(QUIET_MS));
    await wait(NOTICE_MS);
    state = 'refusing';
    const until = Date.now() + REFUSE_MS;
    do await wait(QUIET_MS);
    while (Date.now() - lastRequest < QUIET_MS && Date.now() < until);
  });
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    setTimeout(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, SILENT_MS).unref();
    // A body that never arrives would hold the process until it is killed.
    setTimeout(() => app.server.closeAllConnections(), CUT.ms).unref();
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
