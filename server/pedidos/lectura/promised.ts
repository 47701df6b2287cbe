import { type RawBuilder, sql } from 'kysely';
import { MAX_DELIVERY_DAYS } from '../../../contract/settings/fields.ts';
import type { Db, Tx } from '../../db/open.ts';
import { settingSql } from '../../settings/setting-sql.ts';
import { ZONE } from '../../settings/zone.ts';

// Enough calendar days: two per working day, and ten more for holidays such as Christmas.
const LONGEST = 2 * MAX_DELIVERY_DAYS + 10;

function holidaysFrom(from: Date): string[] {
  const year = from.getUTCFullYear();
  return [...nationalHolidays(year), ...nationalHolidays(year + 1)];
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
export function promisedDate(from?: string, days?: number): RawBuilder<string> {
  const holidays = holidaysFrom(from ? new Date(from) : new Date());
  // MATERIALIZED, because PostgreSQL would otherwise evaluate the current day for each `n`.
  return sql<string>`(
    WITH d AS MATERIALIZED (SELECT dia_negocio(${from ? sql`${from}::timestamptz` : sql`now()`}) AS hoy)
    SELECT (hoy + n + time '12:00') AT TIME ZONE ${ZONE}
    FROM d, generate_series(1, ${sql.lit(LONGEST)}) n
    WHERE ${workingDay(sql`(hoy + n)`, holidays)}
    ORDER BY n LIMIT 1 OFFSET ${days === undefined ? settingSql('deliveryDays') : sql.lit(days)} - 1)`;
}

/** Like `promisedDate`, as an ISO instant. */
export async function readPromised(db: Db, from?: string, days?: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`SELECT ${promisedDate(from, days)} AS at`.execute(db);
  return new Date(rows[0]?.at ?? '').toISOString();
}

/** Instant of a typed date: without a time, noon in the business's time zone, as SQL. Null without a date. */
export const typedInstant = (value: string | null | undefined) =>
  value == null
    ? null
    : value.length === 10
      ? sql<string>`(${value}::date + time '12:00') AT TIME ZONE ${ZONE}`
      : new Date(value).toISOString();

// Holidays in every region. Regions may replace the 6th of January, but none does.
const FIXED = ['01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'];
const DAY_MS = 86_400_000;

/** National holidays of Spain (yyyy-MM-dd), without regional and local ones. */
export function nationalHolidays(year: number): string[] {
  const goodFriday = new Date(easter(year) - 2 * DAY_MS).toISOString().slice(0, 10);
  return [...FIXED.map((day) => `${year}-${day}`), goodFriday].sort();
}

// Meeus, Jones and Butcher's rule for the Gregorian calendar.
function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}
