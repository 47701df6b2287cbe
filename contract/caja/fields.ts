/** `abierta`: in the carrier's hands; `entregada`: counted by the carrier, not yet by the office. */
export const ESTADOS_CAJA = ['abierta', 'entregada', 'confirmada'] as const;

export const ESTADO_CAJA_LABEL: Record<(typeof ESTADOS_CAJA)[number], string> = {
  abierta: 'En mano',
  entregada: 'Por confirmar',
  confirmada: 'Confirmada',
};

/** Maximum number of cash days shown; unconfirmed days come first. */
export const MAX_CAJAS = 200;

/** Maximum number of rows in `listCobros`, `listSinRegistrar` and `listPorRecibir`, and of payments confirmed by one request. */
export const MAX_OFICINA = 500;
