import type { Feature } from '../kit/feature.ts';
import { gananciasRoutes } from './ganancias.routes.ts';

/** What resellers and carriers earn: the rules, the ledger and the statements that months close into. */
export const gananciasFeature: Feature = {
  name: 'ganancias',
  tables: { margenes: 'kept', tarifas: 'kept', ganancias: 'kept', liquidaciones: 'kept', liquidaciones_numeros: 'kept' },
  routes: gananciasRoutes,
};
