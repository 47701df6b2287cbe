import Papa from 'papaparse';
import { cleanText } from '../../contract/text/normalize.ts';

/* Reads a text file, or pasted text, into cells. */

/** Characters 128 to 255 of the DOS code page 850, which old accounting programs use. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´­±‗¾¶§÷¸°¨·¹³²■ ';
const dos = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : (CP850[byte - 128] ?? ''))).join('');
const SPANISH = /[áéíóúüñçàèòïÁÉÍÓÚÜÑÇÀÈÒÏºª¿¡·€«»]/g;
const STRANGE =
  /[\u0080-\u009f¤£¥¢§¨¬±µ¶÷×‡†‰ˆ˜ŸƒØøÐðÞþ░▒▓│┤╣║╗╝┐└┴┬├─┼╚╔╩╦╠═╬┘┌█▄¦▀■‗¯¸³²¹¾½¼]|(?<=\p{L})[–—…‘’“”„‚'"Œœº](?=\p{Ll})|(?<=\p{Ll})[ÓÊÎÒÑÄËÏÖÜ](?=\p{Ll})/gu;
const plausible = (text: string) => (text.match(SPANISH)?.length ?? 0) - 3 * (text.match(STRANGE)?.length ?? 0);

/** Decodes UTF-16, else UTF-8, else the encoding of Windows, Mac or DOS whose result looks most like Spanish. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Recognises UTF-16 without a byte order mark by its zeros: every other byte of Western text.
  const head = bytes.subarray(0, 400);
  const zeros = (from: number) => head.filter((byte, i) => i % 2 === from && byte === 0).length;
  if (zeros(1) > head.length / 4) return new TextDecoder('utf-16le').decode(bytes);
  if (zeros(0) > head.length / 4) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const sample = bytes.subarray(0, 200_000);
    const [windows, mac] = ['windows-1252', 'macintosh'].map((name) => new TextDecoder(name));
    const readings = [(some: Uint8Array) => windows?.decode(some) ?? '', (some: Uint8Array) => mac?.decode(some) ?? '', dos];
    const [best = dos] = readings
      .map((read) => ({ read, worth: plausible(read(sample)) }))
      .sort((a, b) => b.worth - a.worth)
      .map(({ read }) => read);
    return best(bytes);
  }
}

const DELIMITERS = ['\t', ';', '|', ','];

/** Cells of a text separated by tabs, semicolons, bars or commas. `known` counts the known headings of a row. */
export function splitCells(text: string, known: (row: readonly string[]) => number): string[][] {
  // Excel may name the delimiter in a first line. An empty last line misleads the library.
  const body = text
    .replace(/^\uFEFF/, '')
    .replace(/^sep=.\r?\n/i, '')
    .trimEnd();
  const cells = (delimiter: string, preview = 0) => Papa.parse<string[]>(body, { delimiter, delimitersToGuess: DELIMITERS, preview }).data;
  // Addresses are full of commas, which mislead the library; the delimiter that yields known headings is more reliable.
  const counts = DELIMITERS.map((delimiter) => Math.max(0, ...cells(delimiter, 8).map(known)));
  const most = Math.max(...counts);
  return cells(most > 1 ? (DELIMITERS[counts.indexOf(most)] ?? '') : /^[^\n]*\t/.test(body) ? '\t' : '');
}

/** Text of a cell without the marks with which programs store numbers as text: `'28013`, `="28013"`. */
export const cellText = (cell: string) =>
  cleanText(cell)
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'(?=[+\d])/, '');
