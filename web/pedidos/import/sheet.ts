import Papa from 'papaparse';
import { findTitles } from './columns.ts';

/* Reads pasted text or a file into rows of cells. */

/** A row of a sheet, with its number. */
export type Line = { n: number; cells: string[] };
/** Headings (null if none) and the rows below them. */
export type Sheet = { titles: string[] | null; lines: Line[] };

/** A file that would take too much memory. */
export class TooLarge extends Error {}

/** The text of a file: what a byte order mark says, else UTF-8, else what Excel saves in Spain. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const DELIMITERS = ['\t', ';', '|', ','];

/** Cells of a text separated by tabs, semicolons, bars or commas. */
export function cellsOf(text: string): string[][] {
  // Excel may name the delimiter in a first line.
  const body = text.replace(/^sep=.\r?\n/i, '');
  const cells = (delimiter: string, preview = 0) => Papa.parse<string[]>(body, { delimiter, delimitersToGuess: DELIMITERS, preview }).data;
  // Addresses are full of commas, which mislead the library; the delimiter that yields known headings is more reliable.
  const known = DELIMITERS.map((delimiter) => findTitles(cells(delimiter, 8)).known);
  const most = Math.max(...known);
  return cells(most > 1 ? (DELIMITERS[known.indexOf(most)] ?? '') : /^[^\n]*\t/.test(body) ? '\t' : '');
}

/** Text of a cell, without what programs put around numbers to keep them text: `'28013`, `="28013"`. */
const cellText = (cell: string) =>
  cell
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'(?=[+\d])/, '');

/** Headings and rows, without empty rows, all padded to the same width. */
export function sheetOf(cells: readonly (readonly string[])[], isKnown: (titles: readonly string[]) => boolean = () => false): Sheet {
  const lines = cells.map((row, i) => ({ n: i + 1, cells: row.map(cellText) })).filter((line) => line.cells.some((cell) => cell !== ''));
  const width = Math.max(0, ...lines.map((line) => line.cells.findLastIndex((cell) => cell !== '') + 1));
  const even = lines.map(({ n, cells }) => ({ n, cells: Array.from({ length: width }, (_, i) => cells[i] ?? '') }));
  const [first] = even;
  const at = first && isKnown(first.cells) ? 0 : findTitles(even.map((line) => line.cells)).at;
  return { titles: even[at]?.cells ?? null, lines: even.slice(at + 1) };
}
