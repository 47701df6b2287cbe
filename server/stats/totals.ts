import type { Estado } from '../../contract/pedidos/estados.ts';
import type { Db } from '../db/open.ts';
import { ALL_TIME, ZERO_ID } from '../pedidos/lectura/totals.ts';

type Scope = { ambito: 'todo' } | { ambito: 'revendedor' | 'transportista'; id: string };
/** Days in the business's time zone, yyyy-MM-dd, both included. */
type Range = { from?: string | undefined; to?: string | undefined };

export type Totals = {
  count: (estados?: readonly Estado[]) => number;
  cents: (estados: readonly Estado[]) => number;
  dueCents: (estados: readonly Estado[]) => number;
};

const FIELDS = ['pedidos', 'total_cents', 'por_cobrar_cents'] as const;

/** Counts, amounts and sums to collect, by estado. Reads only daily totals, so the time does not grow with the orders (design, section 7). */
export async function readTotals(db: Db, scope: Scope, { from, to }: Range = {}): Promise<Totals> {
  let query = db
    .selectFrom('pedidos_totales')
    .select((eb) => ['estado', ...FIELDS.map((field) => eb.fn.sum<number>(field).as(field))])
    .where('ambito', '=', scope.ambito)
    .where('ambito_id', '=', scope.ambito === 'todo' ? ZERO_ID : scope.id);
  if (!from && !to) query = query.where('dia', '=', ALL_TIME);
  else query = query.where('dia', '>', ALL_TIME);
  if (from) query = query.where('dia', '>=', from);
  if (to) query = query.where('dia', '<=', to);
  const rows = await query.groupBy('estado').execute();
  const sum = (field: (typeof FIELDS)[number], estados?: readonly Estado[]) =>
    rows.reduce((total, row) => (!estados || estados.includes(row.estado) ? total + row[field] : total), 0);
  return {
    count: (estados) => sum('pedidos', estados),
    cents: (estados) => sum('total_cents', estados),
    dueCents: (estados) => sum('por_cobrar_cents', estados),
  };
}
