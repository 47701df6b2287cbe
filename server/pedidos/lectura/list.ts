import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { asCountedPage, asPage, MAX_CONTADOS, type Paged } from '../../../contract/kit/endpoint.ts';
import { seesField } from '../../../contract/pedidos/access.ts';
import { AUDIENCES } from '../../../contract/pedidos/field.ts';
import { pedidoField } from '../../../contract/pedidos/fields.ts';
import { type Actor, can, mayEver } from '../../../contract/policy/policy.ts';
import { type Db, onPage } from '../../db/open.ts';
import type { Tables } from '../../db/schema.ts';
import { forbidden } from '../../kit/errors.ts';
import { toEuros } from '../../kit/money.ts';
import { ZONE } from '../../settings/zone.ts';
import { countOrders, countTo, holdsItself, idsHolding, isAmong, type ListQuery, ordersFor, scopedOrders, totalsQuery } from './filter.ts';
import { columnsWith, type PedidoRow } from './row.ts';
import { situationRank } from './situation.ts';

/**
 * Returns one page of the actor's orders. Daily totals give count and `importe` (euros) if they cover the filter; otherwise counting stops
 * at a limit unless `contar` is set (design, section 4.24). Throws 403 for a forbidden filter or sort.
 */
export async function listPedidos(db: Db, actor: Actor, query: ListQuery): Promise<Paged<PedidoRow> & { importe?: number }> {
  // Sorting by price would reveal which order costs more, and by situation which is not paid.
  const sortedBy = query.sort === 'situacion' ? 'precio_total' : query.sort;
  if (!seesField(actor, sortedBy)) throw forbidden(AUDIENCES[pedidoField(sortedBy).seen][0]);
  const holders = await idsHolding(db, query.search);
  if (holders?.all) return pageOfFew(db, actor, query, holders.ids);
  const matching = ordersFor(db, actor, query);
  const known = totalsQuery(db, actor, query);
  const counted = (isFound?: Expression<SqlBool>) => countTo(db, ordersFor(db, actor, query, isFound), MAX_CONTADOS + 1);
  // Counts within a sample of the matches, which usually exceeds the limit already.
  const some = query.contar ? undefined : holders && isAmong(holders.ids);
  const total =
    known?.select(sql<number>`coalesce(sum(pedidos), 0)::bigint`.as('n')) ?? (query.contar ? countOrders(matching) : counted(some));
  const cents = query.estado && can(actor, 'pedido:prices') ? known?.select(sql<number>`sum(total_cents)::bigint`.as('cents')) : undefined;
  // Page and total in one query: the round trip dominates the cost of a small list.
  const read = (page: ReturnType<typeof pageOf>) =>
    page
      .select(columnsOf(actor, query))
      .select(total.as('total'))
      .select(sql<number | null>`${cents ?? sql`NULL`}`.as('cents'))
      .execute();
  const newest = holders && query.page === 1 ? await read(firstOf(db, actor, query, query.search ?? '')) : [];
  // Searches all orders if the first `ASKED` orders do not fill the page.
  const data = newest.length === query.per_page ? newest : await read(pageOf(db, actor, query, matching));
  const [first] = data;
  const atLeast = first ? Number(first.total) : (await total.executeTakeFirstOrThrow()).n;
  const n = some && atLeast <= MAX_CONTADOS ? (await counted().executeTakeFirstOrThrow()).n : atLeast;
  return {
    ...asCountedPage(data, n, { ...query, contar: known ? 'todos' : query.contar }),
    ...(first && first.cents !== null && { importe: toEuros(Number(first.cents)) }),
  };
}

const columnsOf = (actor: Actor, { con }: ListQuery) =>
  columnsWith({ lineas: con !== undefined, cliente: con !== undefined || mayEver(actor, 'pedido:notes-in-list') });

/** Finds and counts the page among `few` orders in one pass. */
async function pageOfFew(db: Db, actor: Actor, query: ListQuery, few: string[]): Promise<Paged<PedidoRow>> {
  // Checks permissions first, even if nothing matches.
  const matching = ordersFor(db, actor, query, isAmong(few));
  if (few.length === 0) return asPage([], 0, query);
  const page = sorted(matching.select(['id as pedido_id', sql<number>`count(*) OVER ()`.as('total')]), query).$call(onPage(query));
  const rows = db.selectFrom('pedidos').innerJoin(page.as('page'), 'pedido_id', 'id').select(columnsOf(actor, query)).select('total');
  const data = await rows.orderBy(orderOf(query)).execute();
  const total = data[0]?.total ?? (query.page > 1 ? (await countOrders(matching).executeTakeFirstOrThrow()).n : 0);
  return asCountedPage(data, Number(total), query);
}

