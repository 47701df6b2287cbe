import { IVA_FIELD } from '../iva/fields.ts';
import { type Field, METADATA } from '../kit/fields.ts';

export const MAX_UNITS = 1_000_000;

export const PRODUCT_FIELDS = {
  name: { label: 'Nombre', kind: 'text', max: 120, required: 'El nombre es obligatorio' },
  description: { label: 'Descripción', kind: 'multiline', max: 500 },
  stock: { label: 'Stock', kind: 'integer', max: MAX_UNITS, required: 'Stock inicial inválido', invalid: 'Stock inicial inválido' },
  min_stock: {
    label: 'Stock mínimo',
    kind: 'integer',
    max: MAX_UNITS,
    required: 'Stock mínimo inválido',
    invalid: 'Stock mínimo inválido',
  },
  /** VAT rate included in the prices; shown only while the shop uses VAT. */
  iva: IVA_FIELD,
  /** References of other programs; a change merges keys (decision 053). */
  metadata: METADATA,
} as const satisfies Record<string, Field>;

const REQUIRED = 'Producto y nombre son obligatorios';
const INVALID = 'Cantidad o precio inválidos';

/** `pack_quantity` in units of the product, `pack_price` in euros. */
export const PACK_FIELDS = {
  product_id: { label: 'Producto', kind: 'id', required: REQUIRED },
  name: { label: 'Nombre', kind: 'text', max: 120, required: REQUIRED },
  alias: { label: 'Alias', kind: 'text', max: 60, required: 'Alias es obligatorio' },
  pack_quantity: { label: 'Cantidad', kind: 'integer', min: 1, max: 100_000, required: INVALID, invalid: INVALID },
  pack_price: { label: 'Precio', kind: 'money', required: INVALID, invalid: INVALID },
} as const satisfies Record<string, Field>;

/** Orders of the lists of products and packs; `name` goes by the product first. */
export const PRODUCT_SORTS = ['name', 'stock', 'min_stock', 'created_at'] as const;
export const PACK_SORTS = ['name', 'alias', 'pack_quantity', 'pack_price', 'created_at'] as const;
