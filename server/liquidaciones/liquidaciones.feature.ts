import type { Feature } from '../kit/feature.ts';
import { liquidacionesRoutes } from './liquidaciones.routes.ts';

/** Monthly statements to read, download and print; `ganancias` makes them. */
export const liquidacionesFeature: Feature = { name: 'liquidaciones', routes: liquidacionesRoutes };
