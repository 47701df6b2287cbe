import type { SelectQueryBuilder } from 'kysely';

type Page = { page: number; per_page: number };

/** For `$call`: limits a query to the rows of a page, the first of which is 1. */
export const onPage =
  ({ page, per_page }: Page) =>
  <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> =>
    query.limit(per_page).offset((page - 1) * per_page);
