/* Labels and loading (decision 066), behind the setting `labelsAndLoading`. */

export const FORMATOS_ETIQUETA = { rollo: '100 × 150 mm', a4: 'A4, cuatro por hoja' } as const;
export type FormatoEtiqueta = keyof typeof FORMATOS_ETIQUETA;

/** Labels of one document. */
export const MAX_ETIQUETAS = 500;
/** Ids of one address: with 200 the first line of the request stays below the 8 KB of a proxy. */
export const MAX_IDS_ETIQUETAS = 200;

/** Digits that a carrier types instead of scanning: the last ones of the number. */
export const ULTIMAS_CIFRAS = 4;
/** Longest code that is looked for. */
export const MAX_CODIGO = 40;

/** True if a scanned or typed code names the order: its whole number, or at least its last four digits. */
export function coincide(numero_orden: string, codigo: string): boolean {
  const [numero, code] = [numero_orden.toUpperCase(), codigo.trim().toUpperCase()];
  return numero === code || (isEnding(code) && numero.endsWith(code));
}

/** True if the code may be the end of a number. */
export const isEnding = (codigo: string): boolean => new RegExp(`^\\d{${ULTIMAS_CIFRAS},}$`).test(codigo);
