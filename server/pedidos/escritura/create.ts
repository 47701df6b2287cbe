import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Charged } from '../../../contract/iva/breakdown.ts';
import type { TipoIva } from '../../../contract/iva/fields.ts';
import { withoutUnwritable, writesField } from '../../../contract/pedidos/access.ts';
import { contraReembolsoRefusal, EFECTIVO_LIMITE, overCash } from '../../../contract/pedidos/contra-reembolso.ts';
import { storedPlace } from '../../../contract/pedidos/direccion.ts';
import {
  EDITABLE_FIELDS,
  type EditableField,
  FIELDS,
  LINEA_FIELDS,
  type PedidoFieldName,
  pedidoField,
} from '../../../contract/pedidos/fields.ts';
import { lineasRefusal } from '../../../contract/pedidos/flow.ts';
import type { LineaInput } from '../../../contract/pedidos/lineas.ts';
import type { CreatePedido, SetLineas } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, type Caller, personIdOf } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, forbidden, invalid, refuseStale } from '../../kit/errors.ts';
import { mergeMetadata } from '../../kit/metadata.ts';
import { inEuros, toCents, toEuros } from '../../kit/money.ts';
import { readSettings } from '../../settings/settings.ts';
import { changePedido } from '../historia/change.ts';
import { withChangeRecords } from '../historia/history.ts';
import { refuseBlockedData } from '../lectura/blocked.ts';
import { blockedBecause, refuseBlocked } from '../lectura/cliente.ts';
import { promisedDate, typedInstant } from '../lectura/promised.ts';
import { COLUMNS, fieldColumn, findPedido, lockPedido, type PedidoRow, type StoredPedido } from '../lectura/row.ts';
import { type Amounts, adjustStock, type Line, orderLineRows, priceLines, readLines, readPacks, summarizeLines } from '../lineas/lineas.ts';
import { type Prices, priceOrder, readPrices, unsaidShipping } from '../lineas/price.ts';
import { refuseCashSale } from '../pagos/cash-limit.ts';
import { notifyRefundsDue } from '../pagos/overpaid.ts';
import { onlyOutcome } from '../pasos/outcomes.ts';
import { releaseIfPaid } from '../pasos/transition.ts';
import { paidElsewhere, payElsewhere } from './cobrar.ts';
import { NEXT_NUMBER, refuseTakenNumber } from './numbers.ts';
import { refuseUnwritable } from './unwritable.ts';

/** Creates an order with number, price and stock in one transaction. Throws 403 for `pago` without permission, 422 for an invalid order or insufficient stock. */
export const createPedido = (db: Db, actor: Caller, input: CreatePedido): Promise<PedidoRow> =>
  transact(db, (tx) => insert(tx, actor, input));

/** Copies an order at today's prices, without its payments. Throws 404, 409 if its personal data is blocked or anonymised. */
export const duplicatePedido = async (db: Db, actor: Actor, id: string): Promise<PedidoRow> =>
  transact(db, async (tx) => {
    const from = await findPedido(tx, actor, id);
    refuseBlockedData(from, 'duplicar');
    const lines = await readLines(tx, id);
    const { cashOnDelivery } = await readSettings(tx);
    return insert(
      tx,
      actor,
      {
        ...copyFields<CreatePedido>(from, FIELDS),
        estado: 'pendiente',
        // Dropped if the shop no longer offers payment on delivery, so that duplicating still works.
        contra_reembolso: from.contra_reembolso && cashOnDelivery,
        // Shipping is recalculated unless set by hand.
        ...(!from.envio_fijado && { envio: undefined }),
        pack_id: null,
        // A pack gets today's VAT rate of its product.
        lineas: lines.map((line) => ({
          ...copyFields<LineaInput>(line, LINEA_FIELDS),
          ...(!line.pack_id && { iva: line.iva as TipoIva | null }),
        })),
      },
      `Duplicado de ${from.numero_orden}`,
    );
  });

/** Returns the fields `names` of an order or line for its copy, amounts in euros; null for fields that copies leave out. */
export const copyFields = <I extends CreatePedido | LineaInput>(from: object, names: readonly PedidoFieldName[]) =>
  Object.fromEntries(
    names.map((name) => {
      const { copied, kind } = pedidoField(name);
      const value = (from as Record<string, unknown>)[fieldColumn(name)];
      return [name, !copied ? null : kind === 'money' ? toEuros(value as number) : value];
    }),
  ) as I;

