import { normalizeText } from '../../contract/text/normalize.ts';

/* What the drawn documents share. */

/** Signs of Windows-1252, which the built-in fonts of a PDF cover. */
const LATIN = '\\u0020-\\u007e\\u00a0-\\u00ffŒœŠšŸŽž€–—‘’“”„†‡…•‰‹›™\\n';
const UNDRAWABLE = new RegExp(`[^${LATIN}]`, 'gu');
const PLAIN: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ħ: 'h',
  Ħ: 'H',
  '‐': '-',
  '‑': '-',
  '−': '-',
  ʼ: '’',
  '№': 'Nº',
};
const PICTURES = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{1f1e6}-\u{1f1ff}\ufe00-\ufe0f\u20e3]/gu;
// Not of «©» and «®», which the fonts have.
const isPicture = (sign: string) => !/[\u00a9\u00ae]/.test(sign);

/** Text without what no font of ours draws: format characters and pictures. */
const readable = (text: string): string =>
  normalizeText(text)
    .replace(PICTURES, (sign) => (isPicture(sign) ? '' : sign))
    .replace(/ {2,}/g, ' ');

const plain = (sign: string) => PLAIN[sign] ?? sign.normalize('NFKD').replace(/\p{M}/gu, '');

/** Text in the signs of the built-in fonts: other Latin letters lose their accent, «Mădălina» becomes «Madalina». Keeps other alphabets. */
export const latin = (text: string): string => readable(text).replace(UNDRAWABLE, plain);

/** Text that the built-in fonts can draw, with «?» for other alphabets (decision 066). */
export const drawable = (text: string): string => latin(text).replace(UNDRAWABLE, '?');

/** Parts of a text: those that the built-in fonts draw, and the others. */
export const runsOf = (text: string): { text: string; builtIn: boolean }[] =>
  text
    .split(new RegExp(`([^${LATIN}]+(?: +[^${LATIN}]+)*)`, 'u'))
    .flatMap((part, i) => (part === '' ? [] : [{ text: part, builtIn: i % 2 === 0 }]));

let last: Promise<unknown> = Promise.resolve();
/** Runs one drawing at a time, since each takes a thread. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work);
  last = turn.catch(() => {});
  return turn;
}
