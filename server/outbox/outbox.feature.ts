import type { Feature } from '../kit/feature.ts';
import { forgetOldMessages } from './outbox.ts';

/** What is on its way to somebody; each channel's feature delivers it. */
export const outboxFeature: Feature = {
  name: 'outbox',
  tables: { outbox: 'kept' },
  clean: forgetOldMessages,
};
