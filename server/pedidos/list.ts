import { type Expression, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import type { Paged } from '../../contract/kit.ts';
import type { pedidosQuery } from '../../contract/pedidos.ts';
import type { Actor } from '../../contract/policy.ts';
import type { Db } from '../db/open.ts';
import { COLUMNS, type PedidoRow } from './row.ts';
import { available, own } from './scope.ts';

export type ListQuery = z.output<typeof pedidosQuery>;
export type Filters = Partial<
  Pick<
    ListQuery,
    | 'search'
    | 'estado'
    | 'fecha_desde'
    | 'fecha_hasta'
    | 'revendedor_id'
    | 'transportista_id'
    | 'empresa_transporte'
    | 'atrasado'
    | 'transferencia'
  >
>;

/** One page of the orders in the actor's lists. The total covers the filter and, where it can, comes from the daily totals. */
export async function listPedidos(db: Db, actor: Actor, query: ListQuery): Promise<Paged<PedidoRow>> {
  const matching = filtered(db, query).where(own(actor));
  const column = sql.ref(`pedidos.${query.sort === 'precio_total' ? 'precio_total_cents' : query.sort}`);
  const direction = sql.raw(query.dir);
  const [data, total] = await Promise.all([
    matching
      .select(COLUMNS)
      .orderBy(sql`${column} ${direction}`)
      .orderBy(sql`id ${direction}`)
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute(),
    countFromTotals(db, actor, query) ?? count(matching),
  ]);
  return page(data, total, query);
}

/** One page of what a carrier may take, oldest first. The search looks only at what a carrier may see before taking. */
export async function listAvailable(
  db: Db,
  query: Pick<ListQuery, 'page' | 'per_page' | 'search' | 'estado' | 'fecha_desde' | 'fecha_hasta'>,
): Promise<Paged<PedidoRow>> {
  const { search, ...rest } = query;
  const shown = sql<string>`normaliza(numero_orden || ' ' || cliente_nombre || ' ' || cliente_direccion || ' ' || coalesce(cliente_ciudad, '') || ' ' || coalesce(cliente_codigo_postal, '') || ' ' || producto)`;
  const matching = filtered(db, rest)
    .where('deleted_at', 'is', null)
    .where(available)
    .where((eb) => eb.and(termsOf(search).map((term) => like(shown, term))));
  const [data, total] = await Promise.all([
    matching
      .select(COLUMNS)
      .orderBy('fecha_pedido')
      .orderBy('id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute(),
    count(matching),
  ]);
  return page(data, total, query);
}

/** The living and hidden orders that match `f`, not yet limited to what anybody may see. */
export function filtered(db: Db, f: Filters) {
  let query = db.selectFrom('pedidos');
  const terms = termsOf(f.search);
  if (terms.length) query = query.where((eb) => eb.and(terms.map((term) => like(sql`busqueda`, term))));
  if (f.estado) query = query.where('estado', 'in', f.estado);
  if (f.fecha_desde) query = query.where(sql<SqlBool>`fecha_pedido >= ${startOf(f.fecha_desde)}`);
  if (f.fecha_hasta) query = query.where(sql<SqlBool>`fecha_pedido < ${startOf(f.fecha_hasta, 1)}`);
  if (f.revendedor_id) query = query.where('revendedor_id', '=', f.revendedor_id);
  if (f.transportista_id === 'sin') query = query.where('transportista_id', 'is', null);
  else if (f.transportista_id) query = query.where('transportista_id', '=', f.transportista_id);
  if (f.empresa_transporte) query = query.where('empresa_transporte', '=', f.empresa_transporte);
  if (f.atrasado) query = query.where(isLate);
  if (f.transferencia) query = query.where('estado', '=', 'pendiente_pago').where('transferencia_avisada_at', 'is not', null);
  return query;
}

/** Open, and promised for a day before today; the condition of the index `pedidos_abiertos`. */
export const isLate = sql<SqlBool>`estado IN ('pendiente', 'asignado', 'en_proceso', 'en_ruta') AND fecha_estimada < (dia_negocio(now()))::timestamp AT TIME ZONE coalesce((SELECT data ->> 'timezone' FROM settings), 'Europe/Madrid')`;

/** The instant at which a day of the business begins, `plus` days later. */
function startOf(day: string, plus = 0) {
  return sql`((${day}::date + ${plus}::int)::timestamp AT TIME ZONE coalesce((SELECT data ->> 'timezone' FROM settings), 'Europe/Madrid'))`;
}

/**
 * The words to look for, every one of which must be there. A phone in any writing («+34 600-11 22 33»)
 * is one word: its national digits, as the search column holds them.
 */
export function termsOf(search: string | undefined): string[] {
  if (!search) return [];
  if (/^[+(]?[\d][\d\s().-]{4,}$/.test(search)) {
    const digits = search.replace(/\D/g, '').replace(/^(0034|34)(?=\d{9}$)/, '');
    if (digits.length >= 5) return [digits];
  }
  return search.split(/\s+/).filter(Boolean).slice(0, 8);
}

function like(column: Expression<unknown>, term: string) {
  return sql<SqlBool>`${column} LIKE normaliza(${`%${term.replace(/[\\%_]/g, '\\$&')}%`})`;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

// The totals know day, estado and one of reseller or carrier; any other filter needs a real count.
function countFromTotals(db: Db, actor: Actor, f: Filters): Promise<number> | undefined {
  if (f.search || f.empresa_transporte || f.atrasado || f.transferencia) return undefined;
  const revendedor = actor.role === 'revendedor' ? actor.id : f.revendedor_id;
  const transportista = actor.role === 'transportista' ? actor.id : f.transportista_id;
  if (actor.role !== 'superadmin' && (f.revendedor_id || f.transportista_id)) return undefined;
  if (revendedor && transportista) return undefined;
  const [ambito, id] = revendedor
    ? (['revendedor', revendedor] as const)
    : transportista
      ? (['transportista', transportista === 'sin' ? NOBODY : transportista] as const)
      : (['todo', NOBODY] as const);
  let query = db
    .selectFrom('pedidos_totales')
    .select(sql<number>`coalesce(sum(pedidos), 0)::bigint`.as('n'))
    .where('ambito', '=', ambito)
    .where('ambito_id', '=', id);
  if (f.estado) query = query.where('estado', 'in', f.estado);
  if (!f.fecha_desde && !f.fecha_hasta) query = query.where('dia', '=', '0001-01-01');
  else query = query.where('dia', '>=', f.fecha_desde ?? '0001-01-02').where('dia', '<=', f.fecha_hasta ?? '9999-12-31');
  return query.executeTakeFirstOrThrow().then((row) => row.n);
}

async function count(query: ReturnType<typeof filtered>): Promise<number> {
  return (await query.select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;
}

function page<T>(data: T[], total: number, { page, per_page }: { page: number; per_page: number }): Paged<T> {
  return { data, total, current_page: page, last_page: Math.max(1, Math.ceil(total / per_page)), per_page };
}
