import { wordKey, wordMeaning } from '../../../contract/sheets/words.ts';
import { wordIn } from '../../sheets/reading.ts';
import { columnWordKind, type Reading, type Row, type Target } from './target.ts';

/* Leaves out rows that are no orders to send, because of what a person sees or has said of them. */

/** Why a row is out: its words, hidden in the sheet, the headings again, or neither address nor product. */
export type Reason = 'word' | 'hidden' | 'titles' | 'empty';
export type LeftOut = { row: Row; is: Reason; title: string; text: string };

type Options = {
  titles: readonly string[] | null;
  /** Reasons whose rows the person has taken in. */
  included: readonly Reason[];
  /** What a person has said of rows without address and product: true leaves them out. */
  notOrders: boolean | undefined;
};

/** Splits rows into orders and left-out ones. `unsure`: rows without address and product of which nobody has said whether they are orders. */
export function leaveOut(rows: readonly Row[], reading: Reading, { titles, included, notOrders }: Options) {
  const { columns, words } = reading;
  const has = ({ cells }: Row, target: Target) => columns.some((column, at) => column === target && cells[at]);
  const numberOf = ({ cells }: Row) => cells[columns.indexOf('pedido')] ?? '';
  const out: LeftOut[] = [];
  const unsure: Row[] = [];
  const gone = new Map<string, LeftOut>();
  let above: LeftOut | undefined;

  // An empty cell says something in the first row of an order alone.
  const saysOut = (row: Row, own: boolean) =>
    columns.findIndex((column, at) => {
      const kind = columnWordKind(column);
      return kind && (row.cells[at] || (own && kind !== 'anulado')) && wordMeaning(kind, wordIn(row.cells[at] ?? ''), words) === 'fuera';
    });
  const reasonFor = (row: Row): LeftOut | undefined => {
    if (row.hidden) return { row, is: 'hidden', title: '', text: '' };
    const filled = row.cells.flatMap((cell, at) => (cell ? [at] : []));
    if (titles && filled.length > 1 && filled.every((at) => wordKey(row.cells[at] ?? '') === wordKey(titles[at] ?? '')))
      return { row, is: 'titles', title: '', text: '' };
    const own = has(row, 'cliente_nombre') || has(row, 'cliente_direccion');
    const at = saysOut(row, own);
    if (at >= 0) return { row, is: 'word', title: titles?.[at] ?? '', text: row.cells[at] ?? '' };
    // Further lines of a left-out order are left out too.
    const first = own ? undefined : numberOf(row) ? gone.get(numberOf(row)) : above;
    if (first) return { ...first, row };
    if (has(row, 'cliente_direccion') || has(row, 'pack')) return undefined;
    if (notOrders === undefined) unsure.push(row);
    return notOrders ? { row, is: 'empty', title: '', text: row.cells.find(Boolean) ?? '' } : undefined;
  };

  const kept = rows.filter((row) => {
    const left = reasonFor(row);
    if (left && numberOf(row)) gone.set(numberOf(row), left);
    above = left?.is === 'empty' || left?.is === 'titles' ? undefined : left;
    if (!left || included.includes(left.is)) return true;
    out.push(left);
    return false;
  });
  return { kept, out, unsure };
}
