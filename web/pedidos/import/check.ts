import { orderDoubts } from '../../../contract/doubts/doubts.ts';
import type { Provinces } from '../../../contract/doubts/towns.ts';
import { problemOf } from '../../../contract/kit/fields.ts';
import { storedPlace } from '../../../contract/pedidos/direccion.ts';
import { EDITABLE_FIELDS, MAX_LINEAS, PEDIDO_FIELDS, pedidoField } from '../../../contract/pedidos/fields.ts';
import type { Fila } from '../../../contract/pedidos/import.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { isErrorCell } from '../../../contract/text/broken-cell.ts';
import { readPostcode } from '../../../contract/text/country.ts';
import { provinciaByPostcode } from '../../../contract/text/provincias.ts';
import { telephoneDigits } from '../../../contract/text/telephone.ts';
import { type ClienteValues, clienteBody } from '../cliente/cliente-values.ts';
import { packMatcher } from '../lineas/pack-matcher.ts';
import { bareText } from '../lineas/words.ts';
import type { Group } from './groups.ts';
import { isOnDelivery, pagoField, parseAmount, partPaid, paymentProblem, shippingAndDiscount } from './payment.ts';
import { placeIn } from './place.ts';
import { countedIn, isAmbiguous, parseQuantity } from './quantity.ts';
import { textBeforeDate, writtenIn } from './row.ts';
import { isTarget, LINE_TARGETS, type Reading, type Row, TARGETS, type Target, type Values } from './target.ts';

/* Validates the rows of a sheet. */

export type Doubt = { target: Target; text: string };
export type Checked = {
  row: Row;
  values: Values;
  pack: Pack | undefined;
  errors: Partial<Record<Target, string>>;
  /** Warnings about values that may still be right. */
  doubts: Doubt[];
};
export type CheckedOrder = readonly Checked[];

type Options = {
  reading: Reading;
  packs: readonly Pack[];
  /** Ids of the packs chosen for ambiguous texts; the key is the `bareText` text. */
  chosen: Readonly<Record<string, string>>;
  /** Towns of the provinces in the sheet, as far as they are loaded. */
  provinces?: Provinces;
};
const NO_PROVINCES: Provinces = new Map();

/** Returns a function that checks the rows of an order and caches the result. */
export function createChecker({ reading, packs, chosen, provinces = NO_PROVINCES }: Options): (group: Group) => CheckedOrder {
  const { exact: find } = packMatcher(packs);
  const counts = reading.columns.includes('cantidad');
  const byId = new Map(packs.map((pack) => [pack.id, pack]));
  const done = new WeakMap<Group, CheckedOrder>();
  const check = (row: Row, { rows: [first], values: shared, apart }: Group): Checked => {
    const written = writtenIn(row, reading);
    const line = lineIn(written, row, (text) => find(text) !== undefined);
    const values = completed(shared ? { ...shared, ...line } : { ...written, ...line }, row, provinces);
    const pack = byId.get(row.pack_id ?? '') ?? find(values.pack) ?? byId.get(chosen[bareText(values.pack)] ?? '');
    const all = errorsOf(values, pack);
    const unsaid = pack ? unsaidQuantity(counts, written, line, find(line.pack) !== undefined) : [];
    const dates = datesIn(row, reading);
    if (!first || row === first)
      return { row, values, pack, errors: all, doubts: [...apartIn(apart), ...doubtsIn(values, provinces), ...unsaid, ...dates] };
    const errors = Object.fromEntries(Object.entries(all).filter(([target]) => LINE_TARGETS.some((name) => name === target)));
    return {
      row,
      values: { ...values, ...saidIn(written) },
      pack,
      errors,
      doubts: [...(shared ? contradictions(written, shared, first.n) : []), ...unsaid, ...dates],
    };
  };
  return (group) => {
    const checked = done.get(group) ?? sameOrder(group.rows.map((row) => check(row, group)));
    done.set(group, checked);
    return checked;
  };
}

/** Warns that a missing quantity is read as 1. */
function unsaidQuantity(counts: boolean, written: Values, line: Pick<Values, 'pack' | 'cantidad'>, isKnown: boolean): Doubt[] {
  if (line.cantidad !== '') return [];
  if (!isKnown && /\d/.test(line.pack)) return [{ target: 'cantidad', text: `«${line.pack}»: se entiende 1 de este pack` }];
  return counts && written.cantidad === '' ? [{ target: 'cantidad', text: 'Sin cantidad en la hoja: se entiende 1' }] : [];
}

