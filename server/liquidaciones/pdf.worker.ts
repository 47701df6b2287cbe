import { parentPort, workerData } from 'node:worker_threads';
import PDFDocument from 'pdfkit';
import { wholeNumber } from '../../contract/text/plural.ts';
import { drawableText } from '../kit/paper.ts';

/* Draws a statement off the main thread: rows arrive in batches, the bytes go back at the end. */

export type PdfSheet = {
  empresa: string;
  /** NIF and address of the business, or empty. */
  datos: string;
  numero: string;
  persona: string;
  papel: string;
  mes: string;
  cerrada: string;
  pagada: { el: string; referencia: string } | null;
  lineas: number;
  total: number;
  detalle: string;
};
type Row = { dia: string; concepto: string; pedido: string; detalle: string; importe: number };
export type ToPdf = { rows: Row[] } | { end: true };
export type FromPdf = { taken: number } | { file: Uint8Array };

const port = parentPort;
if (!port) throw new Error('runs only as a worker');
const sheet = workerData as PdfSheet;

const MARGIN = 48;
const FOOT = 64;
const LINE = 16;
const INK = '#1f2328';
const FAINT = '#656d76';
const RULE = '#d0d7de';
const COLUMNS = [
  { title: 'Fecha', x: 0, width: 62 },
  { title: 'Concepto', x: 62, width: 82 },
  { title: 'Pedido', x: 144, width: 92 },
  { title: sheet.detalle, x: 236, width: 183 },
  { title: 'Importe', x: 425, width: 80 },
];
const WIDTH = 499;

const euros = new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR', useGrouping: 'always' });
const fecha = (day: string) => day.split('-').reverse().join('/');

const doc = new PDFDocument({
  size: 'A4',
  margin: MARGIN,
  bufferPages: true,
  lang: 'es-ES',
  info: { Title: `Liquidación ${sheet.numero}`, Author: sheet.empresa },
});
const chunks: Uint8Array[] = [];
doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
doc.on('end', () => {
  const bytes = new Uint8Array(Buffer.concat(chunks));
  port.postMessage({ file: bytes } satisfies FromPdf, [bytes.buffer]);
});

let y = MARGIN;
type Style = { size?: number; bold?: boolean; color?: string; align?: 'left' | 'right'; height?: number };
function put(words: string, x: number, at: number, width: number, { size = 9, bold, color = INK, align = 'left', height }: Style = {}) {
  doc
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .fillColor(color)
    .text(drawableText(words), MARGIN + x, at, { width, align, ...(height ? { height, ellipsis: true } : { lineBreak: true }) });
}
const rule = (at: number) =>
  doc
    .strokeColor(RULE)
    .lineWidth(0.5)
    .moveTo(MARGIN, at)
    .lineTo(MARGIN + WIDTH, at)
    .stroke();

function head(): void {
  put(sheet.empresa, 0, y, 260, { size: 14, bold: true, height: sheet.datos ? 17 : 34 });
  if (sheet.datos) put(sheet.datos, 0, y + 18, 260, { size: 8, color: FAINT, height: 20 });
  put('Liquidación', 260, y, WIDTH - 260, { size: 9, color: FAINT, align: 'right' });
  put(sheet.numero, 260, y + 12, WIDTH - 260, { size: 14, bold: true, align: 'right' });
  y += 44;
  rule(y);
  y += 12;
  const facts = [
    [sheet.papel, sheet.persona],
    ['Mes', sheet.mes],
    ['Cerrada el', fecha(sheet.cerrada)],
    ...(sheet.pagada ? [['Pagada el', `${fecha(sheet.pagada.el)} (${sheet.pagada.referencia})`]] : []),
    ['Líneas', wholeNumber(sheet.lineas)],
  ];
  for (const [label = '', value = ''] of facts) {
    put(label, 0, y, 80, { color: FAINT });
    put(value, 84, y, WIDTH - 84 - 130, { height: 12 });
    y += LINE;
  }
  const top = y - facts.length * LINE;
  put('Total', WIDTH - 130, top, 130, { color: FAINT, align: 'right' });
  put(euros.format(sheet.total), WIDTH - 160, top + 12, 160, { size: 18, bold: true, align: 'right' });
  y += 12;
}

function titles(): void {
  for (const [i, { title, x, width }] of COLUMNS.entries())
    put(title, x, y, width - 6, { bold: true, color: FAINT, align: i === COLUMNS.length - 1 ? 'right' : 'left' });
  y += 14;
  rule(y);
  y += 5;
}

function row({ dia, concepto, pedido, detalle, importe }: Row): void {
  const [, , , words] = COLUMNS;
  doc.font('Helvetica').fontSize(9);
  const height = Math.max(11, doc.heightOfString(drawableText(detalle), { width: (words?.width ?? 0) - 6 }));
  if (y + height > doc.page.height - FOOT) {
    doc.addPage();
    y = MARGIN;
    titles();
  }
  const cells = [fecha(dia), concepto, pedido, detalle, euros.format(importe)];
  for (const [i, { x, width }] of COLUMNS.entries())
    put(cells[i] ?? '', x, y, width - 6, {
      align: i === COLUMNS.length - 1 ? 'right' : 'left',
      ...(i === 3 ? {} : { height: 11 }),
    });
  y += height + 5;
}

function end(): void {
  if (y + 24 > doc.page.height - FOOT) {
    doc.addPage();
    y = MARGIN;
  }
  rule(y);
  put('Total', 0, y + 7, 200, { size: 10, bold: true });
  put(euros.format(sheet.total), WIDTH - 200, y + 7, 200, { size: 10, bold: true, align: 'right' });
  const { start, count } = doc.bufferedPageRange();
  for (let i = start; i < start + count; i += 1) {
    doc.switchToPage(i);
    // Text below the bottom margin would start a new page.
    doc.page.margins.bottom = 0;
    const at = doc.page.height - 38;
    put(`${sheet.empresa} · ${sheet.numero}`, 0, at, 340, { size: 8, color: FAINT, height: 10 });
    put(`Página ${i + 1} de ${count}`, WIDTH - 150, at, 150, { size: 8, color: FAINT, align: 'right' });
  }
  doc.end();
}

head();
titles();
port.on('message', (message: ToPdf) => {
  if ('end' in message) return end();
  for (const entry of message.rows) row(entry);
  port.postMessage({ taken: message.rows.length } satisfies FromPdf);
});
