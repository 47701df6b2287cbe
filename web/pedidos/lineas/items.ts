import { plain } from '../../ui/list/local-list.ts';
import { HOLDER, type KnownPack, type OrderedWords, packMatcher, wordStem } from './pack-matcher.ts';

/* Reads ordered items from a message or a typed text: splits it into phrases, which the pack matcher interprets. */

/** Replaces characters of a message that were read already. */
export const COVER = '\0';

/** An ordered item. `pack_id` is empty unless exactly one pack matches; `cantidad` is empty if the words contradict the pack. */
export type Item = { pack_id: string; cantidad: string; words: string };

const COUNT: Record<string, number> = {
  un: 1,
  una: 1,
  unha: 1,
  otra: 1,
  otro: 1,
  uno: 1,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
  siete: 7,
  ocho: 8,
  nueve: 9,
  diez: 10,
  once: 11,
  doce: 12,
  quince: 15,
  veinte: 20,
  par: 2,
  docena: 12,
  dues: 2,
  dous: 2,
  duas: 2,
  bi: 2,
  quatre: 4,
  cinc: 5,
  sis: 6,
  vuit: 8,
  catro: 4,
  oito: 8,
  dez: 10,
  lau: 4,
  bost: 5,
  hiru: 3,
  two: 2,
  three: 3,
};
/** Finds the ordered items in a text. In a chat message, `COVER` replaces the name, address and phone. */
export function readItems(text: string, packs: readonly KnownPack[]): Item[] {
  const matcher = packMatcher(packs);
  const wanted = WANTS.test(text);
  return phrases(text, matcher.vocabulary).flatMap((phrase) => {
    const { count, words, text, isQuestion } = phrase;
    // Without a count, requires words of ordering and the name of a pack: «¿Cuánto cuesta la miel?» and «Casa Rural La Encina» order nothing.
    const asks = count !== undefined || (wanted && !isQuestion && matcher.isNamed(words));
    const item = asks ? matcher.itemOf(phrase) : undefined;
    return item ? [{ ...item, words: text }] : [];
  });
}

const WANTS =
  /(?<!\p{L})(?:voldr|demanar|qui(?:ero|siera)|quer[ií]a|querr[ií]a|necesit|m[aá]nd|env[ií][ae]|p[oó]n(?:me|nos|edme)|ap[uú]nt|ped(?:ir|ido)|encarg|compr|reserv|vull|quero|nahi)/iu;

type Phrase = OrderedWords & { text: string; isQuestion: boolean };
const MEASURE = /^(?:kg|kilo|l|litro|g|gr|gramo|ml|cl)s?$/;
const MEASURES: Record<string, string> = { kilo: 'k', kg: 'k', litro: 'l', gr: 'g', gramo: 'g' };

/** Splits a text into phrases at punctuation, line breaks, «+», «y» and «más», and before most quantities. */
function phrases(text: string, vocabulary: ReadonlySet<string>): Phrase[] {
  const found: Phrase[] = [];
  const parts = text.split(new RegExp(`([\\n;!?¿¡,${COVER}]+|\\.(?:\\s|$)|\\s(?:y|e|i|más|mas)\\s|\\+)`));
  for (const [i, part] of parts.entries()) {
    if (i % 2 === 1) continue;
    const isQuestion = !!parts[i + 1]?.includes('?');
    let phrase: Phrase | undefined;
    const words = part.trim().split(/\s+/).filter(Boolean);
    words.forEach((written, at) => {
      // Drops the elided word of «ampolles d'oli».
      const word = plain(written)
        .replace(/^[dl]'(?=\p{L}{2})/u, '')
        .replace(/[^a-z0-9-]/g, '');
      const times = /^x?(\d{1,3})x?$/.exec(word);
      const count = times ? Number(times[1]) : COUNT[word];
      const after = plain(words[at - 1] ?? '');
      // In «4 cajas de 12» and «2 de 12 tarros» the second number is the size of the pack.
      const within = phrase && /^(?:de|d)$/.test(after) && (phrase.words.length > 0 || /^\d/.test(phrase.text));
      if (count && word !== 'uno' && !within && !/^medi[oa]$/.test(after)) {
        if (phrase && (phrase.count === undefined || phrase.words.length === 0))
          Object.assign(phrase, { count, text: `${phrase.text} ${written}` });
        else {
          phrase = { count: /^medi[oa]$/.test(after) ? count / 2 : count, words: [], text: written, isQuestion };
          found.push(phrase);
        }
        return;
      }
      if (word === 'docena' && /^medi/.test(after)) {
        phrase = { count: 6, words: [], text: `${after} ${written}`, isQuestion };
        found.push(phrase);
        return;
      }
      if (phrase && within && count && !MEASURE.test(plain(words[at + 1] ?? ''))) phrase.of = count;
      const root = wordStem(word);
      if (phrase && phrase.words.length === 0 && MEASURE.test(word) && /\d$/.test(phrase.text)) phrase.measure = MEASURES[root] ?? root;
      if (vocabulary.has(root) || /-\d+$/.test(word) || HOLDER.test(root)) {
        if (!phrase) {
          phrase = { count: undefined, words: [], text: '', isQuestion };
          found.push(phrase);
        }
        phrase.words.push(root);
      }
      if (phrase && (phrase.text || vocabulary.has(root) || HOLDER.test(root))) phrase.text = `${phrase.text} ${written}`.trim();
    });
  }
  return found.filter(({ words }) => words.length > 0);
}
