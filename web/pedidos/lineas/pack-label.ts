import type { Pack } from '../../../contract/products/products.ts';

/** Label of a pack, «product name – pack name» (specification, section 2.14). */
export const packLabel = (pack: Pick<Pack, 'product_name' | 'name'>): string => `${pack.product_name} – ${pack.name}`;
