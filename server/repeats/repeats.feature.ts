import type { Feature } from '../kit/feature.ts';
import { deleteOldBounds } from './bounds.ts';
import { deleteOldKeys } from './repeats.ts';

/** Idempotency keys of repeated requests, and rate limits. */
export const repeatsFeature: Feature = {
  name: 'repeats',
  tables: { idempotency_keys: 'passing', topes: 'passing' },
  clean: (db) => Promise.all([deleteOldKeys(db), deleteOldBounds(db)]),
};