/** Returns the orders of `ids` that are in the actor's lists, with lines, unsorted. */
export const ordersAmong = (db: Db, actor: Actor, ids: readonly string[]): Promise<PedidoRow[]> =>
  ordersFor(db, actor, {}, undefined)
    .where(isAmong(ids))
    .select(columnsWith({ lineas: true, cliente: true }))
    .execute();

/** Offset beyond which skipping rows is too slow. */
const DEEP = 1000;

function pageOf(db: Db, actor: Actor, query: ListQuery, matching: Matching) {
  const offset = (query.page - 1) * query.per_page;
  // Literal, so that PostgreSQL reuses one plan for the first page.
  if (offset === 0) return sorted(matching, query).limit(sql.lit(query.per_page));
  if (offset < DEEP) return sorted(matching, query).limit(query.per_page).offset(offset);
  const days = query.sort === 'fecha_pedido' ? totalsQuery(db, actor, query, 'day') : undefined;
  if (days) return fromItsDay(matching, days, query, offset);
  // Skips rows in the index alone. ARRAY is evaluated once; IN may run per order while statistics are missing.
  const ids = sorted(matching.select('id'), query).limit(query.per_page).offset(offset);
  return sorted(db.selectFrom('pedidos').where(sql<SqlBool>`id = ANY (ARRAY(${ids}))`), query);
}

/** Orders scanned for the words of a search before using the index. */
const ASKED = 20_000;

/** First page of the matches among the first `ASKED` orders; stops once the page is full. */
function firstOf(db: Db, actor: Actor, query: ListQuery, search: string) {
  const first = sorted(scopedOrders(db, actor, query, sql`true`).select(['id', sql`${sortColumn(query)}`.as('place')]), query);
  const dir = sql.raw(query.dir);
  const ids = sql`
    SELECT id FROM (${first.limit(sql.lit(ASKED))}) f WHERE ${holdsItself(actor, query, sql`f.id`, search)}
    ORDER BY place ${dir}, id ${dir} LIMIT ${query.per_page}`;
  return sorted(db.selectFrom('pedidos').where(sql<SqlBool>`id = ANY (ARRAY(${ids}))`), query);
}

/** Page after `offset` rows: daily totals locate its day, so that only rows of the same day are skipped. */
function fromItsDay(matching: Matching, days: NonNullable<ReturnType<typeof totalsQuery>>, query: ListQuery, offset: number) {
  const sums = days.select(['dia', sql<number>`sum(pedidos)`.as('n')]).groupBy('dia');
  const place = (what: RawBuilder<unknown>) => sql<number>`(
    SELECT ${what} FROM (SELECT dia, n, sum(n) OVER (ORDER BY dia ${sql.raw(query.dir)}) - n AS before FROM (${sums}) s) d
    WHERE before <= ${offset} AND ${offset} < before + n)`;
  const midnight = (day: RawBuilder<unknown>) => sql`(${place(day)})::timestamp AT TIME ZONE ${ZONE}`;
  const start =
    query.dir === 'desc'
      ? sql<SqlBool>`pedidos.fecha_pedido < ${midnight(sql`dia + 1`)}`
      : sql<SqlBool>`pedidos.fecha_pedido >= ${midnight(sql`dia`)}`;
  return sorted(matching.where(start), query)
    .limit(query.per_page)
    .offset(place(sql`${offset} - before`));
}

type Matching = ReturnType<typeof ordersFor>;

const sorted = <O>(rows: SelectQueryBuilder<Tables, 'pedidos', O>, query: ListQuery) => rows.orderBy(orderOf(query));

function orderOf(query: ListQuery) {
  const dir = sql.raw(query.dir);
  return sql`${sortColumn(query)} ${dir}, pedidos.id ${dir}`;
}

function sortColumn({ sort }: Pick<ListQuery, 'sort'>) {
  if (sort === 'situacion') return situationRank;
  const column = sql.ref<string | number | null>(`pedidos.${sort === 'precio_total' ? 'precio_total_cents' : sort}`);
  return sort.endsWith('_nombre') || sort === 'cliente_ciudad' ? sql<string | null>`${column} COLLATE nombres` : column;
}
