import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { DomainError } from './errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Sends new requests elsewhere before the server closes; resolves once none waits any more. At once if somebody else
     * holds the socket, where they wait for the next process.
     */
    drain: (held?: boolean) => Promise<void>;
  }
}

/** Milliseconds that the database has to say that it is there. */
const READY_MS = 2000;
/** Milliseconds in which a proxy notices that this instance is leaving. */
const NOTICE_MS = 2000;
/** Most milliseconds of telling those who still come to try again. */
const REFUSE_MS = 3000;
/** Milliseconds without a request after which nobody is taken to be waiting to connect. */
const QUIET_MS = 150;

const UNAVAILABLE = 'El servicio se está reiniciando. Inténtalo de nuevo en unos segundos.';
const unavailable = (status = 503) => new DomainError(status, UNAVAILABLE, { headers: { 'retry-after': '2' }, expected: true });
/** A proxy names here the status that it sends elsewhere (deploy/nginx.conf); of a 503 it cannot tell the reason. */
const ASKED_FOR = 'enruta-stopping';
const ELSEWHERE = ['421', '429'];

/**
 * Answers `/healthz` while the process lives and `/readyz` while it can serve, with the jobs that `failing` reads from the
 * database. Before closing, `/readyz` turns 503 and
 * connections end with their answer; then what still arrives is refused in a sentence, since closing the
 * listening socket would reset whoever waits to connect.
 */
export function reportHealth(app: FastifyInstance, failing: () => Promise<string[]>): void {
  let state: 'serving' | 'leaving' | 'refusing' = 'serving';
  let lastRequest = 0;
  app.decorate('drain', async (held = false) => {
    state = 'leaving';
    if (held) return;
    await wait(NOTICE_MS);
    state = 'refusing';
    const until = Date.now() + REFUSE_MS;
    do await wait(QUIET_MS);
    while (Date.now() - lastRequest < QUIET_MS && Date.now() < until);
  });
  app.addHook('onRequest', async ({ headers: { [ASKED_FOR]: asked } }, reply) => {
    if (state === 'serving') return;
    lastRequest = Date.now();
    reply.header('connection', 'close');
    if (state === 'refusing') throw unavailable(typeof asked === 'string' && ELSEWHERE.includes(asked) ? Number(asked) : 503);
  });
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
