import { sql } from 'kysely';
import { createPedidoBody } from '../../contract/pedidos/schemas.ts';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { isNif } from '../../contract/text/nif.ts';
import type { Tx } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';
import { inEuros, toEuros } from '../kit/money.ts';
import { createAgreed } from '../pedidos/escritura/create.ts';
import { payElsewhere } from '../pedidos/escritura/paid-elsewhere.ts';
import type { PedidoRow } from '../pedidos/lectura/row.ts';
import { onlyOutcome } from '../pedidos/pasos/outcomes.ts';
import type { WebLine, WebOrder } from './order.ts';

/** True for a difference that rounding of taxes explains: at most a cent per line, and one more. */
const isRounding = (cents: number, { lineas }: WebOrder) => Math.abs(cents) <= lineas.length + 1;

/**
 * Creates the order with the prices, shipping and discount agreed in the shop, and with the payment made there. Throws 422 or 409 with a
 * sentence that tells a person what is missing.
 */
export async function createFromShop(tx: Tx, order: WebOrder): Promise<PedidoRow> {
  if (order.moneda !== 'EUR') throw invalid('moneda', `Está en ${order.moneda} y aquí todo va en euros`);
  const packs = await packsByClave(tx, order.lineas);
  const unknown = order.lineas.find(({ clave, isFee }) => !isFee && !packs.has(clave));
  if (unknown) throw invalid('lineas', `Falta decir qué pack es «${unknown.nombre}»`);
  const lineas = order.lineas.map(({ clave, nombre, cantidad, total_cents, isFee, iva }) => {
    if (!Number.isInteger(cantidad) || cantidad < 1)
      throw invalid('lineas', `La cantidad de «${nombre}» no es un número entero: ${cantidad}`);
    return isFee ? { producto: nombre, cantidad, precio_total: toEuros(total_cents), iva } : { pack_id: packs.get(clave) ?? '', cantidad };
  });
  const agreed = agreedCents(order);
  const body = createPedidoBody.safeParse({
    ...order.cliente,
    // A wrong NIF does not block the order; the office is told.
    cliente_nif: hasWrongNif(order) ? null : order.cliente.cliente_nif,
    instrucciones: order.instrucciones,
    referencia_externa: order.numero,
    contra_reembolso: order.contra_reembolso,
    lineas,
    envio: toEuros(order.envio_cents),
    descuento: toEuros(order.descuento_cents),
    estado: 'pendiente_pago',
  });
  if (!body.success) throw invalid('pedido', body.error.issues[0]?.message ?? 'El pedido no es válido');
  const row = await createAgreed(tx, SISTEMA, body.data, agreed);
  if (!order.pago) return row;
  return onlyOutcome(await payElsewhere(tx, SISTEMA, [{ row, pago: { ...order.pago, importe: null, fecha: null } }]));
}

export const hasWrongNif = ({ cliente: { cliente_nif } }: WebOrder): boolean => cliente_nif !== undefined && !isNif(cliente_nif);

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

/** Returns pack ids by the key of the shop's product, as a person assigned them. */
export async function packsByClave(tx: Pick<Tx, 'selectFrom'>, lineas: readonly WebLine[]): Promise<Map<string, string>> {
  const claves = [...new Set(lineas.flatMap(({ clave, isFee }) => (isFee ? [] : [clave])))];
  const rows = await tx
    .selectFrom('tienda_productos')
    .select(['clave', 'pack_id'])
    .where('clave', '=', sql<string>`ANY (${claves}::text[])`)
    .execute();
  return new Map(rows.map(({ clave, pack_id }) => [clave, pack_id]));
}
