import { unzipSync, zipSync } from 'fflate';
import readXlsx from 'read-excel-file/universal';
import { findTitles } from './columns.ts';
import { TooLarge } from './sheet.ts';

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

/**
 * Returns the cells of the sheet with the most known headings, else of the first sheet with content. Throws `TooLarge`, or another error
 * for a file that is not a workbook.
 */
export async function readSheetOf(bytes: Uint8Array): Promise<string[][]> {
  // Repacks the workbook without compression. The library would unpack large files in a `blob:` worker, which the content security policy
  // blocks.
  const unpacked = zipSync(unpack(bytes), { level: 0 });
  const sheets = await readXlsx(new Blob([unpacked.slice()]), { parseNumber: digits });
  const read = sheets.map(({ data }) => data.map((row) => row.map(textOf)));
  const worth = (cells: string[][]) => (cells.length ? 1 + findTitles(cells).known : 0);
  return read.reduce((best, each) => (worth(each) > worth(best) ? each : best), []);
}
