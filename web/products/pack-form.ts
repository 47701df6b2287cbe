import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { PACK_FIELDS } from '../../contract/products/fields.ts';
import type { createPack, Pack, Product, updatePack } from '../../contract/products/products.ts';
import { problemsIn } from '../ui/form/rules.ts';
import { parseNumber, showNumber } from '../ui/format/format.ts';

/** Form values as typed: units, euros. A new pack is active, one unit, 0 € (specification, sections 4 and 5), of the only product. */
export const packValues = (pack?: Pack, products: readonly Pick<Product, 'id'>[] = []) => ({
  product_id: pack?.product_id ?? (products.length === 1 ? products[0]?.id : undefined) ?? null,
  name: pack?.name ?? '',
  alias: pack?.alias ?? '',
  pack_quantity: showNumber(pack?.pack_quantity ?? 1),
  pack_price: showNumber(pack?.pack_price ?? 0, 2),
  is_active: pack?.is_active ?? true,
});

type PackValues = ReturnType<typeof packValues>;

export const createPackBody = (values: PackValues): BodyIn<typeof createPack> => ({
  ...values,
  product_id: values.product_id ?? '',
  pack_quantity: parseNumber(values.pack_quantity),
  pack_price: parseNumber(values.pack_price),
});

/** `version` is the version that the form was filled from. */
export function updatePackBody(values: PackValues, version: number): BodyIn<typeof updatePack> {
  const { product_id: _, ...fields } = createPackBody(values);
  return { ...fields, version };
}

export const packProblems = (values: PackValues): Record<string, string> => problemsIn(PACK_FIELDS, values);
