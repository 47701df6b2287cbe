import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/* Latin letters for the signs that no font of the labels has, from the tables of AnyAscii (decision 066). */

// A line is a run of signs: the first one's code, then the letters of each. Beside this file, also from the release's bundle.
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

/** Letters of a sign, such as «Wang» of «王»; undefined if none are known. */
function lettersOf(sign: string): string | undefined {
  const code = sign.codePointAt(0) ?? 0;
  const run = table().findLast(({ from }) => from <= code);
  return run?.letters[code - run.from]?.replaceAll('_', ' ');
}

/** The text with Latin letters for the signs that are not drawn; signs without letters stay. */
export const inLatin = (text: string, isDrawn: (sign: string) => boolean): string =>
  text.replace(/[^ -\u024f\n]/gu, (sign) => (isDrawn(sign) ? sign : (lettersOf(sign) ?? sign)));
