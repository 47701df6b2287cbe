export const MOTIVOS_DEVOLUCION = ['desistimiento', 'defectuoso', 'danado', 'equivocado', 'otro'] as const;

/** Reason of a return of undelivered goods (decision 074); only the server sets this reason. */
export const PARCIAL = 'entrega_parcial';

export type MotivoDevolucion = (typeof MOTIVOS_DEVOLUCION)[number];

export const MOTIVO_DEVOLUCION_LABEL: Record<MotivoDevolucion | typeof PARCIAL, string> = {
  desistimiento: 'El cliente no lo quiere',
  defectuoso: 'Está defectuoso',
  danado: 'Llegó dañado',
  equivocado: 'No es lo que se pidió',
  otro: 'Otro motivo',
  entrega_parcial: 'No se entregó',
};

export const MOTIVO_DEVOLUCION_OPTIONS = MOTIVOS_DEVOLUCION.map((value) => ({ value, label: MOTIVO_DEVOLUCION_LABEL[value] }));

export const DESTINOS = ['stock', 'baja'] as const;

export type Destino = (typeof DESTINOS)[number];

/** Destination of goods on their way back with the carrier: in no stock until the office receives them. */
export const CAMINO = 'camino';

export const DESTINO_LABEL: Record<Destino | typeof CAMINO, string> = {
  stock: 'Vuelve al stock',
  baja: 'Se da de baja',
  camino: 'Vuelve con el transportista',
};

export const DESTINO_OPTIONS = DESTINOS.map((value) => ({ value, label: DESTINO_LABEL[value] }));
