import type { TipoIva } from '../../../contract/iva/fields.ts';
import { problemOf } from '../../../contract/kit/fields.ts';
import { PEDIDO_FIELDS } from '../../../contract/pedidos/fields.ts';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import { keptPortions } from '../../../contract/pedidos/money.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { rulesOf } from '../../ui/form/rules.ts';
import { parseNumber, showNumber } from '../../ui/format/format.ts';
import { packLabel } from './pack-label.ts';

/* Form values of a line, as typed text. */

export type LineaValues = {
  key: number;
  /** Free text and price instead of a pack. */
  libre: boolean;
  pack_id: string;
  producto: string;
  cantidad: string;
  precio_unitario: string;
  iva: string;
  /** Number of a stored line. */
  numero?: number;
};
export const EMPTY_LINEA: LineaValues = { key: 1, libre: false, pack_id: '', producto: '', cantidad: '1', precio_unitario: '', iva: '' };

/** Fields that a person fills in. */
export const TEXTS = ['pack_id', 'producto', 'cantidad', 'precio_unitario', 'iva'] as const;

export const isUntouched = (linea: LineaValues): boolean =>
  linea.numero === undefined && TEXTS.every((field) => linea[field] === EMPTY_LINEA[field]);

/** True for a stored line whose product and price cannot be edited. */
export const isFixed = ({ numero, libre }: LineaValues): boolean => numero !== undefined && !libre;

/** True for a superadmin's free line that the person may not edit. */
export const isUntouchable = (linea: LineaValues): boolean => isFixed(linea) && linea.pack_id === '';

export function parseCantidad(typed: string): number | undefined {
  const cantidad = parseNumber(typed);
  return problemOf(PEDIDO_FIELDS.cantidad, cantidad) ? undefined : cantidad;
}

/** Parses an amount in euros; undefined if empty or invalid. */
export function parseEuros(typed: string): number | undefined {
  const euros = parseNumber(typed);
  return typed.trim() === '' || problemOf(PEDIDO_FIELDS.precio_unitario, euros) ? undefined : euros;
}

/** Form values of stored lines; with `free`, lines without a pack are editable. */
export const lineasFrom = (lineas: readonly Linea[], free: boolean): LineaValues[] =>
  lineas.map(({ numero, pack_id, producto, cantidad, precio_unitario, iva }) => ({
    key: numero,
    libre: free && pack_id === null,
    pack_id: pack_id ?? '',
    producto,
    cantidad: String(cantidad),
    precio_unitario: showNumber(precio_unitario, 2),
    iva: iva ?? '',
    numero,
  }));

type Rule = (typed: string, values: { lineas: LineaValues[] }, path: string) => string | null;
const ofFree =
  (rule: (typed: string) => string | null): Rule =>
  (typed, { lineas }, path) =>
    lineas[Number(path.split('.')[1])]?.libre ? rule(typed) : null;

/** Rules for @mantine/form; `required` is the message for a free line without text. */
export function lineasRules(packProblem: (pack_id: string) => string | null, required: string) {
  const own = rulesOf(PEDIDO_FIELDS, ['cantidad', 'producto', 'precio_unitario']);
  const pack: Rule = (pack_id, { lineas }, path) => {
    const linea = lineas[Number(path.split('.')[1])];
    return !linea || linea.libre || isFixed(linea) ? null : packProblem(pack_id);
  };
  return {
    pack_id: pack,
    cantidad: own.cantidad,
    producto: ofFree((typed) => (typed.trim() ? own.producto(typed) : required)),
    precio_unitario: ofFree((typed) => (typed.trim() ? own.precio_unitario(typed) : 'Indica el precio')),
  };
}

type Sent = {
  numero?: number;
  pack_id?: string;
  producto?: string;
  cantidad: number;
  precio_unitario?: number;
  precio_total?: number;
  iva?: TipoIva | null;
};