const apartIn = (row: number | undefined): Doubt[] =>
  row === undefined
    ? []
    : [{ target: 'pedido', text: `Mismo nº de pedido que la fila ${row}, pero otro cliente o dirección: será otro pedido` }];

/** Filled fields, except pack and quantity, of a row after the first of an order. Shown as written. */
const saidIn = (written: Values) =>
  Object.fromEntries(Object.entries(written).filter(([target, text]) => text !== '' && !LINE_TARGETS.some((name) => name === target)));

/** Text by which two cells are compared. */
function comparable(target: Target, text: string): string {
  if (target === 'cliente_codigo_postal') return readPostcode(text) || bareText(text);
  if (target === 'cliente_telefono') return telephoneDigits(text);
  if (target === 'contra_reembolso') return String(isOnDelivery(text) ?? text);
  return bareText(text);
}

/** Warnings about cells of a later row that contradict the order. */
const contradictions = (written: Values, shared: Values, first: number): Doubt[] =>
  TARGETS.filter(
    (target) => !['instrucciones', 'pedido', 'total', 'pago', 'pago_referencia'].includes(target) && !LINE_TARGETS.includes(target),
  )
    .filter((target) => written[target] !== '' && comparable(target, written[target]) !== comparable(target, shared[target]))
    .map((target) => ({ target, text: `Vale «${shared[target]}», como en el pedido de la fila ${first}` }));

/** Warnings about cells that a spreadsheet has made a date. */
const datesIn = ({ cells, marks, typed }: Row, { columns }: Reading): Doubt[] =>
  columns.flatMap((target, at) => {
    const cell = cells[at] ?? '';
    if (!isTarget(target) || cell === '' || typed[target] !== undefined) return [];
    const was = textBeforeDate(target, cell, marks?.[at]);
    if (was === undefined) return [];
    const asked =
      was === cell ? `«${cell}» parece una fecha de Excel: ¿qué ponía?` : `Excel ha cambiado «${was}» por una fecha: ¿qué ponía?`;
    return [{ target, text: asked }];
  });

/** Adds warnings about repeated packs, and errors to lines beyond the maximum. */
const sameOrder = (order: CheckedOrder): CheckedOrder =>
  order.map((line, at) => {
    const same = line.pack && order.slice(0, at).find(({ pack }) => pack === line.pack);
    const doubts = same
      ? [...line.doubts, { target: 'pack' as const, text: `Mismo pack que la fila ${same.row.n}, en el mismo pedido` }]
      : line.doubts;
    const errors = at < MAX_LINEAS ? line.errors : { ...line.errors, pack: `Un pedido tiene como máximo ${MAX_LINEAS} líneas` };
    return { ...line, doubts, errors };
  });

/** Reads pack and quantity of a row; a single cell can contain both: «3 x MIEL500». */
function lineIn({ pack, cantidad }: Values, { typed }: Row, isKnown: (text: string) => boolean): Pick<Values, 'pack' | 'cantidad'> {
  const both = isKnown(pack) ? undefined : countedIn(pack);
  if (!both) return { pack, cantidad };
  const count = typed.cantidad === undefined && (cantidad === '' || parseQuantity(cantidad) === 1) ? both.cantidad : cantidad;
  return { pack: both.text, cantidad: count };
}

const withoutTyped = (found: Partial<Values>, typed: Row['typed']) =>
  Object.fromEntries(Object.entries(found).filter(([target]) => typed[target as Target] === undefined));

/** Fills in and normalises values, except fields that the person has typed. */
function completed(values: Values, { typed }: Row, provinces: Provinces): Values {
  const done = { ...values, ...withoutTyped(placeIn(values, provinces), typed) };
  const unless = (target: Target, value: string | undefined) => {
    if (typed[target] === undefined && value !== undefined) done[target] = value;
  };
  const counted = parseQuantity(done.cantidad || '1');
  unless('cantidad', Number.isNaN(counted) ? done.cantidad : String(counted));
  // Spreadsheets treat postcodes and telephones as numbers: «8001», «1001.0», «600112233.0».
  const place = storedPlace(done);
  unless('cliente_codigo_postal', place.cliente_codigo_postal);
  unless('cliente_telefono', done.cliente_telefono.replace(/(?<=\d)[.,]0{1,2}$/, ''));
  const known = provinciaByPostcode(done.cliente_codigo_postal, done.cliente_pais);
  // Exports of shops write provinces as codes: «M», «ES-M».
  if (/^$|^(ES-)?[A-Z]{1,2}$/.test(done.cliente_provincia)) unless('cliente_provincia', known);
  unless('cliente_pais', place.cliente_pais || PEDIDO_FIELDS.cliente_pais.initial);
  return done;
}

