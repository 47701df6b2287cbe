import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import bidiFactory from 'bidi-js';
import jsBarcode from 'jsbarcode';
import PDFDocument from 'pdfkit';
import QRCode from 'qrcode';
import { shortNote } from '../../contract/envios/plantilla.ts';
import type { FormatoEtiqueta } from '../../contract/etiquetas/fields.ts';
import { normalizeText } from '../../contract/text/normalize.ts';
import { splitRuns, toLatin } from '../kit/paper.ts';
import { inLatin } from './in-latin.ts';

/* Draws labels off the main thread, one per page or four on an A4. */

export type Label = {
  numero: string;
  /** Web shop, where there are two or more. */
  tienda?: string | null;
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
const [WIDTH, HEIGHT] = [100 * MM, 150 * MM];
const A4 = { width: 210 * MM, height: 297 * MM };
const MARGIN = 5 * MM;
const INNER = WIDTH - 2 * MARGIN;
const QR_SIZE = 30 * MM;
/** Clear space around a QR code, in modules. */
const QUIET = 4;
/** Dot of a thermal printer, in points. Bars are whole dots wide, because a scanner cannot read bars of uneven width. */
const DOT = 72 / 203;
/** Most and fewest dots of the narrowest bar. Longer numbers get narrower bars. */
const BAR_DOTS = [3, 2] as const;
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

// DejaVu Sans, which lacks Chinese, Japanese and Korean. This relative path also works from the release's bundle.
const FONT = join(import.meta.dirname, '../etiquetas/DejaVuSans.ttf');
type Glyphs = { hasGlyphForCodePoint: (code: number) => boolean };
let embedded: Glyphs | undefined;
/** Returns the font for other alphabets. Embeds the font on first use, so that other files stay small. */
function glyphs(): Glyphs {
  if (!embedded) {
    doc.registerFont('otros', FONT);
    // The types of pdfkit lack `_font`, the current font.
    embedded = (doc.font('otros') as unknown as { _font: { font: Glyphs } })._font.font;
  }
  return embedded;
}

const isDrawn = (sign: string) => glyphs().hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
/** Returns text that the fonts can draw: transliterated, or else the count of the word's characters, so that readers notice. */
const printable = (words: string): string =>
  splitRuns(toLatin(inLatin(normalizeText(words), isDrawn)))
    .map(({ text, builtIn }) =>
      builtIn
        ? text
        : text.replace(/\S+/gu, (word) => {
            const lacking = [...word].filter((sign) => !isDrawn(sign)).length;
            return lacking > 0 ? `[${lacking} ${lacking === 1 ? 'signo' : 'signos'}]` : word;
          }),
    )
    .join('');

type Face = { size: number; bold?: boolean };
const face = ({ size, bold = false }: Face, builtIn: boolean) => {
  if (!builtIn) glyphs();
  return doc.font(builtIn ? (bold ? 'Helvetica-Bold' : 'Helvetica') : 'otros').fontSize(size);
};

const bidi = bidiFactory();
/** Figures that Arabic and Hebrew would order from right to left: «600 11 22 33». Isolates (U+2066, U+2069) keep them in order. */
const FIGURES = /\+?\d[\d ./-]*\d/g;
/** Splits a line into runs from left to right: Unicode's bidirectional algorithm orders runs, and the font letters within a run. */
function orderedRuns(words: string): ReturnType<typeof splitRuns> {
  const line = words.replace(FIGURES, '\u2066$&\u2069');
  const embedding = bidi.getEmbeddingLevels(line);
  const { levels } = embedding;
  if (levels.every((level) => level % 2 === 0)) return splitRuns(words);
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const runs: number[][] = [];
  for (const at of bidi.getReorderedIndices(line, embedding)) {
    const last = runs.at(-1)?.at(-1);
    if (last !== undefined && levels[last] === levels[at] && Math.abs(last - at) === 1) runs.at(-1)?.push(at);
    else runs.push([at]);
  }
  return runs.flatMap((run) => {
    const isReversed = (levels[run[0] ?? 0] ?? 0) % 2 === 1;
    const letters = run.toSorted((a, b) => a - b).map((at) => (isReversed && mirrored.get(at)) || line[at]);
    const text = letters.join('').replace(/[\u2066\u2069]/g, '');
    return isReversed ? [{ text, builtIn: false }] : splitRuns(text);
  });
}
const widthOf = (text: string, style: Face) =>
  orderedRuns(text).reduce((sum, run) => sum + face(style, run.builtIn).widthOfString(run.text), 0);

/** Breaks a text into lines at spaces. Splits words wider than a line. */
function linesOf(words: string, style: Face, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of printable(words).split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ').filter(Boolean)) {
      if (line && widthOf(`${line} ${word}`, style) <= width) {
        line = `${line} ${word}`;
        continue;
      }
      if (line) lines.push(line);
      line = '';
      for (const sign of word) {
        if (line && widthOf(line + sign, style) > width) {
          lines.push(line);
          line = '';
        }
        line += sign;
      }
    }
    if (line) lines.push(line);
  }
  return lines;
}

