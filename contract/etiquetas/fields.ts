import { readScanned } from '../text/scanned.ts';

/* Labels and loading (decision 066), behind the setting `labelsAndLoading`. */

export const FORMATOS_ETIQUETA = { rollo: '100 × 150 mm', a4: 'A4, cuatro por hoja' } as const;
export type FormatoEtiqueta = keyof typeof FORMATOS_ETIQUETA;

export const MAX_ETIQUETAS = 500;
/** Maximum number of ids in a URL: 200 keep the request line below the 8 KB limit of proxies. */
export const MAX_IDS_ETIQUETAS = 200;

/** Minimum number of final digits that identify an order when a carrier types instead of scanning. */
export const ULTIMAS_CIFRAS = 4;
export const MAX_CODIGO = 40;

/** True if a scanned or typed code names the order: its whole number, or at least its last four digits. */
export function matchesLabel(numero_orden: string, codigo: string): boolean {
  const [numero, code] = [numero_orden.toUpperCase(), readScanned(codigo).toUpperCase()];
  return numero === code || (isEnding(code) && numero.endsWith(code));
}

export const isEnding = (codigo: string): boolean => new RegExp(`^\\d{${ULTIMAS_CIFRAS},}$`).test(codigo);
