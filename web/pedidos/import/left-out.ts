import { fold } from '../../../contract/text/normalize.ts';
import type { Row } from './row.ts';
import type { Columns } from './target.ts';

/* Rows that another program says are no orders to send: cancelled, refunded, failed, or sent already. */

const key = (text: string) =>
  fold(text)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/^wc /, '');

const OUT = new Set(
  `cancelled;canceled;cancelado;cancelada;cancelado por el cliente;cancelacion;anulado;anulada;anulacion;void;voided;refunded;refund;reembolsado;reembolsada;
  devuelto;devuelta;devolucion;returned;return;failed;failure;fallido;fallida;fallo;payment failed;pago fallido;error;error de pago;error en el pago;payment error;
  declined;denied;denegado;denegada;rejected;rechazado;rechazada;expired;caducado;caducada;abandoned;abandonado;abandonada;abandoned checkout;checkout draft;draft;borrador;
  trash;papelera;deleted;eliminado;eliminada;chargeback;chargedback;charged back;disputed;fraud;fraude;cancel;annulled;annule;storniert;annullato;
  fulfilled;shipped;enviado;enviada;delivered;entregado;entregada;dispatched;sent;already shipped;despachado;despachada`
    .split(/[;\n]/)
    .map(key)
    .filter(Boolean),
);
/** A day in such a column says that it has happened. */
const HAPPENED = /\b(cancell?ed|cancel|cancelacion|cancelad[oa]|anulacion|anulad[oa]|refunded|voided|devuelto|devolucion)\b/;
const NOTHING = /^(|no|n|0|false|falso|null|none|ninguno|ninguna|-+|0000 00 00.*)$/;
const SAYS_STATE =
  /\b(estado|estatus|status|situacion|state|fulfillment|fulfilment|financial|cancell?ed|cancel\w*|anula\w*|refund\w*|devol\w*|devuelto|voided)\b/;

export type LeftOut = { row: Row; title: string; text: string };

/** The rows without those that a column of states leaves out, and those. Only columns that mean nothing else are looked at. */
export function leaveOut(titles: readonly string[] | null, columns: Columns, rows: readonly Row[]): { rows: Row[]; out: LeftOut[] } {
  const states = columns.flatMap((target, at) =>
    !titles || (target !== '' && target !== 'cliente_provincia') || !SAYS_STATE.test(key(titles[at] ?? '')) ? [] : [at],
  );
  const out: LeftOut[] = [];
  const kept = rows.filter((row) => {
    const at = states.find((i) => {
      const said = key(row.cells[i] ?? '');
      return OUT.has(said) || (HAPPENED.test(key(titles?.[i] ?? '')) && !NOTHING.test(said) && /\d/.test(said));
    });
    if (at !== undefined) out.push({ row, title: titles?.[at] ?? '', text: row.cells[at] ?? '' });
    return at === undefined;
  });
  return { rows: kept, out };
}

/** What a column says that an order might need and does not get. */
const OF_ORDERS =
  /\b(pago|pagos|pagado|payment|paid|cobro|cobrar|total|importe|precio|price|amount|subtotal|descuento|discount|cupon|coupon|portes|shipping|envio|gastos|impuestos?|iva|tax|regalo|gift|peso|weight|fecha|date|estado|status|situacion|transportista|carrier|metodo|method|talla|size|color|variante|variant|variation|opciones|options|email|correo|empresa|company)\b/;

/** Titles of unused columns with values that somebody may miss in the orders. */
export const unusedOf = (titles: readonly string[] | null, columns: Columns, rows: readonly Row[]): string[] =>
  (titles ?? []).filter(
    (title, at) => columns[at] === '' && OF_ORDERS.test(key(title)) && rows.some(({ cells }) => (cells[at] ?? '') !== ''),
  );

const ON_DELIVERY =
  /\b(contra ?reembolso|reembolso|cod|cash on delivery|pay on delivery|payment on delivery|contra ?entrega|al recibir|en destino|a la entrega)\b/;
/** Nothing, yes or no, or an amount with cents: «COD» is the code of a product too. */
const AMOUNT = /^(|s[ií]|no|x|yes|(€ ?)?\d+([.,]\d{1,2})( ?€| ?eur)?|0|\d+ ?€)$/i;
const SAYS_PAYMENT = /\b(pago|pagos|payment|forma de cobro|cobro|gateway|metodo de pago)\b/;

/** True for words that say that the customer pays at the door. */
export const isOnDelivery = (text: string): boolean => ON_DELIVERY.test(key(text));

/** Columns with the one that says by what an order is paid as «contra reembolso», if one of its rows is paid on delivery. */
export function withOnDelivery(titles: readonly string[] | null, columns: Columns, rows: readonly Row[]): Columns {
  if (!titles || columns.includes('contra_reembolso')) return columns;
  const says = (title: string, cells: readonly string[]) =>
    SAYS_PAYMENT.test(key(title))
      ? cells.some(isOnDelivery)
      : key(title) === 'cod' && cells.some(Boolean) && cells.every((cell) => AMOUNT.test(cell));
  const at = titles.findIndex(
    (title, i) =>
      columns[i] === '' &&
      says(
        title,
        rows.map(({ cells }) => cells[i] ?? ''),
      ),
  );
  return at < 0 ? columns : columns.with(at, 'contra_reembolso');
}
