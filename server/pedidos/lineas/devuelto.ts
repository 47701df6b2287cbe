import { type Selectable, sql } from 'kysely';
import { CAMINO } from '../../../contract/devoluciones/fields.ts';
import { type Actor, personIdOf } from '../../../contract/policy/policy.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Tables } from '../../db/schema.ts';
import { conflict, notFound } from '../../kit/errors.ts';

/* Returned and undelivered goods: rows of an order's returns. Callers adjust stock and amounts. */

/** A returned line; `motivo` is empty for a return after the delivery. */
export type Returned = Omit<Selectable<Tables['devoluciones_lineas']>, 'devolucion_id'>;

const COLUMNS = [
  'id',
  'motivo',
  'nota',
  'reembolso_cents',
  'referencia',
  'actor_nombre',
  'created_at',
  'anulada_at',
  'anulada_motivo',
  'resto_pedido_id',
  'retenido_cents',
  'retenido_motivo',
  'de_mas_cents',
] as const;
export type ReturnRow = Pick<Selectable<Tables['devoluciones']>, (typeof COLUMNS)[number]>;
/** A return with the value of its goods after the discount, in cents. */
export type ValuedReturn = ReturnRow & { valor_cents: number };
type Head = Pick<ReturnRow, 'motivo'> & Partial<Pick<ReturnRow, 'nota' | 'reembolso_cents' | 'referencia'>>;

/** Reads the returns of an order, newest first. */
export const valuedReturns = (db: Db | Tx, pedido_id: string): Promise<ValuedReturn[]> =>
  db
    .selectFrom('devoluciones')
    .select([...COLUMNS, sql<number>`valor_devolucion(id)`.as('valor_cents')])
    .where('pedido_id', '=', pedido_id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** Returns the lines of the returns `ids`, by return id. */
export async function returnedLines(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Returned[]>> {
  const rows = await db
    .selectFrom('devoluciones_lineas')
    .selectAll()
    .where('devolucion_id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .orderBy('numero')
    .orderBy('destino')
    .orderBy('motivo')
    .execute();
  const lines = new Map<string, Returned[]>();
  for (const { devolucion_id, ...line } of rows) lines.set(devolucion_id, [...(lines.get(devolucion_id) ?? []), line]);
  return lines;
}

/** Returns the quantity (packs) returned so far, by line number. */
export async function returnedBefore(tx: Tx, pedido_id: string): Promise<Map<number, number>> {
  const rows = await tx
    .selectFrom('devoluciones_lineas as l')
    .innerJoin('devoluciones as d', 'd.id', 'l.devolucion_id')
    .select(['l.numero', sql<number>`sum(l.cantidad)::int`.as('cantidad')])
    .where('d.pedido_id', '=', pedido_id)
    .where('d.anulada_at', 'is', null)
    .groupBy('l.numero')
    .execute();
  return new Map(rows.map(({ numero, cantidad }) => [numero, cantidad]));
}

/** Writes a return of a locked order; the caller adjusts stock and amounts. */
export async function insertReturn(tx: Tx, actor: Actor, pedido_id: string, head: Head, lines: readonly Returned[]): Promise<ReturnRow> {
  const made = await tx
    .insertInto('devoluciones')
    .values({ pedido_id, ...head, actor_user_id: personIdOf(actor), actor_nombre: actor.full_name })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('devoluciones_lineas')
    .values(lines.map((line) => ({ devolucion_id: made.id, ...line })))
    .execute();
  return made;
}

/** Returns the id of a return's order. Throws 404. */
export async function orderOfReturn(tx: Tx, id: string): Promise<string> {
  const row = tx.selectFrom('devoluciones').select('pedido_id').where('id', '=', id);
  return (await row.executeTakeFirstOrThrow(() => notFound())).pedido_id;
}

type Change = Partial<Omit<ReturnRow, 'id' | 'motivo' | 'nota' | 'actor_nombre' | 'created_at' | 'anulada_at'>>;

/** Changes a return. Its order must be locked, which serialises concurrent changes. Throws 409 if the return is annulled. */
export const changeReturn = async (tx: Tx, id: string, set: Change): Promise<ReturnRow> =>
  tx
    .updateTable('devoluciones')
    .set({ ...set, ...(set.anulada_motivo && { anulada_at: sql`now()` }) })
    .where('id', '=', id)
    .where('anulada_at', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow(() => conflict('Esta devolución ya está anulada'));

/** Records where goods on their way back ended: in the stock or written off. */
export async function moveReceived(tx: Tx, devolucion_id: string, lines: readonly Returned[]): Promise<void> {
  for (const { numero, motivo, destino, unidades } of lines) {
    await tx
      .updateTable('devoluciones_lineas')
      .set({ destino, unidades })
      .where('devolucion_id', '=', devolucion_id)
      .where('numero', '=', numero)
      .where('motivo', '=', motivo)
      .where('destino', '=', CAMINO)
      .execute();
  }
}

/** Notes refunds beyond the value of all returned goods as a discount of the newest return; `cents` are all refunds of the order. */
export async function noteExcess(tx: Tx, pedido_id: string, cantidad_devuelta: number, cents: number): Promise<void> {
  if (cents === 0) return;
  await sql`UPDATE devoluciones SET de_mas_cents = de_mas_cents + greatest(0, ${cents}::bigint - valor_devuelto(pedido_id, ${cantidad_devuelta}))
    WHERE id = (SELECT id FROM devoluciones WHERE pedido_id = ${pedido_id} AND anulada_at IS NULL ORDER BY created_at DESC, id LIMIT 1)`.execute(
    tx,
  );
}

/** Returns the cents of the order's returns that the shop keeps. */
export async function keptCents(tx: Tx, pedido_id: string): Promise<number> {
  const kept = tx.selectFrom('devoluciones').select(({ fn }) => fn.sum<number | null>('retenido_cents').as('cents'));
  return Number((await kept.where('pedido_id', '=', pedido_id).where('anulada_at', 'is', null).executeTakeFirst())?.cents ?? 0);
}
