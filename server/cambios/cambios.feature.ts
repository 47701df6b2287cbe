import type { Feature } from '../kit/feature.ts';

/** Which rows changed when; the database writes it, and each feature reads its own rows. */
export const cambiosFeature: Feature = { name: 'cambios', tables: { cambios: 'passing' } };
