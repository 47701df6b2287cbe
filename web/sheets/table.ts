import { headingKey } from './headings.ts';
import type { Mark, Shown } from './number-format.ts';
import { cellText } from './text-file.ts';
import type { Tab } from './workbook.ts';

/* A file as its person sees it: headings, and lines of cells. */

/** A line below the headings; `n` is its row number, from 1. `hidden`: a filter or a person hides the row. `marks` by column. */
export type SheetLine = { n: number; cells: string[]; hidden?: true; marks?: Record<number, Mark> };
/** Headings (null if none) and the lines below them. `unread`: other tabs of the workbook. */
export type Table = { titles: string[] | null; lines: SheetLine[]; unread?: readonly Unread[] };
export type Unread = { name: string; hidden: boolean };

/** End of the heading of a hidden column, which therefore has no meaning until a person says so. */
export const HIDDEN = ' (oculta)';

/** Number of known headings in a row. */
export type CountKnown = (row: readonly string[]) => number;

/** Number of rows to search for headings, since a title may precede them. */
const FIRST_ROWS = 8;

/** Index of the headings: the row with most known ones, or else a first row of different texts without figures; -1 if neither. */
function titlesAt(rows: readonly (readonly string[])[], known: CountKnown): number {
  const counts = rows.slice(0, FIRST_ROWS).map(known);
  const most = Math.max(0, ...counts);
  if (most > 1) return counts.indexOf(most);
  const [first = []] = rows;
  const isText = first.length > 1 && rows.length > 1 && first.every((cell) => cell !== '' && !/\d/.test(cell));
  return isText && new Set(first.map(headingKey)).size === first.length && rows.slice(1).some((row) => row.some((cell) => /\d/.test(cell)))
    ? 0
    : -1;
}

type Look = Partial<Pick<Tab, 'hiddenRows' | 'hiddenColumns'>>;

/** Finds the headings. Drops empty rows and rows above the headings, and pads the others to the same width. */
export function findTable(cells: readonly (readonly Shown[])[], known: CountKnown, { hiddenRows, hiddenColumns }: Look = {}): Table {
  const lines = cells
    .map((row, i): SheetLine => {
      const marks = Object.fromEntries(row.flatMap(({ mark }, at) => (mark ? [[at, mark]] : [])));
      const own = { n: i + 1, cells: row.map(({ text }) => cellText(text)) };
      return { ...own, ...(hiddenRows?.has(i) && { hidden: true }), ...(Object.keys(marks).length > 0 && { marks }) };
    })
    .filter((line) => line.cells.some((cell) => cell !== ''));
  const width = Math.max(0, ...lines.map((line) => line.cells.findLastIndex((cell) => cell !== '') + 1));
  for (const line of lines) line.cells = Array.from({ length: width }, (_, i) => line.cells[i] ?? '');
  const at = titlesAt(
    lines.map((line) => line.cells),
    known,
  );
  const titles = lines[at]?.cells.map((title, i) => (title && hiddenColumns?.has(i) ? title + HIDDEN : title)) ?? null;
  return { titles, lines: lines.slice(at + 1) };
}

export const tableOfTexts = (cells: readonly (readonly string[])[], known: CountKnown): Table =>
  findTable(
    cells.map((row) => row.map((text) => ({ text }))),
    known,
  );

/** Tabs to read. `ask`: several visible tabs have known headings, or only hidden ones have rows, so the person chooses. */
export function chooseTabs(tabs: readonly Tab[], known: CountKnown): { read: readonly Tab[]; ask: boolean } {
  const visible = tabs.filter(({ hidden }) => !hidden);
  const counts = new Map(visible.map((tab) => [tab, known(findTable(tab.cells, known, tab).titles ?? [])]));
  const likely = visible.filter((tab) => (counts.get(tab) ?? 0) > 2);
  if (likely.length > 1 || (visible.length === 0 && tabs.length > 0)) return { read: likely, ask: true };
  const [best] = likely.length > 0 ? likely : visible.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return { read: best ? [best] : [], ask: false };
}

/** Joins tabs into one table, by their headings; row numbers go on from tab to tab. Names the tabs that are not read. */
export function tableOfTabs(tabs: readonly Tab[], read: readonly Tab[], known: CountKnown): Table {
  const tables = read.map((tab) => ({ ...findTable(tab.cells, known, tab), rows: tab.cells.length }));
  const unread = tabs.filter((tab) => !read.includes(tab)).map(({ name, hidden }) => ({ name, hidden }));
  const more = unread.length > 0 ? { unread } : {};
  const [only, another] = tables;
  if (!another) return { titles: only?.titles ?? null, lines: only?.lines ?? [], ...more };
  // The second of two equal headings stays the second.
  const keysOf = (titles: readonly string[]) =>
    titles.map((title, i) => `${title} ${titles.slice(0, i).filter((each) => each === title).length}`);
  const keys = [...new Set(tables.flatMap(({ titles }) => keysOf(titles ?? [])))];
  let above = 0;
  const lines = tables.flatMap((table) => {
    const own = keysOf(table.titles ?? []);
    const places = keys.map((key) => own.indexOf(key));
    const first = above;
    above += table.rows;
    return table.lines.map(({ marks = {}, ...line }) => ({
      ...line,
      n: first + line.n,
      cells: places.map((at) => line.cells[at] ?? ''),
      marks: Object.fromEntries(places.flatMap((from, at) => (marks[from] ? [[at, marks[from]]] : []))),
    }));
  });
  return { titles: keys.map((key) => key.replace(/ \d+$/, '')), lines, ...more };
}
