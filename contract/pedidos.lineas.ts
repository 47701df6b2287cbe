import { z } from 'zod';
import { integer } from './kit.ts';
import { PEDIDO_FIELDS } from './pedidos.fields.ts';
import { answersOf, inputsOf } from './schema.ts';

/* The lines of an order: what is ordered, how many of each, and at what price, frozen. */

/** Fields of a line, of which the order's own are the summary (design, section 4.30). */
export const LINEA_FIELDS = ['pack_id', 'producto', 'cantidad', 'precio_unitario', 'precio_total'] as const;
/** The same, as a carrier sees them. */
export const LINEA_FIELDS_SEEN_BY_CARRIER = ['producto', 'cantidad'] as const;

/** Most lines of one order. */
export const MAX_LINEAS = 50;

/** Its place in the order, from 1. */
const numero = z.number();

/** A line as a carrier sees it: no price. */
export const lineaTransportista = z.object({ numero, ...answersOf(PEDIDO_FIELDS, LINEA_FIELDS_SEEN_BY_CARRIER) });
/** A line with its prices in euros. */
export const linea = z.object({
  ...lineaTransportista.shape,
  ...answersOf(PEDIDO_FIELDS, LINEA_FIELDS),
  /** Units of the product that the line takes from the stock; none without a pack. */
  unidades: z.number(),
});
export type Linea = z.infer<typeof linea>;
export type LineaTransportista = z.infer<typeof lineaTransportista>;

const inputs = inputsOf(PEDIDO_FIELDS, LINEA_FIELDS);
const cantidad = inputs.cantidad.default(1);
const lineaInput = z.strictObject({ ...inputs, cantidad });
const listOf = <L extends z.ZodType>(one: L) =>
  z.array(one).min(1, 'Añade al menos una línea').max(MAX_LINEAS, `Un pedido tiene como máximo ${MAX_LINEAS} líneas`);

/** Lines of a new order: a pack and how many, at the pack's price; or, for superadmins, text and price of their own. */
export const nuevasLineas = listOf(lineaInput);
export type LineaInput = z.output<typeof lineaInput>;
/** What an order's lines are to be; with `numero` one is a line that it has already, and keeps its price. */
export const lineasCambiadas = listOf(lineaInput.extend({ numero: integer(1, MAX_LINEAS, 'Esa línea no está en el pedido').nullish() }));
