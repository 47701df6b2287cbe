import type { Feature } from '../kit/feature.ts';
import { enviosRoutes } from './envios.routes.ts';

/** Shipments handed to other companies: their files by template, and their answers. */
export const enviosFeature: Feature = {
  name: 'envios',
  tables: { plantillas_envio: 'kept', envios: 'kept', envios_pedidos: 'kept' },
  routes: enviosRoutes,
};
