import type { Feature } from '../kit/feature.ts';
import { transportistaRoutes } from './transportista.routes.ts';
import { tellUnsent } from './unsent.ts';

/** Orders that a carrier can take, and has taken. */
export const transportistaFeature: Feature = {
  name: 'transportista',
  // Said again with the next call of the telephone.
  tables: { sin_enviar: 'passing' },
  routes: transportistaRoutes,
  jobs: ({ db }) => [{ name: 'sin-enviar', cron: '*/10 * * * *', run: () => tellUnsent(db) }],
};
