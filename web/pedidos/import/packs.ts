import type { Pack } from '../../../contract/products.ts';
import { packLabel } from '../pack-picker.tsx';
import { bare } from './columns.ts';

/* Which pack is meant by what somebody has written. */

/** Ways to write a pack, the surest first; each counts only for a text that means one pack alone. */
const WAYS: readonly ((pack: Pack) => string)[] = [
  packLabel,
  ({ name, product_name }) => `${name} ${product_name}`,
  ({ alias }) => alias,
  ({ name }) => name,
  ({ product_name }) => product_name,
];

/** Finds the pack that a text means; undefined for none, and for one of several. */
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
