import type { Mark } from '../../sheets/number-format.ts';
import type { SheetColumns } from '../../sheets/reading.ts';
import type { SheetLine } from '../../sheets/table.ts';
import { paymentIn } from './payment.ts';
import { countedIn } from './quantity.ts';
import { type Reading, type Row, type SheetColumn, TARGETS, type Target, type Values } from './target.ts';

/** Fields whose columns are joined, such as the street and its number; of other fields the first filled column counts. */
const JOINED: readonly Target[] = ['cliente_nombre', 'cliente_direccion', 'cliente_direccion2', 'instrucciones', 'pack'];
/** Fields whose cells may be a date or an hour. */
const DATED: readonly Target[] = ['pago', 'pago_referencia', 'instrucciones', 'pedido'];

const DAY = /^(\d{1,2})[/-](\d{1,2})[/-]\d{4}$/;
const MONTH = /^(\d{1,2})-\p{L}{3}\.?(?:-\d{2,4})?$/u;

/** What a person typed into a cell that Excel has made a date: «3-1» of 3/1/2026; the text itself if that is not known; undefined otherwise. */
export function textBeforeDate(target: Target, text: string, mark?: Mark): string | undefined {
  if (DATED.includes(target) || (mark === 'time' && target === 'franja_horaria')) return undefined;
  const [, day, month = ''] = DAY.exec(text) ?? [];
  return day ? `${day}-${month}` : mark || MONTH.test(text) ? text : undefined;
}

/** Value of each field in the row: the correction, or else its cells. */
export function writtenIn(row: Row, reading: Reading): Values {
  const { cells, typed, marks } = row;
  const written = (target: Target) => {
    const parts: string[] = [];
    for (const [at, column] of reading.columns.entries()) {
      const cell = cells[at] ?? '';
      if (column !== target || cell === '') continue;
      const text = textBeforeDate(target, cell, marks?.[at]) ?? cell;
      if (!parts.includes(text)) parts.push(text);
      if (!JOINED.includes(target)) break;
    }
    return target === 'instrucciones' ? parts.join('\n') : parts.join(' ').replace(/\s+/g, ' ');
  };
  const values = Object.fromEntries(TARGETS.map((target) => [target, typed[target] ?? written(target)])) as Values;
  const payment = paymentIn(row, reading, values.contra_reembolso);
  return {
    ...values,
    pago: typed.pago ?? payment.pago,
    contra_reembolso: typed.contra_reembolso ?? payment.contra_reembolso,
  };
}

/**
 * Rows of the lines of a sheet: a row for each product of a line, where the products stand in several columns, or in one cell as
 * «MIEL500 x2, ACEITE2 x1».
 */
export function productRows(lines: readonly SheetLine[], columns: SheetColumns<SheetColumn>): Row[] {
  const at = (column: SheetColumn) => columns.flatMap((each, i) => (each === column ? [i] : []));
  const [packs, counts] = [at('pack'), at('cantidad')];
  const several = packs.length > 1 && packs.length === counts.length;
  const split = (line: SheetLine): SheetLine[] => {
    const [only = -1] = packs;
    const products = packs.length === 1 ? severalIn(line.cells[only] ?? '') : undefined;
    if (products) return products.map((product) => ({ ...line, cells: line.cells.with(only, product) }));
    if (!several) return [line];
    const filled = packs.flatMap((pack, i) => (i === 0 || line.cells[pack] ? [i] : []));
    const others = (i: number) => new Set([...packs.toSpliced(i, 1), ...counts.toSpliced(i, 1)]);
    return filled.map((i) => ({ ...line, cells: line.cells.map((cell, column) => (others(i).has(column) ? '' : cell)) }));
  };
  return lines.flatMap((line, n) => split(line).map((part, i) => ({ ...part, id: i === 0 ? String(n) : `${n}.${i}`, typed: {} })));
}

/** Products of a cell that lists several with their quantities; otherwise undefined. */
function severalIn(cell: string): string[] | undefined {
  const parts = cell
    .slice(0, 2000)
    .split(/\s*[,;\n+]\s*/)
    .filter(Boolean);
  return parts.length > 1 && parts.every(countedIn) ? parts : undefined;
}
