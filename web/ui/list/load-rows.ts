import { lazyPart } from '../../lazy.ts';

/** The table of a wide window; a telephone shows cards. */
export const LazyRows = lazyPart(async () => ({ default: (await import('./rows.tsx')).Rows }));
