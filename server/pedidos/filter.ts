import { type Expression, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import { POR_DEVOLVER } from '../../contract/payments.ts';
import type { pedidosQuery } from '../../contract/pedidos.filters.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { type Db, UNPREPARED } from '../db/open.ts';
import { startOf, ZONE } from '../db/zone.ts';
import { forbidden } from '../kit/errors.ts';
import { own, visible } from './scope.ts';
import { ALL_TIME, ZERO_ID } from './totals.ts';

/* Which orders a list is of. */

export type ListQuery = z.output<typeof pedidosQuery>;
export type Filters = Partial<
  Pick<
    ListQuery,
    | 'search'
    | 'ids'
    | 'estado'
    | 'fecha_desde'
    | 'fecha_hasta'
    | 'revendedor_id'
    | 'transportista_id'
    | 'empresa_transporte'
    | 'completado_desde'
    | 'atrasado'
    | 'transferencia'
    | 'devolucion'
  >
>;

/** The orders of the actor's lists that match `f`. Money is owed for a deleted order as for any other. Throws 403. */
export function listed(db: Db, actor: Actor, f: Filters) {
  if (f.devolucion && !can(actor, 'pago:manage')) throw forbidden();
  return filtered(db, f).where(f.devolucion ? visible(actor) : own(actor));
}

/** The living and hidden orders that match `f`, not yet limited to what anybody may see. */
export function filtered(db: Db, f: Filters) {
  let query = db.selectFrom('pedidos');
  // A whole number has an index of its own; its three-letter pieces are in every other order of the year.
  if (f.search && WHOLE_NUMBER.test(f.search)) query = query.where('numero_orden', 'in', [f.search, f.search.toUpperCase()]);
  else if (isSearch(f.search)) query = query.where(found(sql`busqueda`, f.search));
  if (f.ids) query = query.where(sql<SqlBool>`pedidos.id = ANY (${f.ids}::uuid[])`);
  if (f.estado) query = query.where('estado', 'in', f.estado);
  if (f.fecha_desde) query = query.where(sql<SqlBool>`fecha_pedido >= ${startOf(f.fecha_desde)}`);
  if (f.fecha_hasta) query = query.where(sql<SqlBool>`fecha_pedido < ${startOf(f.fecha_hasta, 1)}`);
  if (f.revendedor_id) query = query.where('revendedor_id', '=', f.revendedor_id);
  if (f.transportista_id === 'sin') query = query.where('transportista_id', 'is', null);
  else if (f.transportista_id) query = query.where('transportista_id', '=', f.transportista_id);
  if (f.empresa_transporte) query = query.where('empresa_transporte', '=', f.empresa_transporte);
  if (f.completado_desde) query = query.where(sql<SqlBool>`fecha_completado >= ${startOf(f.completado_desde)}`);
  if (f.atrasado) query = query.where(isLate);
  if (f.transferencia) query = query.where('estado', '=', 'pendiente_pago').where('transferencia_avisada_at', 'is not', null);
  if (f.devolucion) query = query.where('id', 'in', db.selectFrom('pagos').select('pedido_id').where('estado', 'in', POR_DEVOLVER));
  return query;
}

const WHOLE_NUMBER = /^ORD-\d{10}$/i;

/** Open, and promised for a day before today; the condition of the index `pedidos_abiertos`. */
export const isLate = sql<SqlBool>`estado IN ('pendiente', 'asignado', 'en_proceso', 'en_ruta') AND fecha_estimada < (dia_negocio(now()))::timestamp AT TIME ZONE ${ZONE}`;

/** There are words to look for: a letter or a figure alone is not yet one. */
export const isSearch = (search: string | undefined): search is string =>
  !!search && !/^[\p{L}\p{N}]$/u.test(search) && termsOf(search).length > 0;

/** `column` (normalised, with a space before each word) holds every word of `search`, in any order. */
export const found = (column: Expression<unknown>, search: string): Expression<SqlBool> =>
  sql
    .join<SqlBool>(
      termsOf(search).map((term) => holds(column, term)),
      sql` AND `,
    )
    .$castTo<SqlBool>();

const FIGURES = /(?<!\S)[+(]?\d[\d\s()./-]*\d(?!\S)/g;

// A phone in any writing («+34 600-11 22 33», «600 11 22 33» after a name) is one word: its national digits, as the
// search column holds them. Signs alone are no word, and «#648» is the order 648.
function termsOf(search: string): string[] {
  const joined = search.replace(FIGURES, (figures) => {
    const digits = figures.replace(/\D/g, '').replace(/^(0034|34)(?=\d{9}$)/, '');
    return digits.length === 9 || (figures === search && digits.length >= 5) ? digits : figures;
  });
  const words = joined.split(/\s+/).map((word) => word.replace(/^#(?=\w)|[,;]+$/g, ''));
  return words.filter((word) => !/^[-.,;:·/–—#]*$/.test(word)).slice(0, 8);
}

// One or two letters are the beginning of a word: inside of one they are in every other order.
// The index for rare words, the table for frequent ones: which of them it is, its plan must know.
function holds(column: Expression<unknown>, term: string) {
  const before = /^[\p{L}\p{N}]{1,2}$/u.test(term) ? '% ' : '%';
  return sql<SqlBool>`${column} LIKE normaliza(${`${before}${term.replace(/[\\%_]/g, '\\$&')}%`}) ${UNPREPARED}`;
}

/** The daily totals of what matches: they know day, estado and one of reseller or carrier. Undefined for any other filter. */
export function totalsOf(db: Db, actor: Actor, f: Filters) {
  if (isSearch(f.search) || f.ids || f.empresa_transporte || f.completado_desde || f.atrasado || f.transferencia || f.devolucion)
    return undefined;
  const revendedor = actor.role === 'revendedor' ? actor.id : f.revendedor_id;
  const transportista = actor.role === 'transportista' ? actor.id : f.transportista_id;
  if (actor.role !== 'superadmin' && (f.revendedor_id || f.transportista_id)) return undefined;
  if (revendedor && transportista) return undefined;
  const [ambito, id] = revendedor
    ? (['revendedor', revendedor] as const)
    : transportista
      ? (['transportista', transportista === 'sin' ? ZERO_ID : transportista] as const)
      : (['todo', ZERO_ID] as const);
  let query = db.selectFrom('pedidos_totales').where('ambito', '=', ambito).where('ambito_id', '=', id);
  if (f.estado) query = query.where('estado', 'in', f.estado);
  if (!f.fecha_desde && !f.fecha_hasta) query = query.where('dia', '=', ALL_TIME);
  else
    query = query
      .where('dia', '>', ALL_TIME)
      .where('dia', '>=', f.fecha_desde ?? ALL_TIME)
      .where('dia', '<=', f.fecha_hasta ?? '9999-12-31');
  return query;
}

/** How many match, counted one by one. */
export const count = (query: ReturnType<typeof filtered>) => query.select(sql<number>`count(*)`.as('n'));
