import { listFailures as endpoint } from '../../contract/failures/failures.ts';
import type { Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { failingJobs, listFailures } from './failures.ts';

/** Failing background jobs, shown to superadmins. */
export const failuresFeature: Feature = {
  name: 'failures',
  tables: { job_failures: 'passing' },
  routes: (app, { db }) => {
    const failing = async () => Object.fromEntries((await failingJobs(db)).map((name) => [name, 1]));
    app.metrics?.addGauge('enruta_jobs_failing', 'Jobs that fail, or whose messages do not arrive', failing, 'job');
    route(app, endpoint, async () => ({ data: await listFailures(db) }));
  },
};
