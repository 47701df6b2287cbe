import type { Estado } from '../../contract/pedidos.flow.ts';
import type { Db } from '../db/open.ts';

/** Whose orders: everybody's, or one reseller's or carrier's. */
type Scope = { ambito: 'todo' } | { ambito: 'revendedor' | 'transportista'; id: string };
/** Days of the business, yyyy-MM-dd, both included. */
type Range = { from?: string | undefined; to?: string | undefined };

// The rows that count all days together; `todo` stands under the zero id (migration 001).
const ALL_TIME = '0001-01-01';
const EVERYBODY = '00000000-0000-0000-0000-000000000000';

export type Totals = {
  /** Orders in the given estados, or in any. */
  count: (estados?: readonly Estado[]) => number;
  /** Their amount in cents. */
  cents: (estados: readonly Estado[]) => number;
};

/**
 * How many orders and how much money by estado, by the day of `fecha_pedido`, deleted orders left out. Read from
 * the daily totals, never from the orders: the time does not grow with them (design, section 7).
 */
export async function totals(db: Db, scope: Scope, { from, to }: Range = {}): Promise<Totals> {
  let query = db
    .selectFrom('pedidos_totales')
    .select((eb) => ['estado', eb.fn.sum<number>('pedidos').as('pedidos'), eb.fn.sum<number>('total_cents').as('total_cents')])
    .where('ambito', '=', scope.ambito)
    .where('ambito_id', '=', scope.ambito === 'todo' ? EVERYBODY : scope.id);
  if (!from && !to) query = query.where('dia', '=', ALL_TIME);
  else query = query.where('dia', '>', ALL_TIME);
  if (from) query = query.where('dia', '>=', from);
  if (to) query = query.where('dia', '<=', to);
  const rows = await query.groupBy('estado').execute();
  const sum = (field: 'pedidos' | 'total_cents', estados?: readonly Estado[]) =>
    rows.reduce((total, row) => (!estados || estados.includes(row.estado) ? total + row[field] : total), 0);
  return { count: (estados) => sum('pedidos', estados), cents: (estados) => sum('total_cents', estados) };
}
