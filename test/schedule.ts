import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { until } from './until.ts';

/*
 * Transactions statement by statement, in an order that a seed decides. A gate around the pool (`openPostgres`) holds each statement of a
 * transaction until its turn; a statement that waits for a lock of another transaction gives the turn to that one.
 */

/** One of the acts that meet: where its transaction stands. */
type Act = {
  /** Let its statements go. */
  waiting: (() => void)[];
  /** Process of the server whose statement is on its way. */
  pid?: number | undefined;
  done: boolean;
  /** Statements of its transactions so far. */
  sent: number;
};

/** A statement as the driver sends it. */
type Send = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
type Client = pg.PoolClient & { processID: number };

const acting = new AsyncLocalStorage<Act>();

/** How long a schedule waits for an act that neither sends, waits nor ends, in milliseconds: it may wait for another in the program. */
const IDLE_MS = 10_000;

/** Takes a lock out of a statement; undefined leaves it as it is. */
export type TakeOut = (text: string, values?: readonly unknown[]) => string | undefined;

export type Gate = ReturnType<typeof openGate>;

/** `through` is for `openPostgres`. */
export function openGate() {
  let takeOut: TakeOut = () => undefined;
  const locks = new Map<string, readonly unknown[]>();
  const gated = new WeakSet<pg.PoolClient>();
  function hold(client: Client): void {
    const send = client.query.bind(client) as unknown as Send;
    let isOpen = false;
    client.query = (async (text: string, values?: unknown[]) => {
      const act = acting.getStore();
      if (/^(begin|start transaction)/i.test(text)) isOpen = true;
      const isOwn = isOpen;
      if (/^(commit|rollback)/i.test(text)) isOpen = false;
      // What an act does after its answer is not of its order.
      if (!act || act.done || !isOwn) return send(takeOut(text, values) ?? text, values);
      await new Promise<void>((resolve) => act.waiting.push(resolve));
      act.sent += 1;
      if (/ for (no key )?(update|share)|_advisory_/i.test(text)) locks.set(text, values ?? []);
      act.pid = client.processID;
      try {
        return await send(takeOut(text, values) ?? text, values);
      } finally {
        act.pid = undefined;
      }
    }) as unknown as typeof client.query;
  }
  const through = (pool: pg.Pool): pg.Pool => {
    const connect = pool.connect.bind(pool) as () => Promise<Client>;
    pool.connect = (async () => {
      const client = await connect();
      if (!gated.has(client)) hold(client);
      gated.add(client);
      return client;
    }) as typeof pool.connect;
    return pool;
  };
  return {
    through,
    /** Statements of acts that took a lock, with the values of the last time. */
    locks: () => [...locks],
    /** Runs `work` with the statements that `by` names without their lock. */
    without: async <T>(by: TakeOut, work: () => Promise<T>): Promise<T> => {
      takeOut = by;
      try {
        return await work();
      } finally {
        takeOut = () => undefined;
      }
    },
  };
}

/** Numbers below `below`, the same for the same seed. */
export function draws(seed: string): (below: number) => number {
  let n = 0;
  return (below) => createHash('sha1').update(`${seed} ${n++}`).digest().readUInt32BE() % below;
}

export type Turn = { act: number; statements: number };

/**
 * Runs `works` so that each of `turns` lets one act send so many statements, or fewer if it ends or waits for a lock; afterwards each runs to
 * its end, in their order. `url`: the database. Returns the answers, and how many statements each act sent.
 */
export async function inTurns<T>(url: string, works: readonly (() => Promise<T>)[], turns: readonly Turn[]) {
  const acts: Act[] = works.map(() => ({ waiting: [], done: false, sent: 0 }));
  const watch = new pg.Client(url);
  await watch.connect();
  const answers = works.map((work, i) => {
    const act = acts[i] as Act;
    return acting.run(act, work).finally(() => {
      act.done = true;
      for (const go of act.waiting) go();
    });
  });
  const waitsForLock = async (act: Act): Promise<boolean> => {
    if (act.pid === undefined) return false;
    const { rows } = await watch.query('SELECT pg_blocking_pids($1) <> ARRAY[]::int[] AS waits', [act.pid]);
    return act.pid !== undefined && rows[0]?.waits === true;
  };
  /** Waits until `act` holds a statement, has ended or waits for a lock. */
  async function settle(act: Act): Promise<boolean> {
    const deadline = Date.now() + IDLE_MS;
    for (let asked = 0; ; asked += 1) {
      if (act.done) return false;
      if (act.waiting.length) return true;
      // Most statements answer before anybody could ask what they wait for.
      if (asked > 20 && (await waitsForLock(act))) return false;
      if (Date.now() > deadline) return false;
      await new Promise(setImmediate);
    }
  }
  async function step(act: Act): Promise<boolean> {
    if (!(await settle(act))) return false;
    act.waiting.shift()?.();
    // Stands again at the gate, at a lock, or at its end.
    await settle(act);
    return true;
  }
  try {
    for (const { act, statements } of turns) for (let n = 0; n < statements && (await step(acts[act] as Act)); n += 1);
    await until(
      async () => {
        for (const act of acts) while (await step(act));
        return acts.every(({ done }) => done);
      },
      () => 'an act neither ends nor waits',
      60,
    );
    return { answers: await Promise.all(answers), sent: acts.map(({ sent }) => sent) };
  } finally {
    await watch.end();
  }
}

/** Draws an order of two acts that send so many statements alone: where the first is stopped, and perhaps where the second is. */
export function drawTurns(seed: string, [first, second]: readonly [number, number]): Turn[] {
  const draw = draws(seed);
  const [act, sent, other] = draw(2) ? [1, second, first] : [0, first, second];
  const stopped = { act, statements: 1 + draw(Math.max(1, sent)) };
  return draw(2)
    ? [stopped, { act: 1 - act, statements: 1 + draw(Math.max(1, other)) }, { act, statements: sent }]
    : [stopped, { act: 1 - act, statements: other + 50 }];
}
