import { type Expression, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import { MAX_CONTADOS } from '../../../contract/kit/endpoint.ts';
import { POR_DEVOLVER } from '../../../contract/payments/fields.ts';
import { sees } from '../../../contract/pedidos/access.ts';
import { AUDIENCES } from '../../../contract/pedidos/field.ts';
import { FILTER_NAMES, type FilterName, filterAudience, type OwnFilter, PEDIDO_FILTERS } from '../../../contract/pedidos/filters.fields.ts';
import type { PedidoFilters, pedidosQuery } from '../../../contract/pedidos/filters.schemas.ts';
import { beginsWord, isSearch, searchTerms, termSpellings, wholeNumbers } from '../../../contract/pedidos/search.ts';
import { type Actor, can, mayEver, type PedidoAction } from '../../../contract/policy/policy.ts';
import type { Db } from '../../db/open.ts';
import { UNPREPARED } from '../../db/pool.ts';
import { forbidden } from '../../kit/errors.ts';
import { startOfDay } from '../../settings/zone.ts';
import { type Ambito, allowedSql, ownTotals } from './scope.ts';
import { seenText } from './sight.ts';
import { daySql, situationAudiences, situationSql } from './situation.ts';
import { ALL_TIME, ZERO_ID } from './totals.ts';

export type ListQuery = z.output<typeof pedidosQuery>;

/** Query of the orders in the actor's lists that match `f`. `isFound` replaces the search in the word index. Throws 403 for forbidden filters. */
export function ordersFor(db: Db, actor: Actor, f: PedidoFilters, isFound?: Found) {
  const seen = isSearch(f.search) ? isFoundInSeen(actor, scopeOf(f), f.search) : undefined;
  const query = scopedOrders(db, actor, f, isFound);
  return seen ? query.where(seen) : query;
}

/** Like `ordersFor`, but the search also matches text hidden from the actor. */
export function scopedOrders(db: Db, actor: Actor, f: PedidoFilters, isFound?: Found) {
  refuseUnseen(actor, f);
  return applyFilters(db, f, isFound).where(allowedSql(actor, scopeOf(f)));
}

const scopeOf = (f: PedidoFilters): PedidoAction => (f.devolucion || f.eliminados ? 'pedido:read' : 'pedido:list');

// A filter by a hidden field would reveal the field's value.
function refuseUnseen(actor: Actor, f: PedidoFilters): void {
  if (f.devolucion && !can(actor, 'pago:manage')) throw forbidden('pago:manage');
  if (f.cliente_id && !mayEver(actor, 'cliente:read')) throw forbidden('cliente:read');
  if (f.envio_id && !can(actor, 'pedido:batch')) throw forbidden('pedido:batch');
  const unseen = [...givenIn(f).map(filterAudience), ...(f.situacion ? situationAudiences(f.situacion) : [])].find(
    (audience) => !sees(actor, audience),
  );
  if (unseen) throw forbidden(AUDIENCES[unseen][0]);
}

/** Query of all orders that match `f`, deleted ones included, without any permission check. */
export function applyFilters(db: Db, f: PedidoFilters, isFound?: Found) {
  return givenIn(f).reduce(
    (query, name) => query.where(name === 'search' && isFound ? isFound : conditionOf(db, name, f)),
    db.selectFrom('pedidos'),
  );
}

/** Number of matches beyond which scanning orders finds the first page faster. */
const FASTER_BY_IDS = 5000;
/** Number of ids sampled from a larger search: enough to show that most lists have more than `MAX_CONTADOS` matches. */
const KEPT_IDS = MAX_CONTADOS + 200;

/**
 * Returns the ids of all orders matching `search`, ignoring scope; undefined for a full order number or no words. If more than `FASTER_BY_IDS`
 * match, returns only `KEPT_IDS`. Runs as a separate query, because a statement with ids is planned once, a statement with words each time.
 */
export async function idsHolding(db: Db, search: string | undefined): Promise<{ ids: string[]; all: boolean } | undefined> {
  if (!isSearch(search) || wholeNumbers(search)) return undefined;
  const found = holding(db, search).limit(FASTER_BY_IDS + 1);
  // Returns one value instead of thousands of rows, which is faster.
  const { rows } = await sql<{ all: boolean; ids: string | null }>`
    SELECT n <= ${FASTER_BY_IDS} AS all, array_to_string(CASE WHEN n <= ${FASTER_BY_IDS} THEN ids ELSE ids[:${KEPT_IDS}] END, ',') AS ids
    FROM (SELECT count(*) AS n, array_agg(pedido_id) AS ids FROM (${found}) f) s`.execute(db);
  const [{ all, ids } = { all: true, ids: null }] = rows;
  return { ids: ids?.split(',') ?? [], all };
}
const holding = (db: Db, search: string) => db.selectFrom('pedidos_busqueda').select('pedido_id').where(matchesWords(sql`texto`, search));

export const isAmong = (ids: readonly string[]): Found => sql`pedidos.id IN (SELECT unnest(${ids}::uuid[]))`;

/** Condition: the order `id` matches in visible text; OFFSET keeps the planner from evaluating the search first. */
export function holdsItself(actor: Actor, f: PedidoFilters, id: Expression<unknown>, search: string): Found {
  const seen = seenText(actor, scopeOf(f), 'b.texto');
  const order = seen ? sql`JOIN pedidos ON pedidos.id = b.pedido_id` : sql``;
  return sql`EXISTS (SELECT FROM pedidos_busqueda b ${order} WHERE b.pedido_id = ${id} AND ${matchesWords(seen ?? sql`b.texto`, search)} OFFSET 0)`;
}

/** Condition: the order matches in visible text; undefined if the actor sees all of it. */
export function isFoundInSeen(actor: Actor, scope: PedidoAction, search: string): Found | undefined {
  const seen = seenText(actor, scope, 'b.texto');
  return seen && sql`EXISTS (SELECT FROM pedidos_busqueda b WHERE b.pedido_id = pedidos.id AND ${matchesWords(seen, search)} OFFSET 0)`;
}
type Found = Expression<SqlBool>;

const givenIn = (f: PedidoFilters) => FILTER_NAMES.filter((name) => (name === 'search' ? isSearch(f.search) : f[name] !== undefined));

function conditionOf(db: Db, name: FilterName, f: PedidoFilters): Expression<SqlBool> {
  const filter = PEDIDO_FILTERS[name];
  if (filter.is === 'own') return (OWN[name as OwnFilter] as (value: unknown, db: Db) => Expression<SqlBool>)(f[name], db);
  const column = sql.ref(`pedidos.${filter.column}`);
  const value = f[name];
  if (filter.is === 'instant') return sql`${column} >= ${value}::timestamptz`;
  if (filter.is === 'since') return sql`${column} >= ${startOfDay(String(value))}`;
  if (filter.is === 'until') return sql`${column} < ${startOfDay(String(value), 1)}`;
  if (filter.is === 'among') return sql`${column} IN (${sql.join(value as string[])})`;
  return 'none' in filter && value === filter.none ? sql`${column} IS NULL` : sql`${column} = ${value}`;
}

const OWN: { [F in OwnFilter]: (value: NonNullable<PedidoFilters[F]>, db: Db) => Expression<SqlBool> } = {
  // A full order number has its own index; its trigrams match every order of the year.
  search: (text, db) => {
    const numbers = wholeNumbers(text);
    return numbers ? sql`numero_orden IN (${sql.join(numbers)})` : sql`pedidos.id IN ${holding(db, text)}`;
  },
  // Uses IN: with = ANY the planner scans an index for some hundred ids.
  ids: (ids) => isAmong(ids),
  situacion: situationSql,
  atrasado: () => situationSql('atrasado'),
  hoy: (which) => daySql[which],
  incidencia: () => situationSql('espera_respuesta'),
  en_empresa: () => situationSql('en_empresa'),
  envio_id: (id, db) => sql`pedidos.id IN ${db.selectFrom('envios_pedidos').select('pedido_id').where('envio_id', '=', id)}`,
  pagado: (how) => {
    if (how === 'si') return sql`estado <> 'cancelado' AND pendiente_cents = 0`;
    if (how === 'falta') return isUnpaid;
    return how === 'parte' ? sql`${isUnpaid} AND pagado_cents > 0` : sql`${isUnpaid} AND pagado_cents = 0`;
  },
  transferencia: () => situationSql('transferencia_avisada'),
  cliente_id: (id) =>
    sql`pedidos.cliente_id = ANY (ARRAY(SELECT g.id FROM clientes c JOIN clientes g ON g.principal = c.principal WHERE c.id = ${id}))`,
  metadata: (pair) => {
    const [key = ''] = pair.split(':', 1);
    return sql`metadata @> ${JSON.stringify({ [key]: pair.slice(key.length + 1) })}::jsonb`;
  },
  eliminados: () => sql`deleted_at IS NOT NULL`,
  devolucion: (_, db) =>
    sql`(${isRefundDue} OR pedidos.id IN ${db.selectFrom('pagos').select('pedido_id').where('estado', 'in', POR_DEVOLVER)})`,
};

/** A refund is due; includes deleted orders. Uses the index `pedidos_por_reembolsar`. */
export const isRefundDue = situationSql('por_reembolsar');

/** Not fully paid. Must match the condition of the index `pedidos_sin_pagar`. */
export const isUnpaid = sql<SqlBool>`pendiente_cents > 0`;

/** Condition: `column` (normalised, a space before each word) has every word of `search`, in any order. */
export const matchesWords = (column: Expression<unknown>, search: string): Expression<SqlBool> =>
  sql
    .join<SqlBool>(
      searchTerms(search).map((term) => holds(column, term)),
      sql` AND `,
    )
    .$castTo<SqlBool>();

const holds = (column: Expression<unknown>, term: string) =>
  sql<SqlBool>`(${sql.join(
    termSpellings(term).map((spelling) => like(column, spelling)),
    sql` OR `,
  )})`;

// Unprepared, so that the plan suits the word: index for rare words, scan for frequent words.
function like(column: Expression<unknown>, term: string) {
  const before = beginsWord(term) ? '% ' : '%';
  return sql<SqlBool>`${column} LIKE normaliza(${`${before}${term.replace(/[\\%_]/g, '\\$&')}%`}) ${UNPREPARED}`;
}

/** Query of the matching orders' totals by estado, overall or per day; undefined if the totals do not cover a filter. */
export function totalsQuery(db: Db, actor: Actor, f: PedidoFilters, each: 'all' | 'day' = f.fecha_desde || f.fecha_hasta ? 'day' : 'all') {
  if (!givenIn(f).every((name) => 'totals' in PEDIDO_FILTERS[name])) return undefined;
  const whose = whoseTotals(actor, f);
  if (!whose) return undefined;
  const [ambito, id] = whose;
  let query = db.selectFrom('pedidos_totales').where('ambito', '=', ambito).where('ambito_id', '=', id);
  if (f.estado) query = query.where('estado', 'in', f.estado);
  if (each === 'all') query = query.where('dia', '=', ALL_TIME);
  else
    query = query
      .where('dia', '>', ALL_TIME)
      .where('dia', '>=', f.fecha_desde ?? ALL_TIME)
      .where('dia', '<=', f.fecha_hasta ?? '9999-12-31');
  return query;
}

function whoseTotals(actor: Actor, { revendedor_id, transportista_id }: PedidoFilters): [Ambito, string] | undefined {
  const mine = ownTotals(actor);
  if (mine !== 'todo') return !mine || !actor.id || revendedor_id || transportista_id ? undefined : [mine, actor.id];
  if (!transportista_id) return revendedor_id ? ['revendedor', revendedor_id] : ['todo', ZERO_ID];
  return revendedor_id ? undefined : ['transportista', transportista_id === 'sin' ? ZERO_ID : transportista_id];
}

export const countOrders = (query: ReturnType<typeof applyFilters>) => query.select(sql<number>`count(*)`.as('n'));

export const countTo = (db: Db, query: ReturnType<typeof applyFilters>, limit: number) =>
  db.selectFrom(query.select(sql`1`.as('one')).limit(limit).as('some')).select(sql<number>`count(*)`.as('n'));
