import { createQueryId, PostgresQueryCompiler, type RootOperationNode, type SelectExpression, sql } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * `columns`, made into SQL once, to be selected or returned as they are: compiling the fifty columns of an order takes
 * Kysely longer than reading one takes PostgreSQL. Throws when one of them has a parameter.
 */
export function precompile<const C extends readonly SelectExpression<Tables, keyof Tables>[]>(columns: C): C {
  const list = sql.join(columns.map((column) => (typeof column === 'string' ? sql.ref(column) : column)));
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(list.toOperationNode() as RootOperationNode, createQueryId());
  if (parameters.length) throw new Error(`A precompiled column has a parameter: ${text}`);
  // Kysely takes any piece of SQL as a selection; to its types these remain the columns that they were.
  return [sql.raw(text)] as unknown as C;
}
