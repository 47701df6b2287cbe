import { createQueryId, PostgresQueryCompiler, type RootOperationNode, type SelectExpression, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Compiles `columns` to SQL once: Kysely takes longer than PostgreSQL to read an order. Throws if a column has a parameter. */
export function precompile<const C extends readonly SelectExpression<Tables, keyof Tables>[]>(columns: C): C {
  const list = sql.join(columns.map((column) => (typeof column === 'string' ? sql.ref(column) : column)));
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(list.toOperationNode() as RootOperationNode, createQueryId());
  if (parameters.length) throw new Error(`A precompiled column has a parameter: ${text}`);
  // Kysely accepts raw SQL as a selection; the types stay those of the columns.
  return [sql.raw(text)] as unknown as C;
}
