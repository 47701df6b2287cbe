import { readPostcode } from '../../../contract/text/country.ts';
import { isMadeUp, telephoneDigits } from '../../../contract/text/telephone.ts';
import { dayIn } from '../../sheets/reading.ts';
import { bareText } from '../lineas/words.ts';
import { writtenIn } from './row.ts';
import { LINE_TARGETS, type Reading, type Row, TARGETS, type Target, type Values } from './target.ts';

/* Groups the rows of a sheet into orders. */

/** Rows of one order, in the sequence of the sheet. */
export type Group = {
  rows: readonly Row[];
  /** Merged fields of the order: the first value of each, but all instructions. Absent for a single row. */
  values?: Values;
  /** Row number of an earlier order that has the same order number, but another customer or address. */
  apart?: number;
};

const SHARED: readonly Target[] = TARGETS.filter((target) => !LINE_TARGETS.includes(target));

/** Returns a function that groups rows by order number or, with `joined`, by customer and day. Unchanged groups stay the same objects. */
export function createGrouper(read: Reading, joined = false): (rows: readonly Row[]) => readonly Group[] {
  const { columns } = read;
  const numbered = columns.includes('pedido');
  const keyOf = (row: Row, { pedido, cliente_nombre }: Values) => {
    if (numbered) return pedido.toLowerCase().replace(/^#|\s/g, '');
    const name = joined ? bareText(cliente_nombre) : '';
    return name && [name, ...row.cells.flatMap((cell, at) => (columns[at] === '' ? (dayIn(cell) ?? []) : []))].join('|');
  };
  const found = new WeakMap<Row, Found>();
  const reading = (row: Row): Found => {
    const before = found.get(row);
    if (before) return before;
    const values = writtenIn(row, read);
    const made = { values, key: keyOf(row, values), who: whoOf(values) };
    found.set(row, made);
    return made;
  };
  const known = new WeakMap<Row, Group>();
  /** Returns the previous object while the rows are the same, so that their cached check stays valid. */
  const kept = (group: Group): Group => {
    const [first] = group.rows;
    const before = first && known.get(first);
    const same =
      before?.apart === group.apart && before?.rows.length === group.rows.length && before.rows.every((row, i) => row === group.rows[i]);
    if (before && same) return before;
    const made = group.rows.length > 1 ? { ...group, values: sharedOf(group.rows.map((row) => reading(row).values)) } : group;
    if (first) known.set(first, made);
    return made;
  };
  return (rows) => {
    const groups: Open[] = [];
    const byKey = new Map<string, Open[]>();
    for (const row of rows) {
      const { key, who: own } = reading(row);
      const above = groups.at(-1);
      // Exports leave the customer of further lines empty; several products of one line of the sheet are one order.
      if (above && (isFurther(reading(row)) || above.rows.at(-1)?.n === row.n)) {
        above.rows.push(row);
        continue;
      }
      const alike = byKey.get(key) ?? [];
      const group = alike.find(({ who }) => agree(who, own) && (numbered || isSameCustomer(who, own)));
      if (group) {
        group.rows.push(row);
        for (const name of WHO) group.who[name] ||= own[name];
        continue;
      }
      const apart = numbered ? alike[0]?.rows[0]?.n : undefined;
      const made: Open = { rows: [row], who: { ...own }, ...(apart !== undefined && { apart }) };
      groups.push(made);
      alike.push(made);
      if (key) byKey.set(key, alike);
    }
    return groups.map(({ who: _, ...group }) => kept(group));
  };
}

const WHO = ['name', 'address', 'postcode', 'telephone'] as const;
type Who = Record<(typeof WHO)[number], string>;
type Found = {
  values: Values;
  /** Equal for rows that may form one order; '' for a row on its own. */
  key: string;
  who: Who;
};
type Open = { rows: Row[]; who: Who; apart?: number };

/** True for a row with a pack, but neither a customer nor an order number. */
const isFurther = ({ values, key, who }: Found) =>
  key === '' && values.pedido === '' && values.pack !== '' && WHO.every((name) => who[name] === '');

const whoOf = (values: Values): Who => ({
  name: bareText(values.cliente_nombre),
  address: bareText(values.cliente_direccion),
  postcode: readPostcode(values.cliente_codigo_postal) || bareText(values.cliente_codigo_postal),
  telephone: identifying(telephoneDigits(values.cliente_telefono)),
});
const identifying = (digits: string) => (isMadeUp(digits) ? '' : digits);
/** Empty cells never contradict: some exports write the address only in an order's first row. */
const agree = (a: Who, b: Who) => (['name', 'address', 'postcode'] as const).every((name) => !a[name] || !b[name] || a[name] === b[name]);
/** True for the same address or telephone, because a name alone does not identify a customer. */
const isSameCustomer = (a: Who, b: Who) => (['address', 'telephone'] as const).some((name) => a[name] && a[name] === b[name]);

/** Merges the rows of an order: the first value of each field, and all instructions. */
function sharedOf(all: readonly Values[]): Values {
  const first = (target: Target) => all.find((values) => values[target] !== '')?.[target] ?? '';
  const instrucciones = [...new Set(all.map((values) => values.instrucciones).filter(Boolean))].join('\n');
  return { ...(Object.fromEntries(TARGETS.map((target) => [target, first(target)])) as Values), instrucciones };
}

const groupOf = (groups: readonly Group[], id: string) => groups.find(({ rows }) => rows.some((row) => row.id === id));

/** Applies a correction. A shared field is corrected in all rows of the order, so that the rows stay one order. */
export function withTyped(
  rows: readonly Row[],
  groups: readonly Group[],
  { id, target, text }: { id: string; target: Target; text: string },
) {
  const shared = target !== 'pedido' && SHARED.includes(target) ? groupOf(groups, id)?.rows.map((row) => row.id) : undefined;
  return rows.map((row) => (row.id === id || shared?.includes(row.id) ? { ...row, typed: { ...row.typed, [target]: text } } : row));
}

/** Removes a row. The next row of the order takes over the shared fields of a first row. */
export function withoutRow(rows: readonly Row[], groups: readonly Group[], id: string): Row[] {
  const left = rows.filter((row) => row.id !== id);
  const { rows: [first, heir] = [], values } = groupOf(groups, id) ?? {};
  if (first?.id !== id || !values) return left;
  const shared = Object.fromEntries(SHARED.filter((target) => values[target] !== '').map((target) => [target, values[target]]));
  return left.map((row) => (row === heir ? { ...row, typed: { ...shared, ...row.typed } } : row));
}
