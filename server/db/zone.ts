import { sql } from 'kysely';

/** The time zone of the business in SQL: that of the settings, Europe/Madrid until it is set. */
export const ZONE = sql`coalesce((SELECT data ->> 'timezone' FROM settings), 'Europe/Madrid')`;

/** The instant in SQL at which a day of the business (yyyy-MM-dd) begins, or the one `plus` days later. */
export const startOf = (day: string, plus = 0) => sql<string>`((${day}::date + ${plus}::int)::timestamp AT TIME ZONE ${ZONE})`;
