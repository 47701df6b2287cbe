import { sql } from 'kysely';
import type { MotivoFacturable } from '../../contract/facturables/fields.ts';
import { type Charged, distributeCents, type IvaRow, splitVat, vatBreakdown, vatRowByRate } from '../../contract/iva/breakdown.ts';
import { FILAS_IVA, type FilaIva } from '../../contract/iva/fields.ts';
import { type Territorio, taxRegimen } from '../../contract/iva/territory.ts';
import { readTimeline } from '../cambios/cambios.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { providerLabel } from '../payments/providers.ts';
import { linesByOrder } from '../pedidos/lineas/lineas.ts';
import { readSettings } from '../settings/settings.ts';
import { insertDocuments, type NewDocument, type WrittenSale as Open, readSales } from './documents.ts';

/** Maximum changed orders per transaction. */
const BATCH = 500;
const START = { xid: '0', pedido_id: '00000000-0000-0000-0000-000000000000' };

/**
 * Follows the log of changed orders and writes the missing rows. Does nothing while the shop does not use VAT. Runs each minute and before
 * each read. Idempotent, even across instances.
 */
export async function settleAll(db: Db): Promise<void> {
  const { iva, ivaDesde } = await readSettings(db);
  if (!iva || !ivaDesde) return;
  while (await transact(db, (tx) => settleSome(tx, ivaDesde)));
}

/** Serialises writers of the rows, so that row numbers are in order of commit. */
export const lockFacturables = (tx: Tx) => sql`SELECT pg_advisory_xact_lock(hashtext('facturables'))`.execute(tx);

/** Settles the next changed orders; returns true if there may be more. */
async function settleSome(tx: Tx, desde: string): Promise<boolean> {
  await lockFacturables(tx);
  const marca = await readTimeline(tx);
  const known = await tx.selectFrom('facturables_seguimiento').selectAll().executeTakeFirst();
  // Reads the log from the start if the first day or the database has changed. Settling is idempotent, so no row is written twice.
  const from = known && known.marca === marca && known.desde === desde ? known : START;
  const { rows } = await sql<{ xid: string; pedido_id: string }>`
    SELECT xid::text AS xid, entidad_id AS pedido_id FROM cambios
    WHERE tipo = 'pedido' AND (xid, entidad_id) > (${from.xid}::xid8, ${from.pedido_id}::uuid) AND xid < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY cambios.xid, entidad_id LIMIT ${BATCH}`.execute(tx);
  const last = rows.at(-1);
  if (!last && from === known) return false;
  await settle(
    tx,
    rows.map(({ pedido_id }) => pedido_id),
    desde,
  );
  const next = { marca, desde, xid: last?.xid ?? from.xid, pedido_id: last?.pedido_id ?? from.pedido_id };
  await tx
    .insertInto('facturables_seguimiento')
    .values(next)
    .onConflict((on) => on.column('id').doUpdateSet(next))
    .execute();
  return rows.length === BATCH;
}

type Order = Territorio & {
  id: string;
  numero_orden: string;
  cliente: string;
  metodos: string[] | null;
  is_due: boolean;
  entregado: string | null;
  cambiado: string;
  envio_cents: number;
  descuento_cents: number;
  devuelto_cents: number;
  devueltos: number;
  whole: boolean;
  iva_cobrado: Charged | null;
};
type Written = { tipo: FilaIva; base_cents: number; cuota_cents: number; total_cents: number; devueltos: number };

