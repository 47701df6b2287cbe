import { sql } from 'kysely';
import type { Db } from '../server/db/open.ts';
import { transact } from '../server/db/open.ts';
import { addDays, dayInMadrid } from './day.ts';

/** Returns the month `back` months ago (yyyy-MM), with its first and last day. */
export function monthsBack(back: number): { mes: string; first: string; last: string } {
  const [year = 0, month = 0] = dayInMadrid().split('-').map(Number);
  const iso = (more: number) => new Date(Date.UTC(year, month - 1 - back + more, 1)).toISOString().slice(0, 10);
  return { mes: iso(0).slice(0, 7), first: iso(0), last: addDays(iso(1), -1) };
}

/** Moves today's open lines to `day`. Disables the ledger's trigger, which refuses changes. */
export const earnedOn = (db: Db, day: string): Promise<void> =>
  transact(db, async (tx) => {
    await sql`ALTER TABLE ganancias DISABLE TRIGGER USER`.execute(tx);
    await sql`UPDATE ganancias SET dia = ${day} WHERE liquidacion_id IS NULL AND dia = dia_negocio(now())`.execute(tx);
    await sql`ALTER TABLE ganancias ENABLE TRIGGER USER`.execute(tx);
  });
