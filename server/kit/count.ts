import { type Expression, sql } from 'kysely';
import { MAX_CONTADOS } from '../../contract/kit/endpoint.ts';
import type { Db } from '../db/open.ts';

type Countable = { limit: (rows: number) => Expression<unknown> };

/** Counts the rows of `query`, up to `MAX_CONTADOS` + 1 unless `contar` is set. */
export async function countRows(db: Db, query: Countable & Expression<unknown>, contar: 'todos' | undefined): Promise<number> {
  const counted = contar ? query : query.limit(MAX_CONTADOS + 1);
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${counted} counted`.execute(db);
  return rows[0]?.n ?? 0;
}
