import { createHash } from 'node:crypto';
import { foldText } from '../../contract/text/normalize.ts';

/* Whether a movement of a statement has been read before: by the same file, one that overlaps it, or another format of the same days. */

type Said = { cuenta: string; fecha: string; importe_cents: number; texto: string };
export type Stored = Said & { formato: string; huella: string; orden: number };
type Known = Stored & { extracto_id: string; paired?: true };

const wordsOf = (text: string) => new Set(foldText(text).match(/[a-z0-9]{3,}/g) ?? []);
/** Fingerprint of a movement's text: letters and figures alone, since programs change spaces and signs. */
const fingerprint = (text: string) =>
  createHash('sha256')
    .update((foldText(text).match(/[a-z0-9]+/g) ?? []).join(''))
    .digest('base64url');
const groupKey = ({ cuenta, fecha, importe_cents }: Said) => `${cuenta} ${fecha} ${importe_cents}`;
/** Long numbers of a text, such as an order's: two texts that share none, though both have some, are of two payments. */
const numbersIn = (words: ReadonlySet<string>) => [...words].filter((word) => /\d{6,}/.test(word));

/** Likeness of two texts of one account, day and amount in two formats: words that both have; -1 if they cannot be the same movement. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word));
  const [ofA, ofB] = [numbersIn(a), numbersIn(b)];
  return ofA.length > 0 && ofB.length > 0 && !shared.some((word) => ofA.includes(word)) && shared.length < 2 ? -1 : shared.length;
}

/**
 * Returns the movements that are not among the known ones of their days (`news`), and the statements of those that are (`repeats`). Of one format two are the same by account, day, amount, text and place
 * among equal ones; of two formats, whose texts differ, each pairs with the most alike of its account, day and amount.
 */
export function compareWithKnown<T extends Said>(
  read: readonly T[],
  formato: string,
  stored: readonly Omit<Known, 'paired'>[],
): { news: (T & Stored)[]; repeats: string[] } {
  const groups = Map.groupBy<string, Known>(
    stored.map((each) => ({ ...each })),
    groupKey,
  );
  const counts = new Map<string, number>();
  const news = read.flatMap((each) => {
    const huella = fingerprint(each.texto);
    const key = `${groupKey(each)} ${huella}`;
    const orden = (counts.get(key) ?? 0) + 1;
    counts.set(key, orden);
    const same = groups.get(groupKey(each))?.find((known) => known.formato === formato && known.huella === huella && known.orden === orden);
    if (same) same.paired = true;
    return same ? [] : [{ ...each, formato, huella, orden }];
  });
  const unknown = new Set(news);
  for (const [key, group] of Map.groupBy(news, groupKey)) {
    const others = (groups.get(key) ?? []).filter((known) => known.formato !== formato && !known.paired);
    if (others.length === 0) continue;
    const words = new Map([...group, ...others].map((each) => [each, wordsOf(each.texto)] as const));
    const pairs = group
      .flatMap((each) =>
        others.map((known) => ({ each, known, like: likeness(words.get(each) ?? new Set(), words.get(known) ?? new Set()) })),
      )
      .filter(({ like }) => like >= 0)
      .sort((a, b) => b.like - a.like);
    for (const { each, known } of pairs) {
      if (known.paired || !unknown.has(each)) continue;
      known.paired = true;
      unknown.delete(each);
    }
  }
  const paired = [...groups.values()].flat().filter((known) => known.paired);
  return { news: [...unknown], repeats: [...new Set(paired.map(({ extracto_id }) => extracto_id))] };
}
