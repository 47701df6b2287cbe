import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/cuadre/cuadre.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { cuadreFigures, readCuadre, startCuadre } from './cuadre.ts';

export function cuadreRoutes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.getCuadre, async () => ({ data: await readCuadre(db) }));
  route(app, api.startCuadre, async () => ({
    success: true,
    message: 'Comprobando las cuentas',
    data: await startCuadre(db),
  }));
  app.metrics?.addGauge('enruta_cuadre', 'Last recount of the books: differences found, and its age in seconds', () => cuadreFigures(db));
}
