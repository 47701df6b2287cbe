import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import readXlsx from 'read-excel-file/universal';
import { findTitles, HIDDEN, joinGroups, type Merge } from './columns.ts';
import { TooLarge, withoutEntities } from './sheet.ts';

/** Text of a cell; dates in Spanish format. */
function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toLocaleDateString('es-ES', { timeZone: 'UTC' });
  if (typeof cell === 'boolean') return cell ? 'Sí' : 'No';
  return String(cell);
}

// Excel stores large numbers, such as phones, in scientific notation.
const digits = (written: string) => (/e/i.test(written) ? Number(written).toLocaleString('en', { useGrouping: false }) : written);

/** Maximum size of an unpacked workbook, in bytes: a small file can unpack to gigabytes and freeze the browser. */
export const MAX_UNPACKED = 50_000_000;

/** Unpacks the XML parts of a workbook. Throws `TooLarge` before taking memory; no part can take more than it declares. */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let left = MAX_UNPACKED;
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(xml|rels)$/i.test(name)) return false;
      left -= originalSize;
      if (left < 0) throw new TooLarge();
      return true;
    },
  });
}

/** Tab of a workbook. `hiddenRows`: indexes of rows. Headings of hidden columns end with `HIDDEN`. */
export type Tab = { name: string; hidden: boolean; cells: string[][]; hiddenRows: ReadonlySet<number> };

const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
const isOn = (value: string | undefined) => value === '1' || value === 'true';
const tagsOf = (xml: string, name: string) =>
  Array.from(xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*|/)?>`, 'g')), ([tag]) => tag);
const columnOf = (letters: string) => Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** What a sheet's XML says about its look: hidden rows and columns, and cells merged within one row (ECMA-376, 18.3.1). */
function lookOf(xml: string): { hiddenRows: Set<number>; hiddenColumns: Set<number>; merges: Merge[] } {
  const hiddenRows = new Set<number>();
  let row = 0;
  for (const tag of tagsOf(xml, 'row')) {
    row = Number(attribute(tag, 'r') ?? row + 1);
    if (isOn(attribute(tag, 'hidden')) || attribute(tag, 'ht') === '0') hiddenRows.add(row - 1);
  }
  const hiddenColumns = new Set<number>();
  for (const tag of tagsOf(xml, 'col')) {
    if (!isOn(attribute(tag, 'hidden')) && attribute(tag, 'width') !== '0') continue;
    for (let at = Number(attribute(tag, 'min')); at <= Math.min(Number(attribute(tag, 'max')), MOST_COLUMNS); at += 1)
      hiddenColumns.add(at - 1);
  }
  const merges = tagsOf(xml, 'mergeCell').flatMap((tag) => {
    const [, from = '', first, to = '', last] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(attribute(tag, 'ref') ?? '') ?? [];
    return first !== undefined && first === last ? [{ row: Number(first) - 1, from: columnOf(from), to: columnOf(to) }] : [];
  });
  return { hiddenRows, hiddenColumns, merges };
}
/** Excel's own maximum. */
const MOST_COLUMNS = 16_384;

/** Returns the tabs of a workbook with content. Throws `TooLarge`, or another error for a file that is not a workbook. */
export async function readBook(bytes: Uint8Array): Promise<Tab[]> {
  const parts = unpack(bytes);
  const xml = (path: string) => strFromU8(parts[path] ?? new Uint8Array());
  const sheetParts = tagsOf(xml('xl/_rels/workbook.xml.rels'), 'Relationship').filter((tag) => tag.includes('/worksheet"'));
  const paths = new Map(
    sheetParts.map((tag) => {
      const target = attribute(tag, 'Target') ?? '';
      return [attribute(tag, 'Id'), target.startsWith('/') ? target.slice(1) : `xl/${target}`];
    }),
  );
  const pathOf = (tag: string) => paths.get(/\w+:id="([^"]*)"/.exec(tag)?.[1]) ?? '';
  const named = new Map(
    tagsOf(xml('xl/workbook.xml'), 'sheet').map((tag) => [
      withoutEntities(attribute(tag, 'name') ?? ''),
      { hidden: /hidden/i.test(attribute(tag, 'state') ?? ''), path: pathOf(tag) },
    ]),
  );
  // The library fails at a tab that is a chart.
  const withoutCharts = xml('xl/workbook.xml').replace(/<(?:\w+:)?sheet\s[^>]*>/g, (tag) => (pathOf(tag) ? tag : ''));
  parts['xl/workbook.xml'] = strToU8(withoutCharts);
  // Repacks the workbook without compression. The library would unpack large files in a `blob:` worker, which the content security policy
  // blocks.
  const sheets = await readXlsx(new Blob([zipSync(parts, { level: 0 }).slice()]), { parseNumber: digits });
  return sheets
    .map(({ sheet: name, data }) => {
      const { hidden = false, path = '' } = named.get(name) ?? {};
      const { hiddenRows, hiddenColumns, merges } = lookOf(xml(path));
      const cells = joinGroups(
        data.map((row) => row.map(textOf)),
        merges,
      );
      const { at } = findTitles(cells.map((row) => row.map((cell, i) => (hiddenColumns.has(i) ? '' : cell))));
      const marked = cells.map((row, n) => row.map((cell, i) => (n === at && cell && hiddenColumns.has(i) ? cell + HIDDEN : cell)));
      return { name, hidden, cells: marked, hiddenRows };
    })
    .filter(({ cells }) => cells.length > 0);
}
