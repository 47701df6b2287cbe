import { AMOUNT_WORD, DATE_WORD } from '../../../contract/sheets/words.ts';
import { monthFirstIn, readColumns, type Word, wordsIn } from '../../sheets/reading.ts';
import type { Import } from './draft.ts';
import { leaveOut } from './left-out.ts';
import { productRows } from './row.ts';
import { columnWordKind, isColumnFor, REQUIRED_TARGETS, type Reading, type Row, type SheetColumn, type Target } from './target.ts';

/* What a sheet of orders says, and what is still to be asked. Derived from the sheet and the answers, never stored. */

export type OrderSheet = {
  reading: Reading;
  /** Required fields without a column. */
  missing: readonly Target[];
  /** Columns about which nothing is known. */
  asked: readonly number[];
  /** Rows as in the sheet, without corrections. */
  rows: readonly Row[];
  words: readonly Word[];
  /** A date of which nobody has said whether the day or the month comes first. */
  day?: string | undefined;
};

type Sheet = Pick<Import, 'titles' | 'lines' | 'answers' | 'included'>;

export function readSheet(actor: Parameters<typeof isColumnFor>[0], { titles, lines, answers, included }: Sheet): OrderSheet {
  const { columns, asked } = readColumns('pedidos', titles, lines, answers, isColumnFor(actor));
  const at = (...these: SheetColumn[]) => columns.flatMap((column, i) => (column && these.includes(column) ? [i] : []));
  const paid = at('pago');
  const dates = monthFirstIn(lines.flatMap(({ cells, marks }) => paid.map((i) => (marks?.[i] ? '' : (cells[i] ?? '')))));
  const monthFirst = dates.monthFirst ?? answers.monthFirst;
  const addresses = at('cliente_direccion');
  const seen = included.includes('hidden') ? lines : lines.filter(({ hidden }) => !hidden);
  const words = wordsIn(seen, columns.map(columnWordKind), answers.words, {
    counts: ({ cells }) => addresses.some((i) => cells[i]),
    isPlain: (kind, word) =>
      (kind === 'pago' && (word === DATE_WORD || word === AMOUNT_WORD)) || (kind === 'contra_reembolso' && word === AMOUNT_WORD),
  });
  return {
    reading: { columns, words: answers.words, monthFirst },
    missing: REQUIRED_TARGETS.filter((target) => !columns.includes(target)),
    asked,
    rows: productRows(lines, columns),
    words,
    day: monthFirst === undefined ? dates.ask : undefined,
  };
}

/** Splits the corrected rows of a sheet into orders, rows that stay out, and rows of which nobody has said whether they are orders. */
export function ordersIn(sheet: OrderSheet, state: Pick<Import, 'titles' | 'rows' | 'answers' | 'included' | 'removed'>) {
  const { titles, included, answers } = state;
  return leaveOut(correctedRows(sheet, state), sheet.reading, { titles, included, notOrders: answers.notOrders });
}

/** Rows of the sheet with their corrections, without removed ones. */
export function correctedRows({ rows }: OrderSheet, { rows: edited, removed }: Pick<Import, 'rows' | 'removed'>): Row[] {
  const latest = new Map(edited.map((row) => [row.id, row]));
  const gone = new Set(removed);
  return rows.flatMap((row) => {
    const { cells, typed = {}, pack_id } = latest.get(row.id) ?? {};
    if (gone.has(row.id)) return [];
    // The same object while nothing changes, so that its check stays cached.
    if (cells === row.cells) return latest.get(row.id) ?? row;
    return cells ? { ...row, typed, ...(pack_id && { pack_id }) } : row;
  });
}