async function insert(tx: Tx, actor: Actor, input: CreatePedido, accion = 'Pedido creado'): Promise<PedidoRow> {
  const reseller = await findReseller(tx, chooseSeller(actor, input.revendedor_id));
  const { numero, ...prices } = await readPrices(tx, [input], reseller?.id ?? null, NEXT_NUMBER);
  const typed = writesField(actor, 'numero_orden') && !!input.numero_orden;
  const built = buildOrder(actor, input, { reseller, prices, numero });
  const nota = unsaidShipping(prices.settings, built.values);
  const row = await storeOrder(tx, actor, built, { accion, ...(nota && { nota }), typed, single: !input.lineas });
  return input.pago ? onlyOutcome(await payElsewhere(tx, actor, [{ row, pago: input.pago }])) : row;
}

/** Stores a built order, records it and takes its units. Throws 422: stock, blocked customer, taken number, too much cash. */
export async function storeOrder(
  tx: Tx,
  actor: Actor,
  { id, values, lines }: Omit<Built, 'values'> & { values: Built['values'] & { iva_cobrado?: Charged | null; recoge_at?: string | null } },
  { typed = false, single = false, ...step }: { accion: string; nota?: string; typed?: boolean; single?: boolean },
): Promise<PedidoRow> {
  const after = { ...values, deleted_at: null } as StoredPedido;
  const traces = withChangeRecords(tx, actor, [{ step: { ...step, action: 'create' }, before: null, after }]);
  const { wanted, recipients, ...row } = await traces.with
    .with('lineas', (query) => query.insertInto('pedidos_lineas').values(orderLineRows(id, lines)))
    .insertInto('pedidos')
    .values(values)
    .returning([...COLUMNS, blockedBecause.as('bloqueado'), ...traces.answer])
    .executeTakeFirstOrThrow()
    .catch(refuseTakenNumber(typed));
  refuseBlocked(actor, row);
  await traces.send({ wanted, recipients }, [row]);
  if (values.contra_reembolso) await refuseCashSale(tx, [id], () => 'contra_reembolso');
  await adjustStock(tx, actor, id, [[], lines], { motivo: 'pedido', single });
  return row;
}

/** Returns the seller of a new order: the reseller named by the actor (or null) if the actor may name one, else the actor; null for programs. */
export const chooseSeller = (actor: Actor, named: string | null | undefined): string | null =>
  (writesField(actor, 'revendedor_id') ? named : personIdOf(actor)) ?? null;

type Reseller = { id: string; full_name: string; contra_reembolso: boolean } | null;

type Options = {
  reseller: Reseller;
  prices: Prices;
  numero: string | RawBuilder<string>;
  /** Lines with their agreed prices, from those at today's. */
  agreed?: (lines: Line[]) => Line[];
};

export type Built = ReturnType<typeof buildOrder>;

/** Builds the columns and lines of a new order. Throws 422 for an invalid order. */
export function buildOrder(actor: Actor, body: CreatePedido, { reseller, prices, numero, agreed }: Options) {
  refuseUnwritable(actor, body);
  const input = storedPlace(withoutUnwritable(actor, body));
  const contra_reembolso = input.contra_reembolso ?? false;
  const { lines, summary, envio_fijado } = priceOrder(prices, actor, input, agreed);
  const asked = input.estado ?? (writesField(actor, 'estado') ? 'pendiente' : 'pendiente_pago');
  if (asked !== 'pendiente' && asked !== 'pendiente_pago') throw invalid('estado', 'Un pedido nuevo empieza pendiente o pendiente de pago');
  const paid = paidElsewhere(actor, body.pago, { contra_reembolso, total_cents: summary.precio_total_cents });
  // An order that is free or paid on delivery waits for no payment. An order paid whole elsewhere waits until payElsewhere books its payment.
  const started = contra_reembolso || summary.precio_total_cents === 0 ? 'pendiente' : asked;
  const estado = paid === 'all' && summary.precio_total_cents > 0 ? 'pendiente_pago' : started;
  if (contra_reembolso) {
    const permitted = writesField(actor, 'revendedor_id') || (reseller?.contra_reembolso ?? true);
    const refusal = contraReembolsoRefusal({ active: prices.settings.cashOnDelivery, permitted, total_cents: summary.precio_total_cents });
    if (refusal) throw invalid('contra_reembolso', refusal);
  }
  const id = randomUUID();
  const promise = typedInstant(input.fecha_estimada);
  const values = {
    id,
    numero_orden: input.numero_orden || numero,
    revendedor_id: reseller?.id ?? null,
    revendedor_nombre: reseller?.full_name ?? null,
    transportista_id: null,
    transportista_nombre: null,
    ...editableFields(input),
    metadata: mergeMetadata(null, input.metadata),
    ...summary,
    envio_fijado,
    estado,
    contra_reembolso,
    venta_aparte: false as boolean,
    fecha_pedido: typedInstant(input.fecha_pedido) ?? sql<string>`now()`,
    fecha_estimada: promise ?? (estado === 'pendiente' ? promisedDate() : null),
    fecha_estimada_fijada: promise !== null,
    pago_token: newPagoToken(),
  } as const;
  return { id, values, lines };
}

