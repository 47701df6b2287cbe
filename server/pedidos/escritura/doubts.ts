import { sql } from 'kysely';
import { type Doubt, type Draft, newDoubts, orderDoubts } from '../../../contract/doubts/doubts.ts';
import { tooLong } from '../../../contract/envios/plantilla.ts';
import { DUPLICATE_DAYS } from '../../../contract/pedidos/fields.ts';
import type { Db, Tx } from '../../db/open.ts';
import { townsAround } from '../../kit/towns.ts';
import { readSettings } from '../../settings/settings.ts';
import type { PedidoRow } from '../lectura/row.ts';

/** Returns what is doubtful about an order that has just been made; `more`: what its door knows beside its fields. `copied`: a copy repeats its order. */
export const doubtsAbout = async (db: Db | Tx, row: PedidoRow, more: Partial<Draft> = {}, { copied = false } = {}): Promise<Doubt[]> =>
  (await doubtsOfOrders(db, [row], more, copied))[0] ?? [];

/** `doubtsAbout` of several orders, in their order. */
export async function doubtsOfOrders(
  db: Db | Tx,
  rows: readonly PedidoRow[],
  more: Partial<Draft> = {},
  copied = false,
): Promise<Doubt[][]> {
  const same = copied ? undefined : await sameOrders(db, rows);
  const overlong = await paperWords(db);
  return Promise.all(
    rows.map(async (row) => {
      const provinces = await townsAround(row.cliente_codigo_postal ?? '', row.cliente_pais ?? '');
      const facts = { provinces, same: same?.get(row.id), paper: overlong(row), now: Date.now() };
      return orderDoubts({ ...row, total_cents: row.precio_total_cents, ...more }, facts);
    }),
  );
}

/** Returns what an edit has made doubtful. */
export async function doubtsOfEdit(db: Db, before: PedidoRow, after: PedidoRow): Promise<Doubt[]> {
  const towns = [before, after].map((row) => townsAround(row.cliente_codigo_postal ?? '', row.cliente_pais ?? ''));
  const provinces = new Map((await Promise.all(towns)).flatMap((each) => [...each]));
  const overlong = await paperWords(db);
  const paper = overlong(after);
  const found = newDoubts(before, after, { provinces, now: Date.now() });
  return [...found, ...(paper && paper !== overlong(before) ? orderDoubts({}, { paper }) : [])];
}

/** Returns the sentence about the company's file that would not hold an order whole; a shop that makes no files has none. */
async function paperWords(db: Db | Tx): Promise<(row: PedidoRow) => string | undefined> {
  if (!(await readSettings(db)).shipmentFiles) return () => undefined;
  const files = await db.selectFrom('plantillas_envio').select(['nombre', 'columnas']).orderBy('nombre').execute();
  return (row) => {
    const values = { ...row, unidades: 0, fecha: '', reembolso: null, empresa: '', empresa_telefono: '' };
    for (const { nombre, columnas } of files) {
      const { out, cut } = tooLong(columnas, values);
      const titles = [...out, ...cut].map((titulo) => `«${titulo}»`).join(' y ');
      if (titles) return `No cabe entero en ${titles} del fichero de ${nombre}.`;
    }
    return undefined;
  };
}

/**
 * For each order the number of one of the same customer that may be the same: with the same reference or, if recent, a pack in common. Two orders
 * of one web shop are two, because the shop has numbered them.
 */
async function sameOrders(db: Db | Tx, orders: readonly PedidoRow[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; numero_orden: string }>`
    SELECT DISTINCT ON (own.id) own.id, p.numero_orden FROM pedidos own JOIN pedidos p ON p.cliente_id = own.cliente_id AND p.id <> own.id
    WHERE own.id = ANY (${orders.map(({ id }) => id)}::uuid[]) AND p.deleted_at IS NULL AND p.estado <> 'cancelado'
      AND (own.tienda IS NULL OR p.tienda IS DISTINCT FROM own.tienda) AND (
      lower(p.referencia_externa) = lower(own.referencia_externa)
      OR p.fecha_pedido > now() - make_interval(days => ${DUPLICATE_DAYS}) AND EXISTS (
        SELECT FROM pedidos_lineas a JOIN pedidos_lineas b USING (pack_id) WHERE a.pedido_id = own.id AND b.pedido_id = p.id))
    ORDER BY own.id, p.fecha_pedido DESC`.execute(db);
  return new Map(rows.map(({ id, numero_orden }) => [id, numero_orden]));
}
