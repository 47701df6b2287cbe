import { PgBoss } from 'pg-boss';
import type { OpenDb } from '../db/open.ts';
import { JOBS_CHANNEL, type JobName } from './wake.ts';

export type Job = {
  name: JobName;
  /** Five-field cron in UTC. */
  cron: string;
  /** Seconds after which a run counts as dead though its process lives, and is done again. */
  expireInSeconds?: number;
  /** Must be fit to be done twice: a run may be killed in the middle and begin again. */
  run: () => Promise<unknown>;
};

/** Seconds without a sign of life after which a run's process counts as dead: the run is done again, however long it may take. */
const HEARTBEAT = 60;

/** Seconds between two looks at what runs and what has died, between two at what waits, and before the first retry. */
const PACE = { look: 10, poll: 5, retry: 5 };

/**
 * Runs the jobs, each on one instance at a time, by their clock or when woken (`emitJob`). A failed run is tried again
 * with growing delay; one whose process was killed is begun again by the next. Returns how to stop, which waits for
 * what is running.
 */
export async function startJobs(
  open: Pick<OpenDb, 'boss' | 'listen'>,
  jobs: Job[],
  onError: (error: unknown) => void,
  pace = PACE,
): Promise<() => Promise<void>> {
  const boss = new PgBoss({
    ...open.boss,
    schema: 'jobs',
    // It fetches from no queue whose running jobs it last counted as one, dead or not: it is to count again soon.
    superviseIntervalSeconds: pace.look,
    monitorIntervalSeconds: pace.look,
    queueCacheIntervalSeconds: pace.look,
  });
  boss.on('error', onError);
  await boss.start();
  const workers = new Map<string, string>();
  for (const { name, cron, run, expireInSeconds = 300 } of jobs) {
    // «stately»: one waiting and one running, so a thousand wake-ups are one run after the present one.
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
      await run();
    });
    workers.set(name, worker);
  }
  // What a killed process left is looked for at once, not at the first interval.
  await boss.supervise();
  const wake = (name: string) => {
    const worker = workers.get(name);
    // It looks at once rather than at its next interval: somebody waits for the export, the mail or the push.
    if (worker) boss.send(name).then(() => boss.notifyWorker(worker), onError);
  };
  const stop = await open.listen(JOBS_CHANNEL, wake, () => [...workers.keys()].forEach(wake));
  return async () => {
    await stop();
    await boss.stop({ graceful: true, timeout: 8000 });
  };
}
