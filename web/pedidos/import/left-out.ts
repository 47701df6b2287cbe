import { fold } from '../../../contract/text/normalize.ts';
import { HIDDEN } from './columns.ts';
import type { Row } from './row.ts';
import { REQUIRED_TARGETS, type Targets } from './target.ts';

/* Leaves out rows that are no orders to send, such as cancelled, refunded or sent orders, sums and notes. */

/** Key by which headings and states are compared: lower-case words without accents, punctuation or WooCommerce's prefix «wc». */
export const titleKey = (text: string) =>
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
    .map(titleKey)
    .filter(Boolean),
);
/** Headings under which any date means that the order was cancelled, refunded or sent. */
const HAPPENED =
  /\b(cancell?ed|cancel|cancelacion|cancelad[oa]|anulacion|anulad[oa]|refunded|voided|devuelto|devolucion|date shipped|shipped (at|on|date)|fulfilled (at|on)|enviado el)\b/;
const NOTHING = /^(|no|n|0+( 0+)?|false|falso|null|none|ninguno|ninguna|-+|0000 00 00.*)$/;
const SAYS_STATE =
  /\b(estado|estatus|status|situacion|state|fulfillment|fulfilment|financial|cancell?ed|cancel\w*|anula\w*|refund\w*|devol\w*|devuelto|voided|shipped|fulfilled|enviado)\b/;

/** Words of `OUT`, to look at few cells of a large sheet closely. */
const MAY_BE_STATE =
  /cancel|ann?ul|void|refund|reembols|devu|devol|return|fail|fall|error|declin|den[ei]|rech|reject|expir|caduc|abandon|draft|borrador|trash|papelera|delet|elimin|charge|disput|frau|storn|fulfil|ship|envi|deliver|entreg|dispatch|sent|despach/i;
/** A state at the start of a longer text: «Cancelado: no contesta», «Pedido anulado». */
const BEGINS_WITH_STATE = /^(pedido |orden |order )?(cancelad[oa]|anulad[oa]|cancell?ed)\b/;
const YES = /^(s|si|x|yes|y|true|verdadero)$/;

/** True for a whole cell that is a final state, in any column; in columns of states and payments also for a longer text. */
function saysOut(cell: string, is: { state: boolean; happened: boolean }): boolean {
  if (cell.length > 60 || !(is.happened || MAY_BE_STATE.test(cell))) return false;
  const title = titleKey(cell);
  if (OUT.has(title) || (is.state && BEGINS_WITH_STATE.test(title))) return true;
  return is.happened && !NOTHING.test(title) && (/\d/.test(title) || YES.test(title));
}

/** `is`: a final state of the order (the default), a sum of rows, a note without data of an order, repeated headings, or hidden in the sheet. */
export type LeftOut = { row: Row; title: string; text: string; is?: 'state' | 'sum' | 'note' | 'titles' | 'hidden' };

const SUM =
  /^(sub ?total(es|s)?|total(es|s)?|suma|sumas|suma total|grand totals?|gran total|importe total|saldo|recuento|promedio|media|sum|count|average|t o t a l)\b/;
const isNumber = (cell: string) => /^[-\d.,\s€%]*\d[-\d.,\s€%]*$/.test(cell);

/** Recognises sums, notes and repeated headings between or below the orders. */
function notAnOrder(titles: readonly string[] | null, columns: Targets, { cells }: Row): 'sum' | 'note' | 'titles' | undefined {
  const filled = cells.flatMap((cell, at) => (cell ? [at] : []));
  const has = (target: Targets[number]) => filled.some((at) => columns[at] === target);
  if (titles && filled.length > 1 && filled.every((at) => titleKey(cells[at] ?? '') === titleKey(titles[at] ?? ''))) return 'titles';
  if (!REQUIRED_TARGETS.every((target) => columns.includes(target)) || has('cliente_direccion')) return undefined;
  const keys = filled.map((at) => titleKey(cells[at] ?? ''));
  if (keys.some((text) => SUM.test(text)) || filled.every((at) => isNumber(cells[at] ?? ''))) return 'sum';
  const alone = filled.length === 1 && columns[filled[0] ?? 0] === 'cliente_nombre' && looksLikeNote(cells[filled[0] ?? 0] ?? '');
  return alone || !(has('pack') || has('cliente_nombre') || has('cliente_telefono')) ? 'note' : undefined;
}

