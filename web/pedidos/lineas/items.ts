import type { Pack } from '../../../contract/products/products.ts';
import { plain } from '../../ui/list/local-list.ts';
/** Stands for each character of a message that is already read. */
export const COVER = '\0';

/** An ordered item: `pack_id` if the words match exactly one pack, `cantidad` if stated. */
export type Item = { pack_id: string; cantidad: string; words: string };
export type KnownPack = Pick<Pack, 'id' | 'product_name' | 'name' | 'alias' | 'pack_quantity'>;

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
const IDLE = /^(?:de|del|la|las|el|los|y|en|con|para|por|a|d|lo|mi|me|os|que|al|sin|ml|cl|g|gr|kg|l|x)$/;
/** Words for containers, whatever they hold. */
const HOLDER =
  /^(?:caja|pack|lote|unidad|ud|paquete|bote|tarro|botella|bolsa|lata|garrafa|estuche|pieza|kit|saco|sobre|frasco|tarrina|barril|bidon|cesta|saca|trio|kilo)$/;

const GENERIC = /^(?:pack|lote|unidad|ud|paquete|pieza|kit|estuche)$/;
/** Catalan, Galician and Basque for what shops sell most, as in their products' Spanish names. */
const IN_SPANISH: Record<string, string> = {
  ...{ mel: 'miel', ezti: 'miel', oli: 'aceite', olio: 'aceite', aceit: 'aceite', vinho: 'vino', ardo: 'vino' },
  ...{ formatge: 'queso', queixo: 'queso', gazta: 'queso', ametlla: 'almendra', oliva: 'oliva', arros: 'arroz' },
  ...{ capsa: 'caja', caixa: 'caja', kaxa: 'caja', kutxa: 'caja', pot: 'bote', poto: 'bote', ampolla: 'botella', botila: 'botella' },
  ...{ unitat: 'unidad', unidade: 'unidad', paquet: 'paquete', llauna: 'lata', llaun: 'lata', bossa: 'bolsa', boss: 'bolsa', sac: 'saco' },
  ...{ caps: 'caja', caix: 'caja', ampoll: 'botella', garraf: 'garrafa' },
};

/** Singular of a word, in Spanish: «cajas», «caja» and «capsa» are the same. */
const stem = (word: string) => IN_SPANISH[singular(word)] ?? IN_SPANISH[word] ?? singular(word);
const singular = (word: string) =>
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
  return phrases(text, vocabulary).flatMap((phrase) => {
    const { count, words, said, isQuestion } = phrase;
    // A question such as «¿Cuánto cuesta la miel?» orders nothing, and neither does «Casa Rural La Encina» order honey of «encina».
    const asks = count !== undefined || (wanted && !isQuestion && known.some((each) => names(each, words)));
    const item = asks ? itemOf(known, phrase) : undefined;
    return item ? [{ ...unlessOtherwise(phrase, item, packs), words: said }] : [];
  });
}

const names = ({ product, own, alias }: Known, words: readonly string[]) =>
  words.includes([...product][0] ?? '') || words.includes(own[0] ?? '') || (alias !== '' && words.includes(alias));

/** The item without what its words say otherwise: «3 kg de miel» are no three jars, and «2 cajas de 12» no two of six. */
function unlessOtherwise({ words, of, measure }: Phrase, item: Omit<Item, 'words'>, packs: readonly KnownPack[]): Omit<Item, 'words'> {
  const pack = packs.find(({ id }) => id === item.pack_id);
  if (!pack) return item;
  const named = plain(`${pack.name} ${pack.product_name} ${pack.alias}`);
  if (measure && !new RegExp(`(?<!\\d)1\\s?${measure}`).test(named)) return { ...item, cantidad: '' };
  const [holder = ''] = words.filter((word) => HOLDER.test(word));
  const [own = ''] = stems(pack.name).filter((word) => HOLDER.test(word));
  // «2 botellas» are no two boxes.
  if (pack.pack_quantity > 1 && own && holder && holder !== own && !GENERIC.test(holder)) return { ...item, pack_id: '' };
  const isOther = of !== undefined && of > 1 && of !== pack.pack_quantity && !new RegExp(`(?<!\\d)${of}(?!\\d)`).test(named);
  return isOther ? { ...item, pack_id: '' } : item;
}

