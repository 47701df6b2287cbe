import { imprimirEtiquetas } from '../../contract/etiquetas/etiquetas.ts';
import { FORMATOS_ETIQUETA, type FormatoEtiqueta } from '../../contract/etiquetas/fields.ts';

const KEY = 'enruta-etiqueta';
const isFormat = (name: string | null): name is FormatoEtiqueta => name !== null && Object.hasOwn(FORMATOS_ETIQUETA, name);

/** Format last printed in this browser, whose printer usually has one kind of paper. */
export function lastFormat(): FormatoEtiqueta {
  const kept = localStorage.getItem(KEY);
  return isFormat(kept) ? kept : 'rollo';
}
export const storeFormat = (formato: FormatoEtiqueta): void => localStorage.setItem(KEY, formato);

/** Address of the labels of the orders with the given ids, or of all orders that match a filter. */
export function labelHref(chosen: Readonly<Record<string, string | undefined>>, formato = lastFormat()): string {
  const pairs = Object.entries(chosen).filter((pair): pair is [string, string] => !!pair[1]);
  return `${imprimirEtiquetas.path}?${new URLSearchParams([['formato', formato], ...pairs])}`;
}
