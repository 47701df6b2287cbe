import { MAX_LINEAS, PEDIDO_FIELDS } from '../../../contract/pedidos/fields.ts';
import type { LineaInput } from '../../../contract/pedidos/lineas.ts';
import { createPedidoBody } from '../../../contract/pedidos/schemas.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import { isNif } from '../../../contract/text/nif.ts';
import { commentOn } from '../../comentarios/comentarios.ts';
import type { Tx } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';
import { inEuros, toEuros } from '../../kit/money.ts';
import { type Agreed, createAgreed } from '../../pedidos/escritura/agreed.ts';
import type { PedidoRow } from '../../pedidos/lectura/row.ts';
import type { WebOrder } from '../reading/order.ts';
import { type Corrections, refuseUnresolved } from './resolve.ts';

/** True if rounding of taxes explains the difference: at most a cent per line, and one more. */
const isRounding = (cents: number, { lineas }: WebOrder) => Math.abs(cents) <= lineas.length + 1;

/** `con_iva`: the shop has charged VAT before; `tienda`: its name. */
type Made = { entrega?: Corrections['entrega']; con_iva?: boolean; tienda: string };

/**
 * Creates the order with the prices, shipping and discount agreed in the shop, without its payment. Throws 422 or 409 with a
 * sentence about what is missing.
 */
export async function createFromShop(
  tx: Tx,
  order: WebOrder,
  { entrega, con_iva = false, tienda }: Made,
): Promise<PedidoRow & { iva_aviso?: string | undefined }> {
  refuseUnresolved(order, entrega);
  const { lineas, agreed } = agreedLines(order);
  const collected = entrega === 'recoge' ? order.recogida : null;
  const { fits, rest } = notesOf(order, collected);
  const body = createPedidoBody.safeParse({
    ...order.cliente,
    // A wrong NIF does not block the order; the office gets a notice.
    cliente_nif: hasWrongNif(order) ? null : order.cliente.cliente_nif,
    instrucciones: fits,
    referencia_externa: order.numero,
    contra_reembolso: order.contra_reembolso,
    lineas,
    envio: toEuros(order.envio_cents),
    descuento: toEuros(order.descuento_cents),
    estado: 'pendiente_pago',
  });
  if (!body.success) throw invalid('pedido', problemIn(body.error.issues[0]));
  const recoge_at = collected ? new Date().toISOString() : null;
  const row = await createAgreed(tx, SISTEMA, body.data, agreed, { taxes: chargedTaxes(order, con_iva), recoge_at, tienda });
  if (rest) await commentOn(tx, SISTEMA, row.id, rest);
  return row;
}

/** VAT as the shop charged it; undefined for a shop that has never charged any, whose zero says nothing about the rates. */
export const chargedTaxes = ({ impuestos, cuota_cents = 0 }: WebOrder, con_iva: boolean) =>
  con_iva || cuota_cents > 0 ? impuestos : undefined;

/** Adds the label of the field to its error, which does not name the field. */
function problemIn(issue: { path: PropertyKey[]; message: string } | undefined): string {
  const [name, , inner] = issue?.path.map(String) ?? [];
  const label = (PEDIDO_FIELDS as Record<string, { label: string } | undefined>)[inner ?? name ?? '']?.label;
  return `${label ? `${label}: ` : ''}${issue?.message ?? 'El pedido no es válido'}`;
}

/** Returns the lines of an order with their agreed prices. Throws 422 for too many lines, a fraction of a piece or a wrong sum. */
export function agreedLines(order: WebOrder) {
  if (order.lineas.length > MAX_LINEAS) throw invalid('lineas', `Tiene ${order.lineas.length} líneas y aquí caben ${MAX_LINEAS}`);
  const lineas = order.lineas.map(({ nombre, cantidad, total_cents, isFee, sin_mercancia, iva, pack_id }): LineaInput => {
    if (!Number.isInteger(cantidad) || cantidad < 1)
      throw invalid('lineas', `La cantidad de «${nombre}» no es un número entero: ${cantidad}`);
    return isFee || sin_mercancia
      ? { producto: nombre.slice(0, 200), cantidad, precio_total: toEuros(total_cents), iva: iva === '0' ? undefined : iva }
      : { producto: null, pack_id: pack_id ?? '', cantidad };
  });
  const cents = agreedCents(order);
  const agreed = order.lineas.map(({ texto, iva }, i): Agreed => ({ cents: cents[i] as number, texto, iva }));
  return { lineas, agreed };
}

/** Number of characters beyond which a line's choices go into the carrier's note too. */
const LONG_CHOICE = 80;
const NOTE = 1000;

/** Returns the note for the carrier (`fits`), and the text beyond its maximum length, which becomes a comment (`rest`). */
function notesOf(
  { instrucciones, lineas, elegido = [] }: WebOrder,
  collected?: string | null,
): { fits: string | null; rest: string | null } {
  const chosen = elegido.map(({ que, texto }) => `${que}: ${texto}`);
  const choices = lineas.flatMap(({ nombre, texto }) => (texto && texto.length > LONG_CHOICE ? [`${nombre}: ${texto}`] : []));
  const text = [collected && `LO RECOGE EL CLIENTE: ${collected}`, ...chosen, instrucciones, ...choices].filter(Boolean).join('\n');
  if (text.length <= NOTE) return { fits: text || null, rest: null };
  const mark = '… (sigue en los comentarios)';
  const at = NOTE - mark.length;
  return {
    fits: `${text.slice(0, at).toWellFormed()}${mark}`,
    rest: `Nota del cliente en la tienda, lo que no cabía: ${text.slice(at, at + 1800)}`,
  };
}

export const hasWrongNif = ({ cliente: { cliente_nif } }: WebOrder): boolean => !!cliente_nif && !isNif(cliente_nif);

/** Returns the cents of each line, with the rounding difference added to the dearest line. Throws 422 if the order does not add up. */
function agreedCents(order: WebOrder): number[] {
  const cents = order.lineas.map(({ total_cents }) => total_cents);
  const sum = cents.reduce((all, each) => all + each, 0) + order.envio_cents - order.descuento_cents;
  const rest = order.total_cents - sum;
  if (!isRounding(rest, order))
    throw invalid('total', `Las cuentas de la tienda no cuadran: suma ${inEuros(sum)} y dice ${inEuros(order.total_cents)}`);
  const dearest = cents.indexOf(Math.max(...cents));
  return cents.map((each, i) => (i === dearest ? each + rest : each));
}
