import { provinciaNamed } from '../../../contract/doubts/doubts.ts';
import { type Provinces, placeWords, postcodePrefix } from '../../../contract/doubts/towns.ts';
import { storedPlace } from '../../../contract/pedidos/direccion.ts';
import { readCountry } from '../../../contract/text/country.ts';
import { PROVINCIAS } from '../../../contract/text/provincias.ts';
import { writtenIn } from './row.ts';
import type { Reading, Row, Values } from './target.ts';

/* Finds postcode, town and province inside an address: «C/ Triana 5, 35002 Las Palmas de Gran Canaria». */

const CODE = /(?<![\p{L}\d/.-])(?:c\.?\s?p\.?[\s:]*)?((?:0[1-9]|[1-4]\d|5[0-2])\d{3})(?![\p{L}\d/-]|[.,]\d)/giu;
/** Words before five digits that are no postcode: «km 12345», «apartado 28013». */
const OTHER_NUMBER = /(?:\bkm|kil[oó]metro|apartado|apdo|parcela|pol[ií]gono|tel\S*|m[oó]vil|ref\S*|n[º°o.])[\s.:]*$/iu;
const edges = (text: string) => text.replace(/^[\s,;:.·()–-]+|[\s,;:·(–-]+$/g, '');

/** Prefixes of the islands, Ceuta and Melilla, whose shipping differs and whose towns are therefore looked for. */
export const FAR = ['07', '35', '38', '51', '52'] as const;

/** Province of a town: by its capital's or island's name, or by the towns of the islands. */
function provinciaOfTown(town: string, provinces: Provinces): string | undefined {
  const words = placeWords(town);
  const far = () => FAR.find((prefix) => provinces.get(prefix)?.names.has(words));
  return words ? (provinciaNamed(town) ?? PROVINCIAS[Number(far() ?? 0) - 1]) : undefined;
}

/** Reads postcode, town and province from the address or town if they have no cell of their own, and removes them there. */
export function placeIn(values: Values, provinces: Provinces): Partial<Values> {
  const { cliente_direccion: address, cliente_codigo_postal, cliente_ciudad, cliente_provincia, cliente_pais } = values;
  if (cliente_codigo_postal || !readCountry(cliente_pais).spain || readCountry(cliente_pais).part) return {};
  const inTown = /^(\d{5})\s+(\p{L}.*)$/u.exec(cliente_ciudad) ?? /^(\p{L}.*?)[\s,(]+(\d{5})\)?$/u.exec(cliente_ciudad);
  if (inTown) {
    const [code, town] = /^\d/.test(inTown[1] ?? '') ? [inTown[1], inTown[2]] : [inTown[2], inTown[1]];
    return { cliente_codigo_postal: code ?? '', cliente_ciudad: town ?? '' };
  }
  const codes = Array.from(address.matchAll(CODE)).filter(({ index }) => index > 0 && !OTHER_NUMBER.test(address.slice(0, index)));
  const [code, another] = codes;
  if (code && !another) return splitAt(code, values);
  if (cliente_provincia) return {};
  if (cliente_ciudad) return provinceFor(cliente_ciudad, provinces);
  const parts = address.split(',').map((part) => part.trim());
  if (parts.length > 2 && readCountry(parts.at(-1)).spain && /\p{L}/u.test(parts.at(-1) ?? '')) parts.pop();
  const town = edges(parts.at(-1) ?? '');
  if (parts.length < 2 || /\d/.test(town) || !provinciaOfTown(town, provinces)) return {};
  return { cliente_direccion: parts.slice(0, -1).join(', '), cliente_ciudad: town, ...provinceFor(town, provinces) };
}

function provinceFor(town: string, provinces: Provinces): Partial<Values> {
  const provincia = provinciaOfTown(town, provinces);
  return provincia ? { cliente_provincia: provincia } : {};
}

/** Splits «street, postcode town, province, country» at the postcode. Parts that are no place stay in the address. */
function splitAt(code: RegExpExecArray, { cliente_direccion: address, cliente_ciudad }: Values): Partial<Values> {
  const before = edges(address.slice(0, code.index));
  const [first = '', ...others] = address
    .slice(code.index + code[0].length)
    .split(/[,;()]/)
    .map(edges);
  const isPlace = (part: string) => part !== '' && !/\d/.test(part) && !/^(piso|puerta|planta|bajo|portal|esc)/i.test(part);
  const known = (part: string) =>
    part === '' || provinciaNamed(part) !== undefined || readCountry(part).spain || placeWords(part) === placeWords(cliente_ciudad);
  // «Calle Mayor 8, Madrid 28013»: a known town before the postcode.
  const [, street = before, last = ''] = /^(.*),([^,]*)$/.exec(before) ?? [];
  const ahead = !isPlace(first) && isPlace(last.trim()) && provinciaNamed(last) !== undefined;
  const town = isPlace(first) ? first : ahead ? last.trim() : '';
  const rest = [...(isPlace(first) ? [] : [first]), ...others].filter((part) => !known(part));
  return {
    cliente_codigo_postal: code[1] ?? '',
    cliente_direccion: [ahead ? edges(street) : before, ...rest].filter(Boolean).join(', '),
    ...(town && !cliente_ciudad && { cliente_ciudad: town }),
  };
}

/**
 * Returns a function that lists the first two digits of the postcodes in the sheet, sorted; with those of the islands if a row has neither
 * postcode nor province. Caches each row.
 */
export function postcodePrefixes(reading: Reading): (rows: readonly Row[]) => string[] {
  const read = new WeakMap<Row, readonly string[]>();
  const prefixesIn = (row: Row): readonly string[] => {
    const written = writtenIn(row, reading);
    const place = { ...written, ...placeIn(written, new Map()) };
    const prefix = postcodePrefix(storedPlace(place).cliente_codigo_postal, place.cliente_pais);
    if (prefix) return [prefix];
    return place.cliente_codigo_postal || place.cliente_provincia ? [] : FAR;
  };
  return (rows) => {
    const found = new Set<string>();
    for (const row of rows) {
      const prefixes = read.get(row) ?? prefixesIn(row);
      read.set(row, prefixes);
      for (const prefix of prefixes) found.add(prefix);
    }
    return [...found].sort();
  };
}
