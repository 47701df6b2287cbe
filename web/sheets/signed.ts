import { parseNumber } from '../ui/format/format.ts';

/** Amount of a cell in euros, as banks and companies write it: `1.234,56`, `1234.56`, `12,00-`, `(12,00)`; undefined for anything else. */
export function parseSigned(text: string): number | undefined {
  const plain = text.trim().replace(/^(?:€|EUR)\s?|\s?(?:€|EUR)$/gi, '');
  const behind = /^([^-]*)-$/.exec(plain)?.[1] ?? /^\(([^()]*)\)$/.exec(plain)?.[1];
  const figures = (behind ?? plain).trim().replace(/^\+/, '');
  const english = /^-?\d{1,3}(?:,\d{3})+\.\d+$/.test(figures) ? figures.replaceAll(',', '') : figures;
  const value = english === '' ? Number.NaN : parseNumber(english);
  return Number.isNaN(value) ? undefined : Math.round((behind === undefined ? value : -value) * 100) / 100;
}
