import type { Feature } from '../kit/feature.ts';
import { vistasRoutes } from './vistas.routes.ts';
import { forgetVistas } from './vistas.ts';

/** Saved views of lists. */
export const vistasFeature: Feature = {
  name: 'vistas',
  tables: { vistas: 'kept', vistas_preferidas: 'kept' },
  routes: vistasRoutes,
  clean: forgetVistas,
};
