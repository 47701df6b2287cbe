import { listFailures as endpoint } from '../../contract/failures.ts';
import type { Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { listFailures } from './failures.ts';

/** Background jobs that fail, shown to superadmins. */
export const failuresFeature: Feature = {
  name: 'failures',
  tables: { job_failures: 'passing' },
  routes: (app, { db }) => route(app, endpoint, async () => ({ data: await listFailures(db) })),
};
