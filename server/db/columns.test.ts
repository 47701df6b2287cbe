import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createWorld } from '../../test/world.ts';

/** TypeScript type that pool.ts returns for each PostgreSQL type. */
const TYPES: Record<string, string> = {
  // All array columns hold text.
  ARRAY: 'string[]',
  boolean: 'boolean',
  bytea: 'Uint8Array',
  date: 'string',
  'double precision': 'number',
  integer: 'number',
  bigint: 'number',
  jsonb: 'Json',
  text: 'string',
  'timestamp with time zone': 'Instant',
  uuid: 'string',
  xid8: 'string',
};

const HEADER = `import type { ColumnType, Generated } from 'kysely';

/** ISO text in UTC. */
type Instant = string;
type Json = Record<string, unknown>;

/** The tables as the migrations leave them; written by \`npm run columns\`, never by hand. */
export interface Columns {
`;

type Column = { table: string; name: string; type: string; nullable: boolean; filled: boolean; computed: boolean };

/** JSON is written as text, because pg would send a JavaScript array as a PostgreSQL array. */
function typeOf({ table, name, type, nullable, filled, computed }: Column): string {
  const base = TYPES[type];
  if (!base) throw new Error(`${table}.${name}: no TypeScript type for ${type}`);
  const orNull = nullable ? ' | null' : '';
  if (type === 'jsonb') return `ColumnType<Json${orNull}, string${orNull}${filled ? ' | undefined' : ''}, string${orNull}>`;
  if (computed) return `ColumnType<${base}${orNull}, never, never>`;
  return filled ? `Generated<${base}${orNull}>` : base + orNull;
}

test('columns.ts matches the output of `npm run columns` for the migrated database', async () => {
  const world = await createWorld();
  try {
    const { rows } = await sql<Column>`
      SELECT table_name::text COLLATE "C" AS "table", column_name::text AS name, data_type AS type, is_nullable = 'YES' AS nullable,
        column_default IS NOT NULL AS filled, is_generated = 'ALWAYS' AS computed
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%'
      ORDER BY 1, ordinal_position`.execute(world.db);
    const tables = Map.groupBy(rows, ({ table }) => table);
    const written = [...tables].map(([table, columns]) =>
      [`  ${table}: {`, ...columns.map((column) => `    ${column.name}: ${typeOf(column)};`), '  };\n'].join('\n'),
    );
    await expect(`${HEADER}${written.join('')}}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'columns.ts'));
  } finally {
    await world.close();
  }
});
