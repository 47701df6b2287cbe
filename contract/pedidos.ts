import { z } from 'zod';
import { day, doneWith, endpoint, euros, id, idParams, instant, integer, optionalText, paged, text } from './kit.ts';
import { estado, metodoEntrega, pedidosQuery } from './pedidos.filters.ts';
import { ROLES } from './policy.ts';

/* ---- what is read ---- */

/** What a carrier sees of an order before taking it: name and street, no phone, door or price. */
export const pedidoDisponible = z.object({
  id,
  numero_orden: z.string(),
  cliente_nombre: z.string(),
  cliente_direccion: z.string(),
  cliente_ciudad: z.string().nullable(),
  cliente_provincia: z.string().nullable(),
  cliente_codigo_postal: z.string().nullable(),
  cliente_pais: z.string().nullable(),
  producto: z.string(),
  cantidad: z.number(),
  estado,
  fecha_pedido: instant,
  fecha_estimada: instant.nullable(),
  transportista_id: id.nullable(),
  version: z.number(),
});

/** What a carrier sees of its own order: everything but prices. */
export const pedidoTransportista = pedidoDisponible.extend({
  cliente_direccion2: z.string().nullable(),
  cliente_telefono: z.string().nullable(),
  instrucciones: z.string().nullable(),
  transportista_nombre: z.string().nullable(),
  fecha_completado: instant.nullable(),
  numero_seguimiento: z.string().nullable(),
  /** Where the company follows the parcel; null without a number, or without a page for the company in the settings. */
  seguimiento_url: z.string().nullable(),
  metodo_entrega: metodoEntrega.nullable(),
  empresa_transporte: z.string(),
  /** Why the last delivery attempt failed, when it did. */
  motivo: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
});

/** The whole order: resellers (their own) and superadmins. Amounts in euros. */
export const pedido = pedidoTransportista.extend({
  revendedor_id: id.nullable(),
  revendedor_nombre: z.string().nullable(),
  pack_id: id.nullable(),
  precio_unitario: z.number(),
  precio_total: z.number(),
  payment_link: z.string().nullable(),
  deleted_at: instant.nullable(),
});
export type Pedido = z.infer<typeof pedido>;
export type PedidoTransportista = z.infer<typeof pedidoTransportista>;
export type PedidoDisponible = z.infer<typeof pedidoDisponible>;

/** An order as the caller's role may see it; the richest shape that fits is the one sent. */
export const pedidoByRole = z.union([pedido, pedidoTransportista, pedidoDisponible]);

/* ---- lists ---- */

export const listPedidos = endpoint({
  method: 'GET',
  path: '/api/pedidos',
  allow: ROLES,
  summary: 'Orders the caller may see: all, the reseller’s own, or the carrier’s own',
  query: pedidosQuery,
  response: {
    200: paged(pedidoByRole).extend({
      /** What the orders of the asked estados add up to, in euros: for those who see prices, where the daily totals know it. */
      importe: z.number().optional(),
    }),
  },
});

export const getPedido = endpoint({
  method: 'GET',
  path: '/api/pedidos/:id',
  allow: ROLES,
  summary: 'One order',
  params: idParams,
  response: { 200: z.object({ data: pedidoByRole }) },
});

/* ---- what is written ---- */

const CAMPOS_CLIENTE = {
  cliente_direccion2: optionalText(200),
  cliente_ciudad: optionalText(120),
  cliente_provincia: optionalText(120),
  cliente_codigo_postal: optionalText(12),
  cliente_pais: optionalText(80),
  cliente_telefono: optionalText(30),
  instrucciones: optionalText(1000),
};
const REQUIRED = 'Completa los campos obligatorios';
/** A day, or an instant within the same bounds: beyond them are no real orders, and years that the totals and the database have not. */
const fecha = z
  .union([z.iso.datetime({ offset: true }).refine((at) => at >= '1900-01-02' && at < '2999-12-31'), day], { error: 'Fecha no válida' })
  .nullish();
const cantidad = integer(1, 9999, 'La cantidad debe ser un número entero entre 1 y 9999');

/**
 * A new order. A reseller's price, state, number and dates are accepted and ignored: the server prices
 * from the pack (design, section 4.5). A superadmin may leave `pack_id` out and give product and price.
 */
export const createPedidoBody = z.strictObject({
  pack_id: id.nullish(),
  cliente_nombre: text(160, REQUIRED),
  cliente_direccion: text(240, REQUIRED),
  ...CAMPOS_CLIENTE,
  cantidad: cantidad.default(1),
  numero_orden: optionalText(40),
  producto: optionalText(200),
  precio_unitario: euros().nullish(),
  precio_total: euros().nullish(),
  estado: estado.nullish(),
  fecha_pedido: fecha,
  fecha_estimada: fecha,
  revendedor_id: id.nullish(),
});
export type CreatePedido = z.output<typeof createPedidoBody>;

