import type { Feature } from '../kit/feature.ts';
import { forgetOldMessages } from './outbox.ts';

/** Queue of outgoing messages; the feature of each channel delivers them. */
export const outboxFeature: Feature = {
  name: 'outbox',
  tables: { outbox: 'kept' },
  clean: forgetOldMessages,
};
