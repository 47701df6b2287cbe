import { sql } from 'kysely';
import { settingSql } from './setting-sql.ts';

/** The business's time zone as an SQL expression. */
export const ZONE = settingSql('timezone');

/** Start of a business day (yyyy-MM-dd), or of the one `plus` days later, as an SQL instant. */
export const startOf = (day: string, plus = 0) => sql<string>`((${day}::date + ${plus}::int)::timestamp AT TIME ZONE ${ZONE})`;
