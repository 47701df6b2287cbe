import { problemOf } from '../../../contract/fields.ts';
import { EDITABLE_FIELDS, PEDIDO_FIELDS, pedidoField } from '../../../contract/pedidos.fields.ts';
import type { Fila } from '../../../contract/pedidos.import.ts';
import type { Pack } from '../../../contract/products.ts';
import { parseNumber } from '../../ui/format/numbers.ts';
import { type ClienteValues, clienteBody } from '../cliente/cliente-values.ts';
import { isSpain, postcodeDigits, provinciaOf } from '../cliente/provincias.ts';
import { doubtsOf, phoneWarning } from '../cliente/warnings.ts';
import { bare } from './columns.ts';
import { packFinder } from './packs.ts';
import type { Line } from './sheet.ts';
import { type Columns, TARGETS, type Target } from './target.ts';

/* Validates the rows of a sheet. */

/** A row of the sheet with the person's corrections; immutable. */
export type Row = Line & { id: string; typed: Partial<Record<Target, string>>; pack_id?: string };
export type Values = Record<Target, string>;
export type Doubt = { target: Target; text: string };
export type Checked = {
  row: Row;
  values: Values;
  pack: Pack | undefined;
  errors: Partial<Record<Target, string>>;
  /** Warnings: the value may be right. */
  doubts: Doubt[];
};

type Given = {
  columns: Columns;
  packs: readonly Pack[] /** Packs chosen for ambiguous texts, by `bare` text. */;
  chosen: Readonly<Record<string, string>>;
};

/** Returns a row checker that caches its results. */
export function checkerOf({ columns, packs, chosen }: Given): (row: Row) => Checked {
  const find = packFinder(packs);
  const byId = new Map(packs.map((pack) => [pack.id, pack]));
  const done = new WeakMap<Row, Checked>();
  const check = (row: Row): Checked => {
    const values = valuesOf(row, columns);
    const pack = byId.get(row.pack_id ?? '') ?? find(values.pack) ?? byId.get(chosen[bare(values.pack)] ?? '');
    return { row, values, pack, errors: errorsOf(values, pack), doubts: doubtsIn(values) };
  };
  return (row) => {
    const checked = done.get(row) ?? check(row);
    done.set(row, checked);
    return checked;
  };
}

function valuesOf({ cells, typed }: Row, columns: Columns): Values {
  const written = (target: Target) => {
    const parts = cells.filter((cell, i) => columns[i] === target && cell !== '');
    return target === 'instrucciones' ? parts.join('\n') : parts.join(' ').replace(/\s+/g, ' ');
  };
  const values = Object.fromEntries(TARGETS.map((target) => [target, typed[target] ?? written(target)])) as Values;
  const unless = (target: Target, value: string | undefined) => {
    if (typed[target] === undefined && value !== undefined) values[target] = value;
  };
  unless('cantidad', values.cantidad || '1');
  unless('cliente_pais', values.cliente_pais || PEDIDO_FIELDS.cliente_pais.initial);
  // Spreadsheets treat postcodes as numbers and drop the leading 0.
  const short = /^[1-9]\d{3}$/.test(postcodeDigits(values.cliente_codigo_postal)) && isSpain(values.cliente_pais);
  if (short) unless('cliente_codigo_postal', `0${postcodeDigits(values.cliente_codigo_postal)}`);
  if (values.cliente_provincia === '') unless('cliente_provincia', provinciaOf(values.cliente_codigo_postal, values.cliente_pais));
  return values;
}

const YES = ['si', 's', 'x', '1', 'yes', 'true', 'verdadero', bare(PEDIDO_FIELDS.contra_reembolso.label), 'reembolso'];
const NO = ['', 'no', 'n', '0', 'false', 'falso'];
/** What a cell says; undefined for other words. */
const yesOrNo = (text: string): boolean | undefined => YES.includes(bare(text)) || (NO.includes(bare(text)) ? false : undefined);

// Messages for one cell; the form's generic message would be unclear.
const MISSING: Partial<Record<Target, string>> = { cliente_nombre: 'Falta el nombre', cliente_direccion: 'Falta la dirección' };

function errorsOf(values: Values, pack: Pack | undefined): Checked['errors'] {
  const errors: Checked['errors'] = {};
  const note = (target: Target, problem: string | undefined) => {
    if (problem) errors[target] = problem;
  };
  for (const name of EDITABLE_FIELDS) {
    const field = pedidoField(name);
    note(name, problemOf(field.required ? { ...field, required: MISSING[name] ?? field.required } : field, values[name].trim()));
  }
  note('cantidad', problemOf(PEDIDO_FIELDS.cantidad, parseNumber(values.cantidad)));
  note('contra_reembolso', yesOrNo(values.contra_reembolso) === undefined ? 'Escribe «sí» o «no»' : undefined);
  if (!pack) errors.pack = values.pack ? `«${values.pack}» no es ningún pack: elige cuál es` : 'Falta el pack';
  return errors;
}

function doubtsIn(values: Values): Doubt[] {
  const telephone = phoneWarning(values);
  return doubtsOf(values as ClienteValues).map((text) => ({
    target: text === telephone ? 'cliente_telefono' : 'cliente_codigo_postal',
    text,
  }));
}

/** Request body of a row without errors. */
export const filaOf = ({ values, pack }: Checked): Fila => ({
  ...(clienteBody(values as ClienteValues) as Omit<Fila, 'pack_id' | 'cantidad' | 'contra_reembolso'>),
  pack_id: pack?.id ?? '',
  cantidad: parseNumber(values.cantidad),
  ...(yesOrNo(values.contra_reembolso) && { contra_reembolso: true }),
});

/** Texts that match no single pack, with their rows; most frequent first. */
export function unknownPacks(checked: readonly Checked[], packs: readonly Pack[]): { key: string; text: string; rows: number }[] {
  const find = packFinder(packs);
  const unknown = new Map<string, { key: string; text: string; rows: number }>();
  for (const { values, row } of checked) {
    const key = bare(values.pack);
    if (!key || row.pack_id || find(values.pack)) continue;
    const same = unknown.get(key);
    unknown.set(key, { key, text: same?.text ?? values.pack, rows: (same?.rows ?? 0) + 1 });
  }
  return [...unknown.values()].sort((a, b) => b.rows - a.rows);
}
