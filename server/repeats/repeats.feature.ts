import type { Feature } from '../kit/feature.ts';
import { forgetOldBounds } from './bounds.ts';
import { forgetOldKeys } from './repeats.ts';

/** Requests repeated under one idempotency key, and bounds of what may be repeated without one. */
export const repeatsFeature: Feature = {
  name: 'repeats',
  tables: { idempotency_keys: 'passing', topes: 'passing' },
  clean: (db) => Promise.all([forgetOldKeys(db), forgetOldBounds(db)]),
};
