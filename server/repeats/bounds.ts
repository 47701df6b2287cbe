import { sql } from 'kysely';
import type { Db, Tx } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';

/* Rate limits per person or order. Counted in the transaction, so a refused request does not count. */

export type Bound = { clase: string; minutes: number; most: number };

/** Reports of refused acts by a carrier's phone. Beyond the bound, the phone keeps its reports and sends them later. */
export const ACTS: Bound = { clase: 'no_aceptados', minutes: 1, most: 20 };
/** Notices about refused acts; the last notice covers all further acts. */
export const NOTICES: Bound = { clase: 'no_aceptados_avisos', minutes: 60, most: 3 };
/** Bytes of files of refused acts. */
export const FILES: Bound = { clase: 'no_aceptados_bytes', minutes: 1440, most: 25_000_000 };
/** Changes of the customer's answer «a neighbour may take it». */
export const ANSWERS: Bound = { clase: 'respuestas', minutes: 1440, most: 20 };
/** Changes of «loaded into the vehicle». */
export const LOADS: Bound = { clase: 'cargas', minutes: 1440, most: 20 };

/** Pages whose speed a person's browsers report. */
export const VITALS: Bound = { clase: 'velocidad', minutes: 60, most: 120 };

/** Adds `amount` for `key`, a person's or an order's id; returns the sum within the bound's time. Locks the row until the end of `tx`. */
export async function countUse(tx: Tx, { clase, minutes }: Omit<Bound, 'most'>, key: string, amount = 1): Promise<number> {
  const { rows } = await sql<{ veces: number }>`
    INSERT INTO topes AS t (clase, clave, veces) VALUES (${clase}, ${key}, ${amount})
    ON CONFLICT (clase, clave) DO UPDATE SET
      veces = CASE WHEN t.desde < now() - ${minutes} * interval '1 minute' THEN 0 ELSE t.veces END + excluded.veces,
      desde = CASE WHEN t.desde < now() - ${minutes} * interval '1 minute' THEN now() ELSE t.desde END
    RETURNING veces`.execute(tx);
  return rows[0]?.veces ?? 0;
}

/** Like `count`. Throws 429 beyond the bound. */
export async function limitRate(tx: Tx, bound: Bound, key: string, message: string, amount = 1): Promise<void> {
  if ((await countUse(tx, bound, key, amount)) <= bound.most) return;
  throw new DomainError(429, message, { headers: { 'retry-after': String(bound.minutes * 60) } });
}

/** Deletes expired counts. */
export async function deleteOldBounds(db: Db): Promise<void> {
  await db.deleteFrom('topes').where('desde', '<', sql<string>`now() - interval '2 days'`).execute();
}
