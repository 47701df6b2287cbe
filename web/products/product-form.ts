import type { TipoIva } from '../../contract/iva/fields.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { problemOf } from '../../contract/kit/fields.ts';
import { PACK_FIELDS, PRODUCT_FIELDS } from '../../contract/products/fields.ts';
import type { createPack, createProduct, Pack, Product, updatePack, updateProduct } from '../../contract/products/products.ts';
import { problemsIn } from '../ui/form/rules.ts';
import { parseNumber, showNumber } from '../ui/format/format.ts';

/** Name of the pack of one unit. */
const UNIT = 'Unidad';

/** Form values; `stock` and `min_stock` (units) as typed. A new product starts inactive (specification, section 4). */
export const productValues = (product?: Product) => ({
  name: product?.name ?? '',
  description: product?.description ?? '',
  stock: showNumber(product?.stock ?? 0),
  min_stock: showNumber(product?.min_stock ?? 0),
  is_active: product?.is_active ?? false,
  /** VAT rate; empty if none. */
  iva: product?.iva ?? ('' as string),
  /** Pack of a new product: euros as typed, name, and units in it. */
  price: '',
  pack_name: UNIT as string,
  pack_quantity: '1',
});

type ProductValues = ReturnType<typeof productValues>;

export const createProductBody = (
  { price: _, pack_name: __, pack_quantity: ___, iva, ...values }: ProductValues,
  withIva = false,
): BodyIn<typeof createProduct> => ({
  ...values,
  ...(withIva && { iva: (iva || null) as TipoIva | null }),
  stock: parseNumber(values.stock),
  min_stock: parseNumber(values.min_stock),
});

/** First pack of a new product; its alias is the name of the product. Undefined if the product has no price. */
export const firstPackBody = (
  { id, name }: Pick<Product, 'id' | 'name'>,
  { price, pack_name, pack_quantity }: Pick<ProductValues, 'price' | 'pack_name' | 'pack_quantity'>,
): BodyIn<typeof createPack> | undefined =>
  price.trim()
    ? {
        product_id: id,
        name: pack_name.trim() || UNIT,
        alias: name.slice(0, PACK_FIELDS.alias.max).trim(),
        pack_quantity: parseNumber(pack_quantity),
        pack_price: parseNumber(price),
        is_active: true,
      }
    : undefined;

/** `stock` and `version` are the values that the form started from; the server books the difference in stock. */
export const updateProductBody = (
  values: ProductValues,
  { stock, version, withIva }: Pick<Product, 'stock' | 'version'> & { withIva?: boolean },
): BodyIn<typeof updateProduct> => ({
  ...createProductBody(values, withIva),
  stock_visto: stock,
  version,
});

/** What a product lacks to be sold, in Spanish; undefined if it can be sold. */
export const lacksToSell = ({
  is_active,
  packs_activos,
  stock,
}: Pick<Product, 'is_active' | 'packs_activos' | 'stock'>): string | undefined =>
  !is_active ? 'está inactivo' : packs_activos === 0 ? 'no tiene ningún pack' : stock <= 0 ? 'no quedan existencias' : undefined;

const { compare } = new Intl.Collator('es', { sensitivity: 'base' });
export const isSameName = (a: string, b: string): boolean => compare(a, b) === 0;

// Leaves out `metadata`, which only programs write, and the rate, which is chosen from a list.
const { metadata: _, iva: __, ...TYPED } = PRODUCT_FIELDS;
export const productProblems = (values: ProductValues): Record<string, string> => {
  const price = values.price.trim() ? problemOf(PACK_FIELDS.pack_price, parseNumber(values.price)) : undefined;
  const pack_quantity = values.price.trim() ? problemOf(PACK_FIELDS.pack_quantity, parseNumber(values.pack_quantity)) : undefined;
  return { ...problemsIn(TYPED, values), ...(price && { price }), ...(pack_quantity && { pack_quantity }) };
};

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
