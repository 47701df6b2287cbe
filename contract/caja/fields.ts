/** `abierta`: in the carrier's hands; `entregada`: counted by the carrier, not yet by the office. */
export const ESTADOS_CAJA = ['abierta', 'entregada', 'confirmada'] as const;

export const ESTADO_CAJA_LABEL: Record<(typeof ESTADOS_CAJA)[number], string> = {
  abierta: 'En mano',
  entregada: 'Por confirmar',
  confirmada: 'Confirmada',
};

/** What a row of a company's sheet of remittance is, compared with what we know. */
export const CLASES_FILA = [
  'exacta',
  'distinta',
  'sin_entregar',
  'otra_empresa',
  'desconocida',
  'sin_cobro',
  'ya_pagada',
  'repetida',
  'negativa',
] as const;
export type ClaseFila = (typeof CLASES_FILA)[number];

/**
 * What a person says of a row that does not agree. `apuntar`: the sheet is right, and the order follows; `comision`: the company keeps the
 * difference; `aparte`: paid all the same, and of no order; `fuera`: the company has not paid it.
 */
export const FORMAS_FILA = ['apuntar', 'comision', 'aparte', 'fuera'] as const;
export type FormaFila = (typeof FORMAS_FILA)[number];

/** Maximum number of rows of a company's sheet. */
export const MAX_FILAS = 2000;

/** Maximum number of cash days shown; unconfirmed days come first. */
export const MAX_CAJAS = 200;

/** Maximum number of rows in `listCobros`, `listSinRegistrar` and `listPorRecibir`, and of payments confirmed by one request. */
export const MAX_OFICINA = 500;
