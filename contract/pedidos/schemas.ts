import { z } from 'zod';
import { DOUBT_IDS } from '../doubts/doubts.ts';
import { filaIva } from '../iva/schemas.ts';
import { answerSchemas, inputSchemas } from '../kit/fields.schemas.ts';
import { day, doneWith, id, isoInstant, operation, optionalText, paged, sentInstant, text, version } from '../kit/schemas.ts';
import { TIPOS_PRUEBA } from '../pruebas/fields.ts';
import { anunciadas } from '../pruebas/schemas.ts';
import { FIELDS_CARRIED, FIELDS_OFFERED } from './access.ts';
import { LLAMADOS, MAX_NOTA_APLAZAR, RESPUESTAS } from './attempts.ts';
import { MAX_DIRECCION_VISTA } from './direccion.ts';
import { CREATED_FIELDS, EDITABLE_FIELDS, FIELDS, PEDIDO_FIELDS } from './fields.ts';
import { estado, metodoEntrega, pedidosQuery } from './filters.schemas.ts';
import { TRANSITION_NAMES } from './flow.ts';
import { INPUT_NAMES, INPUTS } from './inputs.ts';
import { linea, lineasCambiadas, lineaTransportista, nuevasLineas, partes } from './lineas.schemas.ts';
import { pagado } from './pagado.schemas.ts';
import { PASOS, QUIENES, SITUATION_IDS, TONES } from './situations.ts';

const paso = z.enum(PASOS);
const situacion = z.object({
  id: z.enum(SITUATION_IDS),
  frase: z.string().describe('What, why and since when, in Spanish'),
  desde: isoInstant.nullable(),
  puede_salir: z.boolean().describe('False: not loaded, and no stop of a route'),
  tono: z.enum(TONES),
  quien: z.enum(QUIENES).nullable().describe('Who must act'),
  paso: paso.nullable().describe('The next step, which will not be refused'),
  otros: z.array(paso).describe('At most two further steps'),
  ademas: z.array(z.string()).describe('Sentences of what else is the matter'),
});

/** An order that no carrier has taken yet: name and street; no phone, door or price. */
export const pedidoDisponible = z.object({
  ...answerSchemas(PEDIDO_FIELDS, FIELDS_OFFERED),
  lineas: z.array(lineaTransportista).optional().describe('Only in single orders and with `con=lineas`'),
  situacion: situacion.optional().describe('What is the matter with the order, as its reader may know it'),
});

/** An order for the carrier who holds the order: contact and delivery, without prices. */
export const pedidoTransportista = z.object({
  ...pedidoDisponible.shape,
  ...answerSchemas(PEDIDO_FIELDS, FIELDS_CARRIED),
  seguimiento_url: z.string().nullable().describe('Null without a tracking number, or if the settings have no page for the company'),
  cliente_nota: z.string().nullable().optional().describe('Only where lines are read and the contact is visible'),
  avisar_antes: z.boolean().optional(),
});

/** The full order, for superadmins and the order's reseller. Amounts in euros. */
export const pedido = z.object({
  ...pedidoTransportista.shape,
  ...answerSchemas(PEDIDO_FIELDS, FIELDS),
  lineas: z.array(linea).optional(),
  cliente_id: id.nullable().optional().describe('Only where `cliente_nota` is; null for an order without customer'),
  payment_link: z.string().nullable(),
  iva: z
    .array(filaIva)
    .optional()
    .describe('Base and quota by rate, which add up to the total; only where lines are read, in a shop that uses VAT'),
});

/** An order as the caller may see it: the most complete schema that matches. */
export const pedidoByRole = z.union([pedido, pedidoTransportista, pedidoDisponible]);

export const listPedidos = operation('Orders the caller may see: all, the reseller’s own, or the carrier’s own', {
  query: pedidosQuery,
  200: paged(pedidoByRole).extend({
    importe: z.number().optional().describe('Sum in euros, if the daily totals cover the filters and the caller sees prices'),
  }),
});

