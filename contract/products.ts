import { z } from 'zod';
import { doneWith, endpoint, id, idParams, instant, integer, listOf, paged, pageQuery, text } from './kit.ts';
import { MAX_UNITS, PACK_FIELDS, PRODUCT_FIELDS } from './products.fields.ts';
import { inputsOf } from './schema.ts';

export const product = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  stock: z.number(),
  min_stock: z.number(),
  is_active: z.boolean(),
  /** Number of its active packs. */
  packs_activos: z.number(),
  created_at: instant,
});
export type Product = z.infer<typeof product>;

const productFields = {
  ...inputsOf(PRODUCT_FIELDS, ['name', 'description', 'stock', 'min_stock']),
  is_active: z.boolean(),
};
/** New products start inactive (specification, section 4). */
export const createProductBody = z.strictObject({ ...productFields, is_active: z.boolean().default(false) });
/**
 * `stock_visto` is the stock the form showed: the server books the difference `stock - stock_visto`, so
 * orders placed while the form was open are preserved. Without it `stock` is absolute.
 * An absent `description` stays unchanged: the specification's call does not send it.
 */
export const updateProductBody = z.strictObject({
  ...productFields,
  description: productFields.description.optional(),
  stock_visto: productFields.stock.optional(),
});

export const listProducts = endpoint({
  method: 'GET',
  path: '/api/products',
  action: 'product:manage',
  summary: 'All products with their stock',
  response: { 200: listOf(product) },
});
export const createProduct = endpoint({
  method: 'POST',
  path: '/api/products',
  action: 'product:manage',
  summary: 'New product; its first stock is a movement of the ledger',
  body: createProductBody,
  response: { 201: doneWith(product) },
});
export const updateProduct = endpoint({
  method: 'PUT',
  path: '/api/products/:id',
  action: 'product:manage',
  summary: 'Change a product; a change of stock is a movement of the ledger',
  params: idParams,
  body: updateProductBody,
  response: { 200: doneWith(product) },
});

export const pack = z.object({
  id,
  product_id: id,
  product_name: z.string(),
  name: z.string(),
  alias: z.string(),
  /** Units of the product in one pack. */
  pack_quantity: z.number(),
  /** Euros. */
  pack_price: z.number(),
  is_active: z.boolean(),
  /** Active pack of an active product, so it can be ordered. */
  available: z.boolean(),
  created_at: instant,
});
export type Pack = z.infer<typeof pack>;

const { product_id, ...written } = inputsOf(PACK_FIELDS, ['product_id', 'name', 'alias', 'pack_quantity', 'pack_price']);
const packFields = { ...written, is_active: z.boolean() };
export const createPackBody = z.strictObject({
  product_id,
  ...packFields,
  pack_quantity: packFields.pack_quantity.default(1),
  pack_price: packFields.pack_price.default(0),
  is_active: z.boolean().default(true),
});
export const updatePackBody = z.strictObject(packFields);

export const listPacks = endpoint({
  method: 'GET',
  path: '/api/product-packs',
  action: 'pack:read',
  summary: 'Packs with their product’s name; a reseller gets those an order may be made of',
  response: { 200: listOf(pack) },
});
/** The same list under the older path (specification, section 7). */
export const listPacksAlias = endpoint({ ...listPacks, path: '/api/packs', summary: 'The same list as /api/product-packs' });
export const createPack = endpoint({
  method: 'POST',
  path: '/api/product-packs',
  action: 'product:manage',
  summary: 'New pack of a product',
  body: createPackBody,
  response: { 201: doneWith(pack) },
});
export const updatePack = endpoint({
  method: 'PUT',
  path: '/api/product-packs/:id',
  action: 'product:manage',
  summary: 'Change a pack; orders already made keep their price',
  params: idParams,
  body: updatePackBody,
  response: { 200: doneWith(pack) },
});

export const movimiento = z.object({
  id,
  created_at: instant,
  /** Signed units. */
  unidades: z.number(),
  motivo: z.string(),
  nota: z.string().nullable(),
  actor_nombre: z.string(),
  pedido_id: id.nullable(),
  numero_orden: z.string().nullable(),
});
export type Movimiento = z.infer<typeof movimiento>;

export const listMovimientos = endpoint({
  method: 'GET',
  path: '/api/products/:id/movimientos',
  action: 'product:manage',
  summary: 'A product’s ledger by pages, newest first, and what remains at the pace of the last 30 days',
  params: idParams,
  query: z.strictObject(pageQuery),
  response: {
    200: paged(movimiento).extend({
      stock: z.number(),
      /** Units ordered per day over the last 30 days, net of returns. */
      ritmo_diario: z.number(),
      /** Days of stock left at that pace; null when nothing is sold. */
      dias_restantes: z.number().nullable(),
    }),
  },
});

export const ajustarStock = endpoint({
  method: 'POST',
  path: '/api/products/:id/ajuste',
  action: 'product:manage',
  summary: 'Book units in or out, with the reason',
  params: idParams,
  body: z.strictObject({
    unidades: integer(-MAX_UNITS, MAX_UNITS, 'Indica cuántas unidades entran o salen').refine(
      (n) => n !== 0,
      'Indica cuántas unidades entran o salen',
    ),
    nota: text(200, 'Indica el motivo del ajuste'),
  }),
  response: { 200: doneWith(product) },
});
