import { sql } from 'kysely';
import type { Db, Tx } from '../db/open.ts';
import { settingSql } from './setting-sql.ts';

export const ZONE = settingSql('timezone');

/** Start of a business day (yyyy-MM-dd) `plus` days later, as an SQL instant. */
export const startOfDay = (day: string, plus = 0) => sql<string>`((${day}::date + ${plus}::int)::timestamp AT TIME ZONE ${ZONE})`;

/** True if a day (yyyy-MM-dd) is after today in the business's time zone. */
export const isFuture = async (tx: Db | Tx, day: string): Promise<boolean> => (await sinceToday(tx, day)) > 0;

/** True if a day (yyyy-MM-dd) is before today in the business's time zone. */
export const isPast = async (tx: Db | Tx, day: string): Promise<boolean> => (await sinceToday(tx, day)) < 0;

async function sinceToday(tx: Db | Tx, day: string): Promise<number> {
  const { rows } = await sql<{ days: number }>`SELECT ${day}::date - dia_negocio(now()) AS days`.execute(tx);
  return rows[0]?.days ?? 0;
}
