import type { Feature } from '../kit/feature.ts';
import { tendUnpaid } from '../pedidos/unpaid.job.ts';
import { askableOf, askEnded } from './ask.ts';
import { paymentsRoutes } from './payments.routes.ts';
import { openProviders } from './providers.ts';

/** Payment page, payment providers, refunds and unpaid orders. */
export const paymentsFeature: Feature = {
  name: 'payments',
  tables: { payment_events: 'kept' },
  routes: paymentsRoutes,
  jobs: ({ db, config }) => [
    {
      name: 'impagados',
      cron: '*/10 * * * *',
      // Asks first, so that a paid order is not cancelled.
      run: async () => {
        const open = await openProviders(config);
        const asked = await Promise.allSettled([askEnded(db, open)]);
        await tendUnpaid(db, askableOf(open));
        for (const result of asked) if (result.status === 'rejected') throw result.reason;
      },
    },
  ],
};
