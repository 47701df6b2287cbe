import type { Actor } from '../../contract/policy/policy.ts';
import { normalizeText } from '../../contract/text/normalize.ts';

/* Preparation of text for PDF documents, and the queue that draws them. */

/** Characters of Windows-1252, which the built-in fonts of PDF cover. */
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
// Excludes «©» and «®», which the fonts have.
const isPicture = (sign: string) => !/[\u00a9\u00ae]/.test(sign);

/** Removes format characters and emoji, which no font of ours draws. */
const readable = (text: string): string =>
  normalizeText(text)
    .replace(PICTURES, (sign) => (isPicture(sign) ? '' : sign))
    .replace(/ {2,}/g, ' ');

const isOtherAlphabet = (sign: string) => /\p{L}/u.test(sign) && !/\p{Script=Latin}/u.test(sign);
const plain = (sign: string) => PLAIN[sign] ?? (isOtherAlphabet(sign) ? sign : sign.normalize('NFKD').replace(/\p{M}/gu, ''));

/** Replaces Latin letters that the built-in fonts lack: «Mădălina» becomes «Madalina», «Юрий» stays. */
export const toLatin = (text: string): string => readable(text).replace(UNDRAWABLE, plain);

/** Like `toLatin`, but replaces other alphabets by «?», so that the built-in fonts can draw the result (decision 066). */
export const drawableText = (text: string): string => toLatin(text).replace(UNDRAWABLE, '?');

/** Splits a text into runs that the built-in fonts can draw and runs that need another font. */
export const splitRuns = (text: string): { text: string; builtIn: boolean }[] =>
  text
    .split(new RegExp(`([^${LATIN}]+(?: +[^${LATIN}]+)*)`, 'u'))
    .flatMap((part, i) => (part === '' ? [] : [{ text: part, builtIn: i % 2 === 0 }]));

/** Drawings that wait, by person. A map keeps the order in which people came. */
const waiting = new Map<string, (() => Promise<void>)[]>();
let drawing = false;

/** Runs one drawing at a time, because each occupies a thread. Alternates between people, so that one person's queue does not block others. */
export function inTurn<T>({ id }: Pick<Actor, 'id'>, work: () => Promise<T>): Promise<T> {
  const person = id ?? '';
  return new Promise((resolve, reject) => {
    const own = waiting.get(person) ?? [];
    own.push(() => work().then(resolve, reject));
    waiting.set(person, own);
    if (!drawing) void drawAll();
  });
}

async function drawAll(): Promise<void> {
  drawing = true;
  for (let [next] = waiting; next; [next] = waiting) {
    const [person, [work, ...more]] = next;
    waiting.delete(person);
    // To the end of the queue of people.
    if (more.length > 0) waiting.set(person, more);
    await work?.();
  }
  drawing = false;
}
