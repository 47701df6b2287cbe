import type { Feature } from '../kit/feature.ts';
import { forgetOldKeys } from './repeats.ts';

/** Requests repeated under one idempotency key. */
export const repeatsFeature: Feature = {
  name: 'repeats',
  tables: { idempotency_keys: 'passing' },
  clean: forgetOldKeys,
};
