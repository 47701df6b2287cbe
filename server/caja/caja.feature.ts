import type { Feature } from '../kit/feature.ts';
import { cajaRoutes } from './caja.routes.ts';

/** Cash that carriers collect at the door, hand over and see confirmed. */
export const cajaFeature: Feature = { name: 'caja', tables: { cajas: 'kept' }, routes: cajaRoutes };
