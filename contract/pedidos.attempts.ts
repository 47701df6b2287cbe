/** Why a delivery failed: what the carrier picks, and what the customer is told after «Hemos intentado entregarlo hoy». */
export const FAILED_REASONS = {
  Ausente: 'y no había nadie',
  'Dirección incorrecta': 'y la dirección no era correcta',
  'Rechazado por el cliente': 'y no se aceptó la entrega',
  'Sin acceso': 'y no pudimos llegar a la puerta',
  'Paquete dañado': 'pero el paquete estaba dañado',
} as const;

export type FailedReason = keyof typeof FAILED_REASONS;

/** The picked reason that a `motivo` begins with; null for the carrier's own words, which the customer does not read. */
export const failedReason = (motivo: string | null): FailedReason | null =>
  (Object.keys(FAILED_REASONS) as FailedReason[]).find((reason) => motivo === reason || motivo?.startsWith(`${reason}: `)) ?? null;