const looksLikeNote = (text: string) =>
  text.length > 45 ||
  /^[*(#-]|[:.]$|\d{4}$/.test(text) ||
  /^(notas?|pagina|pag|page|fin|generado|generated|exportado|exported|impreso|fecha|listado|printed|report|informe|filtros?|pedidos? (de|del|para)|ruta|reparto)\b/.test(
    titleKey(text),
  );

/** Splits rows into orders and left-out rows: a cell that is a final state takes its row out, in whatever column it stands. */
export function leaveOut(titles: readonly string[] | null, columns: Targets, rows: readonly Row[]): { rows: Row[]; out: LeftOut[] } {
  // Skips products, which may be called like a state: unknown ones are asked about anyway.
  const states = columns.flatMap((target, at) => {
    if (target === 'pack') return [];
    const title = titleKey(titles?.[at] ?? '');
    const free = target === '' || target === 'cliente_provincia';
    return [
      {
        at,
        state: target === 'pago' || (free && (SAYS_STATE.test(title) || SAYS_PAYMENT.test(title))),
        happened: free && HAPPENED.test(title),
      },
    ];
  });
  const [number] = columns.flatMap((target, at) => (target === 'pedido' ? [at] : []));
  const numberOf = (row: Row) => (number === undefined ? '' : (row.cells[number] ?? ''));
  const out: LeftOut[] = [];
  const gone = new Map<string, LeftOut>();
  let above: LeftOut | undefined;
  const kept = rows.filter((row) => {
    const is = notAnOrder(titles, columns, row);
    if (is) {
      out.push({ row, title: '', text: row.cells.find(Boolean) ?? '', is });
      return false;
    }
    const at = states.find((column) => saysOut(row.cells[column.at] ?? '', column))?.at;
    // Further lines of a left-out order are left out too.
    const own = row.cells.some((cell, i) => cell && (columns[i] === 'cliente_nombre' || columns[i] === 'cliente_direccion'));
    const first = own ? undefined : numberOf(row) ? gone.get(numberOf(row)) : above;
    const state = at === undefined ? first && { ...first, row } : { row, title: titles?.[at] ?? '', text: row.cells[at] ?? '' };
    const left = row.hidden ? { row, title: '', text: '', is: 'hidden' as const } : state;
    if (left) out.push(left);
    if (left && numberOf(row)) gone.set(numberOf(row), left);
    above = left;
    return !left;
  });
  return { rows: kept, out };
}

/** Headings of columns that an order never needs, such as counters, web addresses and timestamps. */
const IDLE =
  /\b(id|ids|guid|uuid|url|link|ip|hash|token|version|index|row|fila|linea|currency|moneda|locale|idioma|language|user agent|browser|vendor|source|risk level|accepts marketing|newsletter|created|updated|modified|modificad[oa]|cread[oa])\b|^(n|no|num|numero|#)$/;

/** Titles of unused columns whose values a person may miss in the orders. */
export const unusedOf = (titles: readonly string[] | null, columns: Targets, rows: readonly Row[]): string[] =>
  (titles ?? []).filter(
    (title, at) =>
      title !== '' &&
      !title.endsWith(HIDDEN) &&
      columns[at] === '' &&
      !IDLE.test(titleKey(title)) &&
      rows.some(({ cells }) => (cells[at] ?? '') !== ''),
  );

const ON_DELIVERY =
  /\b(contra ?reembolso|reembolso|cod|cash on delivery|pay on delivery|payment on delivery|contra ?entrega|al recibir|en destino|a la entrega)\b/;
/** Cells of a «COD» column about payment: empty, yes or no, zero, or an amount with decimals or «€». Other cells are product codes. */
const AMOUNT = /^(|s[ií]|no|x|yes|(€ ?)?\d+([.,]\d{1,2})( ?€| ?eur)?|0|\d+ ?€)$/i;
const SAYS_PAYMENT = /\b(pago|pagos|payment|forma de cobro|cobro|gateway|metodo de pago)\b/;

/** True for words that say that the customer pays at the door. */
export const isOnDelivery = (text: string): boolean => ON_DELIVERY.test(titleKey(text));

/** Assigns `contra_reembolso` to a payment column with a payment on delivery, or to a «COD» column of amounts. */
export function withOnDelivery(titles: readonly string[] | null, columns: Targets, rows: readonly Row[]): Targets {
  if (!titles || columns.includes('contra_reembolso')) return columns;
  const says = (title: string, cells: readonly string[]) =>
    SAYS_PAYMENT.test(titleKey(title))
      ? cells.some(isOnDelivery)
      : titleKey(title) === 'cod' && cells.some(Boolean) && cells.every((cell) => AMOUNT.test(cell));
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
