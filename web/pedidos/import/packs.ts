import type { Pack } from '../../../contract/products/products.ts';
import { packLabel } from '../lineas/pack-label.ts';
import { bare } from './columns.ts';

/* Finds the pack that a text means. */

/** Ways to write a pack, most reliable first; a text counts only if it means a single pack. */
const WAYS: readonly ((pack: Pack) => string)[] = [
  packLabel,
  ({ name, product_name }) => `${name} ${product_name}`,
  ({ alias }) => alias,
  ({ name }) => name,
  ({ product_name }) => product_name,
];

/** Returns a finder of packs by text; undefined if none or several match. */
export function packFinder(packs: readonly Pack[]): (written: string) => Pack | undefined {
  const found = new Map<string, Pack | undefined>();
  for (const way of WAYS) {
    const these = new Map<string, Pack | undefined>();
    for (const pack of packs) {
      const key = bare(way(pack));
      these.set(key, these.has(key) ? undefined : pack);
    }
    for (const [key, pack] of these) if (!found.has(key)) found.set(key, pack);
  }
  found.delete('');
  return (written) => found.get(bare(written));
}