const WANTS =
  /(?<!\p{L})(?:voldr|demanar|qui(?:ero|siera)|quer[ií]a|querr[ií]a|necesit|m[aá]nd|env[ií][ae]|p[oó]n(?:me|nos|edme)|ap[uú]nt|ped(?:ir|ido)|encarg|compr|reserv|vull|quero|nahi)/iu;

type Known = { pack: KnownPack; product: Set<string>; own: string[]; alias: string };
type Phrase = {
  count: number | undefined;
  words: string[];
  said: string;
  /** Number of the pack: 12 in «2 cajas de 12». */
  of?: number;
  /** Unit of the count: «kg» in «3 kg de miel». */
  measure?: string;
  isQuestion: boolean;
};
const MEASURE = /^(?:kg|kilo|l|litro|g|gr|gramo|ml|cl)s?$/;
const MEASURES: Record<string, string> = { kilo: 'k', kg: 'k', litro: 'l', gr: 'g', gramo: 'g' };

/** Splits a text into items, each beginning at a quantity, a new line, a comma, or «y» before a quantity. */
function phrases(text: string, vocabulary: ReadonlySet<string>): Phrase[] {
  const found: Phrase[] = [];
  const parts = text.split(new RegExp(`([\\n;!?¿¡,${COVER}]+|\\.(?:\\s|$)|\\s(?:y|e|i|más|mas)\\s|\\+)`));
  for (const [i, part] of parts.entries()) {
    if (i % 2 === 1) continue;
    const isQuestion = !!parts[i + 1]?.includes('?');
    let phrase: Phrase | undefined;
    const words = part.trim().split(/\s+/).filter(Boolean);
    words.forEach((written, at) => {
      // «ampolles d'oli»
      const word = plain(written)
        .replace(/^[dl]'(?=\p{L}{2})/u, '')
        .replace(/[^a-z0-9-]/g, '');
      const times = /^x?(\d{1,3})x?$/.exec(word);
      const count = times ? Number(times[1]) : COUNT[word];
      const after = plain(words[at - 1] ?? '');
      // «4 cajas de 12», and «2 de 12 tarros»: the second number is of the pack.
      const within = phrase && /^(?:de|d)$/.test(after) && (phrase.words.length > 0 || /^\d/.test(phrase.said));
      if (count && word !== 'uno' && !within && !/^medi[oa]$/.test(after)) {
        if (phrase && (phrase.count === undefined || phrase.words.length === 0))
          Object.assign(phrase, { count, said: `${phrase.said} ${written}` });
        else {
          phrase = { count: /^medi[oa]$/.test(after) ? count / 2 : count, words: [], said: written, isQuestion };
          found.push(phrase);
        }
        return;
      }
      if (word === 'docena' && /^medi/.test(after)) {
        phrase = { count: 6, words: [], said: `${after} ${written}`, isQuestion };
        found.push(phrase);
        return;
      }
      if (phrase && within && count && !MEASURE.test(plain(words[at + 1] ?? ''))) phrase.of = count;
      const root = stem(word);
      if (phrase && phrase.words.length === 0 && MEASURE.test(word) && /\d$/.test(phrase.said)) phrase.measure = MEASURES[root] ?? root;
      if (vocabulary.has(root) || /-\d+$/.test(word) || HOLDER.test(root)) {
        if (!phrase) {
          phrase = { count: undefined, words: [], said: '', isQuestion };
          found.push(phrase);
        }
        phrase.words.push(root);
      }
      if (phrase && (phrase.said || vocabulary.has(root) || HOLDER.test(root))) phrase.said = `${phrase.said} ${written}`.trim();
    });
  }
  return found.filter(({ words }) => words.length > 0);
}

function itemOf(known: readonly Known[], { words, count, of }: Omit<Phrase, 'said' | 'isQuestion'>): Omit<Item, 'words'> | undefined {
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
    // «2 de 12 tarros» are two of the box of twelve.
    const wanted = of ?? count;
    const fits = inside.filter(({ each }) => wanted === each.pack.pack_quantity);
    const cantidad = of === undefined ? '1' : String(count ?? 1);
    return fits.length === 1 && fits[0] ? { pack_id: fits[0].each.pack.id, cantidad } : undefined;
  }
  const own = Math.max(...ofProduct.map((each) => each.own));
  const best = ofProduct.filter((each) => each.own === own);
  const cantidad = count === undefined ? '1' : String(count);
  if (products.size === 1 && best.length === 1 && best[0]) return { pack_id: best[0].each.pack.id, cantidad };
  return count === undefined ? undefined : { pack_id: '', cantidad };
}
