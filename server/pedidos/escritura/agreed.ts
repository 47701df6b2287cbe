import { sql } from 'kysely';
import { type Charged, vatBreakdown } from '../../../contract/iva/breakdown.ts';
import { chargedRows, type ShopTax, vatDifference } from '../../../contract/iva/charged.ts';
import type { TipoIva } from '../../../contract/iva/fields.ts';
import type { Territorio } from '../../../contract/iva/territory.ts';
import { EFECTIVO_LIMITE, overCash } from '../../../contract/pedidos/contra-reembolso.ts';
import type { LineaInput } from '../../../contract/pedidos/lineas.ts';
import type { CreatePedido } from '../../../contract/pedidos/pedidos.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';
import { inEuros } from '../../kit/money.ts';
import { changePedido } from '../historia/change.ts';
import type { PedidoRow } from '../lectura/row.ts';
import { noteExcess } from '../lineas/devuelto.ts';
import { type Amounts, adjustStock, type Line, orderLineRows, priceLines, readLines, readPacks, summarizeLines } from '../lineas/lineas.ts';
import { readPrices } from '../lineas/price.ts';
import { notifyRefundsDue } from '../pagos/overpaid.ts';
import { releaseIfPaid } from '../pasos/transition.ts';
import { buildOrder, chooseSeller, findReseller, storeOrder } from './create.ts';
import { NEXT_NUMBER } from './numbers.ts';

/* Orders at prices that were agreed elsewhere, such as in a web shop. */

/** Agreed terms of a line: total in cents, the customer's choices (added to the line's text), and VAT rate if known. */
export type Agreed = { cents: number; texto?: string | undefined; iva?: TipoIva | undefined };

const MAX_LINE = 200;

/** Returns a function that gives lines the agreed totals, and adds the customer's choices to their texts. */
const atPrices = (agreed: readonly Agreed[]) => (lines: Line[]) =>
  lines.map((line, i) => {
    const { cents = line.precio_total_cents, texto } = agreed[i] ?? {};
    const producto = (texto ? `${line.producto} · ${texto}` : line.producto).slice(0, MAX_LINE);
    return { ...line, producto, precio_total_cents: cents, precio_unitario_cents: Math.round(cents / line.cantidad) };
  });

/** `taxes`: VAT that the shop charged. `recoge_at`: when the customer chose to collect the order. `tienda`: name of the shop. */
type Terms = { taxes?: readonly ShopTax[] | undefined; recoge_at?: string | null; tienda?: string };

/**
 * Creates an order at agreed prices: `agreed` has one entry per line, in order. With `taxes` the order has the VAT that the shop charged;
 * `iva_aviso` says how our VAT would differ. Throws like `createPedido`.
 */
export async function createAgreed(
  tx: Tx,
  actor: Actor,
  input: CreatePedido,
  agreed: readonly Agreed[],
  { taxes, recoge_at = null, tienda }: Terms,
): Promise<PedidoRow & { iva_aviso?: string | undefined }> {
  const reseller = await findReseller(tx, chooseSeller(actor, input.revendedor_id));
  const { numero, ...prices } = await readPrices(tx, [input], reseller?.id ?? null, NEXT_NUMBER);
  const built = buildOrder(actor, input, { reseller, prices, numero, agreed: atPrices(agreed) });
  const { iva_aviso, cobrado = null } = taxes ? compareVat(built.values, built.lines, taxes) : {};
  const charged = {
    ...built,
    values: { ...built.values, iva_cobrado: cobrado, recoge_at, tienda: tienda ?? null },
    lines: taxes ? atRates(agreed, built.lines) : built.lines,
  };
  const row = await storeOrder(tx, actor, charged, { accion: 'Pedido creado' });
  return { ...row, iva_aviso: row.con_iva ? iva_aviso : undefined };
}

const atRates = (agreed: readonly Agreed[], lines: readonly Line[]) =>
  lines.map((line, i) => ({ ...line, iva: agreed[i]?.iva ?? line.iva }));

