import { vatBreakdown } from '../../../contract/iva/breakdown.ts';
import type { TipoIva } from '../../../contract/iva/fields.ts';
import { FIELDS_CARRIED, FIELDS_OFFERED, sees, visibleFields } from '../../../contract/pedidos/access.ts';
import {
  FIELDS,
  LINEA_FIELDS,
  LINEA_FIELDS_SEEN_BY_CARRIER,
  PEDIDO_FIELDS,
  type PedidoFieldName,
} from '../../../contract/pedidos/fields.ts';
import type { Linea, LineaTransportista } from '../../../contract/pedidos/lineas.ts';
import { afterDiscount } from '../../../contract/pedidos/money.ts';
import type { Pedido, PedidoDisponible, PedidoTransportista } from '../../../contract/pedidos/pedidos.ts';
import type { SituationOrder } from '../../../contract/pedidos/situation.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { toEuros } from '../../kit/money.ts';
import { presentSituation } from '../../kit/situation.ts';
import type { Line } from '../lineas/lineas.ts';
import type { CustomerNotes } from './cliente.ts';
import type { PedidoRow } from './row.ts';
import { trackingUrl } from './tracking.ts';

const readAll = reader<Pedido>(FIELDS);
const readCarried = reader<PedidoTransportista>(FIELDS_CARRIED);
const readOffered = reader<PedidoDisponible>(FIELDS_OFFERED);
const readLine = reader<Linea>(LINEA_FIELDS);
const readCarriedLine = reader<LineaTransportista>(LINEA_FIELDS_SEEN_BY_CARRIER);

type Seen = Pedido | PedidoTransportista | PedidoDisponible;

/** Returns the order as `actor` may see it (design, section 4.13), with lines and customer if `row` has them. `origin` is the base of the payment link. */
export function presentOrder(actor: Actor, row: PedidoRow, origin: string): Seen {
  const pedido = presentSeen(actor, row, origin);
  return { ...pedido, situacion: presentSituation(pedido as SituationOrder, actor, { now: new Date(), zone: row.zona }) };
}

function presentSeen(actor: Actor, row: PedidoRow, origin: string): Seen {
  const { lineas, cliente } = row;
  if (sees(actor, 'sale', row) && sees(actor, 'prices', row))
    return {
      ...presentFull(actor, row, origin, lineas),
      ...(lineas && { lineas: withShares(row, lineas, presentLines(lineas, row.con_iva)) }),
      ...(cliente !== undefined && presentNotesToSeller(actor, row, cliente ?? NOBODY)),
    };
  const open = lineas && presentLinesOpen(lineas);
  const lines = open && { lineas: sees(actor, 'collect', row) ? withShares(row, lineas, open) : open };
  if (!sees(actor, 'delivery', row)) return { ...presentOpen(row), ...lines };
  return {
    ...presentCarried(actor, row),
    ...lines,
    ...(cliente !== undefined && sees(actor, 'contact', row) && presentNotes(cliente ?? NOBODY)),
  };
}

const NOBODY: CustomerNotes = { cliente_id: null, cliente_nota: null, avisar_antes: false };
/** Omits `cliente_id`: carriers have no customer pages. */
const presentNotes = ({ cliente_nota, avisar_antes }: CustomerNotes) => ({ cliente_nota, avisar_antes });
const presentNotesToSeller = (actor: Actor, row: PedidoRow, notes: CustomerNotes) =>
  sees(actor, 'contact', row) ? notes : { cliente_id: notes.cliente_id };

const seguimientoOf = (row: PedidoRow) => trackingUrl(row.seguimiento_plantilla, row.numero_seguimiento);

/** Returns the order for actors who see prices, amounts in euros; hidden fields are null. */
export function presentFull(actor: Actor, row: PedidoRow, origin: string, lines?: readonly Line[]): Pedido {
  return Object.assign(readAll(row), {
    ...hiddenIn(actor, row, FIELDS),
    seguimiento_url: seguimientoOf(row),
    payment_link: row.pago_token && `${origin}/pagar/${row.pago_token}`,
    ...(lines && { lineas: presentLines(lines, row.con_iva) }),
    ...(lines && row.con_iva && { iva: presentIva(row, lines) }),
  });
}

/** Returns the order for its carrier: without prices and, some time after delivery, without contact. */
export const presentCarried = (actor: Actor, row: PedidoRow): PedidoTransportista => ({
  ...readCarried(row),
  ...hiddenIn(actor, row, FIELDS_CARRIED),
  seguimiento_url: seguimientoOf(row),
});

/** Returns the order for carriers who can still take it. */
export const presentOpen = (row: PedidoRow): PedidoDisponible => readOffered(row);

/** Returns null for each field hidden from `actor`. */
function hiddenIn(actor: Actor, row: PedidoRow, names: readonly PedidoFieldName[]): object {
  const seen = visibleFields(actor, row);
  return seen.length === FIELDS.length ? {} : Object.fromEntries(names.filter((name) => !seen.includes(name)).map((name) => [name, null]));
}

export const presentLines = (lines: readonly Line[], withIva = false): Linea[] =>
  lines.map((line) => ({
    numero: line.numero,
    ...readLine(line),
    unidades: line.unidades,
    ...(withIva && { iva: line.iva as TipoIva | null }),
    ...(line.imagen && { imagen: line.imagen }),
  }));

/** Returns taxable base and VAT of an order by rate, in euros. */
const presentIva = (row: PedidoRow, lines: readonly Line[]): Pedido['iva'] =>
  vatBreakdown({ ...row, lines, address: row }).map(({ tipo, base_cents, cuota_cents, total_cents }) => ({
    tipo,
    base: toEuros(base_cents),
    cuota: toEuros(cuota_cents),
    total: toEuros(total_cents),
  }));
const presentLinesOpen = (lines: readonly Line[]): LineaTransportista[] =>
  lines.map((line) => ({ numero: line.numero, ...readCarriedLine(line), ...(line.imagen && { imagen: line.imagen }) }));

/** Adds each line's share of the amount to collect, in euros. A telephone computes partial deliveries from the shares (decision 074). */
function withShares<L extends object>(
  { en_partes, por_cobrar_cents, descuento_cents }: PedidoRow,
  lines: readonly Line[],
  shown: L[],
): L[] {
  if (!en_partes || por_cobrar_cents === 0) return shown;
  const goods_cents = lines.reduce((sum, { precio_total_cents }) => sum + precio_total_cents, 0);
  const share = (cents: number) => afterDiscount(cents, { goods_cents, descuento_cents }) / 100;
  return shown.map((line, i) => ({ ...line, por_cobrar: share(lines[i]?.precio_total_cents ?? 0) }));
}

/** Returns a function that reads the named fields of an order, money in euros. Copies an object of fixed shape, which is fast enough for every order of a list. */
function reader<T>(names: readonly PedidoFieldName[]): (row: object) => Pick<T, PedidoFieldName & keyof T> {
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  const isMoney = (name: PedidoFieldName) => PEDIDO_FIELDS[name].kind === 'money';
  const [amounts, others] = [names.filter(isMoney), names.filter((name) => !isMoney(name))];
  return (row) => {
    const values = row as Record<string, unknown>;
    const shown: Record<string, unknown> = { ...empty };
    for (const name of others) shown[name] = values[name];
    for (const name of amounts) shown[name] = toEuros(values[`${name}_cents`] as number);
    return shown as Pick<T, PedidoFieldName & keyof T>;
  };
}
