import type { Pack } from '../../../contract/products/products.ts';
import { matches } from '../../ui/list/local-list.ts';
import { readItems } from './items.ts';
import { packLabel } from './pack-label.ts';

export type TypedPack = { pack_id: string; cantidad: string };

/**
 * Reads an order typed into the pack field, such as «2 aceite 6, 1 miel», by the rules of the chat reader. Returns the items by the id of
 * the option that represents them: one option if all packs are certain, else one for each pack that the words may mean. Returns
 * undefined if the text is not an order.
 */
export function readTyped(text: string, packs: readonly Pack[]): { choices: ReadonlyMap<string, readonly TypedPack[]> } | undefined {
  // A number after the words is the pack's size, which the reader expects after «de»: «2 aceite de 6».
  const spoken = text.replace(/(?<=\d\s*x?\s*\p{L}[\p{L}\s]*?)\s+(\d+)(?=\s*(?:$|[,+;]|\sy\s))/giu, ' de $1');
  // Adds size and alias to the name, so that the reader counts both among the words of the pack.
  const sized = packs.map((pack) => ({
    ...pack,
    name: [pack.name, pack.pack_quantity > 1 && pack.pack_quantity, pack.alias].filter(Boolean).join(' '),
  }));
  const items = readItems(spoken, sized);
  const [first] = items;
  if (!first || !/^\s*\d/.test(text)) return undefined;
  if (items.every(({ pack_id }) => pack_id))
    return { choices: new Map([[first.pack_id, items.map(({ pack_id, cantidad }) => ({ pack_id, cantidad }))]]) };
  if (items.length > 1) return undefined;
  const words = first.words.replace(/\d+|(?<!\p{L})de(?!\p{L})/gu, ' ').trim();
  const meant = packs.filter((pack) => matches(words, packLabel(pack), pack.alias));
  return meant.length > 0 ? { choices: new Map(meant.map(({ id }) => [id, [{ pack_id: id, cantidad: first.cantidad }]])) } : undefined;
}