/** Compares our VAT of an order with the shop's. `cobrado`: the shop's VAT by rate; undefined if a rate is not Spanish or the sums differ. */
function compareVat(
  order: Amounts & Territorio & { precio_total_cents: number },
  lines: readonly Line[],
  taxes: readonly ShopTax[],
): { cobrado?: Charged | undefined; iva_aviso?: string | undefined } {
  const cobrado = chargedRows(taxes, order.precio_total_cents, order);
  if (!cobrado) return { iva_aviso: 'El IVA que cobró la tienda no es de un tipo español, o no cuadra con su total: queda el de aquí' };
  // «Sin tipo de IVA» reports products without a rate.
  if (lines.some(({ pack_id, iva }) => pack_id && !iva)) return { cobrado };
  return { cobrado, iva_aviso: vatDifference(vatBreakdown({ ...order, lines, address: order }), cobrado, inEuros) };
}

type Replacing = {
  lineas: readonly LineaInput[];
  agreed: readonly Agreed[];
  amounts: Amounts;
  nota: string;
  taxes?: readonly ShopTax[] | undefined;
};

/** Replaces lines, shipping and discount of a locked order by agreed ones; moves the stock. Throws 422 for pack, stock or the cash limit. */
export async function replaceAgreed(
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  { lineas, agreed, amounts, nota, taxes }: Replacing,
): Promise<PedidoRow> {
  const before = await readLines(tx, row.id);
  const packs = await readPacks(tx, lineas, row.revendedor_id);
  const priced = atPrices(agreed)(priceLines(lineas, { packs, free: true }));
  const lines = taxes ? atRates(agreed, priced) : priced;
  const summary = summarizeLines(lines, amounts);
  if (row.contra_reembolso && overCash(summary.precio_total_cents)) throw invalid('lineas', EFECTIVO_LIMITE);
  await tx.deleteFrom('pedidos_lineas').where('pedido_id', '=', row.id).execute();
  await tx.insertInto('pedidos_lineas').values(orderLineRows(row.id, lines)).execute();
  const iva_cobrado = taxes ? (chargedRows(taxes, summary.precio_total_cents, row) ?? null) : null;
  const set = { ...summary, envio_fijado: true, iva_cobrado: iva_cobrado && sql<never>`${JSON.stringify(iva_cobrado)}::jsonb` };
  const updated = await changePedido(tx, actor, row, set, { accion: 'Líneas cambiadas', action: 'update', nota });
  await sql`SELECT busca_lineas(${row.id})`.execute(tx);
  await notifyRefundsDue(tx, [{ before: row, after: updated }]);
  const settled = await releaseIfPaid(tx, updated);
  await adjustStock(tx, actor, row.id, [before, lines], { motivo: (unidades) => (unidades < 0 ? 'pedido' : 'devolucion') });
  return settled;
}

/** Discounts a refund made elsewhere from a locked order's total, so that the refund is not due again. */
export async function discountRefund(tx: Tx, actor: Actor, row: PedidoRow, cents: number): Promise<PedidoRow> {
  const less = Math.min(cents, row.precio_total_cents);
  if (less <= 0) return row;
  const set = { precio_total_cents: row.precio_total_cents - less, descuento_cents: row.descuento_cents + less };
  const nota = `Reembolsado en la tienda: ${inEuros(less)}`;
  const after = await changePedido(tx, actor, row, set, { accion: 'Descuento por reembolso', action: 'update', nota });
  // Returned goods keep the value that they were refunded for.
  await noteExcess(tx, row.id, row.cantidad_devuelta, Math.max(row.devuelto_cents, row.reembolsado_cents));
  const devuelto_cents = sql<number>`valor_devuelto(id, cantidad_devuelta)`;
  if (row.cantidad_devuelta) await tx.updateTable('pedidos').set({ devuelto_cents }).where('id', '=', row.id).execute();
  return after;
}

/** Gives the orders of a web shop its new name. */
export async function renameShop(tx: Tx, tienda_id: string, nombre: string): Promise<void> {
  await sql`UPDATE pedidos p SET tienda = ${nombre} FROM tienda_pedidos t WHERE t.pedido_id = p.id AND t.tienda_id = ${tienda_id}`.execute(
    tx,
  );
}
