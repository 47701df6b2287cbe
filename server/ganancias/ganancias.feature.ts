import type { Feature } from '../kit/feature.ts';
import { gananciasRoutes } from './ganancias.routes.ts';

/** Earnings of resellers and carriers: rules, ledger and monthly statements. */
export const gananciasFeature: Feature = {
  name: 'ganancias',
  tables: { margenes: 'kept', tarifas: 'kept', ganancias: 'kept', liquidaciones: 'kept', liquidaciones_numeros: 'kept' },
  routes: gananciasRoutes,
};