type Block = Face & { lines: readonly string[]; x?: number };
const LINE = 1.16;
/** Height of Helvetica's capitals above the baseline that all fonts of a line share. */
const ASCENT = 0.718;
const heightOf = ({ lines, size }: Block) => lines.length * size * LINE;
/** Writes the lines of a block at `y`; returns the `y` of their end, in points. */
function put(block: Block, y: number): number {
  for (const [i, line] of block.lines.entries()) {
    let x = MARGIN + (block.x ?? 0);
    for (const run of orderedRuns(line)) {
      // Without `features` pdfkit would lay out each word alone, from left to right.
      face(block, run.builtIn).text(run.text, x, y + (i * LINE + ASCENT) * block.size, {
        baseline: 'alphabetic',
        lineBreak: false,
        ...(!run.builtIn && { features: [] }),
      });
      x += doc.widthOfString(run.text);
    }
  }
  return y + heightOf(block);
}
/** Sets the text in the largest size that needs at most `most` lines, else in the smallest size. */
function block(
  words: string,
  { sizes, bold = false, most = 1, width = INNER }: { sizes: readonly number[]; bold?: boolean; most?: number; width?: number },
): Block {
  const at = (size: number) => ({ size, bold, lines: linesOf(words, { size, bold }, width) });
  const fits = sizes.map(at);
  return fits.find(({ lines }) => lines.length <= most) ?? (fits.at(-1) as Block);
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

/** Draws a Code 128 barcode. Returns false if the text has characters outside printable ASCII or is too long for a thermal printer. */
function code128(text: string, x: number, y: number, width: number): boolean {
  if (!/^[ -~]+$/.test(text)) return false;
  const drawn: { encodings?: { data: string }[] } = {};
  jsBarcode(drawn, text, { format: 'CODE128' });
  const modules = drawn.encodings?.map(({ data }) => data).join('') ?? '';
  const dots = Math.min(BAR_DOTS[0], Math.floor(width / modules.length / DOT));
  if (dots < BAR_DOTS[1]) return false;
  for (const { 0: bar, index } of modules.matchAll(/1+/g)) doc.rect(x + index * dots * DOT, y, bar.length * dots * DOT, BARCODE_HEIGHT);
  doc.fill();
  return true;
}

/** Scales of the mandatory texts, from the usual size down to the size at which the longest values fit. */
const SCALES = [1, 0.85, 0.72, 0.6, 0.5, 0.42];

/** Returns the blocks that are never truncated: recipient, address, telephone and amount to collect. */
function placeOf(
  { nombre, direccion, poblacion, provincia, telefono, cobrar }: Label,
  scale: number,
): { gap: number; block: Block; rule?: true }[] {
  const sizes = (...these: number[]) => these.map((size) => size * scale);
  return [
    { gap: 8, block: block(nombre, { sizes: sizes(18, 15, 12), bold: true, most: 2 }) },
    { gap: 3, block: block(direccion, { sizes: sizes(14, 12), most: 3 }) },
    { gap: 5, block: block(poblacion, { sizes: sizes(24, 20, 16, 12), bold: true, most: 1 }) },
    { gap: 0, block: block(provincia, { sizes: sizes(11) }) },
    ...(telefono ? [{ gap: 6, block: block(`Tel. para el transportista: ${telefono}`, { sizes: sizes(12, 10, 8) }) }] : []),
    ...(cobrar > 0 ? [{ gap: 12, rule: true as const, block: block(`COBRAR ${euros.format(cobrar)}`, { sizes: [20], bold: true }) }] : []),
  ];
}

/** Fits the notes into `room` points of height. If the smallest size does not fit, leaves out clauses without figures: a gate's code stays. */
function notesOf(words: string, room: number): Block | undefined {
  if (!words) return undefined;
  const all = [10, 9, 8, 7, 6, 5].map((size): Block => ({ size, lines: linesOf(words, { size }, INNER) }));
  const smallest = all.find((each) => heightOf(each) <= room) ?? (all.at(-1) as Block);
  if (heightOf(smallest) <= room) return smallest;
  const most = Math.max(1, Math.floor(room / (smallest.size * LINE)));
  for (let max = words.length; max > 0; max = Math.floor(max * 0.95)) {
    const lines = linesOf(shortNote(words, max), smallest, INNER);
    if (lines.length > 0 && lines.length <= most) return { ...smallest, lines };
  }
  return { ...smallest, lines: [...smallest.lines.slice(0, most - 1), '…'] };
}

function draw(label: Label): void {
  const { numero, tienda, instrucciones, lineas, cobrar } = label;
  doc.fillColor('black').strokeColor('black');
  const foot = HEIGHT - MARGIN - QR_SIZE;
  let y = put(block([empresa || 'Enruta', tienda].filter(Boolean).join(' · '), { sizes: [11, 9, 7], bold: true }), MARGIN) + 3;
  y = put(block(numero, { sizes: [26, 22, 18, 14, 10, 7], bold: true }), y) + 3;
  rule(y);
  const tall = (parts: ReturnType<typeof placeOf>) => parts.reduce((sum, { gap, block: each }) => sum + gap + heightOf(each), 0);
  // Reserves room for a line of notes and a line of packs.
  const room = foot - y - 12 - (instrucciones ? 40 : 0) - 16;
  const scales = SCALES.map((scale) => placeOf(label, scale));
  for (const { gap, block: each, rule: ruled } of scales.find((parts) => tall(parts) <= room) ??
    (scales.at(-1) as (typeof scales)[number])) {
    if (ruled) rule(y + 6);
    y = put(each, y + gap);
  }
  if (cobrar === 0) rule(y + 6);
  y += cobrar > 0 ? 4 : 12;
  const PACK = 9 * LINE;
  const packs = Math.min(lineas.length, MAX_LINES + 1);
  const notes = notesOf(instrucciones, Math.max(foot - y - 5 - packs * PACK, 5 * LINE));
  if (notes) y = put(notes, y) + 5;
  const fit = Math.max(1, Math.min(MAX_LINES + 1, Math.floor((foot - y) / PACK)));
  const shown = lineas.length > fit ? [...lineas.slice(0, fit - 1), `y ${lineas.length - fit + 1} más`] : lineas;
  for (const line of shown) {
    const [first = '', ...others] = linesOf(line, { size: 9 }, INNER - 6);
    y = put({ size: 9, lines: [others.length > 0 ? `${first}…` : first] }, y);
  }
  qr(numero, MARGIN, foot);
  const beside = { x: QR_SIZE + 3 * MM, width: INNER - QR_SIZE - 3 * MM };
  const below = code128(numero, MARGIN + beside.x, foot + 4 * MM, beside.width) ? BARCODE_HEIGHT + 3 : 0;
  put({ ...block(numero, { sizes: [11, 9, 7, 5], bold: true, width: beside.width }), x: beside.x }, foot + 4 * MM + below);
}

// Prevents viewers from scaling the label, whose page is exactly the size of the paper. The types of pdfkit lack `_root`.
const { _root } = doc as unknown as { _root: { data: Record<string, unknown> } };
_root.data.ViewerPreferences = doc.ref({ PrintScaling: 'None' });
if (formato === 'rollo') {
  for (const label of labels) {
    doc.addPage({ size: [WIDTH, HEIGHT], margin: 0 });
    draw(label);
  }
} else {
  const [columns, rows] = [2, 2];
  const [width, height] = [A4.width / columns, A4.height / rows];
  // Shrinks the labels: four of 100 × 150 mm are higher than an A4, and printers need a margin.
  const scale = 0.95 * Math.min(width / WIDTH, height / HEIGHT);
  for (const [i, label] of labels.entries()) {
    const place = i % (columns * rows);
    if (place === 0) doc.addPage({ size: 'A4', margin: 0 });
    doc.save();
    doc.translate(
      (place % columns) * width + (width - WIDTH * scale) / 2,
      Math.floor(place / columns) * height + (height - HEIGHT * scale) / 2,
    );
    doc.scale(scale);
    draw(label);
    doc.restore();
  }
}
doc.end();
