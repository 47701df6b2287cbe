import { z } from 'zod';
import { tipoIva } from '../iva/schemas.ts';
import { answerSchemas, inputSchemas } from '../kit/fields.schemas.ts';
import { pictureInput } from '../kit/picture.ts';
import { day, doneWith, id, idsQuery, integer, isoInstant, listOf, operation, paged, pageQuery, text, version } from '../kit/schemas.ts';
import { searchText } from '../pedidos/filters.schemas.ts';
import { MAX_UNITS, PACK_FIELDS, PACK_SORTS, PRODUCT_FIELDS, PRODUCT_SORTS } from './fields.ts';

const picture = z.string().nullable().describe('URL of the picture, different for each image; null without a picture');

export const product = z.object({
  id,
  ...answerSchemas(PRODUCT_FIELDS, ['name', 'description', 'stock', 'min_stock', 'metadata']),
  is_active: z.boolean(),
  packs_activos: z.number().describe('Active packs of the product'),
  picture,
  iva: tipoIva.nullable().optional().describe('Rate of VAT; absent unless the shop uses it'),
  created_at: isoInstant,
  version: z.number().describe('Grows with every edit, but not with the stock'),
});

const productFields = {
  ...inputSchemas(PRODUCT_FIELDS, ['name', 'description', 'stock', 'min_stock', 'iva', 'metadata']),
  is_active: z.boolean(),
};

/** New products start inactive (specification, section 4). */
export const createProductBody = z.strictObject({ ...productFields, is_active: z.boolean().default(false) });

/** `stock_visto`: stock in the form; the server books the difference, so that orders placed meanwhile count. Absent: `stock` is absolute. */
export const updateProductBody = z.strictObject({
  ...z.object(productFields).partial().shape,
  stock_visto: productFields.stock.optional(),
  version,
});

const filters = {
  ...idsQuery,
  search: searchText.optional().describe('Words of the names, in any order'),
  activo: z.enum(['si', 'no'], 'Filtro no válido').optional(),
  creado_desde: day.optional(),
  creado_hasta: day.optional(),
};
const dir = z.enum(['asc', 'desc'], 'Orden no válido').default('asc');

export const listProducts = operation('All products with their stock', {
  query: z.strictObject({ ...filters, sort: z.enum(PRODUCT_SORTS, 'Orden no válido').default('name'), dir }),
  200: listOf(product),
});

export const createProduct = operation('New product; its first stock is a movement of the ledger', {
  body: createProductBody,
  201: doneWith(product),
});

export const updateProduct = operation(
  'Change a product, a stale version is refused with 409; a change of stock is a movement of the ledger',
  { body: updateProductBody, 200: doneWith(product) },
);

export const setPicture = operation('Give a product a picture, a JPEG in base64 of at most 30 KB and 480 pixels a side, or take it away', {
  body: z.strictObject({
    picture: pictureInput('La imagen no es un JPEG'),
  }),
  200: doneWith(product),
});

export const getPicture = operation('The picture of a product, by the address that packs and lines name', {
  query: z.strictObject({ v: z.string().max(64).describe('Digest of the picture') }),
  file: 'image/jpeg',
});

export const pack = z.object({
  id,
  product_id: id,
  product_name: z.string().describe('Name of the product'),
  picture,
  ...answerSchemas(PACK_FIELDS, ['name', 'alias', 'pack_quantity', 'pack_price']),
  is_active: z.boolean(),
  available: z.boolean().describe('Active pack of an active product, so it can be ordered'),
  quedan: z.number().describe("Packs the product's stock suffices for"),
  created_at: isoInstant,
  version: z.number(),
});

const { product_id, ...written } = inputSchemas(PACK_FIELDS, ['product_id', 'name', 'alias', 'pack_quantity', 'pack_price']);

const packFields = { ...written, is_active: z.boolean() };

export const createPackBody = z.strictObject({
  product_id,
  ...packFields,
  pack_quantity: packFields.pack_quantity.default(1),
  pack_price: packFields.pack_price.default(0),
  is_active: z.boolean().default(true),
});

export const updatePackBody = z.strictObject({ ...z.object(packFields).partial().shape, version });

export const listPacks = operation('Packs with their product’s name; a reseller gets those an order may be made of', {
  query: z.strictObject({ ...filters, product_id: id.optional(), sort: z.enum(PACK_SORTS, 'Orden no válido').default('name'), dir }),
  200: listOf(pack),
});

export const listPacksAlias = { ...listPacks, summary: 'The same list as /api/product-packs' };

export const createPack = operation('New pack of a product', { body: createPackBody, 201: doneWith(pack) });

export const updatePack = operation('Change a pack, a stale version is refused with 409; orders already made keep their price', {
  body: updatePackBody,
  200: doneWith(pack),
});

export const movimiento = z.object({
  id,
  created_at: isoInstant,
  unidades: z.number(),
  motivo: z.string(),
  nota: z.string().nullable(),
  actor_nombre: z.string(),
  pedido_id: id.nullable(),
  numero_orden: z.string().nullable(),
});

export const listMovimientos = operation('A product’s ledger by pages, newest first, and what remains at the pace of the last 30 days', {
  query: z.strictObject(pageQuery),
  200: paged(movimiento).extend({
    stock: z.number(),
    ritmo_diario: z.number().describe('Units ordered per day over the last 30 days, net of returns'),
    dias_restantes: z.number().nullable().describe('Days of stock left at that rate; null without sales'),
  }),
});

export const ajustarStock = operation('Book units in or out, with the reason', {
  body: z.strictObject({
    unidades: integer(-MAX_UNITS, MAX_UNITS, 'Indica cuántas unidades entran o salen').refine(
      (n) => n !== 0,
      'Indica cuántas unidades entran o salen',
    ),
    nota: text(200, 'Indica el motivo del ajuste'),
  }),
  200: doneWith(product),
});
