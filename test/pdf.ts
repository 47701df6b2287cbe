import { inflateSync } from 'node:zlib';
import { refuseWrongText } from './wrong-texts.ts';

/** Returns the uncompressed content of each page of a PDF made by pdfkit, in file order. */
function pdfStreams(bytes: Uint8Array): string[] {
  const raw = Buffer.from(bytes).toString('latin1');
  return [...raw.matchAll(/stream\n([\s\S]*?)\nendstream/g)]
    .map(([, body = '']) => {
      try {
        return inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
      } catch {
        return '';
      }
    })
    .filter((stream) => stream.includes(' Tf'));
}

/** Returns the text of each page, sorted by printed page number, if any. pdfkit writes text as hexadecimal Windows-1252. */
export function pdfPages(bytes: Uint8Array): string[] {
  const decode = new TextDecoder('windows-1252');
  const pages = pdfStreams(bytes).map((stream) =>
    [...stream.matchAll(/\[(.*?)\] TJ/gs)]
      .map(([, parts = '']) => [...parts.matchAll(/<([\da-f]+)>/g)].map(([, hex = '']) => decode.decode(Buffer.from(hex, 'hex'))).join(''))
      .join('\n'),
  );
  for (const page of pages) refuseWrongText(page, 'A page');
  const numberOf = (page: string) => Number(page.match(/Página (\d+) de/)?.[1]);
  return pages.toSorted((a, b) => numberOf(a) - numberOf(b)).map((page) => page.replaceAll('\u00a0', ' '));
}

export type Rect = { x: number; y: number; width: number; height: number };
/** Returns the filled rectangles of the first page, one list per fill: the QR code of a label, then its bar code. */
export function pdfRects(bytes: Uint8Array): Rect[][] {
  const [first = ''] = pdfStreams(bytes);
  const fillings = first.split(/^f$/m).map((part) =>
    [...part.matchAll(/^([\d.-]+) ([\d.-]+) ([\d.-]+) ([\d.-]+) re$/gm)].map(([, ...numbers]) => {
      const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
      return { x, y, width, height };
    }),
  );
  return fillings.filter((rects) => rects.length > 0);
}

/** Returns the texts of a PDF in drawing order. Embedded fonts are decoded by their ToUnicode tables. */
export function pdfTexts(bytes: Uint8Array): string[] {
  const raw = Buffer.from(bytes).toString('latin1');
  const objects = new Map([...raw.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = '', body = '']) => [id, body]));
  const streamOf = (id: string) => {
    const body = /stream\n([\s\S]*)\nendstream/.exec(objects.get(id) ?? '')?.[1] ?? '';
    return inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
  };
  // Fonts are named in the resources of pages: «/F3 12 0 R».
  const tables = new Map<string, string[]>();
  for (const [, name = '', id = ''] of raw.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1];
    if (!table || tables.has(name)) continue;
    const signs = [...streamOf(table).matchAll(/<([\da-f ]+)>/gi)].map(([, hex = '']) => hex);
    const ranges = [...streamOf(table).matchAll(/\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/<([\da-f ]+)>/gi)].map(([, hex = '']) => hex),
    );
    tables.set(
      name,
      (ranges.length > 0 ? ranges : signs).map((hex) => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')),
    );
  }
  const decode = new TextDecoder('windows-1252');
  const texts = pdfStreams(bytes).flatMap((stream) => {
    let table: string[] | undefined;
    return [...stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/gs)].flatMap(([, font, parts]) => {
      if (font) table = tables.get(font);
      if (parts === undefined) return [];
      const hex = [...parts.matchAll(/<([\da-f]+)>/g)].map(([, each = '']) => each).join('');
      const codes = Buffer.from(hex, 'hex');
      if (!table) return [decode.decode(codes)];
      return [Array.from({ length: codes.length / 2 }, (_, i) => table?.[codes.readUInt16BE(i * 2)] ?? '').join('')];
    });
  });
  for (const text of texts) refuseWrongText(text, 'A label');
  return texts;
}
