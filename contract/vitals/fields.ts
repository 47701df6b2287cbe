/** What browsers measure: largest paint, slowest answer to a press, jumps of the layout, and time until the rows of a list stand. */
export const MEASURES = ['lcp', 'inp', 'cls', 'filas'] as const;
export type Measure = (typeof MEASURES)[number];

export const DEVICES = { movil: 'Móvil', ordenador: 'Ordenador' } as const;
