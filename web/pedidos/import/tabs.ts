import { matchColumns } from './columns.ts';
import { type Sheet, type SheetLine, sheetOf } from './sheet.ts';
import { REQUIRED_TARGETS } from './target.ts';
import type { Tab } from './xlsx.ts';

/* Chooses the tabs of a workbook that are read, and joins them into one sheet. */

export type Book = { file: string; tabs: readonly Tab[] };
/** True for headings whose columns the person matched in an earlier import. */
export type IsKnown = (titles: readonly string[]) => boolean;

const sheetOfTab = ({ cells, hiddenRows }: Tab, isKnown: IsKnown) => sheetOf(cells, isKnown, hiddenRows);

/** Number of visible rows that look like orders; 0 for a tab without the headings that every order needs. */
export function ordersIn(tab: Tab, isKnown: IsKnown): number {
  const { titles, lines } = sheetOfTab(tab, isKnown);
  const columns = titles && matchColumns(titles);
  const complete = columns && (isKnown(titles) || REQUIRED_TARGETS.every((target) => columns.includes(target)));
  return complete ? lines.filter(({ hidden }) => !hidden).length : 0;
}

/**
 * Returns the tabs to read. `ask`: the person has to choose, because several visible tabs have orders, or only hidden ones have rows. Otherwise
 * the visible tab with orders, or else the one with the most known headings.
 */
export function chooseTabs(tabs: readonly Tab[], isKnown: IsKnown): { read: readonly Tab[]; ask: boolean } {
  const visible = tabs.filter(({ hidden }) => !hidden);
  const withOrders = visible.filter((tab) => ordersIn(tab, isKnown) > 0);
  if (withOrders.length > 1 || (visible.length === 0 && tabs.length > 0)) return { read: withOrders, ask: true };
  const known = (tab: Tab) => matchColumns(sheetOfTab(tab, isKnown).titles ?? []).filter(Boolean).length;
  const [best] = withOrders.length > 0 ? withOrders : [...visible].sort((a, b) => known(b) - known(a));
  return { read: best ? [best] : [], ask: false };
}

/** Joins tabs into one sheet, by their headings; row numbers go on from tab to tab. Names the tabs that are not read. */
export function sheetOfTabs(tabs: readonly Tab[], read: readonly Tab[], isKnown: IsKnown): Sheet {
  const sheets = read.map((tab) => ({ ...sheetOfTab(tab, isKnown), rows: tab.cells.length }));
  const unread = tabs.filter((tab) => !read.includes(tab)).map(({ name, hidden }) => ({ name, hidden }));
  const more = unread.length > 0 ? { unread } : {};
  const [only, another] = sheets;
  if (!another) return { titles: only?.titles ?? null, lines: only?.lines ?? [], ...more };
  // The second of two equal headings stays the second.
  const keysOf = (titles: readonly string[]) =>
    titles.map((title, i) => `${title} ${titles.slice(0, i).filter((each) => each === title).length}`);
  const titles: string[] = [];
  const keys: string[] = [];
  for (const sheet of sheets)
    for (const [i, key] of keysOf(sheet.titles ?? []).entries())
      if (!keys.includes(key)) {
        keys.push(key);
        titles.push(sheet.titles?.[i] ?? '');
      }
  const lines: SheetLine[] = [];
  let above = 0;
  for (const sheet of sheets) {
    const own = sheet.titles && keysOf(sheet.titles);
    const places = titles.map((_, i) => (own ? own.indexOf(keys[i] ?? '') : i));
    for (const line of sheet.lines) lines.push({ ...line, n: above + line.n, cells: places.map((at) => line.cells[at] ?? '') });
    above += sheet.rows;
  }
  return { titles, lines, ...more };
}
