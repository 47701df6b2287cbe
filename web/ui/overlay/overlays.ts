import { later } from '../../lazy.ts';

/** What opens over the screen: half of a telephone's first screen if it came with it. */
export const overlays = later(() => import('./parts.ts').then(({ parts }) => parts));
