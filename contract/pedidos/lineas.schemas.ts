import { z } from 'zod';
import { MOTIVOS_PARTE } from '../devoluciones/fields.ts';
import { tipoIva } from '../iva/schemas.ts';
import { answerSchemas, inputSchemas } from '../kit/fields.schemas.ts';
import { integer } from '../kit/schemas.ts';
import { LINEA_FIELDS, LINEA_FIELDS_SEEN_BY_CARRIER, MAX_LINEAS, PEDIDO_FIELDS } from './fields.ts';

/** Position in the order, from 1. */
const numero = z.number();

export const lineaTransportista = z.object({
  numero,
  ...answerSchemas(PEDIDO_FIELDS, LINEA_FIELDS_SEEN_BY_CARRIER),
  por_cobrar: z.number().optional().describe('Share of what is collected, unrounded'),
  imagen: z.string().optional().describe('URL of the product’s picture'),
});

export const linea = z.object({
  ...lineaTransportista.shape,
  ...answerSchemas(PEDIDO_FIELDS, LINEA_FIELDS),
  unidades: z.number().describe('Units taken from the stock; 0 without a pack'),
  iva: tipoIva.nullable().optional().describe('Rate of VAT, as it was when the line was priced; absent unless the shop uses VAT'),
});

const inputs = inputSchemas(PEDIDO_FIELDS, LINEA_FIELDS);

const cantidad = inputs.cantidad.default(1);

export const lineaInput = z.strictObject({
  ...inputs,
  cantidad,
  iva: tipoIva.nullish().describe('Of a line without a pack; a pack has the rate of its product. Absent: unchanged'),
});

/** Lines of an order, from one to `MAX_LINEAS`. */
export const orderLines = <L extends z.ZodType>(line: L) =>
  z.array(line).min(1, 'Añade al menos una línea').max(MAX_LINEAS, `Un pedido tiene como máximo ${MAX_LINEAS} líneas`);

/** Lines of a new order, at the pack's price; superadmins may send text and price instead. */
export const nuevasLineas = orderLines(lineaInput);

/** Changed lines of an order. `numero` names an existing line; `keepsPrice` decides its price. */
export const lineasCambiadas = orderLines(
  lineaInput.extend({ numero: integer(1, MAX_LINEAS, 'Esa línea no está en el pedido').nullish() }),
);

const parte = z.strictObject({
  numero: integer(1, MAX_LINEAS, 'Esa línea ya no está en el pedido'),
  cantidad: integer(1, 9999, 'Indica cuántos no se entregan'),
  motivo: z.enum(MOTIVOS_PARTE, 'Elige por qué no se entrega'),
});

/** Undelivered goods: each line at most once per reason. */
export const partes = z
  .array(parte)
  .max(MAX_LINEAS * MOTIVOS_PARTE.length)
  .refine((all) => new Set(all.map(({ numero, motivo }) => `${numero} ${motivo}`)).size === all.length, 'Cada línea, una vez por motivo');
