import { type RawBuilder, sql } from 'kysely';
import { bareReferencia } from '../../contract/envios/fields.ts';
import type { Tx } from '../db/open.ts';

/* Removes unmatched rows of orders with blocked or anonymised data (decision 031). */

type Order = { id: string; numero_orden: string };
type Unmatched = { referencia: string; seguimiento: string | null; motivo: string };
/** Unmatched rows of a batch before and after removing the rows of one order, as JSON. */
type Dropped = { order: string; envio: string; before: string; after: string };

// Must match `bareReferencia`.
const bareSql = (text: RawBuilder<string>) => sql<string>`upper(regexp_replace(normaliza(${text}), '[^a-z0-9]+', '', 'g'))`;

/** Drops the rows that name these locked orders by reference or tracking number; returns the changes in the sequence applied. */
export async function dropUnmatched(
  tx: Tx,
  orders: readonly Order[],
  numbersOf: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Dropped[]> {
  const references = orders.map(({ numero_orden }) => bareReferencia(numero_orden));
  const numbers = [...numbersOf.values()].flatMap((some) => [...some]);
  const { rows } = await sql<{ id: string; text: string; sin_pareja: Unmatched[] }>`
    SELECT id, sin_pareja::text AS text, sin_pareja FROM envios WHERE EXISTS (
      SELECT FROM jsonb_to_recordset(sin_pareja) AS r (referencia text, seguimiento text)
      WHERE ${bareSql(sql`r.referencia`)} = ANY (${references}::text[]) OR r.seguimiento = ANY (${numbers}::text[]))
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  const dropped: Dropped[] = [];
  for (const row of rows) {
    let [before, kept] = [row.text, row.sin_pareja];
    for (const { id, numero_orden } of orders) {
      const reference = bareReferencia(numero_orden);
      const rest = kept.filter(
        ({ referencia, seguimiento }) =>
          bareReferencia(referencia) !== reference && !(seguimiento !== null && numbersOf.get(id)?.has(seguimiento)),
      );
      if (rest.length === kept.length) continue;
      kept = rest;
      const after = JSON.stringify(rest);
      dropped.push({ order: id, envio: row.id, before, after });
      before = after;
    }
    await tx
      .updateTable('envios')
      .set({ sin_pareja: JSON.stringify(kept) })
      .where('id', '=', row.id)
      .execute();
  }
  return dropped;
}

/** Drops the rows of orders with blocked or anonymised data. Locks the orders, so that none is blocked before the rows are saved. */
export async function withoutRedacted<Row extends Unmatched & { pedido_id: string | null }>(tx: Tx, rows: readonly Row[]): Promise<Row[]> {
  if (rows.length === 0) return [];
  const ids = rows.flatMap(({ pedido_id }) => pedido_id ?? []);
  await sql`SELECT id FROM pedidos WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR SHARE`.execute(tx);
  const referencias = rows.map(({ referencia }) => bareReferencia(referencia));
  const { rows: redacted } = await sql<{ numero_orden: string }>`SELECT numero_orden FROM pedidos
    WHERE (bloqueado_at IS NOT NULL OR anonimizado_at IS NOT NULL)
      AND ${bareSql(sql`numero_orden`)} = ANY (${referencias}::text[])`.execute(tx);
  const hidden = new Set(redacted.map(({ numero_orden }) => bareReferencia(numero_orden)));
  return rows.filter(({ referencia }) => !hidden.has(bareReferencia(referencia)));
}