export const getPedido = operation('One order; to a carrier from whom it was taken, 404 with the code `retirado` says by whom', {
  200: z.object({
    data: pedidoByRole,
    retirado: z
      .string()
      .optional()
      .describe('Who took the order from this carrier, and when: «Ana ha cancelado este pedido el 25/11 a las 12:40»'),
  }),
});

const { cantidad, envio, descuento } = inputSchemas(PEDIDO_FIELDS, ['cantidad', 'envio', 'descuento']);

export const doubtSchema = z.object({
  id: z.enum(DOUBT_IDS),
  campo: z.enum(FIELDS).describe('Field that a correction changes'),
  frase: z.string().describe('In Spanish'),
});
const avisos = z
  .array(doubtSchema)
  .describe('What is doubtful about the written data, which may still be right; after a change only what it brings up');
const withAvisos = doneWith(pedido).extend({ avisos });

/**
 * A new order. Ignores price, state, number and dates sent by a reseller: the pack sets the price (design, section 4.5). A superadmin may
 * send product and price instead of `pack_id`. `pack_id` and `cantidad` are shorthand for a single line.
 */
export const createPedidoBody = z.strictObject({
  ...inputSchemas(PEDIDO_FIELDS, CREATED_FIELDS),
  cantidad: cantidad.default(1),
  lineas: nuevasLineas.nullish(),
  pago: pagado,
});

export const createPedido = operation('Create an order', {
  body: createPedidoBody,
  201: withAvisos.extend({ payment_link: z.string().nullable() }),
});

export const updatePedidoBody = z.strictObject({
  ...inputSchemas(PEDIDO_FIELDS, EDITABLE_FIELDS),
  /** A promised date sent here is no longer computed; absent: unchanged. Only the sent keys of `metadata` change. */
  ...inputSchemas(PEDIDO_FIELDS, ['fecha_estimada', 'metadata']),
  version,
});

export const updatePedido = operation('Change customer, address and instructions; a superadmin also the promised date', {
  body: updatePedidoBody,
  200: withAvisos,
});

export const patchPedido = operation('Change only the named fields of an order; `null` empties one', {
  body: z.strictObject({
    ...Object.fromEntries(
      Object.entries({
        ...inputSchemas(PEDIDO_FIELDS, EDITABLE_FIELDS),
        ...inputSchemas(PEDIDO_FIELDS, ['fecha_estimada', 'metadata']),
      }).map(([name, schema]) => [name, (schema as z.ZodType).optional()]),
    ),
    version,
  }),
  200: withAvisos,
});

export const setLineas = operation(
  'Replace the lines of an order that nobody has taken; the stock moves by the difference, all or nothing',
  { body: z.strictObject({ lineas: lineasCambiadas, envio, descuento, version }), 200: doneWith(pedido) },
);

/** Target estado; `paso` names the transition if several lead there. */
export const estadoBody = z.strictObject({
  estado,
  paso: z.enum(TRANSITION_NAMES, 'Paso no válido').optional(),
  ...inputSchemas(INPUTS, INPUT_NAMES),
  ocurrido: sentInstant.optional().describe('Of a carrier: when it happened'),
  direccion_vista: z
    .string()
    .max(MAX_DIRECCION_VISTA)
    .optional()
    .describe('Of a carrier: the address on the telephone. Another one since then is told to carrier and office, and refuses nothing'),
  no_entregado: partes.optional().describe('What is not delivered'),
  pruebas: anunciadas.optional().describe('Files that will be sent to `/pruebas`'),
  version,
});

export const setEstado = operation('Take an order through a transition of its state table', {
  body: estadoBody,
  200: doneWith(pedidoByRole),
});

export const aplazarBody = z.strictObject({ dia: day, nota: optionalText(MAX_NOTA_APLAZAR) });

export const aplazarPedido = operation('Deliver on another day, at the customer’s wish; the carrier and the office are told', {
  body: aplazarBody.extend({ version }),
  200: doneWith(pedido),
});

