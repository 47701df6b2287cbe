export const MAX_ENVIO = 2000;

/** Effect of a row of a company's answer, applied or previewed. */
export const RESULTADOS = ['completar', 'incidencia', 'igual', 'en_camino', 'no_encaja'] as const;
export type Resultado = (typeof RESULTADOS)[number];
