import { type RawBuilder, sql } from 'kysely';
import { MAX_DELIVERY_DAYS } from '../../../contract/settings/fields.ts';
import type { Db, Tx } from '../../db/open.ts';
import { settingSql } from '../../settings/setting-sql.ts';
import { ZONE } from '../../settings/zone.ts';
import { holidaysOf } from './holidays.ts';

// Enough calendar days: two per working day, and ten more for holidays such as Christmas.
const LONGEST = 2 * MAX_DELIVERY_DAYS + 10;

function holidaysFrom(from: Date): string[] {
  const year = from.getUTCFullYear();
  return [...holidaysOf(year), ...holidaysOf(year + 1)];
}
const workingDay = (day: RawBuilder<unknown>, holidays: readonly string[]) =>
  sql`extract(isodow FROM ${day}) < 6 AND ${day} <> ALL (${holidays}::date[])`;

/** Returns the next `count` working days after today (yyyy-MM-dd), in the business's time zone. */
export async function nextWorkingDays(db: Db | Tx, count: number): Promise<string[]> {
  const { rows } = await sql<{ dia: string }>`
    SELECT to_char(dia, 'YYYY-MM-DD') AS dia FROM (SELECT dia_negocio(now()) + n AS dia FROM generate_series(1, ${sql.lit(2 * count + 10)}) n) d
    WHERE ${workingDay(sql`dia`, holidaysFrom(new Date()))} ORDER BY dia LIMIT ${sql.lit(count)}`.execute(db);
  return rows.map(({ dia }) => dia);
}

/** Promised date of an order paid at `from` (default: now) as SQL: noon, `days` working days later (default: the setting). */
export function promised(from?: string, days?: number): RawBuilder<string> {
  const holidays = holidaysFrom(from ? new Date(from) : new Date());
  // MATERIALIZED, because PostgreSQL would otherwise evaluate the current day for each `n`.
  return sql<string>`(
    WITH d AS MATERIALIZED (SELECT dia_negocio(${from ? sql`${from}::timestamptz` : sql`now()`}) AS hoy)
    SELECT (hoy + n + time '12:00') AT TIME ZONE ${ZONE}
    FROM d, generate_series(1, ${sql.lit(LONGEST)}) n
    WHERE ${workingDay(sql`(hoy + n)`, holidays)}
    ORDER BY n LIMIT 1 OFFSET ${days === undefined ? settingSql('deliveryDays') : sql.lit(days)} - 1)`;
}

/** Like `promised`, as an ISO instant. */
export async function readPromised(db: Db, from?: string, days?: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`SELECT ${promised(from, days)} AS at`.execute(db);
  return new Date(rows[0]?.at ?? '').toISOString();
}

/** Instant of a typed date: without a time, noon in the business's time zone, as SQL. Null without a date. */
export const instantOf = (value: string | null | undefined) =>
  value == null
    ? null
    : value.length === 10
      ? sql<string>`(${value}::date + time '12:00') AT TIME ZONE ${ZONE}`
      : new Date(value).toISOString();
