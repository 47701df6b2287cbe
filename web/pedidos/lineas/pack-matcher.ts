import type { Pack } from '../../../contract/products/products.ts';
import { plain } from '../../ui/list/local-list.ts';
import { packLabel } from './pack-label.ts';
import { bareText } from './words.ts';

/* Matches words to packs, for sheets, chats and typed orders. */

export type KnownPack = Pick<Pack, 'id' | 'product_name' | 'name' | 'alias' | 'pack_quantity'>;
/** Words of an ordered item. */
export type OrderedWords = {
  count: number | undefined;
  words: string[];
  /** Size of the pack: 12 in «2 cajas de 12». */
  of?: number;
  /** Unit of the count: «kg» in «3 kg de miel». */
  measure?: string;
};
type Found = { pack_id: string; cantidad: string };
type Known = { pack: KnownPack; product: Set<string>; own: string[]; alias: string };

/** Ways to write a pack, most reliable first; a text matches only if it means a single pack. */
const WAYS: readonly ((pack: KnownPack) => string)[] = [
  packLabel,
  ({ name, product_name }) => `${name} ${product_name}`,
  ({ alias }) => alias,
  ({ name }) => name,
  ({ product_name }) => product_name,
];

/** Packs by their `bareText` text in each way of writing; undefined if several packs have the same text. */
function byName<P extends KnownPack>(packs: readonly P[]): Map<string, P | undefined> {
  const found = new Map<string, P | undefined>();
  for (const way of WAYS) {
    const these = new Map<string, P | undefined>();
    for (const pack of packs) {
      const key = bareText(way(pack));
      these.set(key, these.has(key) ? undefined : pack);
    }
    for (const [key, pack] of these) if (!found.has(key)) found.set(key, pack);
  }
  found.delete('');
  return found;
}

/** Returns searches: `exact` by name or alias, `like` for the only possible pack, `itemOf` for pack and quantity of a phrase. */
export function packMatcher<P extends KnownPack>(packs: readonly P[]) {
  const names = byName(packs);
  const exact = (text: string): P | undefined => names.get(bareText(text));
  let read: Known[] | undefined;
  const known = () => {
    read ??= packs.map((pack) => ({ pack, product: new Set(stems(pack.product_name)), own: stems(pack.name), alias: plain(pack.alias) }));
    return read;
  };
  const itemOfPhrase = (asked: OrderedWords & { text?: string }): Found | undefined => {
    const named = asked.text && exact(asked.text.replace(COUNTED, ''));
    if (named) return { pack_id: named.id, cantidad: String(asked.count ?? 1) };
    const item = itemOf(known(), asked);
    return item && unlessOtherwise(asked, item, packs);
  };
  return {
    exact,
    itemOf: itemOfPhrase,
    like(text: string): P | undefined {
      const item = itemOfPhrase({ words: stems(text), count: 1 });
      return packs.find(({ id }) => id === item?.pack_id);
    },
    /** Words in the names and aliases of packs and products. */
    vocabulary: new Set(
      packs.flatMap((pack) => [...stems(pack.product_name), ...stems(pack.name), ...(pack.alias ? [plain(pack.alias)] : [])]),
    ),
    /** True if the words contain the first word of a product or pack, or an alias. */
    isNamed: (words: readonly string[]) =>
      known().some(
        ({ product, own, alias }) =>
          words.includes([...product][0] ?? '') || words.includes(own[0] ?? '') || (alias !== '' && words.includes(alias)),
      ),
  };
}

/** Count before or after a name: «2 MIEL500», «MIEL500 x3». */
const COUNTED = /^\s*(?:x\s?)?\d+\s?x?\s+(?:de\s+)?|\s+x?\s?\d+x?\s*$/gi;
const IDLE = /^(?:de|del|la|las|el|los|y|en|con|para|por|a|d|lo|mi|me|os|que|al|sin|ml|cl|g|gr|kg|l|x)$/;
/** Words for packaging and units of sale, as stems. */
export const HOLDER =
  /^(?:caja|pack|lote|unidad|ud|paquete|bote|tarro|botella|bolsa|lata|garrafa|estuche|pieza|kit|saco|sobre|frasco|tarrina|barril|bidon|cesta|saca|trio|kilo)$/;

const GENERIC = /^(?:pack|lote|unidad|ud|paquete|pieza|kit|estuche)$/;
/** Spanish for Catalan, Galician and Basque words of common goods, because shops name their products in Spanish. */
const IN_SPANISH: Record<string, string> = {
  ...{ mel: 'miel', ezti: 'miel', oli: 'aceite', olio: 'aceite', aceit: 'aceite', vinho: 'vino', ardo: 'vino' },
  ...{ formatge: 'queso', queixo: 'queso', gazta: 'queso', ametlla: 'almendra', oliva: 'oliva', arros: 'arroz' },
  ...{ capsa: 'caja', caixa: 'caja', kaxa: 'caja', kutxa: 'caja', pot: 'bote', poto: 'bote', ampolla: 'botella', botila: 'botella' },
  ...{ unitat: 'unidad', unidade: 'unidad', paquet: 'paquete', llauna: 'lata', llaun: 'lata', bossa: 'bolsa', boss: 'bolsa', sac: 'saco' },
  ...{ caps: 'caja', caix: 'caja', ampoll: 'botella', garraf: 'garrafa' },
};

/** Spanish singular of a word: «cajas», «caja» and «capsa» become «caja». */
export const wordStem = (word: string) => IN_SPANISH[singular(word)] ?? IN_SPANISH[word] ?? singular(word);
const singular = (word: string) =>
  word.length > 4 && /[^aeious]es$/.test(word) ? word.slice(0, -2) : word.length > 3 ? word.replace(/s$/, '') : word;
const stems = (text: string) =>
  plain(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word && !IDLE.test(word))
    .map(wordStem);

/** The packs with those first that share most words with the text; the others in their order. */
export function byLikeness<P extends KnownPack>(packs: readonly P[], text: string): P[] {
  const words = new Set(stems(text));
  const shared = ({ product_name, name, alias }: P) =>
    new Set(stems(`${product_name} ${name} ${alias}`).filter((word) => words.has(word))).size;
  return packs.toSorted((a, b) => shared(b) - shared(a));
}

/** Clears a pack or quantity that the words contradict: «3 kg de miel» is not three jars, «2 cajas de 12» not two boxes of six. */
function unlessOtherwise({ words, of, measure }: OrderedWords, item: Found, packs: readonly KnownPack[]): Found {
  const pack = packs.find(({ id }) => id === item.pack_id);
  if (!pack) return item;
  const named = plain(`${pack.name} ${pack.product_name} ${pack.alias}`);
  if (measure && !new RegExp(`(?<!\\d)1\\s?${measure}`).test(named)) return { ...item, cantidad: '' };
  const [holder = ''] = words.filter((word) => HOLDER.test(word));
  const [own = ''] = stems(pack.name).filter((word) => HOLDER.test(word));
  // «2 botellas» are not two boxes.
  if (pack.pack_quantity > 1 && own && holder && holder !== own && !GENERIC.test(holder)) return { ...item, pack_id: '' };
  const isOther = of !== undefined && of > 1 && of !== pack.pack_quantity && !new RegExp(`(?<!\\d)${of}(?!\\d)`).test(named);
  return isOther ? { ...item, pack_id: '' } : item;
}

function itemOf(known: readonly Known[], { words, count, of }: OrderedWords): Found | undefined {
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
    // «2 de 12 tarros» are two boxes of twelve.
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
