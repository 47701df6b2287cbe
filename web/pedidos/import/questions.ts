import { mayBeQuantity } from './columns.ts';
import type { Import } from './draft.ts';

/* Questions about a sheet that must be answered before its orders are created. */

const SMALL = /^[1-9]\d?$/;

/** True for small whole numbers in most cells, unless they are all 1 or number the rows. */
function looksLikeQuantity(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length * 2 <= cells.length || !filled.every((cell) => SMALL.test(cell))) return false;
  const counts = filled.length > 2 && filled.every((cell, i) => i === 0 || Number(cell) === Number(filled[i - 1]) + 1);
  return !counts && filled.some((cell) => cell !== '1');
}

type Asked = Pick<Import, 'titles' | 'columns' | 'rows' | 'noCantidad'>;

/** Index of the first unused column that may be the quantity. Undefined if there is none, or a column is the quantity. */
export function quantityAsked({ titles, columns, rows, noCantidad = [] }: Asked): number | undefined {
  if (columns.includes('cantidad')) return undefined;
  const at = columns.findIndex(
    (target, i) =>
      target === '' &&
      !noCantidad.includes(i) &&
      mayBeQuantity(titles?.[i] ?? '') &&
      looksLikeQuantity(rows.map(({ cells }) => cells[i] ?? '')),
  );
  return at < 0 ? undefined : at;
}
