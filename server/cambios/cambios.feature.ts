import type { Feature } from '../kit/feature.ts';

/** Log of changed rows, written by the database; each feature reads its own rows. */
export const cambiosFeature: Feature = { name: 'cambios', tables: { cambios: 'passing' } };