export const intento = z.object({
  id,
  created_at: isoInstant,
  transportista_nombre: z.string(),
  motivo: z.string(),
  llamado: z.enum(LLAMADOS).nullable(),
  fotos: z.array(z.object({ enviada: z.boolean(), url: z.string().nullable() })).describe('`url` as in proofs'),
});

export const listIntentos = operation('Failed delivery attempts of an order, oldest first', { 200: z.object({ data: z.array(intento) }) });

const OTHER_ADDRESS = [
  'cliente_direccion2',
  'cliente_codigo_postal',
  'cliente_ciudad',
  'cliente_provincia',
] as const satisfies (keyof typeof PEDIDO_FIELDS)[];

export const responderIncidencia = operation('Say what is done with an order that waits for an answer after failed attempts', {
  body: z.strictObject({
    respuesta: z.enum(RESPUESTAS, 'Elige qué se hace con el pedido'),
    dia: day.nullish(),
    nota: optionalText(MAX_NOTA_APLAZAR),
    cliente_direccion: optionalText(PEDIDO_FIELDS.cliente_direccion.max),
    ...inputSchemas(PEDIDO_FIELDS, OTHER_ADDRESS),
    version,
  }),
  200: doneWith(pedido),
});

export const calcularEnvio = operation('What a new address means for shipping and total of an order, without writing it', {
  body: z.strictObject(inputSchemas(PEDIDO_FIELDS, ['cliente_codigo_postal', 'cliente_provincia', 'cliente_pais'])),
  200: z.object({ data: z.object({ mensaje: z.string().nullable().describe('Null if the price does not change') }) }),
});

export const separarVenta = operation(
  'Say that an order is a sale of its own: it does not count with others of its customer and day for the legal limit of cash',
  { body: z.strictObject({ motivo: text(300, 'Indica por qué son dos ventas') }), 200: doneWith(pedido) },
);

export const assignTransportista = operation('Give the order to a carrier, to another, or (null) to nobody', {
  body: z.strictObject({ transportista_id: id.nullable(), empresa_transporte: metodoEntrega.nullish(), version }),
  200: doneWith(pedido),
});

export const deletePedido = operation('Hide an order; an open one returns its stock', { 200: doneWith(pedido) });

export const restorePedido = operation('Undo a delete', { 200: doneWith(pedido) });

export const duplicatePedido = operation('A new order with the same customer and pack at today’s price', {
  201: withAvisos.extend({ payment_link: z.string().nullable() }),
});

export const calcularTotal = operation(
  'What an order of this pack, or of these lines, would cost, in euros, with the shipping to its address',
  {
    body: z.strictObject({
      ...inputSchemas(PEDIDO_FIELDS, ['pack_id', 'cliente_codigo_postal', 'cliente_provincia', 'cliente_pais', 'revendedor_id']),
      cantidad: cantidad.default(1),
      lineas: nuevasLineas.nullish(),
      envio,
      descuento,
    }),
    200: z.object({
      data: z.object({
        precio_unitario: z.number(),
        envio: z.number(),
        descuento: z.number(),
        total: z.number(),
        lineas: z.array(linea),
        fecha_estimada: isoInstant,
      }),
    }),
  },
);

export const historyEntry = z.object({
  id,
  created_at: isoInstant,
  actor_nombre: z.string(),
  actor_role: z.string(),
  accion: z.string(),
  estado_anterior: estado.nullable(),
  estado_nuevo: estado.nullable(),
  nota: z.string().nullable(),
  ocurrido_at: isoInstant.nullable().describe('Null: when recorded'),
  ocurrido_dicho: isoInstant.nullable(),
  cambios: z.record(z.string(), z.tuple([z.string().nullable(), z.string().nullable()])).describe('field → [before, after]'),
  pruebas: z
    .array(z.object({ tipo: z.enum(TIPOS_PRUEBA), enviada: z.boolean(), url: z.string().nullable() }))
    .optional()
    .describe('Files of a step that could not be registered'),
  sin_registrar: z.number().optional().describe('Euros that its carrier collected and no Caja knows; for the office'),
});

export const getHistorial = operation('Who did what to the order, newest first', { 200: z.object({ data: z.array(historyEntry) }) });
