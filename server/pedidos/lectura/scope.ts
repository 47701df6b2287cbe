import { type Expression, expressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { type Condition, SELF } from '../../../contract/kit/condition.ts';
import { ALIVE, CARRIED, SOLD } from '../../../contract/policy/facts.ts';
import { type Actor, conditionOf, type PedidoAction } from '../../../contract/policy/policy.ts';
import type { Tables } from '../../db/schema.ts';

/** Orders on which `actor` may do `action`, as SQL; same rule as `can`. */
export const allowed = (actor: Actor, action: PedidoAction) => where(conditionOf(actor, action), actor);

export const visible = (actor: Actor) => allowed(actor, 'pedido:read');

export const inScope = (actor: Actor) => allowed(actor, 'pedido:list');

export const available = (actor: Actor) => allowed(actor, 'pedido:take');

export type Ambito = Selectable<Tables['pedidos_totales']>['ambito'];
const TOTALS = new Map<Condition, Ambito>([
  [ALIVE, 'todo'],
  [SOLD, 'revendedor'],
  [CARRIED, 'transportista'],
]);
/** Returns which totals count exactly the rows of `inScope(actor)`; undefined if none do. */
export const ownTotals = (actor: Actor) => TOTALS.get(conditionOf(actor, 'pedido:list'));

const { and, or } = expressionBuilder<Tables, 'pedidos'>();

/** `holds(condition, actor, row)` as SQL, for the rows of `table`. */
export function where(condition: Condition, actor: Actor, table = 'pedidos'): Expression<SqlBool> {
  if ('all' in condition) return and(condition.all.map((part) => where(part, actor, table)));
  if ('any' in condition) return or(condition.any.map((part) => where(part, actor, table)));
  // IS NOT TRUE rather than NOT, which would turn NULL into NULL.
  if ('not' in condition) return sql<SqlBool>`(${where(condition.not, actor, table)}) IS NOT TRUE`;
  const column = sql.ref(`${table}.${condition.column}`);
  if (condition.is === null) return sql<SqlBool>`${column} IS NULL`;
  // Inlined: a prepared statement uses partial indexes only for literals.
  return sql<SqlBool>`${column} = ${condition.is === SELF ? actor.id : sql.lit(condition.is)}`;
}
