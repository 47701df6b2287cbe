import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { Db, OpenDb } from '../db/open.ts';
import type { Log } from '../log/log.ts';
import { JOBS_CHANNEL, type JobName } from './wake.ts';

export type Job = {
  name: JobName;
  /** Cron expression with five fields, in UTC. */
  cron: string;
  /** Seconds after which a run counts as stuck, even if its process lives, and is retried. */
  expireInSeconds?: number;
  /** Runs when the program starts, too: a schedule may leave minutes without a run. */
  atStart?: true;
  /** Must be idempotent: a run can be killed halfway and restarted. */
  run: () => Promise<unknown>;
};

/** Seconds without heartbeat after which a run counts as dead and is retried. */
const HEARTBEAT = 60;

/** Seconds between checks for dead runs, between polls, and before the first retry. */
const PACE = { look: 10, poll: 5, retry: 5 };

/** Runs each job on one instance at a time, on schedule or woken by `emitJob`, with retries. Returns a stop function. */
export async function startJobs(open: Pick<OpenDb, 'boss' | 'listen'>, jobs: Job[], log: Log, pace = PACE): Promise<() => Promise<void>> {
  const boss = new PgBoss({
    ...open.boss,
    schema: 'jobs',
    // Refreshes often, because pg-boss skips a queue while its cached count has a running job, even a dead job.
    superviseIntervalSeconds: pace.look,
    monitorIntervalSeconds: pace.look,
    queueCacheIntervalSeconds: pace.look,
  });
  boss.on('error', (error) => log.error(error, 'the queue of jobs failed'));
  await boss.start();
  const workers = new Map<string, string>();
  for (const { name, cron, run, expireInSeconds = 300 } of jobs) {
    // «stately» allows one waiting and one running job, so that a thousand wake-ups cause one further run.
    await boss.createQueue(name, {
      policy: 'stately',
      retryLimit: 5,
      retryBackoff: true,
      retryDelay: pace.retry,
      expireInSeconds,
      heartbeatSeconds: HEARTBEAT,
    });
    await boss.schedule(name, cron, null, { tz: 'UTC' });
    const worker = await boss.work(name, { pollingIntervalSeconds: pace.poll }, async () => {
      try {
        await run();
      } catch (error) {
        log.error({ err: error, job: name }, 'a job failed');
        throw error;
      }
    });
    workers.set(name, worker);
  }
  // Detects runs of a killed process now, instead of after the first interval.
  await boss.supervise();
  const wake = (name: string) => {
    const worker = workers.get(name);
    // Notifies the worker without waiting for the polling interval, because a person may be waiting.
    if (worker)
      boss.send(name).then(
        () => boss.notifyWorker(worker),
        (error) => log.error({ err: error, job: name }, 'a job could not be woken'),
      );
  };
  const stop = await open.listen(JOBS_CHANNEL, wake, () => [...workers.keys()].forEach(wake));
  for (const { name, atStart } of jobs) if (atStart) wake(name);
  return async () => {
    await stop();
    await boss.stop({ graceful: true, timeout: 8000 });
  };
}

export async function countRuns(db: Db): Promise<Record<string, number>> {
  // On first start, requests can arrive before pg-boss has created its tables.
  const { rows: made } = await sql<{ table: string | null }>`SELECT to_regclass('jobs.job')::text AS table`.execute(db);
  if (!made[0]?.table) return {};
  const { rows } = await sql<{ state: string; count: number }>`
    SELECT state::text, count(*) FROM jobs.job WHERE state IN ('created', 'retry', 'active', 'failed') GROUP BY state`.execute(db);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
