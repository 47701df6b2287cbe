import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/* Transliterates characters that no font of the labels has, with the tables of AnyAscii (decision 066). */

// Each line is a run of characters: the first code point in hexadecimal, then the letters of each character.
// The path also works from the release's bundle.
const TABLE = join(import.meta.dirname, '../etiquetas/in-latin.txt');

let runs: { from: number; letters: string[] }[] | undefined;
function table() {
  runs ??= readFileSync(TABLE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [from = '', ...letters] = line.split(' ');
      return { from: Number.parseInt(from, 16), letters };
    });
  return runs;
}

/** Returns the transliteration of a character, such as «Wang» for «王»; undefined if unknown. */
function lettersOf(sign: string): string | undefined {
  const code = sign.codePointAt(0) ?? 0;
  const run = table().findLast(({ from }) => from <= code);
  return run?.letters[code - run.from]?.replaceAll('_', ' ');
}

/** Transliterates the characters beyond Latin for which `isDrawn` is false. Leaves characters without a known transliteration. */
export const inLatin = (text: string, isDrawn: (sign: string) => boolean): string =>
  text.replace(/[^ -\u024f\n]/gu, (sign) => (isDrawn(sign) ? sign : (lettersOf(sign) ?? sign)));
