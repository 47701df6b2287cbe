import { z } from 'zod';
import { contar, doneWith, endpoint, id, instant, optionalText, paged, pageQuery, version } from './kit.ts';
import { CLIENTE_FIELDS, PEDIDO_FIELDS } from './pedidos.fields.ts';
import { searchText } from './pedidos.filters.ts';
import { answersOf } from './schema.ts';

/*
 * Customers, made of the orders that exist: by telephone, else by name and postcode, and each of one seller. One may be
 * joined to another of the same seller; what is then read as one is both.
 */

export const MAX_NOTA = 1000;
export const MAX_MOTIVO_BLOQUEO = 300;

/** What is said about a customer: of each that was joined, one after the other. */
const said = {
  nota: z.string().nullable(),
  /** Wants to be told before a delivery. */
  avisar_antes: z.boolean(),
  /** Why resellers may take no more orders of them; null where they may. */
  bloqueado_motivo: z.string().nullable(),
};

/** A customer as their latest order has them. Counts and euros are of the orders neither deleted nor cancelled. */
export const cliente = z.object({
  id,
  ...answersOf(PEDIDO_FIELDS, CLIENTE_FIELDS),
  revendedor_id: id.nullable(),
  revendedor_nombre: z.string().nullable(),
  pedidos: z.number(),
  total: z.number(),
  /** Cancelled ones too; null when every order is deleted. */
  ultimo_pedido: instant.nullable(),
  ...said,
});
export type Cliente = z.infer<typeof cliente>;

/** One of those who are read as one customer. */
const ficha = z.object({
  id,
  nombre: z.string(),
  telefono: z.string().nullable(),
  ciudad: z.string().nullable(),
  pedidos: z.number(),
  total: z.number(),
  ultimo_pedido: instant.nullable(),
  ...said,
  version: z.number(),
});
export type Ficha = z.infer<typeof ficha>;

const { cliente_direccion, cliente_direccion2, cliente_ciudad, cliente_provincia, cliente_codigo_postal, cliente_pais } = answersOf(
  PEDIDO_FIELDS,
  CLIENTE_FIELDS,
);
const direccion = z.object({
  cliente_direccion,
  cliente_direccion2,
  cliente_ciudad,
  cliente_provincia,
  cliente_codigo_postal,
  cliente_pais,
  /** Orders brought there, cancelled ones too. */
  pedidos: z.number(),
  ultimo_pedido: instant,
});

/** One customer, whole. */
const clienteEntero = cliente.extend({
  /** What is said of this one alone, and its version. */
  propia: z.object({ ...said, version: z.number() }),
  direcciones: z.array(direccion),
  unidos: z.array(ficha),
});
export type ClienteEntero = z.infer<typeof clienteEntero>;

export const CLIENTE_SORTS = ['ultimo_pedido', 'nombre', 'pedidos', 'total'] as const;
export const VER_CLIENTES = ['bloqueados', 'avisar'] as const;

export const listClientes = endpoint('GET', '/api/clientes', {
  action: 'cliente:read',
  summary: 'Customers by name or telephone, each with what an order form asks for; a reseller’s are their own',
  query: z.strictObject({
    ...pageQuery,
    contar,
    search: searchText.optional(),
    revendedor_id: z.union([id, z.literal('sin')], 'Filtro no válido').optional(),
    ver: z.enum(VER_CLIENTES, 'Filtro no válido').optional(),
    sort: z.enum(CLIENTE_SORTS, 'Orden no válido').default('ultimo_pedido'),
    dir: z.enum(['asc', 'desc'], 'Orden no válido').default('desc'),
  }),
  response: { 200: paged(cliente) },
});

export const getCliente = endpoint('GET', '/api/clientes/:id', {
  action: 'cliente:read',
  summary: 'One customer with addresses and those joined to it; of a joined one, the customer that it belongs to',
  response: { 200: z.object({ data: clienteEntero }) },
});

export const updateCliente = endpoint('PUT', '/api/clientes/:id', {
  action: 'cliente:manage',
  summary: 'Write the note of a customer, and whether they want to be told before a delivery',
  body: z.strictObject({ nota: optionalText(MAX_NOTA), avisar_antes: z.boolean('Valor no válido'), version }),
  response: { 200: doneWith(clienteEntero) },
});

export const bloquearCliente = endpoint('PUT', '/api/clientes/:id/bloqueo', {
  action: 'cliente:block',
  summary: 'Let resellers take no more orders of a customer, and why; null lets them again, those joined to it too',
  body: z.strictObject({ motivo: optionalText(MAX_MOTIVO_BLOQUEO) }),
  response: { 200: doneWith(clienteEntero) },
});

export const unirCliente = endpoint('POST', '/api/clientes/:id/unir', {
  action: 'cliente:manage',
  summary: 'Join another customer of the same seller to this one, with what was joined to it; each keeps its orders',
  body: z.strictObject({ cliente_id: z.uuid('Elige un cliente') }),
  response: { 200: doneWith(clienteEntero) },
});

export const separarCliente = endpoint('POST', '/api/clientes/:id/separar', {
  action: 'cliente:manage',
  summary: 'Take a joined customer apart, with its own orders and note; answers with the customer that it belonged to',
  response: { 200: doneWith(clienteEntero) },
});
