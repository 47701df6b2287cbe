import { sql } from 'kysely';
import { settingSql } from './setting-sql.ts';

/** The time zone of the business in SQL. */
export const ZONE = settingSql('timezone');

/** The instant in SQL at which a day of the business (yyyy-MM-dd) begins, or the one `plus` days later. */
export const startOf = (day: string, plus = 0) => sql<string>`((${day}::date + ${plus}::int)::timestamp AT TIME ZONE ${ZONE})`;
