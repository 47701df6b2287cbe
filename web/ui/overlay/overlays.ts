import { later } from '../../lazy.ts';

/** Overlays, loaded later: they would double the size of a phone's first screen. */
export const overlays = later(() => import('./parts.ts').then(({ parts }) => parts));
