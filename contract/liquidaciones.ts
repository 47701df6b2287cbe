import type { z } from 'zod';
import { endpoint } from './kit.ts';
import type * as schemas from './liquidaciones.schemas.ts';

export const GANAN = ['revendedor', 'transportista'] as const;

export const GANA_POR = { revendedor: 'margen', transportista: 'tarifas' } as const satisfies Record<Gana, string>;

export const isGana = (role: string): role is Gana => GANAN.some((known) => known === role);

export type Gana = (typeof GANAN)[number];

export const CONCEPTOS = {
  margen: 'Margen',
  entrega: 'Entrega',
  intento: 'Intento fallido',
  devolucion: 'Devolución',
  correccion: 'Corrección',
  ajuste: 'Ajuste',
} as const;

export type Concepto = keyof typeof CONCEPTOS;

export const MARGENES = { porcentaje: 'Un porcentaje', pack: 'Un importe por pack' } as const;

export const NO_VALOR = 'Indica cuánto gana';

export type Margen = z.output<typeof schemas.margen>;

export type Reglas = z.infer<typeof schemas.reglas>;

export const getGanancia = endpoint<typeof schemas.getGanancia>()('GET', '/api/users/:id/ganancia', { action: 'liquidacion:manage' });

export const setGanancia = endpoint<typeof schemas.setGanancia>()('PUT', '/api/users/:id/ganancia', {
  action: 'liquidacion:manage',
  // A changed account redirects the money.
  stepUp: ({ iban }: z.output<typeof schemas.setGananciaBody>) => iban !== undefined,
});

export type Ganancia = z.infer<typeof schemas.ganancia>;

export type Liquidacion = z.infer<typeof schemas.liquidacion>;

export type Abierta = z.infer<typeof schemas.abierta>;

export type PorCerrar = z.infer<typeof schemas.porCerrar>;

export const ESTADOS_PAGO = { pendiente: 'Por pagar', pagada: 'Pagadas' } as const;

export const listLiquidaciones = endpoint<typeof schemas.listLiquidaciones>()('GET', '/api/liquidaciones', { action: 'liquidacion:read' });

export const listPorCerrar = endpoint<typeof schemas.listPorCerrar>()('GET', '/api/liquidaciones/por-cerrar', {
  action: 'liquidacion:manage',
});

export const getAbierta = endpoint<typeof schemas.getAbierta>()('GET', '/api/liquidaciones/abierta', { action: 'liquidacion:read' });

export const getLiquidacion = endpoint<typeof schemas.getLiquidacion>()('GET', '/api/liquidaciones/:id', { action: 'liquidacion:read' });

export const liquidacionCsv = endpoint<typeof schemas.liquidacionCsv>()('GET', '/api/liquidaciones/:id/csv', {
  action: 'liquidacion:read',
});

export const liquidacionPdf = endpoint<typeof schemas.liquidacionPdf>()('GET', '/api/liquidaciones/:id/pdf', {
  action: 'liquidacion:read',
});

export const cerrarMes = endpoint<typeof schemas.cerrarMes>()('POST', '/api/liquidaciones/cerrar', { action: 'liquidacion:manage' });

export const pagarLiquidacion = endpoint<typeof schemas.pagarLiquidacion>()('POST', '/api/liquidaciones/:id/pagada', {
  action: 'liquidacion:manage',
});

/** Statements paid at once. */
export const MAX_PAGADAS = 100;

export const pagarLiquidaciones = endpoint<typeof schemas.pagarLiquidaciones>()('POST', '/api/liquidaciones/pagadas', {
  action: 'liquidacion:manage',
});

export const remesa = endpoint<typeof schemas.remesa>()('GET', '/api/liquidaciones/remesa', { action: 'liquidacion:manage' });

export const despagarLiquidacion = endpoint<typeof schemas.despagarLiquidacion>()('POST', '/api/liquidaciones/:id/no-pagada', {
  action: 'liquidacion:manage',
});

export const crearAjuste = endpoint<typeof schemas.crearAjuste>()('POST', '/api/liquidaciones/ajustes', { action: 'liquidacion:manage' });

const enPalabras = new Intl.DateTimeFormat('es-ES', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats a month (yyyy-MM): «octubre de 2026». */
export const mesEnPalabras = (of: string): string => enPalabras.format(new Date(`${of}-01T00:00:00Z`));
