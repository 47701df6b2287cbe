import { parentPort, workerData } from 'node:worker_threads';
import { zipSync } from 'fflate';
import writeXlsxFile, { type Row } from 'write-excel-file/node';
import { type CsvCell, csvText } from '../kit/csv.ts';
import type { Cell, Sheet } from './columns.ts';

/* Writes the file off the main thread. Text never becomes a formula: .xlsx cells have types, and server/kit/csv.ts escapes. */

export type ToWorker = { sheet: Sheet } | { rows: Cell[][] } | { end: true };
export type FromWorker = { taken: number } | { file: Uint8Array };

const { formato } = workerData as { formato: 'xlsx' | 'csv' };
const port = parentPort;
if (!port) throw new Error('runs only as a worker');
const sheets: { sheet: Sheet; rows: Cell[][] }[] = [];

port.on('message', async (message: ToWorker) => {
  if ('sheet' in message) sheets.push({ sheet: message.sheet, rows: [] });
  else if ('rows' in message) {
    // Adds rows one by one, because spreading a hundred thousand arguments overflows the stack.
    for (const row of message.rows) sheets.at(-1)?.rows.push(row);
    port.postMessage({ taken: message.rows.length } satisfies FromWorker);
  } else {
    const file = formato === 'xlsx' ? await xlsx() : csv();
    const bytes = new Uint8Array(file);
    port.postMessage({ file: bytes } satisfies FromWorker, [bytes.buffer]);
  }
});

function xlsx(): Promise<Uint8Array> {
  const bold = (value: string) => ({ value, type: String, fontWeight: 'bold' as const });
  return writeXlsxFile(
    sheets.map(({ sheet, rows }) => ({
      sheet: sheet.name,
      stickyRowsCount: 1,
      columns: sheet.widths.map((width) => ({ width })),
      data: [sheet.header.map(bold), ...rows.map((row): Row => row.map(typed))],
    })),
  ).toBuffer();
}

function typed(cell: Cell): Row[number] {
  if (cell === null) return null;
  if (typeof cell === 'string') return { value: cell, type: String };
  if ('date' in cell) return { value: new Date(`${cell.date.slice(0, 10)}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' };
  return { value: cell.n, type: Number, format: cell.decimals === 6 ? '#,##0.000000' : cell.decimals ? '#,##0.00' : '0' };
}

// Format of a Spanish Excel: UTF-8 with BOM, semicolons, CRLF, decimal comma, dd/MM/yyyy.
function csv(): Uint8Array {
  const files = sheets.map(({ sheet, rows }) => ({
    name: `${sheet.name.toLowerCase()}.csv`,
    bytes: Buffer.from(`\ufeff${csvText([sheet.header, ...rows.map((row) => row.map(plain))])}`),
  }));
  const [only] = files;
  if (files.length === 1 && only) return only.bytes;
  return zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])));
}

function plain(cell: Cell): CsvCell {
  if (cell === null || typeof cell === 'string') return cell ?? '';
  if ('date' in cell) return cell.date.slice(0, 10).split('-').reverse().join('/');
  return cell;
}
