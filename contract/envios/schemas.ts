import { z } from 'zod';
import { doneWith, id, idsQuery, integer, isoInstant, listOf, operation, optionalText, text, version } from '../kit/schemas.ts';
import { MAX_LOTE, PEDIDO_FIELDS } from '../pedidos/fields.ts';
import { metodoEntrega } from '../pedidos/filters.schemas.ts';
import { LECTURAS, MAX_ENVIO, RESULTADOS } from './fields.ts';
import { CODIFICACIONES, MAX_COLUMNAS, problemOfExpresion, SEPARADORES } from './plantilla.ts';

const CHOOSE = 'Elige una de las opciones';
export const columna = z.strictObject({
  titulo: text(80, 'Escribe el título'),
  expresion: z
    .string('Escribe el contenido')
    .max(300, 'No puede superar los 300 caracteres')
    .superRefine((value, context) => {
      const message = problemOfExpresion(value);
      if (message) context.addIssue({ code: 'custom', message });
    }),
  max: integer(0, 999, 'Entre 0 y 999 caracteres').describe('Maximum length; 0: none'),
});

const formato = {
  columnas: z.array(columna).min(1, 'Escribe al menos una columna').max(MAX_COLUMNAS, `Como máximo ${MAX_COLUMNAS} columnas`),
  separador: z.enum(Object.keys(SEPARADORES) as [keyof typeof SEPARADORES], CHOOSE),
  codificacion: z.enum(Object.keys(CODIFICACIONES) as [keyof typeof CODIFICACIONES], CHOOSE),
  coma_decimal: z.boolean('Valor no válido'),
  con_titulos: z.boolean('Valor no válido').describe('The first line has the headings'),
  verificada: z.boolean('Valor no válido').describe('Tried with the company; those shipped are not'),
};

export const plantilla = z.object({
  clave: z.string(),
  nombre: z.string(),
  metodo_entrega: metodoEntrega.describe('With which its orders are completed'),
  ...formato,
  version: z.number(),
});

export const listPlantillas = operation('Templates of the shipment files of other companies', {
  200: z.object({ data: z.array(plantilla) }),
});

export const updatePlantilla = operation('Change a template; a stale version is refused with 409', {
  params: z.object({ empresa: z.string().max(20) }),
  body: z.strictObject({ ...formato, version }),
  200: doneWith(plantilla),
});

const sinPareja = z.object({ referencia: z.string(), seguimiento: z.string().nullable(), motivo: z.string() });

export const envio = z.object({
  id,
  empresa: z.string(),
  created_at: isoInstant,
  creado_por: z.string(),
  pedidos: z.number(),
  completados: z.number().describe('Completed by an answer'),
  incidencias: z.number(),
  sin_respuesta: z.number().describe('Still with the company; 0: the batch is done, whoever completed its orders'),
  sacados: z.number().describe('Taken out again'),
  sin_pareja: z.array(sinPareja).describe('Rows of answers that match no order of the batch'),
  fuera: z.array(z.object({ numero_orden: z.string(), motivo: z.string() })).describe('Orders that the file leaves out by now, and why'),
  respondido_at: isoInstant.nullable(),
  respuesta: z
    .object({ id, created_at: isoInstant, leida_por: z.string() })
    .nullable()
    .describe('The latest answer, if it can still be taken back'),
});

export const listEnvios = operation('Batches handed to other companies, the latest first', {
  query: z.strictObject(idsQuery),
  200: listOf(envio),
});

const some = z.array(id).min(1, 'Elige al menos un pedido').max(MAX_LOTE, `Como máximo ${MAX_LOTE} pedidos a la vez`);

export const createEnvio = operation('Mark orders as a batch of a company', {
  body: z.strictObject({
    plantilla: z.string('Elige una empresa').max(20, 'Elige una empresa'),
    ids: some,
    aunque_tenga_envio: z
      .boolean('Valor no válido')
      .default(false)
      .describe('Also orders that another batch or a carrier has, which are refused with `en_empresa` otherwise; they leave that batch'),
  }),
  201: doneWith(envio).extend({
    avisos: z
      .array(z.string())
      .describe('Spanish sentences: orders that do not fit into the company’s columns and stay out, and cut notes'),
  }),
});

export const sacarDeEnvio = operation('Take orders out of the batch in which a company has them; carriers may take them again', {
  body: z.strictObject({ ids: some }),
  200: z.object({ message: z.string(), sacados: z.number() }),
});

export const envioFichero = operation(
  'The file of a batch by its template, of the orders as they are now; without those no longer to be delivered',
  { file: 'text/csv' },
);

export const filaRespuesta = z.strictObject({
  referencia: text(80, 'Falta la referencia'),
  seguimiento: optionalText(PEDIDO_FIELDS.numero_seguimiento.max),
  estado: optionalText(300),
  lectura: z
    .enum(LECTURAS, 'Lectura no válida')
    .nullish()
    .describe('What a person says that `estado` means; default: exact known words, and any other word does nothing'),
});

export const respuesta = z.strictObject({
  filas: z.array(filaRespuesta).min(1, 'El fichero no tiene filas').max(MAX_ENVIO, `Como máximo ${MAX_ENVIO} filas a la vez`),
});

export const verRespuesta = operation('What taking the latest answer of a batch back would do; nothing changes', {
  200: z.object({
    data: z.object({
      entregas: z.number().describe('Deliveries that it takes back'),
      incidencias: z.number().describe('Incidents and comments that it takes back'),
      se_quedan: z
        .array(z.object({ id, numero_orden: z.string(), motivo: z.string() }))
        .describe('Orders that have moved on since, and so stay as they are'),
    }),
  }),
});

export const deshacerRespuesta = operation('Take the latest answer of a batch back, within a day: all of its orders, or none', {
  body: z.strictObject({
    se_quedan: z
      .array(id)
      .max(MAX_ENVIO, `Como máximo ${MAX_ENVIO} pedidos`)
      .default([])
      .describe('Orders of which the caller knows that they stay as they are; any other that has moved on refuses the whole'),
  }),
  200: doneWith(envio),
});

export const leida = z.object({
  fila: z.number().describe('From 0'),
  referencia: z.string(),
  pedido_id: id.nullable(),
  seguimiento: z.string().nullable(),
  resultado: z.enum(RESULTADOS),
  message: z.string(),
});

export const comprobarRespuesta = operation('What reading an answer would do with each row; nothing changes', {
  body: respuesta,
  200: z.object({ data: z.array(leida) }),
});

export const leerRespuesta = operation(
  'Read the answer of a company: complete orders with their tracking numbers, note incidents, keep what matches none; twice changes nothing',
  { body: respuesta, 200: z.object({ message: z.string(), data: z.array(leida), envio }) },
);
