import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { settingSql } from './setting-sql.ts';

export const ZONE = settingSql('timezone');

/** Start of a business day (yyyy-MM-dd) `plus` days later, as an SQL instant. */
export const startOf = (day: string, plus = 0) => sql<string>`((${day}::date + ${plus}::int)::timestamp AT TIME ZONE ${ZONE})`;

/** True if a day (yyyy-MM-dd) is after today in the business's time zone. */
export async function isFuture(tx: Tx, day: string): Promise<boolean> {
  const { rows } = await sql<{ future: boolean }>`SELECT ${day}::date > dia_negocio(now()) AS future`.execute(tx);
  return rows[0]?.future ?? false;
}
