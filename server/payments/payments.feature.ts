import type { Feature } from '../kit/feature.ts';
import { paymentsRoutes } from './payments.routes.ts';

/** The payment page, its providers, and refunds. */
export const paymentsFeature: Feature = {
  name: 'payments',
  tables: { payment_events: 'kept' },
  routes: paymentsRoutes,
};
