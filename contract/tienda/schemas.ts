import { z } from 'zod';
import { inputSchemas } from '../kit/fields.schemas.ts';
import { doneMessage, id, idsQuery, isoInstant, listOf, listQuery, operation, paged } from '../kit/schemas.ts';
import { EDITABLE_FIELDS, MAX_LINEAS } from '../pedidos/fields.ts';
import { CONECTORES, ENTREGAS, ESTADOS_FUENTE, ESTADOS_TIENDA, PARTES, TIENDA_FIELDS, TRATOS } from './fields.ts';

export const lineaTienda = z.object({
  n: z.number().describe('Place of the line in the message, from 0'),
  clave: z.string().describe('SKU, or the product’s ids; empty for a line that has neither, which is asked each time'),
  nombre: z.string(),
  texto: z.string().nullable().describe('What the customer chose or wrote: a size, an engraving'),
  cantidad: z.number(),
  pack_id: id.nullable(),
  sin_mercancia: z.boolean(),
  sugerido_id: id.nullable().describe('Pack with the same alias or name'),
});

export const cambioTienda = z.object({ parte: z.enum(PARTES), antes: z.string(), ahora: z.string() });

export const pedidoTienda = z.object({
  id,
  numero: z.string(),
  tienda_id: id,
  tienda: z.string(),
  estado: z.enum(ESTADOS_TIENDA),
  motivo: z.string().nullable().describe('Why no order was made, in Spanish'),
  aviso: z.string().nullable().describe('What has happened in the shop since, in Spanish'),
  pedido_id: id.nullable(),
  numero_orden: z.string().nullable(),
  recibido_at: isoInstant,
  cliente: z.string().nullable(),
  total: z.number().nullable().describe('Euros'),
  lineas: z.array(lineaTienda),
  mensaje: z.array(z.object({ que: z.string(), texto: z.string() })).describe('The message in words'),
  cambios: z.array(cambioTienda).describe('Differences between the shop and the order here'),
  aplicable: z.boolean().describe('True while the differences can be applied: nothing has left'),
  forma: z.object({ clave: z.string(), titulo: z.string() }).nullable().describe('Payment method that is not known yet'),
  recogida: z.string().nullable().describe('Where the customer wants to collect the order'),
  puede_ser: z.string().nullable().describe('Order of another shop with the same number, from before this shop was known'),
  en_duda: z.boolean().describe('Its state in the shop alone keeps it from being made'),
  campos: z.record(z.string(), z.string().nullable()).describe('Customer and note of a waiting order, as they can be corrected'),
});

export const receivePuerta = operation(
  'An order of a web shop, signed with its secret: WooCommerce’s webhooks, or the plain form of docs/api.md',
  {
    bytes: ['application/json'],
    200: z.object({ received: z.boolean(), motivo: z.string().optional().describe('Why it could not be read') }),
  },
);

export const receiveTienda = {
  ...receivePuerta,
  summary: 'The common address of before, for the one shop of each kind that uses it: signed with the secret of the settings',
};

export const listTienda = operation('Orders of web shops that wait for a person, oldest first', {
  query: z.strictObject(listQuery),
  200: paged(pedidoTienda),
});

const { clave, motivo, ...product } = inputSchemas(TIENDA_FIELDS, ['clave', 'pack_id', 'tienda_id', 'sin_mercancia', 'motivo']);

export const emparejarTienda = operation(
  'Say which pack a product of a web shop is, or that it is no merchandise; orders that waited for it are read again',
  { body: z.strictObject({ clave, ...product }), 200: doneMessage },
);

const parejaTienda = z.object({
  id,
  tienda_id: id.nullable(),
  tienda: z.string().nullable().describe('Null: for every shop'),
  clave: z.string(),
  nombre: z.string().nullable(),
  pack_id: id.nullable(),
  pack: z.string().nullable(),
  sin_mercancia: z.boolean(),
  sugerido_id: id.nullable(),
});

export const listParejas = operation('Products of the web shops and the packs that they are; those without a pack first', {
  query: z.strictObject(listQuery),
  200: paged(parejaTienda),
});

export const deletePareja = operation('Delete what a product of a web shop is: it is asked again', { 200: doneMessage });

export const traerProductos = operation('Fetch the products of a web shop by its REST API, to match them before they are ordered', {
  200: doneMessage,
});

const formaTienda = z.object({ id, tienda_id: id, tienda: z.string(), clave: z.string(), titulo: z.string(), trato: z.enum(TRATOS) });

