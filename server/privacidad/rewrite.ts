import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { LOOSE, NAMED_IN, PLACES } from './inventory.ts';

/* Reads and writes rows of the inventory, also in tables of other features, which contain personal data too. */

type Listed = (typeof NAMED_IN)[number];
export type Hit = { order: string | null; key: Record<string, string>; values: Record<string, string | null> };
/** A row before redaction; a row shared by orders has `after` too. */
export type Kept = { table: string; key: Hit['key']; before: Hit['values']; after?: Hit['values'] };

const columnsOf = ({ columns }: Listed): string[] => Object.keys(columns);
const list = (parts: string[]) => sql.raw(parts.join(', '));

export async function readRows(tx: Tx, place: Listed, condition: ReturnType<typeof sql>, order = 'NULL'): Promise<Hit[]> {
  const key = Object.keys(place.key);
  const selected = [
    `${order} AS pedido`,
    ...key.map((name) => `${name}::text AS k_${name}`),
    ...columnsOf(place).map((name) => `${name}::text AS v_${name}`),
  ];
  const { rows } = await sql<Record<string, string | null>>`
    SELECT ${list(selected)} FROM ${sql.table(place.table)} WHERE ${sql.raw(place.where ?? 'true')} AND ${condition}
    ORDER BY ${list(key)} FOR NO KEY UPDATE`.execute(tx);
  const part = (row: Record<string, string | null>, prefix: string, names: string[]) =>
    Object.fromEntries(names.map((name) => [name, row[`${prefix}_${name}`] ?? null]));
  return rows.map((row) => ({
    order: row.pedido ?? null,
    key: part(row, 'k', key) as Hit['key'],
    values: part(row, 'v', columnsOf(place)),
  }));
}

/** Writes values to rows; a row with `after` is written only if its values still equal `after`. */
export async function writeRows(tx: Tx, table: string, rows: readonly { key: Hit['key']; values: Hit['values']; after?: Hit['values'] }[]) {
  const place = [...PLACES, ...NAMED_IN, ...LOOSE].find((known) => known.table === table);
  if (!place) throw new Error(`${table} is in no inventory of personal data`);
  const isAppendOnly = table === 'audit_logs' || table === 'ganancias';
  // The trigger allows this rewrite only when the transaction sets this variable (migrations 034 and 047).
  if (isAppendOnly) await sql`SELECT set_config('enruta.datos_personales', 'cubrir', true)`.execute(tx);
  // One statement per set of columns, because places of the same table differ in columns.
  for (const some of Map.groupBy(rows, ({ values, after }) => [...Object.keys(values), !!after].join()).values()) {
    const [{ values = {}, after } = {}] = some;
    const value = (name: string, prefix: string) => `(n.v->>'${prefix}_${name}')::${JSONB.has(`${table}.${name}`) ? 'jsonb' : 'text'}`;
    const set = Object.keys(values).map((name) => `${name} = ${value(name, 'v')}`);
    const same = [
      ...Object.entries(place.key).map(([name, type]) => `t.${name} = (n.v->>'k_${name}')::${type}`),
      ...Object.keys(after ?? {}).map((name) => `t.${name} IS NOT DISTINCT FROM ${value(name, 'a')}`),
    ];
    const input = JSON.stringify(
      some.map((row) => ({ ...named('k', row.key), ...named('v', row.values), ...named('a', row.after ?? {}) })),
    );
    await sql`UPDATE ${sql.table(table)} t SET ${list(set)}
      FROM jsonb_array_elements(${input}::jsonb) AS n (v) WHERE ${sql.raw(same.join(' AND '))}`.execute(tx);
  }
  if (isAppendOnly) await sql`SELECT set_config('enruta.datos_personales', '', true)`.execute(tx);
}

const named = (prefix: string, values: Hit['values']) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]));

const JSONB = new Set(
  [...PLACES, ...NAMED_IN, ...LOOSE].flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([name, { rule, isJson }]) => (rule === 'json' || isJson ? [`${table}.${name}`] : [])),
  ),
);
