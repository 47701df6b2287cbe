import { strFromU8, unzipSync } from 'fflate';
import { Parser } from 'saxen';
import { type NumberFormat, numberFormat, type Shown, showCell } from './number-format.ts';

/* Reads the cells of a workbook (.xlsx) as its person sees them. */

/** Thrown for a file that would take too much memory. */
export class TooLarge extends Error {}

/** Maximum size of an unpacked workbook, in bytes: a small file can unpack to gigabytes and freeze the browser. */
export const MAX_UNPACKED = 50_000_000;

/** Tab of a workbook. `hiddenRows`, `hiddenColumns`: indexes from 0. */
export type Tab = {
  name: string;
  hidden: boolean;
  cells: Shown[][];
  hiddenRows: ReadonlySet<number>;
  hiddenColumns: ReadonlySet<number>;
};

/** Unpacks the XML parts of a workbook. Throws `TooLarge` before taking memory; no part can take more than it declares. */
function unpack(bytes: Uint8Array): (path: string) => string {
  let left = MAX_UNPACKED;
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(xml|rels)$/i.test(name)) return false;
      left -= originalSize;
      if (left < 0) throw new TooLarge();
      return true;
    },
  });
  // equivalent parts[path]: of no bytes strFromU8 makes an empty text
  return (path) => strFromU8(parts[path] ?? new Uint8Array());
}

type Element = { name: string; of: Record<string, string>; text: string };

/** Calls `close` for each element, with its attributes and its own text; `open` before its children. Names have no prefix. */
function readXml(xml: string, close: (element: Element) => void, open: (element: Element) => void = () => {}): void {
  // Styles and shared strings are optional parts.
  if (!xml) return;
  const stack: Element[] = [];
  const add = (text: string) => {
    const top = stack.at(-1);
    if (top) top.text += text;
  };
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  new Parser()
    .on('openTag', (name, attributes, decode) => {
      const of = Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [local(key), decode(value)]));
      const element = { name: local(name), of, text: '' };
      stack.push(element);
      open(element);
    })
    .on('text', (text, decode) => add(decode(text)))
    .on('cdata', add)
    .on('closeTag', () => {
      const element = stack.pop();
      if (element) close(element);
    })
    .on('error', (error) => {
      throw error;
    })
    .parse(xml);
}

/** Programs escape characters as «_x000D_» (ECMA-376, 22.9.2.19). */
const unescaped = (text: string) => text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function sharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let text = '';
  let phonetic = false;
  readXml(
    xml,
    ({ name, text: own }) => {
      if (name === 't' && !phonetic) text += own;
      if (name === 'rPh') phonetic = false;
      if (name === 'si') {
        strings.push(unescaped(text));
        text = '';
      }
    },
    ({ name }) => {
      if (name === 'rPh') phonetic = true;
    },
  );
  return strings;
}

function formatsOf(xml: string): NumberFormat[] {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let inCells = false;
  readXml(
    xml,
    ({ name, of }) => {
      if (name === 'numFmt') codes.set(Number(of.numFmtId), of.formatCode ?? '');
      if (name === 'cellXfs') inCells = false;
      if (name === 'xf' && inCells) formats.push(numberFormat(Number(of.numFmtId ?? 0), codes.get(Number(of.numFmtId))));
    },
    ({ name }) => {
      if (name === 'cellXfs') inCells = true;
    },
  );
  return formats;
}

const columnOf = (letters: string) => Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
const placeOf = (ref: string): [row: number, column: number] => {
  const [, letters = 'A', row = '1'] = /^([A-Z]+)(\d+)$/.exec(ref) ?? [];
  return [Number(row) - 1, columnOf(letters)];
};
const isOn = (value: string | undefined) => value === '1' || value === 'true';
const PLAIN: NumberFormat = { is: 'plain' };
/** Excel's own maximum. */
const MOST_COLUMNS = 16_384;
const EMPTY: Shown = { text: '' };

type Styles = { strings: readonly string[]; formats: readonly NumberFormat[]; from1904: boolean };

