import { asPage, type Paged } from '../../../contract/kit/endpoint.ts';
import { PER_PAGE } from '../../../contract/kit/pages.ts';

/* Search, sort and paging in the browser, for lists that the server sends whole. */

/** Text in lower case without accents. */
export const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** True if every word of `search` occurs in one of the texts, ignoring case and accents. */
export function matches(search: string, ...texts: (string | null)[]): boolean {
  const within = texts.map((text) => plain(text ?? ''));
  return plain(search)
    .split(/\s+/)
    .every((word) => within.some((text) => text.includes(word)));
}

const { compare } = new Intl.Collator('es', { sensitivity: 'base', numeric: true });
type Sortable = string | number | boolean;

/** Returns a sorted copy: text in Spanish order, false before true. Stable. */
export function sortedBy<T>(rows: readonly T[], value: (row: T) => Sortable, dir: 'asc' | 'desc' = 'asc'): T[] {
  const sign = dir === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (typeof left === 'string' && typeof right === 'string') return sign * compare(left, right);
    return sign * (Number(left) - Number(right));
  });
}

export const localPage = <T>(rows: readonly T[], page: number, per_page = PER_PAGE): Paged<T> =>
  asPage(rows.slice((page - 1) * per_page, page * per_page), rows.length, { page, per_page });
