import { z } from 'zod';
import { answerSchemas, inputSchemas } from '../kit/fields.schemas.ts';
import { METADATA } from '../kit/fields.ts';
import { contar, doneWith, id, isoInstant, listQuery, operation, optionalText, paged, version } from '../kit/schemas.ts';
import { FORMAS_PAGO } from '../payments/fields.ts';
import { CLIENTE_FIELDS, PEDIDO_FIELDS } from '../pedidos/fields.ts';
import { searchText } from '../pedidos/filters.schemas.ts';
import { CLIENTE_SORTS, MAX_MOTIVO_BLOQUEO, MAX_NOTA, VER_CLIENTES } from './fields.ts';

/** Notes on a customer; the notes of joined customers are concatenated. */
const fields = {
  nota: z.string().nullable(),
  avisar_antes: z.boolean(),
  bloqueado_motivo: z.string().nullable().describe('Reason shown to resellers, who may not order for this customer; null: not blocked'),
};

/** References stored by programs; null for resellers. Joined customers keep separate references. */
const { metadata } = answerSchemas({ metadata: METADATA }, ['metadata']);

/** In euros; absent without permission to see prices. */
const total = z.number().optional();

/** A customer with the latest order's data; null for hidden fields. Totals leave out deleted and cancelled orders. */
export const cliente = z.object({
  id,
  ...answerSchemas(PEDIDO_FIELDS, CLIENTE_FIELDS),
  revendedor_id: id.nullable(),
  revendedor_nombre: z.string().nullable(),
  pedidos: z.number(),
  total,
  ultimo_pedido: isoInstant.nullable().describe('Includes cancelled orders; null when every order is deleted'),
  ...fields,
  metadata,
});

export const ficha = z.object({
  id,
  nombre: z.string(),
  telefono: z.string().nullable(),
  ciudad: z.string().nullable(),
  pedidos: z.number(),
  total,
  ultimo_pedido: isoInstant.nullable(),
  ...fields,
  metadata,
  version: z.number(),
});

const { cliente_direccion, cliente_direccion2, cliente_ciudad, cliente_provincia, cliente_codigo_postal, cliente_pais } = answerSchemas(
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
  pedidos: z.number(),
  ultimo_pedido: isoInstant,
});

export const clienteEntero = cliente.extend({
  propia: z.object({ ...fields, version: z.number() }).describe('Notes of this record alone, and its version'),
  direcciones: z.array(direccion),
  unidos: z.array(ficha),
});

export const listClientes = operation('Customers by name or telephone, each with what an order form asks for; a reseller’s are their own', {
  query: z.strictObject({
    ...listQuery,
    contar,
    search: searchText.optional(),
    revendedor_id: z.union([id, z.literal('sin')], 'Filtro no válido').optional(),
    ver: z.enum(VER_CLIENTES, 'Filtro no válido').optional(),
    sort: z.enum(CLIENTE_SORTS, 'Orden no válido').default('ultimo_pedido'),
    dir: z.enum(['asc', 'desc'], 'Orden no válido').default('desc'),
  }),
  200: paged(cliente),
});

export const getCliente = operation(
  'One customer with addresses and those joined to it; of a joined one, the customer that it belongs to',
  { 200: z.object({ data: clienteEntero }) },
);

export const orderHabits = z.object({
  forma: z.enum(FORMAS_PAGO).nullable().describe('How more than half of the last ten orders were to be paid; null: no such way'),
  ultima: z
    .object({
      forma: z.enum(FORMAS_PAGO),
      fecha_pedido: isoInstant,
      total: z.number().describe('Euros'),
      lineas: z.array(z.object({ pack_id: id.nullable(), producto: z.string(), cantidad: z.number() })),
    })
    .nullable()
    .describe('Latest order of the customer that was not cancelled'),
  rechazados: z.number().describe('Orders of the customer that were refused at the door'),
  debe: z.number().describe('Euros that the customer owes for delivered orders'),
});

export const getCostumbre = operation('How orders are usually paid; of a customer also the latest order, refusals and debts', {
  query: z.strictObject({ cliente_id: id.optional() }),
  200: z.object({ data: orderHabits }),
});

export const updateCliente = operation(
  'Write the note of a customer, whether they want to be told before a delivery, and what programs keep',
  {
    body: z.strictObject({
      nota: optionalText(MAX_NOTA),
      avisar_antes: z.boolean('Valor no válido'),
      ...inputSchemas({ metadata: METADATA }, ['metadata']),
      version,
    }),
    200: doneWith(clienteEntero),
  },
);

export const bloquearCliente = operation(
  'Let resellers take no more orders of a customer, and why; null lets them again, those joined to it too',
  { body: z.strictObject({ motivo: optionalText(MAX_MOTIVO_BLOQUEO) }), 200: doneWith(clienteEntero) },
);

export const unirCliente = operation(
  'Join another customer of the same seller to this one, with what was joined to it; each keeps its orders',
  { body: z.strictObject({ cliente_id: z.uuid('Elige un cliente') }), 200: doneWith(clienteEntero) },
);

export const separarCliente = operation(
  'Take a joined customer apart, with its own orders and note; answers with the customer that it belonged to',
  { 200: doneWith(clienteEntero) },
);
