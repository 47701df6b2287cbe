import type { Pack } from '../../../contract/products/products.ts';
import { plain } from '../../ui/list/local-list.ts';
import { COVER } from './message.ts';

/** An ordered item: `pack_id` if the words match exactly one pack, `cantidad` if stated. */
export type Item = { pack_id: string; cantidad: string; words: string };
export type KnownPack = Pick<Pack, 'id' | 'product_name' | 'name' | 'alias' | 'pack_quantity'>;

const COUNT: Record<string, number> = {
  un: 1,
  una: 1,
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
  hiru: 3,
  two: 2,
  three: 3,
};
const IDLE = /^(?:de|del|la|las|el|los|y|en|con|para|por|a|d|lo|mi|me|os|que|al|sin|ml|cl|g|gr|kg|l|x)$/;
/** Words for containers, whatever they hold. */
const HOLDER =
  /^(?:caja|pack|lote|unidad|ud|paquete|bote|tarro|botella|bolsa|lata|garrafa|estuche|pieza|kit|saco|sobre|frasco|tarrina|barril|bidon|cesta|saca|trio|kilo)$/;

/** Singular of a word: «cajas» and «caja» are the same. */
const stem = (word: string) =>
  word.length > 4 && /[^aeious]es$/.test(word) ? word.slice(0, -2) : word.length > 3 ? word.replace(/s$/, '') : word;
const stems = (text: string) =>
  plain(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word && !IDLE.test(word))
    .map(stem);

/** Finds the items in the part of a message that is not name, address or phone. */
export function readItems(text: string, packs: readonly KnownPack[]): Item[] {
  const known = packs.map((pack) => ({
    pack,
    product: new Set(stems(pack.product_name)),
    own: stems(pack.name),
    alias: plain(pack.alias),
  }));
  const vocabulary = new Set(known.flatMap(({ product, own }) => [...product, ...own]));
  const wanted = WANTS.test(text);
  return phrases(text, vocabulary).flatMap(({ count, words, said }) => {
    // A question such as «¿Cuánto cuesta la miel?» orders nothing.
    const item = count !== undefined || wanted ? itemOf(known, words, count) : undefined;
    return item ? [{ ...item, words: said }] : [];
  });
}

const WANTS =
  /(?<!\p{L})(?:qui(?:ero|siera)|quer[ií]a|querr[ií]a|necesit|m[aá]nd|env[ií][ae]|p[oó]n(?:me|nos|edme)|ap[uú]nt|ped(?:ir|ido)|encarg|compr|reserv|vull|quero|nahi)/iu;

type Known = { pack: KnownPack; product: Set<string>; own: string[]; alias: string };
type Phrase = { count: number | undefined; words: string[]; said: string };

/** Splits a text into items, each beginning at a quantity, a new line, a comma, or «y» before a quantity. */
function phrases(text: string, vocabulary: ReadonlySet<string>): Phrase[] {
  const found: Phrase[] = [];
  for (const part of text.split(new RegExp(`[\\n;!?¿¡,${COVER}]+|\\.(?:\\s|$)|\\s(?:y|e|i|más|mas)\\s|\\+`))) {
    let phrase: Phrase | undefined;
    const words = part.trim().split(/\s+/).filter(Boolean);
    words.forEach((written, at) => {
      const word = plain(written).replace(/[^a-z0-9-]/g, '');
      const times = /^x?(\d{1,3})x?$/.exec(word);
      const count = times ? Number(times[1]) : COUNT[word];
      const after = plain(words[at - 1] ?? '');
      // «4 cajas de 12», and «2 de 12 tarros»: the second number is of the pack.
      const within = phrase && /^(?:de|d)$/.test(after) && (phrase.words.length > 0 || /^\d/.test(phrase.said));
      if (count && word !== 'uno' && !within && !/^medi[oa]$/.test(after)) {
        if (phrase && (phrase.count === undefined || phrase.words.length === 0))
          Object.assign(phrase, { count, said: `${phrase.said} ${written}` });
        else {
          phrase = { count: /^medi[oa]$/.test(after) ? count / 2 : count, words: [], said: written };
          found.push(phrase);
        }
        return;
      }
      if (word === 'docena' && /^medi/.test(after)) {
        phrase = { count: 6, words: [], said: `${after} ${written}` };
        found.push(phrase);
        return;
      }
      const root = stem(word);
      if (vocabulary.has(root) || /-\d+$/.test(word) || HOLDER.test(root)) {
        if (!phrase) {
          phrase = { count: undefined, words: [], said: '' };
          found.push(phrase);
        }
        phrase.words.push(root);
      }
      if (phrase && (phrase.said || vocabulary.has(root) || HOLDER.test(root))) phrase.said = `${phrase.said} ${written}`.trim();
    });
  }
  return found.filter(({ words }) => words.length > 0);
}

function itemOf(known: readonly Known[], words: readonly string[], count: number | undefined): Omit<Item, 'words'> | undefined {
  const [holder] = words;
  const byAlias = known.find(({ alias }) => alias && words.includes(alias));
  if (byAlias) return { pack_id: byAlias.pack.id, cantidad: String(count ?? 1) };
  const scored = known.map((each) => ({
    each,
    product: words.filter((word) => each.product.has(word)).length,
    own: words.filter((word) => each.own.includes(word)).length,
  }));
  const most = Math.max(0, ...scored.map(({ product }) => product));
  const alone = known.length === 1;
  if (most === 0 && !alone)
    return count !== undefined && holder && HOLDER.test(holder) ? { pack_id: '', cantidad: String(count) } : undefined;
  const ofProduct = scored.filter(({ product }) => product === most);
  const products = new Set(ofProduct.map(({ each }) => each.pack.product_name));
  // «6 botellas» are one «Caja de 6 botellas» if the pack contains bottles.
  const inside = ofProduct.filter(({ each }) => holder && each.own.indexOf(holder) > 0 && each.pack.pack_quantity > 1);
  if (holder && inside.length > 0 && !ofProduct.some(({ each }) => each.own[0] === holder)) {
    const fits = inside.filter(({ each }) => count === each.pack.pack_quantity);
    return fits.length === 1 && fits[0] ? { pack_id: fits[0].each.pack.id, cantidad: '1' } : undefined;
  }
  const own = Math.max(...ofProduct.map((each) => each.own));
  const best = ofProduct.filter((each) => each.own === own);
  const cantidad = count === undefined ? '1' : String(count);
  if (products.size === 1 && best.length === 1 && best[0]) return { pack_id: best[0].each.pack.id, cantidad };
  return count === undefined ? undefined : { pack_id: '', cantidad };
}
