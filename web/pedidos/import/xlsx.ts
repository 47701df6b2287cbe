import { unzipSync, zipSync } from 'fflate';
import readXlsx from 'read-excel-file/universal';
import { findTitles } from './columns.ts';

/** A cell as text: numbers as they are, days as they are written in Spain. */
function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toLocaleDateString('es-ES', { timeZone: 'UTC' });
  if (typeof cell === 'boolean') return cell ? 'Sí' : 'No';
  return String(cell);
}

// Excel writes large numbers, as telephones are, in scientific notation.
const digits = (written: string) => (/e/i.test(written) ? Number(written).toLocaleString('en', { useGrouping: false }) : written);

/** The cells of the sheet with most known headings; of sheets alike, of the first that has anything. */
export async function readSheetOf(bytes: Uint8Array): Promise<string[][]> {
  // Packed large files the library unpacks in a worker made of text, which the content policy refuses: it gets them unpacked.
  const unpacked = zipSync(unzipSync(bytes, { filter: ({ name }) => /\.(xml|rels)$/i.test(name) }), { level: 0 });
  const sheets = await readXlsx(new Blob([unpacked.slice()]), { parseNumber: digits });
  const read = sheets.map(({ data }) => data.map((row) => row.map(textOf)));
  const worth = (cells: string[][]) => (cells.length ? 1 + findTitles(cells).known : 0);
  return read.reduce((best, each) => (worth(each) > worth(best) ? each : best), []);
}
