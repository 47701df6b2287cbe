/** Unit of `hay` and `esperado`; euros and quantities are numbers. */
export const UNIDADES = ['euros', 'cantidad', 'texto'] as const;

export type Unidad = (typeof UNIDADES)[number];

/** Rows kept per check; `cuantas` counts all. */
export const MAX_FILAS = 20;
