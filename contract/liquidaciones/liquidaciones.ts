import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Margen = z.output<typeof schemas.margen>;

export type Reglas = z.infer<typeof schemas.reglas>;

export const getGanancia = endpoint<typeof schemas.getGanancia>()('GET', '/api/users/:id/ganancia', 'liquidacion:manage');

export const setGanancia = endpoint<typeof schemas.setGanancia>()('PUT', '/api/users/:id/ganancia', {
  action: 'liquidacion:manage',
  // A changed account redirects the money.
  stepUp: ({ iban, titular }: z.output<typeof schemas.setGananciaBody>) => iban !== undefined || titular !== undefined,
});

export type Ganancia = z.infer<typeof schemas.ganancia>;

export type Liquidacion = z.infer<typeof schemas.liquidacion>;

export type Abierta = z.infer<typeof schemas.abierta>;

export type PorCerrar = z.infer<typeof schemas.porCerrar>;

export const listLiquidaciones = endpoint<typeof schemas.listLiquidaciones>()('GET', '/api/liquidaciones', 'liquidacion:read');

export const listPorCerrar = endpoint<typeof schemas.listPorCerrar>()('GET', '/api/liquidaciones/por-cerrar', 'liquidacion:manage');

export const getAbierta = endpoint<typeof schemas.getAbierta>()('GET', '/api/liquidaciones/abierta', 'liquidacion:read');

export const getLiquidacion = endpoint<typeof schemas.getLiquidacion>()('GET', '/api/liquidaciones/:id', 'liquidacion:read');

export const liquidacionCsv = endpoint<typeof schemas.liquidacionCsv>()('GET', '/api/liquidaciones/:id/csv', 'liquidacion:read');

export const liquidacionPdf = endpoint<typeof schemas.liquidacionPdf>()('GET', '/api/liquidaciones/:id/pdf', 'liquidacion:read');

export const cerrarMes = endpoint<typeof schemas.cerrarMes>()('POST', '/api/liquidaciones/cerrar', 'liquidacion:manage');

export const pagarLiquidacion = endpoint<typeof schemas.pagarLiquidacion>()('POST', '/api/liquidaciones/:id/pagada', 'liquidacion:manage');

export const pagarLiquidaciones = endpoint<typeof schemas.pagarLiquidaciones>()('POST', '/api/liquidaciones/pagadas', 'liquidacion:manage');

export const ficheroTransferencias = endpoint<typeof schemas.ficheroTransferencias>()(
  'GET',
  '/api/liquidaciones/remesa',
  'liquidacion:manage',
);

export const despagarLiquidacion = endpoint<typeof schemas.despagarLiquidacion>()(
  'POST',
  '/api/liquidaciones/:id/no-pagada',
  'liquidacion:manage',
);

export const crearAjuste = endpoint<typeof schemas.crearAjuste>()('POST', '/api/liquidaciones/ajustes', 'liquidacion:manage');
