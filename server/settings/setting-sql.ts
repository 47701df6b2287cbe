import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_SETTINGS, type Settings } from '../../contract/settings/values.ts';

const TYPE = { string: sql`text`, number: sql`int`, boolean: sql`boolean` };

/** A setting as an SQL expression, with its default. PostgreSQL evaluates the subselect once per query, not per row. */
export function settingSql<K extends keyof Settings>(name: K): RawBuilder<Settings[K]> {
  const initial = DEFAULT_SETTINGS[name];
  const type = TYPE[typeof initial as keyof typeof TYPE];
  return sql`coalesce((SELECT (data ->> ${sql.lit(name)})::${type} FROM settings), ${sql.lit(initial)})`;
}