/** Secret of the customer's page: 256 bits, because only the secret URL protects the page. */
export const newPagoToken = (): string => randomBytes(32).toString('base64url');

export const editableFields = (input: Pick<CreatePedido, EditableField>) =>
  Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, input[name]])) as Pick<CreatePedido, EditableField>;

/** Returns the reseller `id`; null without one. Throws 422 if the person is no reseller. */
export async function findReseller(tx: Tx, id: string | null): Promise<Reseller> {
  if (!id) return null;
  return (
    tx
      .selectFrom('users')
      .select(['id', 'full_name', 'contra_reembolso'])
      .where('id', '=', id)
      .where('role', '=', 'revendedor')
      .where('deleted_at', 'is', null)
      // Blocks a concurrent rename until this order exists.
      .forShare()
      .executeTakeFirstOrThrow(() => invalid('revendedor_id', 'Ese revendedor no existe'))
  );
}

/**
 * Replaces lines and, for superadmins, shipping and discount, and moves the stock. Existing lines keep their price up to their quantity.
 * Throws 404, 403, 409 if stale or no longer editable (decision 035), 422 for invalid lines or insufficient stock.
 */
export const editLineas = async (db: Db, actor: Actor, id: string, input: SetLineas): Promise<{ row: PedidoRow; lines: Line[] }> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, input.version, 'este pedido');
    const refusal = lineasRefusal(actor, row);
    if (refusal) throw conflict(refusal, 'estado');
    refuseUnwritable(actor, input);
    const free = writesField(actor, 'precio_unitario');
    if ((['envio', 'descuento'] as const).some((name) => input[name] != null && !writesField(actor, name))) throw forbidden();
    const before = await readLines(tx, id);
    // Includes packs of existing lines: additional quantity costs today's price.
    const packs = await readPacks(tx, [...input.lineas, ...before], row.revendedor_id);
    const lines = priceLines(input.lineas, { packs, free, known: before });
    const summary = summarizeLines(lines, {
      envio_cents: input.envio == null ? row.envio_cents : toCents(input.envio),
      descuento_cents: input.descuento == null ? row.descuento_cents : toCents(input.descuento),
    });
    if (row.estado === 'pendiente_pago' && summary.precio_total_cents < row.pagado_cents)
      throw invalid('lineas', `Ya se han pagado ${inEuros(row.pagado_cents)}: el total no puede ser menos`);
    if (row.contra_reembolso && overCash(summary.precio_total_cents)) throw invalid('lineas', EFECTIVO_LIMITE);
    if (isDeepStrictEqual([lines, amountsOf(row)], [before, amountsOf(summary)])) return { row, lines };
    await tx.deleteFrom('pedidos_lineas').where('pedido_id', '=', id).execute();
    await tx.insertInto('pedidos_lineas').values(orderLineRows(id, lines)).execute();
    // The note has no price, because people without access to prices read the history. Forms resend the shipping that they loaded; only a
    // changed amount counts as set by hand.
    const fixed = summary.envio_cents !== row.envio_cents && { envio_fijado: true };
    const updated = await changePedido(
      tx,
      actor,
      row,
      { ...summary, ...fixed },
      { accion: 'Líneas cambiadas', action: 'update', nota: wordsOf(lines) },
    );
    // The cash paid so far was legal; a sale that grows beyond the limit is not.
    if (updated.precio_total_cents > row.precio_total_cents) await refuseCashSale(tx, [id], () => 'lineas');
    await sql`SELECT busca_lineas(${id})`.execute(tx);
    await notifyRefundsDue(tx, [{ before: row, after: updated }]);
    const settled = await releaseIfPaid(tx, updated);
    await adjustStock(tx, actor, id, [before, lines], { motivo: (unidades) => (unidades < 0 ? 'pedido' : 'devolucion') });
    return { row: settled, lines };
  });

const NOTE = 1000;
const wordsOf = (lines: readonly Line[]) =>
  lines
    .map(({ cantidad, producto }) => `${cantidad} × ${producto}`)
    .join('; ')
    .slice(0, NOTE);

const amountsOf = ({ envio_cents, descuento_cents }: Amounts): Amounts => ({ envio_cents, descuento_cents });

/** Message after changed lines: the new total and, for a partly paid or overpaid order, the difference. */
export function moneyAfter({ pagado_cents, precio_total_cents, pendiente_cents }: PedidoRow): string {
  const done = `Pedido actualizado: el total es ${inEuros(precio_total_cents)}`;
  if (pagado_cents === 0 || pagado_cents === precio_total_cents) return done;
  const what = pendiente_cents ? `faltan ${inEuros(pendiente_cents)}` : `sobran ${inEuros(pagado_cents - precio_total_cents)}`;
  return `${done}; pagados ${inEuros(pagado_cents)}, ${what}`;
}
