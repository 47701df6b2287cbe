import type { Feature } from '../kit/feature.ts';
import { liquidacionesRoutes } from './liquidaciones.routes.ts';

/** Statements as they are read, downloaded and printed; `ganancias` makes them. */
export const liquidacionesFeature: Feature = { name: 'liquidaciones', routes: liquidacionesRoutes };
