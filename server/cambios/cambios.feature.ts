import type { Feature } from '../kit/feature.ts';

/** Log of changed rows, written by triggers; each feature reads the changes of its own rows. */
export const cambiosFeature: Feature = { name: 'cambios', tables: { cambios: 'passing' } };
