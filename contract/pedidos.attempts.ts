/** Reasons of a failed delivery, with the text the customer reads after «Hemos intentado entregarlo hoy». */
export const FAILED_REASONS = {
  Ausente: 'y no había nadie',
  'Dirección incorrecta': 'y la dirección no era correcta',
  'Rechazado por el cliente': 'y no se aceptó la entrega',
  'Sin acceso': 'y no pudimos llegar a la puerta',
  'Paquete dañado': 'pero el paquete estaba dañado',
} as const;

export type FailedReason = keyof typeof FAILED_REASONS;

/** Reason that `motivo` begins with; null for the carrier's own words, hidden from the customer. */
export const failedReason = (motivo: string | null): FailedReason | null =>
  (Object.keys(FAILED_REASONS) as FailedReason[]).find((reason) => motivo === reason || motivo?.startsWith(`${reason}: `)) ?? null;

/** Longest note to the carrier with another delivery day. */
export const MAX_NOTA_APLAZAR = 250;
