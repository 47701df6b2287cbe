import { parentPort, workerData } from 'node:worker_threads';
import jsBarcode from 'jsbarcode';
import PDFDocument from 'pdfkit';
import QRCode from 'qrcode';
import type { FormatoEtiqueta } from '../../contract/etiquetas/fields.ts';
import { drawable } from '../kit/paper.ts';

/* Draws labels off the main thread: one a page, or four on an A4. */

export type Label = {
  numero: string;
  nombre: string;
  direccion: string;
  poblacion: string;
  provincia: string;
  telefono: string | null;
  instrucciones: string;
  lineas: string[];
  /** Euros to collect at the door; 0 for none. */
  cobrar: number;
};
export type Sheets = { empresa: string; formato: FormatoEtiqueta; labels: Label[] };

const { empresa, formato, labels } = workerData as Sheets;

const MM = 72 / 25.4;
const WIDTH = 100 * MM;
const HEIGHT = 150 * MM;
const A4 = { width: 210 * MM, height: 297 * MM };
const MARGIN = 5 * MM;
const INNER = WIDTH - 2 * MARGIN;
const QR_SIZE = 30 * MM;
/** Clear space around a QR code, in modules. */
const QUIET = 4;
/** Widest bar in millimetres; a longer number gets narrower ones. */
const MODULE_MM = 0.33;
const BARCODE_HEIGHT = 14 * MM;
const MAX_LINES = 5;

const euros = new Intl.NumberFormat('es-ES', { style: 'currency', currency: 'EUR', useGrouping: 'always' });

const doc = new PDFDocument({ autoFirstPage: false, margin: 0, lang: 'es-ES', info: { Title: 'Etiquetas', Author: empresa || 'Enruta' } });
const chunks: Uint8Array[] = [];
doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
doc.on('end', () => {
  const bytes = new Uint8Array(Buffer.concat(chunks));
  parentPort?.postMessage(bytes, [bytes.buffer]);
});

type Style = { size: number; bold?: boolean; lines?: number; x?: number; width?: number };
/** Writes at most `lines` lines and returns where the text ends. */
function put(words: string, y: number, { size, bold = false, lines = 1, x = 0, width = INNER }: Style): number {
  const text = drawable(words);
  doc.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size);
  const line = doc.currentLineHeight();
  const height = Math.min(lines, lines === 1 ? 1 : Math.max(1, Math.round(doc.heightOfString(text, { width }) / line))) * line;
  // A hair more than its lines, or the last one would be cut off.
  doc.text(text, MARGIN + x, y, { width, height: height + 0.5, ellipsis: '…', lineGap: 0 });
  return y + height;
}
/** The largest of the sizes at which the words fit a line. */
function fitting(words: string, sizes: readonly number[], width = INNER): number {
  const text = drawable(words);
  doc.font('Helvetica-Bold');
  return sizes.find((size) => doc.fontSize(size).widthOfString(text) <= width) ?? (sizes.at(-1) as number);
}
const rule = (y: number) =>
  doc
    .lineWidth(0.7)
    .moveTo(MARGIN, y)
    .lineTo(WIDTH - MARGIN, y)
    .stroke();

function qr(text: string, x: number, y: number): void {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const unit = QR_SIZE / (modules.size + 2 * QUIET);
  for (let row = 0; row < modules.size; row += 1) {
    for (let from = 0; from < modules.size; from += 1) {
      let to = from;
      while (to < modules.size && modules.get(row, to)) to += 1;
      if (to > from) doc.rect(x + (from + QUIET) * unit, y + (row + QUIET) * unit, (to - from) * unit, unit);
      from = to;
    }
  }
  doc.fill();
}

/** Draws a Code 128; nothing for a text that has characters outside ASCII. */
function code128(text: string, x: number, y: number, width: number): void {
  if (!/^[ -~]+$/.test(text)) return;
  const drawn: { encodings?: { data: string }[] } = {};
  jsBarcode(drawn, text, { format: 'CODE128' });
  const modules = drawn.encodings?.map(({ data }) => data).join('') ?? '';
  const unit = Math.min(MODULE_MM * MM, width / modules.length);
  for (const { 0: bar, index } of modules.matchAll(/1+/g)) doc.rect(x + index * unit, y, bar.length * unit, BARCODE_HEIGHT);
  doc.fill();
}

function label({ numero, nombre, direccion, poblacion, provincia, telefono, instrucciones, lineas, cobrar }: Label): void {
  doc.fillColor('black').strokeColor('black');
  let y = put(empresa || 'Enruta', MARGIN, { size: 11, bold: true }) + 3;
  y = put(numero, y, { size: fitting(numero, [26, 22, 18, 14]), bold: true }) + 3;
  rule(y);
  y = put(nombre, y + 8, { size: fitting(nombre, [18, 15, 12]), bold: true, lines: 2 }) + 3;
  y = put(direccion, y, { size: 14, lines: 3 }) + 5;
  y = put(poblacion, y, { size: fitting(poblacion, [24, 20, 16, 12]), bold: true, lines: 2 });
  if (provincia) y = put(provincia, y, { size: 11 });
  if (telefono) y = put(`Tel. para el transportista: ${telefono}`, y + 6, { size: 12 });
  rule(y + 6);
  y += 12;
  if (cobrar > 0) y = put(`COBRAR ${euros.format(cobrar)}`, y, { size: 20, bold: true }) + 4;
  if (instrucciones) y = put(instrucciones, y, { size: 10, lines: 4 }) + 5;
  const more = lineas.length - MAX_LINES;
  const shown = more > 1 ? [...lineas.slice(0, MAX_LINES), `y ${more} más`] : lineas.slice(0, MAX_LINES + 1);
  for (const line of shown) y = put(line, y, { size: 9 });
  const foot = HEIGHT - MARGIN - QR_SIZE;
  qr(numero, MARGIN, foot);
  const beside = { x: QR_SIZE + 3 * MM, width: INNER - QR_SIZE - 3 * MM };
  code128(numero, MARGIN + beside.x, foot + 4 * MM, beside.width);
  put(numero, foot + 4 * MM + BARCODE_HEIGHT + 3, { size: 11, bold: true, ...beside });
}

if (formato === 'rollo') {
  for (const one of labels) {
    doc.addPage({ size: [WIDTH, HEIGHT], margin: 0 });
    label(one);
  }
} else {
  const [columns, rows] = [2, 2];
  const [width, height] = [A4.width / columns, A4.height / rows];
  // Four of 100 × 150 mm are a little higher than the sheet, and printers leave an edge.
  const scale = 0.95 * Math.min(width / WIDTH, height / HEIGHT);
  for (const [i, one] of labels.entries()) {
    const place = i % (columns * rows);
    if (place === 0) doc.addPage({ size: 'A4', margin: 0 });
    doc.save();
    doc.translate(
      (place % columns) * width + (width - WIDTH * scale) / 2,
      Math.floor(place / columns) * height + (height - HEIGHT * scale) / 2,
    );
    doc.scale(scale);
    label(one);
    doc.restore();
  }
}
doc.end();