export const listFormas = operation('Payment methods of the web shops and how their orders are paid', {
  query: z.strictObject(idsQuery),
  200: listOf(formaTienda),
});

export const setForma = operation('Say how orders with a payment method of a web shop are paid; orders that waited for it are read again', {
  body: z.strictObject({ tienda_id: id, clave: z.string().min(1).max(200), titulo: z.string().max(200), trato: z.enum(TRATOS) }),
  200: doneMessage,
});

export const deleteForma = operation('Delete how a payment method is paid: it is asked again', { 200: doneMessage });

const linea = z.strictObject({
  n: z
    .number()
    .int()
    .min(0)
    .max(MAX_LINEAS * 4),
  pack_id: id.nullish(),
  sin_mercancia: z.boolean().optional(),
  cantidad: z.number().int().min(1).max(9999).optional(),
});

export const corregirTienda = operation('Correct a waiting order of a web shop, and read it again; only what is sent changes', {
  body: z.strictObject({
    campos: z
      .partialRecord(z.enum(EDITABLE_FIELDS), z.string().max(2000).nullable())
      .optional()
      .describe('Customer’s fields and note of the order, by name'),
    lineas: z.array(linea).max(200).optional(),
    trato: z.enum(TRATOS).optional(),
    entrega: z.enum(ENTREGAS).optional(),
    es_ese: z.literal(true).optional().describe('It is the order `puede_ser`'),
    hacer: z.literal(true).optional().describe('Make the order whatever its state in the shop'),
  }),
  200: doneMessage,
});

export const aplicarTienda = operation('Make the order here as it is in the web shop now', { 200: doneMessage });

export const reintentarTienda = operation('Read an order of a web shop again', { 200: doneMessage });

export const descartarTienda = operation('Let go of a waiting order of a web shop, or of what has changed in it', {
  body: z.strictObject({ motivo }).nullish(),
  200: doneMessage,
});

export const fuente = z.object({
  id,
  conector: z.enum(CONECTORES),
  nombre: z.string(),
  puerta: z.string().describe('Path to which the shop sends its messages'),
  comun: z.boolean().describe('It still sends to the common address, `/api/tienda/pedidos`'),
  origen: z.string().nullable().describe('Address that its messages name; nothing proves it'),
  estado: z.enum(ESTADOS_FUENTE),
  url: z.string().nullable(),
  clave_api: z.string().nullable(),
  secreto_propio: z.boolean(),
  con_api: z.boolean().describe('Its REST API can be asked'),
  pedidos: z.number(),
  oido_at: isoInstant.nullable(),
  sondeo_at: isoInstant.nullable(),
  sondeo_error: z.string().nullable(),
  rescatados: z.number().describe('Orders that it was asked for since its last message'),
  problema: z.string().nullable().describe('In Spanish; null if it is well'),
  webhook_apagado: z.boolean(),
});

export const listFuentes = operation('Connected web shops', { query: z.strictObject(idsQuery), 200: listOf(fuente) });

const { nombre, conector, secreto, url, clave_api, clave_secreta } = inputSchemas(TIENDA_FIELDS, [
  'nombre',
  'conector',
  'secreto',
  'url',
  'clave_api',
  'clave_secreta',
]);
const access = {
  secreto: secreto.optional(),
  url: url.optional(),
  clave_api: clave_api.optional(),
  clave_secreta: clave_secreta.optional(),
};

export const createFuente = operation('Connect another web shop, with a secret of its own', {
  body: z.strictObject({ nombre, conector, ...access }),
  201: doneMessage,
});

export const updateFuente = operation(
  'Change a web shop: confirm it, ignore it, give what waits to the shop that sent it, or change its name, secret and keys',
  {
    body: z.strictObject({
      nombre: nombre.optional(),
      estado: z.enum(['activa', 'ignorada']).optional(),
      misma_que: id.optional().describe('The shop that sent what waits here; its orders go there'),
      ...access,
    }),
    200: doneMessage,
  },
);

export const encenderWebhooks = operation('Switch the webhooks of a web shop on again, by its REST API', { 200: doneMessage });

const mensajeTienda = z.object({
  id,
  tienda: z.string().nullable(),
  tema: z.string().nullable(),
  motivo: z.string().nullable(),
  contenido: z.string(),
  recibido_at: isoInstant,
});

export const listIlegibles = operation('Signed messages that could not be read, whole, oldest first', {
  query: z.strictObject(listQuery),
  200: paged(mensajeTienda),
});

export const verIlegible = operation('An unreadable message has been seen', { 200: doneMessage });
