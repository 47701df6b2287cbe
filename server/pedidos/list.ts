import { type SelectQueryBuilder, sql } from 'kysely';
import { asPage, type Paged } from '../../contract/kit.ts';
import { type Actor, can } from '../../contract/policy.ts';
import type { Db } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { forbidden } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { count, isSearch, type ListQuery, listed, totalsOf } from './filter.ts';
import { COLUMNS, type PedidoRow } from './row.ts';

type Matching = ReturnType<typeof listed>;

/**
 * One page of the orders in the actor's lists. Where the daily totals know the filter, they give the count and,
 * for given estados, the amount (`importe`, euros).
 */
export async function listPedidos(db: Db, actor: Actor, query: ListQuery): Promise<Paged<PedidoRow> & { importe?: number }> {
  // Sorting by price would reveal which order costs more.
  if (query.sort === 'precio_total' && !can(actor, 'pedido:prices')) throw forbidden();
  const matching = listed(db, actor, query);
  if (isSearch(query.search)) return searched(db, matching, query);
  const known = totalsOf(db, actor, query);
  const total = known?.select(sql<number>`coalesce(sum(pedidos), 0)::bigint`.as('n')) ?? count(matching);
  const cents = query.estado && can(actor, 'pedido:prices') ? known?.select(sql<number>`sum(total_cents)::bigint`.as('cents')) : undefined;
  // OFFSET reads the rows it skips: on deep pages, let it skip over the index alone.
  const rows =
    offsetOf(query) < DEEP
      ? cut(matching, query)
      : sorted(db.selectFrom('pedidos').where('id', 'in', cut(matching.select('id'), query)), query);
  // Page and total in one query: the round trip dominates the cost of a small list.
  const data = await rows
    .select(COLUMNS)
    .select(total.as('total'))
    .select(sql<number | null>`${cents ?? sql`NULL`}`.as('cents'))
    .execute();
  const [first] = data;
  if (!first) return asPage([], (await total.executeTakeFirstOrThrow()).n, query);
  return { ...asPage(data, Number(first.total), query), ...(first.cents !== null && { importe: toEuros(Number(first.cents)) }) };
}

const DEEP = 1000;

const offsetOf = ({ page, per_page }: Pick<ListQuery, 'page' | 'per_page'>) => (page - 1) * per_page;

const cut = <O>(rows: SelectQueryBuilder<Tables, 'pedidos', O>, query: ListQuery) =>
  sorted(rows, query).limit(query.per_page).offset(offsetOf(query));

const sorted = <O>(rows: SelectQueryBuilder<Tables, 'pedidos', O>, query: ListQuery) =>
  rows.orderBy(sql`${sortColumn(query)} ${sql.raw(query.dir)}`).orderBy(sql`pedidos.id ${sql.raw(query.dir)}`);

// Matching the words is the expensive part: materialised once for page and total.
async function searched(db: Db, matching: Matching, query: ListQuery): Promise<Paged<PedidoRow>> {
  const direction = sql.raw(query.dir);
  const rows = await db
    .with(
      (cte) => cte('hits').materialized(),
      () => matching.select(['id as hit', sortColumn(query).as('sorted')]),
    )
    .selectFrom((eb) =>
      eb
        .selectFrom('hits')
        .selectAll()
        .orderBy(sql`sorted ${direction}`)
        .orderBy(sql`hit ${direction}`)
        .limit(query.per_page)
        .offset(offsetOf(query))
        .as('page'),
    )
    .innerJoin('pedidos', 'pedidos.id', 'page.hit')
    .select(COLUMNS)
    .select((eb) => eb.selectFrom('hits').select(sql<number>`count(*)`.as('n')).as('total'))
    .orderBy(sql`sorted ${direction}`)
    .orderBy(sql`hit ${direction}`)
    .execute();
  return asPage(rows, rows[0] ? Number(rows[0].total) : query.page === 1 ? 0 : (await count(matching).executeTakeFirstOrThrow()).n, query);
}

function sortColumn({ sort }: Pick<ListQuery, 'sort'>) {
  const column = sql.ref<string | number | null>(`pedidos.${sort === 'precio_total' ? 'precio_total_cents' : sort}`);
  return sort.endsWith('_nombre') ? sql<string | null>`${column} COLLATE nombres` : column;
}
