import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseConnection, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import type { OpenDb } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import type { Bucket } from '../files/bucket.ts';
import { createLog } from '../log/log.ts';
import { baseName } from './names.ts';
import type { Plan } from './plan.ts';
import { Incomplete, replayLog } from './recover.ts';
import { endPiece } from './ship.ts';

/* What is asked of PostgreSQL, and concluded from its answers; archive.test.ts has a real one. */

const minute = (n: number) => Date.UTC(2026, 10, 28, 12, n);
const segment = (n: number) => `0000000100000000000000${String(n).padStart(2, '0')}`;

/** A database that records statements and answers each with one row. */
function answering(row: () => object) {
  const asked: { sql: string; parameters: readonly unknown[] }[] = [];
  const connection = {
    executeQuery: async ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => {
      asked.push({ sql, parameters });
      return { rows: [row()] };
    },
  } as unknown as DatabaseConnection;
  class Driver extends DummyDriver {
    override acquireConnection = async () => connection;
  }
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return { db, asked };
}

let beside: string;
beforeEach(() => {
  beside = mkdtempSync(join(tmpdir(), 'enruta-replay-'));
  mkdirSync(join(beside, 'postgres', 'from-archive', 'deep'), { recursive: true });
});
afterEach(() => rmSync(beside, { recursive: true }));

const PLAN: Plan = {
  base: { chain: 'c', name: baseName(minute(0), segment(1), segment(1)), at: minute(0), first: segment(1), last: segment(1) },
  pieces: [1, 2].map((n) => ({ chain: 'c', name: segment(n), at: minute(n), key: '', size: 1 })),
  histories: [],
  reach: minute(2),
  missing: undefined,
};
type Told = { going?: boolean; at?: string | null; short?: boolean };
/** Replays with these answers; `tries`: errors of the starts. */
async function run(
  told: Told,
  source: { until?: Date; partial?: boolean } = {},
  plan: Partial<Plan> = {},
  tries: (string | undefined)[] = [],
) {
  const starts: Record<string, unknown>[] = [];
  const events: string[] = [];
  const logged: string[] = [];
  const { db, asked } = answering(() => ({ going: false, at: new Date(minute(2)).toISOString(), short: false, ...told }));
  let lose: (error: Error) => void = () => {};
  const tools = {
    launch: async (_: string, __: unknown, wanted?: { settings?: object }) => {
      starts.push({ ...wanted?.settings });
      const problem = tries.shift();
      if (problem) throw new Error(problem);
      return { url: 'postgres://beside', close: async () => void events.push('stopped') };
    },
    open: (url: string, onError: (error: Error) => void) => {
      events.push(url);
      lose = onError;
      const close = async () => {
        lose(new Error('lost while closing'));
        events.push('closed');
      };
      return { db, close } as unknown as OpenDb;
    },
  };
  const settle = async () => {
    lose(new Error('lost while open'));
    events.push('settled');
  };
  const log = createLog('error', { write: (line) => void logged.push(line) });
  const from = { bucket: {} as Bucket, secret: '', until: undefined, log, settle, ...source };
  const done = replayLog(from, { ...PLAN, ...plan }, beside, tools);
  const outcome = await done.catch((error: Error) => error);
  return { outcome, starts, events, logged, asked };
}

it('a restore replays the log, settles the result and stops PostgreSQL', async () => {
  const { outcome, starts, events, logged, asked } = await run({});
  expect(outcome).toEqual({ reached: minute(2), isWhole: true });
  expect(events).toEqual(['postgres://beside', 'settled', 'closed', 'stopped']);
  expect(starts).toEqual([
    {
      wal_level: 'replica',
      restore_command: '[ -f from-archive/%f.gz ] && gzip -dc from-archive/%f.gz >"%p"',
      recovery_target_action: 'promote',
      hot_standby: 'off',
    },
  ]);
  expect(asked[0]?.parameters).toEqual(['00000000/02000000']);
  expect(existsSync(join(beside, 'postgres', 'from-archive'))).toBe(false);
  // A connection that ends because it is closed is no fault.
  expect(logged).toEqual([expect.stringContaining('connection to PostgreSQL lost')]);
});

