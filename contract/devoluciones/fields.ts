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
  entrega_parcial: 'No entregado',
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

/* Undelivered parts of an order, by line (decision 074), behind the setting `partialDeliveries`. */

export const MOTIVOS_PARTE = ['rechazado', 'falta', 'danado'] as const;
export type MotivoParte = (typeof MOTIVOS_PARTE)[number];
export const MOTIVO_PARTE_LABEL: Record<MotivoParte, string> = { rechazado: 'No lo quiere', falta: 'No venía', danado: 'Está dañado' };

/** Destination of goods that were not delivered: damaged goods are written off. */
export const DESTINO_DE: Record<MotivoParte, Destino> = { rechazado: 'stock', falta: 'stock', danado: 'baja' };

export type Parte = { numero: number; cantidad: number; motivo: MotivoParte };

type Ordered = { numero: number; cantidad: number };

/** Returns a Spanish error sentence if these parts are impossible; else undefined. */
export function partesRefusal(lineas: readonly Ordered[], partes: readonly Parte[]): string | undefined {
  const missing = (numero: number) => partes.filter((parte) => parte.numero === numero).reduce((sum, { cantidad }) => sum + cantidad, 0);
  if (partes.some(({ numero }) => !lineas.some((linea) => linea.numero === numero))) return 'Esa línea ya no está en el pedido';
  if (lineas.some(({ numero, cantidad }) => missing(numero) > cantidad)) return 'No puede faltar más de lo que se pidió';
  if (partes.length && lineas.every(({ numero, cantidad }) => missing(numero) === cantidad))
    return 'Si no se entrega nada, registra un intento fallido';
  return undefined;
}

type Collected = Ordered & { por_cobrar?: number | undefined };

/** Returns the reduction of the amount to collect, in euros. Must round like the SQL function `valor_devuelto`. */
export function menosPorCobrar(lineas: readonly Collected[], partes: readonly Parte[]): number {
  const cents = partes.reduce((sum, { numero, cantidad }) => {
    const linea = lineas.find((collected) => collected.numero === numero);
    return sum + ((linea?.por_cobrar ?? 0) * 100 * cantidad) / (linea?.cantidad ?? 1);
  }, 0);
  return Math.round(Number(cents.toFixed(9))) / 100;
}

/** Describes a part: «2 × Aceite (no venía)». */
export const palabrasParte = ({ cantidad, producto, motivo }: { cantidad: number; producto: string; motivo: MotivoParte }): string =>
  `${cantidad} × ${producto} (${MOTIVO_PARTE_LABEL[motivo].toLowerCase()})`;
