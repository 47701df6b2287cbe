/** Reasons of a failed delivery, with the text the customer reads after «Hemos intentado entregarlo» and the day. */
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

const REFUSED: FailedReason = 'Rechazado por el cliente';
/** Spellings of `motivo` that say that the customer refused the order at the door: the reason, or the reason and a note. */
export const REFUSED_SPELLINGS = [REFUSED, `${REFUSED}: %`] as const;
/** True if the customer refused the order at the door: nobody tries again without an answer. */
export const isRefused = (motivo: string | null): boolean => failedReason(motivo) === REFUSED;

export const LLAMADOS = ['cliente', 'revendedor', 'tienda', 'nadie'] as const;
export type Llamado = (typeof LLAMADOS)[number];
export const LLAMADO_LABEL: Record<Llamado, string> = {
  cliente: 'Al cliente',
  revendedor: 'Al revendedor',
  tienda: 'A la tienda',
  nadie: 'A nadie',
};

/** Decisions about an order after too many failed attempts (decision 059). */
export const RESPUESTAS = ['otro_dia', 'otra_direccion', 'recogida', 'devolucion'] as const;
export type Respuesta = (typeof RESPUESTAS)[number];
export const RESPUESTA_LABEL: Record<Respuesta, string> = {
  otro_dia: 'Otro día',
  otra_direccion: 'Otra dirección',
  recogida: 'Lo recogerá en la tienda',
  devolucion: 'Lo devolvemos a la tienda y se cancela',
};

/** Maximum length of the note to the carrier that comes with another delivery day. */
export const MAX_NOTA_APLAZAR = 250;
