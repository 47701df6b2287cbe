import type { BodyIn } from '../../contract/kit.ts';
import { PRODUCT_FIELDS } from '../../contract/products.fields.ts';
import type { createProduct, Product, updateProduct } from '../../contract/products.ts';
import { problemsIn } from '../ui/form/rules.ts';
import { parseNumber, showNumber } from '../ui/format/numbers.ts';

/** Form values; `stock` and `min_stock` (units) as typed. */
export type ProductValues = { name: string; description: string; stock: string; min_stock: string; is_active: boolean };

/** A new product starts inactive (specification, section 4). */
export const productValues = (product?: Product): ProductValues => ({
  name: product?.name ?? '',
  description: product?.description ?? '',
  stock: showNumber(product?.stock ?? 0),
  min_stock: showNumber(product?.min_stock ?? 0),
  is_active: product?.is_active ?? false,
});

export const createProductBody = (values: ProductValues): BodyIn<typeof createProduct> => ({
  ...values,
  stock: parseNumber(values.stock),
  min_stock: parseNumber(values.min_stock),
});

/** `seen` is the stock that the form started from: the server books the difference. */
export const updateProductBody = (values: ProductValues, seen: number): BodyIn<typeof updateProduct> => ({
  ...createProductBody(values),
  is_active: values.is_active,
  stock_visto: seen,
});

const { compare } = new Intl.Collator('es', { sensitivity: 'base' });
/** Compares names ignoring accents and case. */
export const isSameName = (a: string, b: string): boolean => compare(a, b) === 0;

/** Validates the form (specification, section 5). */
export const productProblems = (values: ProductValues): Record<string, string> => problemsIn(PRODUCT_FIELDS, values);