/** Request body of the lines. A free line in `kept` with the same price and quantity keeps its total to the cent. */
export const lineasBody = (lineas: readonly LineaValues[], kept: readonly Linea[] = []): Sent[] =>
  lineas.map((linea) => {
    const cantidad = parseCantidad(linea.cantidad) ?? 1;
    const sent = { cantidad, ...(linea.numero !== undefined && { numero: linea.numero }) };
    if (isFixed(linea)) return sent;
    if (!linea.libre) return { ...sent, pack_id: linea.pack_id };
    const precio_unitario = parseEuros(linea.precio_unitario) ?? 0;
    const before = sameAs(kept, linea.numero, precio_unitario, cantidad);
    const stored = kept.find(({ numero }) => numero === linea.numero)?.iva ?? '';
    return {
      ...sent,
      producto: linea.producto.trim(),
      precio_unitario,
      ...(before && { precio_total: before.precio_total }),
      ...(linea.iva !== stored && { iva: (linea.iva || null) as TipoIva | null }),
    };
  });

const sameAs = (kept: readonly Linea[], numero: number | undefined, unit: number, cantidad: number | undefined) =>
  kept.find((line) => line.numero === numero && line.precio_unitario === unit && line.cantidad === cantidad);

/** A filled-in line with prices in euros. `total` is undefined if the quantity is invalid or the pack is no longer sold. */
export type Ordered = {
  linea: LineaValues;
  words: string;
  unit: number;
  cantidad: number | undefined;
  total: number | undefined;
  /** Extra units of a stored line, and their price in euros. */
  more?: { cantidad: number; unit: number };
  pack?: Pack;
};

/** Filled-in lines at today's prices or, for lines in `kept`, at the prices of the order. */
export const orderedLines = (lineas: readonly LineaValues[], packs: readonly Pack[] | undefined, kept: readonly Linea[] = []): Ordered[] =>
  lineas.flatMap((linea): Ordered[] => {
    const cantidad = parseCantidad(linea.cantidad);
    if (isFixed(linea)) {
      const line = kept.find(({ numero }) => numero === linea.numero);
      return line ? [{ linea, words: line.producto, unit: line.precio_unitario, cantidad, ...keptCost(line, cantidad, packs) }] : [];
    }
    const what = whatIs(linea, packs);
    if (!what) return [];
    const same = sameAs(kept, linea.numero, what.unit, cantidad);
    const total = same?.precio_total ?? (cantidad && (Math.round(what.unit * 100) * cantidad) / 100);
    return [{ linea, ...what, cantidad, total }];
  });

const cents = (euros: number) => Math.round(euros * 100);

/** Cost of a stored line at a quantity, in euros. No total if the quantity is invalid, or grows while the pack is no longer sold. */
export function keptCost(line: Linea, cantidad: number | undefined, packs: readonly Pack[] | undefined): Pick<Ordered, 'total' | 'more'> {
  if (cantidad === undefined) return { total: undefined };
  const pack = packs?.find(({ id }) => id === line.pack_id);
  const agreed = {
    cantidad: line.cantidad,
    precio_unitario_cents: cents(line.precio_unitario),
    precio_total_cents: cents(line.precio_total),
  };
  const today = line.pack_id ? pack && cents(pack.pack_price) : agreed.precio_unitario_cents;
  const portions = keptPortions(agreed, cantidad, today);
  if (!portions) return { total: undefined };
  const [, more] = portions;
  return {
    total: portions.reduce((sum, { precio_total_cents }) => sum + precio_total_cents, 0) / 100,
    ...(more && { more: { cantidad: more.cantidad, unit: more.precio_unitario_cents / 100 } }),
  };
}

function whatIs(linea: LineaValues, packs: readonly Pack[] | undefined) {
  if (linea.libre) {
    const unit = parseEuros(linea.precio_unitario);
    const words = linea.producto.trim();
    return words && unit !== undefined ? { words, unit } : undefined;
  }
  // Undefined if the chosen pack is no longer in the list.
  const pack = packs?.find(({ id }) => id === linea.pack_id);
  return pack && { words: packLabel(pack), unit: pack.pack_price, pack };
}

/** Sum in euros; undefined if the total of a line is unknown. */
export function sumLines(ordered: readonly Ordered[]): number | undefined {
  let sum = 0;
  for (const { total } of ordered) {
    if (total === undefined) return undefined;
    sum += cents(total);
  }
  return sum / 100;
}
