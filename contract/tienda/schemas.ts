import { z } from 'zod';
import type { Schemas } from '../kit/endpoint.ts';
import { inputsOf } from '../kit/fields.schemas.ts';
import { done, id, instant, listQuery, paged } from '../kit/schemas.ts';
import { ESTADOS_TIENDA, TIENDA_FIELDS } from './fields.ts';

export const lineaTienda = z.object({
  clave: z.string().describe('SKU, or the product’s id where it has none'),
  nombre: z.string(),
  cantidad: z.number(),
  pack_id: id.nullable(),
});

export const pedidoTienda = z.object({
  id,
  numero: z.string(),
  estado: z.enum(ESTADOS_TIENDA),
  motivo: z.string().nullable().describe('Why no order was made, in Spanish'),
  aviso: z.string().nullable().describe('What has changed in the shop since, in Spanish'),
  pedido_id: id.nullable(),
  numero_orden: z.string().nullable(),
  recibido_at: instant,
  cliente: z.string().nullable(),
  total: z.number().nullable().describe('Euros'),
  lineas: z.array(lineaTienda),
});

export const receiveTienda = {
  summary: 'An order of the web shop, signed: WooCommerce’s webhooks, or the plain form of docs/api.md',
  bytes: ['application/json'],
  response: { 200: z.object({ received: z.boolean() }) },
} satisfies Schemas;

export const listTienda = {
  summary: 'Orders of the web shop that wait for a person, oldest first',
  query: z.strictObject(listQuery),
  response: { 200: paged(pedidoTienda) },
} satisfies Schemas;

export const emparejarTienda = {
  summary: 'Say which pack a product of the web shop is; orders that waited for it are read again',
  body: z.strictObject(inputsOf(TIENDA_FIELDS, ['clave', 'pack_id'])),
  response: { 200: done },
} satisfies Schemas;

export const reintentarTienda = { summary: 'Read an order of the web shop again', response: { 200: done } } satisfies Schemas;

export const descartarTienda = {
  summary: 'Let go of a waiting order of the web shop, or of what has changed in it',
  response: { 200: done },
} satisfies Schemas;
