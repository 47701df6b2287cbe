import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { PRODUCT_FIELDS } from '../../contract/products/fields.ts';
import type { createProduct, Product, updateProduct } from '../../contract/products/products.ts';
import { problemsIn } from '../ui/form/rules.ts';
import { parseNumber, showNumber } from '../ui/format/numbers.ts';

/** Form values; `stock` and `min_stock` (units) as typed. A new product starts inactive (specification, section 4). */
export const productValues = (product?: Product) => ({
  name: product?.name ?? '',
  description: product?.description ?? '',
  stock: showNumber(product?.stock ?? 0),
  min_stock: showNumber(product?.min_stock ?? 0),
  is_active: product?.is_active ?? false,
});

type ProductValues = ReturnType<typeof productValues>;

export const createProductBody = (values: ProductValues): BodyIn<typeof createProduct> => ({
  ...values,
  stock: parseNumber(values.stock),
  min_stock: parseNumber(values.min_stock),
});

/** `stock` and `version` are the values that the form started from; the server books the difference in stock. */
export const updateProductBody = (
  values: ProductValues,
  { stock, version }: Pick<Product, 'stock' | 'version'>,
): BodyIn<typeof updateProduct> => ({
  ...createProductBody(values),
  stock_visto: stock,
  version,
});

const { compare } = new Intl.Collator('es', { sensitivity: 'base' });
export const isSameName = (a: string, b: string): boolean => compare(a, b) === 0;

// Only programs write `metadata`.
const { metadata: _, ...TYPED } = PRODUCT_FIELDS;
export const productProblems = (values: ProductValues): Record<string, string> => problemsIn(TYPED, values);