function cellShown({ t: type, s: style }: Record<string, string>, value: string, { strings, formats, from1904 }: Styles): Shown {
  if (type === 's') return { text: strings[Number(value)] ?? '' };
  if (type === 'b') return { text: value === '1' ? 'Sí' : 'No' };
  if (type === 'd') return { text: value.replace(/^(\d+)-(\d+)-(\d+).*$/, (_, y, m, d) => `${+d}/${+m}/${y}`), mark: 'date' };
  if (type !== undefined && type !== 'n') return { text: unescaped(value) };
  const number = Number(value);
  return value.trim() === '' || Number.isNaN(number) ? { text: value } : showCell(number, formats[Number(style ?? 0)] ?? PLAIN, from1904);
}

function readTab(xml: string, styles: Styles): Omit<Tab, 'name' | 'hidden'> {
  const cells: Shown[][] = [];
  const [hiddenRows, hiddenColumns] = [new Set<number>(), new Set<number>()];
  let [row, column, value] = [-1, -1, ''];
  const close = ({ name, of, text }: Element) => {
    if (name === 'v' || name === 't') value += text;
    if (name === 'c') (cells[row] ??= [])[column] = cellShown(of, value, styles);
    if (name === 'mergeCell') merge(cells, of.ref ?? '');
  };
  readXml(xml, close, ({ name, of }) => {
    if (name === 'row') {
      row = of.r ? Number(of.r) - 1 : row + 1;
      column = -1;
      if (isOn(of.hidden) || of.ht === '0') hiddenRows.add(row);
    }
    if (name === 'c') {
      column = of.r ? placeOf(of.r)[1] : column + 1;
      value = '';
    }
    if (name === 'col' && (isOn(of.hidden) || of.width === '0'))
      for (let at = Number(of.min); at <= Math.min(Number(of.max), MOST_COLUMNS); at += 1) hiddenColumns.add(at - 1);
  });
  return { cells: Array.from(cells, (line) => Array.from(line ?? [], (cell) => cell ?? EMPTY)), hiddenRows, hiddenColumns };
}

/** Writes the text of merged cells into each of them, as their person reads it; a title over the whole sheet stays one cell. */
function merge(cells: Shown[][], ref: string): void {
  const [from = '', to = from] = ref.split(':');
  const [[top, left], [bottom, right]] = [placeOf(from), placeOf(to)];
  const shown = cells[top]?.[left];
  if (!shown?.text || (bottom === top && right - left > 2)) return;
  for (let row = top; row <= Math.min(bottom, cells.length - 1); row += 1)
    for (let column = left; column <= Math.min(right, left + 9); column += 1) (cells[row] ??= [])[column] = shown;
}

/** Returns the tabs of a workbook with content. Throws `TooLarge`, or another error for a file that is not a workbook. */
export function readBook(bytes: Uint8Array): Tab[] {
  const part = unpack(bytes);
  const paths = new Map<string, string>();
  readXml(part('xl/_rels/workbook.xml.rels'), ({ of: { Id = '', Type = '', Target = '' } }) => {
    // A tab that is a chart has no cells.
    if (Type.endsWith('/worksheet')) paths.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
  });
  const named: { name: string; hidden: boolean; path: string }[] = [];
  let from1904 = false;
  readXml(part('xl/workbook.xml'), ({ name, of }) => {
    if (name === 'workbookPr') from1904 = isOn(of.date1904);
    const path = name === 'sheet' && paths.get(of.id ?? '');
    if (path) named.push({ name: of.name ?? '', hidden: /hidden/i.test(of.state ?? ''), path });
  });
  if (named.length === 0) throw new Error('no workbook');
  const styles = { strings: sharedStrings(part('xl/sharedStrings.xml')), formats: formatsOf(part('xl/styles.xml')), from1904 };
  return named
    .map(({ name, hidden, path }) => ({ name, hidden, ...readTab(part(path), styles) }))
    .filter(({ cells }) => cells.some((row) => row.some(({ text }) => text !== '')));
}