// Messages for one cell; the form's generic message would be unclear.
const MISSING: Partial<Record<Target, string>> = { cliente_nombre: 'Falta el nombre', cliente_direccion: 'Falta la dirección' };

function errorsOf(values: Values, pack: Pack | undefined): Checked['errors'] {
  const errors: Checked['errors'] = {};
  const note = (target: Target, problem: string | undefined) => {
    if (problem) errors[target] = problem;
  };
  for (const target of TARGETS) note(target, isErrorCell(values[target]) ? `La celda dice ${values[target]}: escribe el valor` : undefined);
  for (const name of EDITABLE_FIELDS) {
    if (errors[name]) continue;
    const field = pedidoField(name);
    note(name, problemOf(field.required ? { ...field, required: MISSING[name] ?? field.required } : field, values[name].trim()));
  }
  const counted = parseQuantity(values.cantidad);
  if (isAmbiguous(values.cantidad))
    note(
      'cantidad',
      `«${values.cantidad}» puede ser ${values.cantidad.slice(0, -4)} o ${values.cantidad.replace(/[.,]/, '')}: escribe cuántos son`,
    );
  else note('cantidad', problemOf(PEDIDO_FIELDS.cantidad, counted));
  note('contra_reembolso', isOnDelivery(values.contra_reembolso) === undefined ? 'Escribe «sí» o «no»' : undefined);
  for (const target of ['envio', 'descuento', 'total'] as const)
    note(
      target,
      values[target] && Number.isNaN(parseAmount(values[target]))
        ? `«${values[target]}»: escribe un importe en euros, como 4,95`
        : undefined,
    );
  note('pago', errors.pago ? undefined : paymentProblem(values));
  if (!pack) errors.pack = values.pack ? `«${values.pack}» no es ningún pack: elige cuál es` : 'Falta el pack';
  return errors;
}

function doubtsIn(values: Values, provinces: Provinces): Doubt[] {
  const { contra_reembolso: _, ...draft } = values;
  const part = partPaid(values);
  return [
    ...orderDoubts(draft, { provinces }).map(({ campo, frase }): Doubt => ({ target: isTarget(campo) ? campo : 'pedido', text: frase })),
    ...(part ? [{ target: 'pago' as const, text: part }] : []),
  ];
}

const lineOf = ({ values, pack }: Checked) => ({ pack_id: pack?.id ?? '', cantidad: parseQuantity(values.cantidad) });

/** Uses the order number of the sheet as the reference, so that a repeated import is noticed. */
const referenceOf = ({ pedido, referencia_externa }: Values) =>
  pedido && !referencia_externa && !/^Fila \d+$/.test(pedido) && pedido.length <= PEDIDO_FIELDS.referencia_externa.max
    ? { referencia_externa: pedido }
    : {};

/** Item of the request for an order without errors. */
export function importFila(order: CheckedOrder): Fila {
  const [first, ...others] = order;
  if (!first) throw new Error('An order has at least one row');
  return {
    ...(clienteBody(first.values as ClienteValues) as Omit<
      Fila,
      'pack_id' | 'cantidad' | 'lineas' | 'contra_reembolso' | 'pago' | 'envio' | 'descuento'
    >),
    ...(others.length > 0 ? { lineas: order.map(lineOf) } : lineOf(first)),
    ...(isOnDelivery(first.values.contra_reembolso) && { contra_reembolso: true }),
    ...shippingAndDiscount(first.values),
    ...pagoField(first.values),
    ...referenceOf(first.values),
  };
}

export type UnknownPack = {
  key: string;
  text: string;
  rows: number;
  /** Pack that the text resembles, for the person to confirm. */
  guess?: Pack;
};

/** Texts that match no single pack, with the number of their rows; most frequent first. */
export function unknownPacks(checked: readonly Checked[], packs: readonly Pack[]): UnknownPack[] {
  const { exact, like } = packMatcher(packs);
  const unknown = new Map<string, UnknownPack>();
  for (const { values, row } of checked) {
    const key = bareText(values.pack);
    if (!key || row.pack_id || exact(values.pack)) continue;
    const same = unknown.get(key);
    if (same) same.rows += 1;
    else {
      const guess = like(values.pack);
      unknown.set(key, { key, text: values.pack, rows: 1, ...(guess && { guess }) });
    }
  }
  return [...unknown.values()].sort((a, b) => b.rows - a.rows);
}
