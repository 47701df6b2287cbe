import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { MAX_CONTADOS } from '../../contract/kit/endpoint.ts';
import type { Db } from './open.ts';

/** For `$call`: limits a query to the rows of a page; pages count from 1. */
export const onPage =
  ({ page, per_page }: { page: number; per_page: number }) =>
  <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> =>
    query.limit(per_page).offset((page - 1) * per_page);

type Countable = { limit: (rows: number) => Expression<unknown> };

/** Counts the rows of `query`, up to `MAX_CONTADOS` + 1 unless `contar` is set. */
export async function countRows(db: Db, query: Countable & Expression<unknown>, contar: 'todos' | undefined): Promise<number> {
  const counted = contar ? query : query.limit(MAX_CONTADOS + 1);
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${counted} counted`.execute(db);
  return rows[0]?.n ?? 0;
}
