import type { Feature } from '../kit/feature.ts';
import { etiquetasRoutes } from './etiquetas.routes.ts';

/** Labels of orders, and the carrier's scanning and loading. */
export const etiquetasFeature: Feature = { name: 'etiquetas', routes: etiquetasRoutes };
