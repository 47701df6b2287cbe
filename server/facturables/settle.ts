import { sql } from 'kysely';
import type { MotivoFacturable } from '../../contract/facturables/fields.ts';
import { breakdown, type IvaRow } from '../../contract/iva/breakdown.ts';
import { FILAS_IVA, type FilaIva } from '../../contract/iva/fields.ts';
import { METODO_PAGO_LABEL } from '../../contract/payments/fields.ts';
import type { ClienteField } from '../../contract/pedidos/fields.ts';
import { readMark } from '../cambios/cambios.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { linesOf } from '../pedidos/lineas/lineas.ts';
import { readSettings } from '../settings/settings.ts';

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
  const marca = await readMark(tx);
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

type Order = Record<Extract<ClienteField, 'cliente_codigo_postal' | 'cliente_provincia' | 'cliente_pais'>, string | null> & {
  id: string;
  numero_orden: string;
  cliente: string;
  nif: string | null;
  metodos: string[] | null;
  is_due: boolean;
  entregado: string | null;
  cambiado: string;
  envio_cents: number;
  total_cents: number;
  devueltos: number;
};
type Written = { tipo: FilaIva; base_cents: number; cuota_cents: number; total_cents: number; devueltos: number };

/** Inserts, by VAT rate, the difference between the goods that the customer keeps and the rows written so far. Needs `lockFacturables`. */
async function settle(tx: Tx, ids: readonly string[], desde: string): Promise<void> {
  const orders = await readOrders(tx, ids, desde);
  if (orders.length === 0) return;
  const due = orders.map(({ id }) => id);
  const [lines, back, written] = [await linesOf(tx, due), await returnedOf(tx, due), await writtenOf(tx, due)];
  const rows = orders.flatMap((order) => {
    const before = written.get(order.id) ?? [];
    const kept = (lines.get(order.id) ?? []).map(({ numero, iva, cantidad, precio_total_cents }) => {
      const left = cantidad - (back.get(`${order.id} ${numero}`) ?? 0);
      return { iva, left, precio_total_cents: Math.round((precio_total_cents * left) / cantidad) };
    });
    const differences = differenceOf(order.is_due ? oughtOf(order, kept) : [], before);
    const motivo = motivoOf(order, before, differences);
    const fecha = motivo === 'venta' ? (order.entregado ?? order.cambiado) : order.cambiado;
    const { id: pedido_id, numero_orden, cliente, nif, devueltos, metodos } = order;
    return differences.map((row) => ({
      ...row,
      pedido_id,
      numero_orden,
      cliente,
      nif,
      devueltos,
      motivo,
      fecha,
      metodo_pago: wordsOf(metodos),
    }));
  });
  if (rows.length === 0) return;
  const { seq } = await tx.selectFrom('facturables').select(sql<number>`coalesce(max(seq), 0)`.as('seq')).executeTakeFirstOrThrow();
  await tx
    .insertInto('facturables')
    .values(rows.map((row, i) => ({ seq: Number(seq) + 1 + i, ...row })))
    .execute();
}

/** Reads the orders delivered since `desde`, plus all orders that already have rows, because later changes must correct those rows. */
async function readOrders(tx: Tx, ids: readonly string[], desde: string): Promise<Order[]> {
  const { rows } = await sql<Order>`
    SELECT p.id, p.numero_orden, p.cliente_nombre AS cliente, p.cliente_nif AS nif, p.cliente_codigo_postal, p.cliente_provincia, p.cliente_pais,
      (SELECT array_agg(DISTINCT g.proveedor ORDER BY g.proveedor) FROM pagos g WHERE g.pedido_id = p.id AND g.estado = 'pagado') AS metodos,
      (p.estado = 'completado' AND p.deleted_at IS NULL) AS is_due,
      dia_negocio(p.fecha_completado)::text AS entregado, dia_negocio(p.updated_at)::text AS cambiado,
      p.envio_cents, p.precio_total_cents - p.devuelto_cents AS total_cents, p.cantidad_devuelta AS devueltos
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

type Kept = { iva: string | null; left: number; precio_total_cents: number };

/** Breaks down the kept goods by VAT rate. The discount absorbs rounding, so that the rows add up to the total less the returns. */
function oughtOf({ envio_cents, total_cents, ...address }: Order, lines: readonly Kept[]): IvaRow[] {
  const kept = lines.filter(({ left }) => left > 0);
  const goods = kept.reduce((sum, line) => sum + line.precio_total_cents, 0);
  return breakdown({ lines: kept, envio_cents, descuento_cents: goods + envio_cents - total_cents, address });
}

function differenceOf(ought: readonly IvaRow[], written: readonly Written[]): IvaRow[] {
  return FILAS_IVA.flatMap((tipo) => {
    const [is, was] = [ought.find((row) => row.tipo === tipo), written.find((row) => row.tipo === tipo)];
    const rest = (name: 'base_cents' | 'cuota_cents' | 'total_cents') => (is?.[name] ?? 0) - (was?.[name] ?? 0);
    const row = { tipo, base_cents: rest('base_cents'), cuota_cents: rest('cuota_cents'), total_cents: rest('total_cents') };
    return row.base_cents || row.cuota_cents || row.total_cents ? [row] : [];
  });
}

function motivoOf({ is_due, devueltos }: Order, before: readonly Written[], differences: readonly IvaRow[]): MotivoFacturable {
  const [first] = before;
  if (!first) return 'venta';
  const isLess = differences.every(({ total_cents }) => total_cents <= 0);
  return is_due && isLess && devueltos > first.devueltos ? 'devolucion' : 'correccion';
}

const wordsOf = (metodos: readonly string[] | null): string | null =>
  metodos?.map((metodo) => (METODO_PAGO_LABEL as Record<string, string>)[metodo] ?? 'En línea').join(', ') ?? null;
