import type { Feature } from '../kit/feature.ts';
import { forgetOldBounds } from './bounds.ts';
import { forgetOldKeys } from './repeats.ts';

/** Idempotency keys of repeated requests, and rate limits. */
export const repeatsFeature: Feature = {
  name: 'repeats',
  tables: { idempotency_keys: 'passing', topes: 'passing' },
  clean: (db) => Promise.all([forgetOldKeys(db), forgetOldBounds(db)]),
};
