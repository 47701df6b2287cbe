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

export const ESTADOS_LIQUIDACION = { pendiente: 'Por pagar', pagada: 'Pagadas' } as const;

/** Reasons why a statement is left out of a transfer file. */
export const FUERA_DEL_FICHERO = {
  sin_iban: 'Falta su IBAN',
  total: 'Su total no es positivo',
  nombre: 'El banco no admite las letras de su nombre: escríbelo con letras latinas',
} as const;

export type FueraDelFichero = keyof typeof FUERA_DEL_FICHERO;

/** Maximum number of statements paid by one request. */
export const MAX_PAGADAS = 100;

const enPalabras = new Intl.DateTimeFormat('es-ES', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats a month (yyyy-MM): «octubre de 2026». */
export const mesEnPalabras = (of: string): string => enPalabras.format(new Date(`${of}-01T00:00:00Z`));