export const createPedido = endpoint({
  method: 'POST',
  path: '/api/pedidos',
  allow: ['superadmin', 'revendedor'],
  summary: 'Create an order; Idempotency-Key makes a repeated call answer the first result',
  body: createPedidoBody,
  response: { 201: doneWith(pedido).extend({ payment_link: z.string().nullable() }) },
});

export const updatePedidoBody = z.strictObject({
  cliente_nombre: text(160, REQUIRED),
  cliente_direccion: text(240, REQUIRED),
  ...CAMPOS_CLIENTE,
  /** The version the form was filled from; a stale one is refused with 409. */
  version: integer(1, 2_000_000_000, 'Versión no válida').optional(),
});
export type UpdatePedido = z.output<typeof updatePedidoBody>;
export const CAMPOS_EDITABLES = Object.keys(updatePedidoBody.shape).filter((k) => k !== 'version') as Exclude<
  keyof UpdatePedido,
  'version'
>[];

export const updatePedido = endpoint({
  method: 'PUT',
  path: '/api/pedidos/:id',
  allow: ['superadmin'],
  summary: 'Change customer, address and instructions',
  params: idParams,
  body: updatePedidoBody,
  response: { 200: doneWith(pedido) },
});

/** `metodo_entrega` for completado, `motivo` for a failed attempt, `referencia` for marking as paid. */
export const estadoBody = z.strictObject({
  estado,
  numero_seguimiento: optionalText(60),
  metodo_entrega: metodoEntrega.nullish(),
  empresa_transporte: optionalText(80),
  motivo: optionalText(300),
  referencia: optionalText(120),
  version: integer(1, 2_000_000_000, 'Versión no válida').optional(),
});
export type EstadoInput = z.output<typeof estadoBody>;

export const setEstado = endpoint({
  method: 'POST',
  path: '/api/pedidos/:id/estado',
  allow: ROLES,
  summary: 'Take an order through a transition of its state table',
  params: idParams,
  body: estadoBody,
  response: { 200: doneWith(pedidoByRole) },
});

export const assignTransportista = endpoint({
  method: 'POST',
  path: '/api/pedidos/:id/assign-transportista',
  allow: ['superadmin'],
  summary: 'Give the order to a carrier, to another, or (null) to nobody',
  params: idParams,
  body: z.strictObject({
    transportista_id: id.nullable(),
    empresa_transporte: metodoEntrega.nullish(),
    version: integer(1, 2_000_000_000, 'Versión no válida').optional(),
  }),
  response: { 200: doneWith(pedido) },
});

export const deletePedido = endpoint({
  method: 'DELETE',
  path: '/api/pedidos/:id',
  allow: ['superadmin'],
  summary: 'Hide an order; an open one returns its stock',
  params: idParams,
  response: { 200: doneWith(pedido) },
});

export const restorePedido = endpoint({
  method: 'POST',
  path: '/api/pedidos/:id/restaurar',
  allow: ['superadmin'],
  summary: 'Undo a delete',
  params: idParams,
  response: { 200: doneWith(pedido) },
});

export const duplicatePedido = endpoint({
  method: 'POST',
  path: '/api/pedidos/:id/duplicar',
  allow: ['superadmin'],
  summary: 'A new order with the same customer and pack at today’s price',
  params: idParams,
  response: { 201: doneWith(pedido).extend({ payment_link: z.string().nullable() }) },
});

export const calcularTotal = endpoint({
  method: 'POST',
  path: '/api/pedidos/calcular-total',
  allow: ['superadmin', 'revendedor'],
  summary: 'What an order of this pack would cost, in euros',
  body: z.strictObject({ pack_id: id, cantidad }),
  response: { 200: z.object({ data: z.object({ precio_unitario: z.number(), total: z.number() }) }) },
});

export const historyEntry = z.object({
  id,
  created_at: instant,
  actor_nombre: z.string(),
  actor_role: z.string(),
  accion: z.string(),
  estado_anterior: estado.nullable(),
  estado_nuevo: estado.nullable(),
  nota: z.string().nullable(),
  /** field → [before, after] */
  cambios: z.record(z.string(), z.tuple([z.string().nullable(), z.string().nullable()])),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const getHistorial = endpoint({
  method: 'GET',
  path: '/api/pedidos/:id/historial',
  allow: ['superadmin', 'revendedor'],
  summary: 'Who did what to the order, newest first',
  params: idParams,
  response: { 200: z.object({ data: z.array(historyEntry) }) },
});