/** Inserts, by VAT rate, the difference between what the customer keeps and the rows written so far. Needs `lockFacturables`. */
async function settle(tx: Tx, ids: readonly string[], desde: string): Promise<void> {
  const orders = await readOrders(tx, ids, desde);
  if (orders.length === 0) return;
  const due = orders.map(({ id }) => id);
  const [lines, back, written] = [await linesByOrder(tx, due), await returnedOf(tx, due), await writtenOf(tx, due)];
  const documents = await readSales(tx, due);
  const made = orders.flatMap((order) => {
    const before = written.get(order.id) ?? [];
    const own = (lines.get(order.id) ?? []).map((line) => ({ ...line, returned: back.get(`${order.id} ${line.numero}`) ?? 0 }));
    const rows = rowDifferences(order.is_due ? expectedRows(order, own) : [], before);
    const motivo = motivoOfRows(order, before, rows);
    const sale = documents.get(order.id);
    const into = sale && isFilled(rows, sale) ? sale : undefined;
    const fecha = into?.fecha ?? (motivo === 'venta' ? (order.entregado ?? order.cambiado) : order.cambiado);
    const document = into?.documento ?? invoiceDocument(order, motivo, fecha, sale);
    return rows.length ? [{ order, rows, motivo, fecha, document }] : [];
  });
  if (made.length === 0) return;
  const numbers = await insertDocuments(
    tx,
    made.map(({ document }) => document),
  );
  const { seq } = await tx.selectFrom('facturables').select(sql<number>`coalesce(max(seq), 0)`.as('seq')).executeTakeFirstOrThrow();
  const values = made.flatMap(
    ({ order: { id: pedido_id, numero_orden, cliente, cliente_nif, devueltos, metodos }, rows, motivo, fecha }, i) =>
      rows.map((row) => ({
        ...row,
        pedido_id,
        numero_orden,
        cliente,
        nif: cliente_nif ?? null,
        devueltos,
        motivo,
        fecha,
        metodo_pago: wordsOf(metodos),
        documento: numbers[i] ?? '',
      })),
  );
  await tx
    .insertInto('facturables')
    .values(values.map((row, i) => ({ seq: Number(seq) + 1 + i, ...row })))
    .execute();
}

/** True if the rows only change rates of an open sale, whose invoice then needs no correction. */
export const isFilled = (rows: readonly IvaRow[], { is_open }: Open): boolean =>
  is_open && sumOf(rows.map(({ total_cents }) => total_cents)) === 0;

export const invoiceDocument = (order: Order, motivo: MotivoFacturable, fecha: string, sale: Open | undefined): NewDocument => ({
  pedido_id: order.id,
  motivo,
  corrige: motivo === 'venta' ? null : (sale?.documento ?? null),
  fecha,
  numero_orden: order.numero_orden,
  cliente: order.cliente,
  nif: order.cliente_nif ?? null,
  direccion: order.cliente_direccion ?? null,
  codigo_postal: order.cliente_codigo_postal ?? null,
  ciudad: order.cliente_ciudad ?? null,
  provincia: order.cliente_provincia ?? null,
  pais: order.cliente_pais ?? null,
  regimen: taxRegimen(order),
});

/** Reads the orders delivered since `desde`, plus all orders that already have rows, because later changes must correct those rows. */
async function readOrders(tx: Tx, ids: readonly string[], desde: string): Promise<Order[]> {
  const { rows } = await sql<Order>`
    SELECT p.id, p.numero_orden, p.estado, p.iva_regimen, p.iva_cobrado, p.cliente_nombre AS cliente, p.cliente_nif, p.cliente_codigo_postal,
      p.cliente_provincia, p.cliente_pais, p.cliente_ciudad, concat_ws(', ', p.cliente_direccion, p.cliente_direccion2) AS cliente_direccion,
      (SELECT array_agg(DISTINCT g.proveedor ORDER BY g.proveedor) FROM pagos g WHERE g.pedido_id = p.id AND g.estado = 'pagado') AS metodos,
      (p.estado = 'completado' AND p.deleted_at IS NULL) AS is_due,
      dia_negocio(p.fecha_completado)::text AS entregado, dia_negocio(p.updated_at)::text AS cambiado,
      p.envio_cents, p.descuento_cents, p.devuelto_cents, p.cantidad_devuelta AS devueltos, p.devuelto_cents = p.precio_total_cents AS whole
    FROM pedidos p WHERE p.id = ANY (${ids}::uuid[])
      AND ((p.estado = 'completado' AND p.deleted_at IS NULL AND dia_negocio(p.fecha_completado) >= ${desde}::date)
        OR EXISTS (SELECT FROM facturables f WHERE f.pedido_id = p.id))
    ORDER BY p.fecha_completado, p.id`.execute(tx);
  return rows;
}

/** Reads the returned quantities, keyed by order id and line number. */
async function returnedOf(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ line: string; cantidad: number }>`
    SELECT d.pedido_id || ' ' || l.numero AS line, sum(l.cantidad)::int AS cantidad
    FROM devoluciones d JOIN devoluciones_lineas l ON l.devolucion_id = d.id
    WHERE d.pedido_id = ANY (${ids}::uuid[]) AND d.anulada_at IS NULL GROUP BY 1`.execute(tx);
  return new Map(rows.map(({ line, cantidad }) => [line, cantidad]));
}