it('a restore without pieces must reach the start of its base', async () => {
  expect((await run({}, {}, { pieces: [] })).asked[0]?.parameters).toEqual(['00000000/01000000']);
});

it.each<[string, string | null, number]>([
  ['the last transaction', '2026-11-28T12:01:30.5Z', minute(1) + 30_500],
  ['the base, after which none was written', null, minute(0)],
  ['the base, if the last transaction is older', '2026-11-28T11:59:00Z', minute(0)],
])('a restore reaches %s', async (_, at, reached) => {
  expect((await run({ at })).outcome).toEqual({ reached, isWhole: true });
});

test('PostgreSQL stops at the moment; nothing later is missed', async () => {
  const until = new Date(minute(1) + 250);
  const { outcome, starts } = await run({ short: true }, { until });
  expect(outcome).toMatchObject({ isWhole: true });
  expect(starts).toMatchObject([{ recovery_target_time: '2026-11-28 12:01:00.250+00' }]);
});

const EARLY = 'recovery ended before configured recovery target was reached';
test('the whole log is replayed if nothing was written up to the moment, and then must be read whole', async () => {
  const until = new Date(minute(2));
  const { outcome, starts } = await run({}, { until }, {}, [`FATAL: ${EARLY}`]);
  expect(outcome).toEqual({ reached: minute(2), isWhole: true });
  expect(starts.map((settings) => settings.recovery_target_time)).toEqual(['2026-11-28 12:02:00.000+00', undefined]);
  const short = await run({ short: true }, { until }, {}, [EARLY]);
  expect(short.outcome).toBeInstanceOf(Incomplete);
});

test('a PostgreSQL that does not start is tried once', async () => {
  const { outcome, starts } = await run({}, { until: new Date(minute(1)) }, {}, ['no room']);
  expect([outcome, starts.length]).toEqual([new Error('no room'), 1]);
});

test.each<[string, Told, object, Partial<Plan>, string | object]>([
  ['is not at its end', { going: true }, {}, {}, 'La recuperación no ha terminado.'],
  [
    'ends early at a record that cannot be read',
    { short: true, at: new Date(minute(1)).toISOString() },
    {},
    {},
    'Una parte del registro no se puede leer. Falta de 28/11/2026, 13:01:00 a 28/11/2026, 13:02:00; con --hasta',
  ],
  [
    'ends early before a gap',
    { short: true, at: new Date(minute(1)).toISOString() },
    {},
    { missing: { from: minute(2), to: minute(5) } },
    'Una parte del registro no se puede leer. Falta de 28/11/2026, 13:01:00 a 28/11/2026, 13:05:00; con --hasta',
  ],
  [
    'ends early, and what there is is wanted',
    { short: true, at: new Date(minute(1)).toISOString() },
    { partial: true },
    {},
    { reached: minute(1), isWhole: false },
  ],
  [
    'reaches a gap, and what there is is wanted',
    {},
    { partial: true },
    { missing: { from: minute(2), to: minute(5) } },
    { reached: minute(2), isWhole: false },
  ],
])('a log that %s', async (_, answers, source, plan, expected) => {
  const { outcome, events } = await run(answers, source, plan);
  if (typeof expected === 'string') {
    expect((outcome as Error).message).toContain(expected);
    expect(events).toEqual(['postgres://beside', 'closed', 'stopped']);
  } else expect(outcome).toEqual(expected);
});

test('a piece of the log ends once after each change of the tables', async () => {
  let rows = '1';
  const { db, asked } = answering(() => ({ rows }));
  const switched = async () => {
    asked.length = 0;
    await endPiece(db);
    expect(asked[0]?.sql).toContain("schemaname = 'public'");
    return asked.slice(1).map(({ sql }) => sql);
  };
  const SWITCH = 'SELECT pg_switch_wal()';
  expect([await switched(), await switched()]).toEqual([[SWITCH], []]);
  rows = '2';
  expect([await switched(), await switched()]).toEqual([[SWITCH], []]);
});
