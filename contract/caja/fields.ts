/** `abierta`: in the carrier's hands; `entregada`: counted by the carrier, not yet by the office. */
export const ESTADOS_CAJA = ['abierta', 'entregada', 'confirmada'] as const;

export const ESTADO_CAJA_LABEL: Record<(typeof ESTADOS_CAJA)[number], string> = {
  abierta: 'En mano',
  entregada: 'Por confirmar',
  confirmada: 'Confirmada',
};

/** Days shown; those not confirmed come first and are always among them. */
export const MAX_CAJAS = 200;

/** Maximum number of rows in each list of the office beside the cash, oldest first; one call confirms as many payments. */
export const MAX_OFICINA = 500;
