import { sql } from 'kysely';
import { type Doubt, type Draft, newDoubts, orderDoubts } from '../../../contract/doubts/doubts.ts';
import { tooLong } from '../../../contract/envios/plantilla.ts';
import { DUPLICATE_DAYS } from '../../../contract/pedidos/fields.ts';
import type { Db, Tx } from '../../db/open.ts';
import { townsAround } from '../../kit/towns.ts';
import { readSettings } from '../../settings/settings.ts';
import type { PedidoRow } from '../lectura/row.ts';

/** Returns what is doubtful about an order that has just been made; `more`: what its door knows beside its fields. `copied`: a copy repeats its order. */
export async function doubtsAbout(db: Db | Tx, row: PedidoRow, more: Partial<Draft> = {}, { copied = false } = {}): Promise<Doubt[]> {
  const provinces = await townsAround(row.cliente_codigo_postal ?? '', row.cliente_pais ?? '');
  const draft: Draft = { ...row, total_cents: row.precio_total_cents, ...more };
  const [same, paper] = [copied ? undefined : await sameOrder(db, row), await overlong(db, row)];
  return orderDoubts(draft, { provinces, same, paper, now: Date.now() });
}

/** Returns what an edit has made doubtful. */
export async function doubtsOfEdit(db: Db, before: PedidoRow, after: PedidoRow): Promise<Doubt[]> {
  const towns = [before, after].map((row) => townsAround(row.cliente_codigo_postal ?? '', row.cliente_pais ?? ''));
  const provinces = new Map((await Promise.all(towns)).flatMap((each) => [...each]));
  const paper = await overlong(db, after);
  const found = newDoubts(before, after, { provinces, now: Date.now() });
  return [...found, ...(paper && paper !== (await overlong(db, before)) ? orderDoubts({}, { paper }) : [])];
}

/** Sentence about the company's file that would not hold the order whole; undefined in a shop that makes none. */
async function overlong(db: Db | Tx, row: PedidoRow): Promise<string | undefined> {
  if (!(await readSettings(db)).shipmentFiles) return undefined;
  const values = { ...row, unidades: 0, fecha: '', reembolso: null, empresa: '', empresa_telefono: '' };
  for (const { nombre, columnas } of await db.selectFrom('plantillas_envio').select(['nombre', 'columnas']).orderBy('nombre').execute()) {
    const { out, cut } = tooLong(columnas, values);
    const titles = [...out, ...cut].map((titulo) => `«${titulo}»`).join(' y ');
    if (titles) return `No cabe entero en ${titles} del fichero de ${nombre}.`;
  }
  return undefined;
}

/**
 * Number of an order of the same customer that may be the same: with the same reference or, if recent, a pack in common. Two orders of one web
 * shop are two, because the shop has numbered them.
 */
async function sameOrder(db: Db | Tx, { id, referencia_externa }: PedidoRow): Promise<string | undefined> {
  const { rows } = await sql<{ numero_orden: string }>`
    SELECT p.numero_orden FROM pedidos own JOIN pedidos p ON p.cliente_id = own.cliente_id AND p.id <> own.id
    WHERE own.id = ${id} AND p.deleted_at IS NULL AND p.estado <> 'cancelado'
      AND (own.tienda IS NULL OR p.tienda IS DISTINCT FROM own.tienda) AND (
      lower(p.referencia_externa) = lower(${referencia_externa})
      OR p.fecha_pedido > now() - make_interval(days => ${DUPLICATE_DAYS}) AND EXISTS (
        SELECT FROM pedidos_lineas a JOIN pedidos_lineas b USING (pack_id) WHERE a.pedido_id = own.id AND b.pedido_id = p.id))
    ORDER BY p.fecha_pedido DESC LIMIT 1`.execute(db);
  return rows[0]?.numero_orden;
}