async function writtenOf(tx: Tx, ids: readonly string[]): Promise<Map<string, Written[]>> {
  const { rows } = await sql<Written & { pedido_id: string }>`
    SELECT pedido_id, tipo, sum(base_cents)::bigint AS base_cents, sum(cuota_cents)::bigint AS cuota_cents, sum(total_cents)::bigint AS total_cents,
      (SELECT f.devueltos FROM facturables f WHERE f.pedido_id = facturables.pedido_id ORDER BY f.seq DESC LIMIT 1) AS devueltos
    FROM facturables WHERE pedido_id = ANY (${ids}::uuid[]) GROUP BY pedido_id, tipo`.execute(tx);
  return Map.groupBy(rows, ({ pedido_id }) => pedido_id);
}

type Sold = Territorio & Pick<Order, 'envio_cents' | 'descuento_cents' | 'devuelto_cents' | 'whole' | 'iva_cobrado'>;
type OwnLine = { iva: string | null; cantidad: number; precio_total_cents: number; returned: number };

/**
 * Returns the value that the customer keeps, by VAT rate: the sale minus returned goods at their own rates. Shipping stays at the rates of the
 * sale. A refund beyond the goods' value is a discount on what stays of the sale (decision 101), so that no rate falls below zero.
 */
export function expectedRows(
  { envio_cents, descuento_cents, devuelto_cents, whole, ...address }: Sold,
  lines: readonly OwnLine[],
): IvaRow[] {
  if (whole) return [];
  const sold = vatBreakdown({ lines, envio_cents, descuento_cents, address });
  const rowFor = vatRowByRate(address);
  const worth = sold.map(() => 0);
  for (const { iva, cantidad, precio_total_cents, returned } of lines) {
    const at = Math.max(
      0,
      sold.findIndex(({ tipo }) => tipo === rowFor(iva)),
    );
    worth[at] = (worth[at] ?? 0) + (precio_total_cents * returned) / cantidad;
  }
  const goods = lines.reduce((sum, { precio_total_cents }) => sum + precio_total_cents, 0);
  const value = goods > 0 ? Math.ceil((sumOf(worth) * Math.max(0, goods - descuento_cents)) / goods - 1e-6) : 0;
  const own = distributeCents(Math.min(devuelto_cents, value), worth.map(Math.round)).map((cents, i) =>
    Math.min(cents, sold[i]?.total_cents ?? 0),
  );
  const beyond = distributeCents(
    devuelto_cents - sumOf(own),
    sold.map(({ total_cents }, i) => Math.max(0, total_cents - (own[i] ?? 0))),
  );
  return sold
    .map((row, i) => minus(row, splitVat(row.tipo, (own[i] ?? 0) + (beyond[i] ?? 0))))
    .filter(({ total_cents }) => total_cents !== 0);
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const minus = (row: IvaRow, less: Omit<IvaRow, 'tipo'> | undefined): IvaRow => ({
  tipo: row.tipo,
  base_cents: row.base_cents - (less?.base_cents ?? 0),
  cuota_cents: row.cuota_cents - (less?.cuota_cents ?? 0),
  total_cents: row.total_cents - (less?.total_cents ?? 0),
});

export function rowDifferences(ought: readonly IvaRow[], written: readonly Written[]): IvaRow[] {
  return FILAS_IVA.flatMap((tipo) => {
    const is = ought.find((row) => row.tipo === tipo) ?? { tipo, base_cents: 0, cuota_cents: 0, total_cents: 0 };
    const row = minus(
      is,
      written.find((row) => row.tipo === tipo),
    );
    return row.base_cents || row.cuota_cents || row.total_cents ? [row] : [];
  });
}

export function motivoOfRows({ is_due, devueltos }: Order, before: readonly Written[], differences: readonly IvaRow[]): MotivoFacturable {
  const [first] = before;
  if (!first) return 'venta';
  const isLess = differences.every(({ total_cents }) => total_cents <= 0);
  return is_due && isLess && devueltos > first.devueltos ? 'devolucion' : 'correccion';
}

const wordsOf = (metodos: readonly string[] | null): string | null => metodos?.map(providerLabel).join(', ') ?? null;
