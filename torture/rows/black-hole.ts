import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { until } from '../../test/until.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { headersOf } from '../held.ts';
import { startProxy } from '../proxy.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

// Twice the longest deadline of a request.
const DEADLINE_SECONDS = 30;
const BACK_SECONDS = 30;
const ASKED = 30;

/** With a silent database every request still gets an answer, and service resumes when the database does. */
export const row: Row = {
  name: 'black-hole',
  what: 'PostgreSQL stopped (SIGSTOP), then a network that swallows: requests, /readyz and what comes after',
  seconds: 200,
  run: async (world) => {
    let proxy: Awaited<ReturnType<typeof startProxy>> | undefined;
    const shop = await world.open({
      through: async (url) => {
        proxy = await startProxy(url);
        world.atEnd(() => proxy?.close());
        return proxy.url;
      },
    });
    const [member] = (await shop.crew('superadmin', 1)) as [Member];
    const pack = await shop.pack();
    const { expect, outcome } = verdict();
    const statuses: string[] = [];
    const processes = await postgresProcesses(shop);
    const stop = (signal: NodeJS.Signals) => {
      for (const pid of processes()) {
        try {
          process.kill(pid, signal);
        } catch (error) {
          // Skips processes that have ended: PostgreSQL's workers come and go.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
        }
      }
    };
    const holes: [string, () => void, () => void][] = [
      ['SIGSTOP', () => stop('SIGSTOP'), () => stop('SIGCONT')],
      ['swallowed', () => proxy?.swallow(true), () => proxy?.swallow(false)],
    ];
    for (const [what, begin, end] of holes) {
      begin();
      world.atEnd(end);
      await sleep(200);
      const asked = await each(range(ASKED), ASKED, (n) => ask(shop.url(), member, pack.id, n));
      end();
      statuses.push(`${what}: ${tally(asked.map(({ status }) => status || 'no answer'))}`);
      expect(
        asked.every(({ status, retryAfter }) => status === 503 && Number(retryAfter) > 0),
        () => `${what}: ${tally(asked.map(({ status }) => status || `no answer within ${DEADLINE_SECONDS} s`))}`,
      );
      const since = performance.now();
      const returned = async () => (await ask(shop.url(), member, pack.id, 1)).status === 201;
      const back = await until(returned, () => 'late', BACK_SECONDS).then(
        () => true,
        () => false,
      );
      expect(back, () => `${what}: not back ${BACK_SECONDS} s later`);
      statuses.push(`back after ${((performance.now() - since) / 1000).toFixed(1)} s`);
    }
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(statuses.join('; '));
  },
  control: [
    {
      guard: 'the limits of a silent connection',
      edits: [
        {
          file: 'server/db/pool.ts',
          find: 'const PATIENCE = { connect: 4000, silence: STATEMENT_MS + 1000 };',
          replace: 'const PATIENCE = { connect: 0, silence: 2 ** 31 - 1 };',
        },
      ],
    },
  ],
};

/** Current processes of PostgreSQL: the parent of a connection's process, and its other children. */
async function postgresProcesses(shop: Shop): Promise<() => number[]> {
  const postmaster = await shop.inspect(async (db) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    const stat = readFileSync(`/proc/${rows[0]?.pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  });
  const children = () => readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number);
  return () => [postmaster, ...children()];
}

/** Writes, reads and checks readiness in turn; status 0 if no answer comes in time. */
async function ask(url: string, member: Member, pack_id: string, n: number): Promise<{ status: number; retryAfter: string | null }> {
  const order = { method: 'POST', body: JSON.stringify({ cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id }) };
  const [path, more] = (
    [
      ['/readyz', {}],
      ['/api/pedidos', order],
      ['/api/pedidos', {}],
    ] as const
  )[n % 3] ?? ['/readyz', {}];
  try {
    const signal = AbortSignal.timeout(DEADLINE_SECONDS * 1000);
    const { status, headers } = await fetch(url + path, { ...more, headers: headersOf(member), signal });
    return { status, retryAfter: headers.get('retry-after') };
  } catch {
    return { status: 0, retryAfter: null };
  }
}
