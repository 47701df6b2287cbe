import { type Expression, expressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { type Condition, SELF } from '../../../contract/kit/condition.ts';
import { ALIVE, CARRIED, SOLD } from '../../../contract/policy/facts.ts';
import { type Actor, accessCondition, type PedidoAction } from '../../../contract/policy/policy.ts';
import type { Tables } from '../../db/schema.ts';

/** Orders on which `actor` may do `action`, as SQL; same rule as `can`. */
export const allowedSql = (actor: Actor, action: PedidoAction) => conditionSql(accessCondition(actor, action), actor);

export const visibleSql = (actor: Actor) => allowedSql(actor, 'pedido:read');

export const inScope = (actor: Actor) => allowedSql(actor, 'pedido:list');

export const availableSql = (actor: Actor) => allowedSql(actor, 'pedido:take');

export type Ambito = Selectable<Tables['pedidos_totales']>['ambito'];
const TOTALS = new Map<Condition, Ambito>([
  [ALIVE, 'todo'],
  [SOLD, 'revendedor'],
  [CARRIED, 'transportista'],
]);
/** Returns which totals count exactly the rows of `inScope(actor)`; undefined if none do. */
export const ownTotals = (actor: Actor) => TOTALS.get(accessCondition(actor, 'pedido:list'));

const { and, or } = expressionBuilder<Tables, 'pedidos'>();

/** `holds(condition, actor, row)` as SQL, for the rows of `table`. */
export function conditionSql(condition: Condition, actor: Actor, table = 'pedidos'): Expression<SqlBool> {
  if ('all' in condition) return and(condition.all.map((part) => conditionSql(part, actor, table)));
  if ('any' in condition) return or(condition.any.map((part) => conditionSql(part, actor, table)));
  // IS NOT TRUE rather than NOT, which would turn NULL into NULL.
  if ('not' in condition) return sql<SqlBool>`(${conditionSql(condition.not, actor, table)}) IS NOT TRUE`;
  const column = sql.ref(`${table}.${condition.column}`);
  if (condition.is === null) return sql<SqlBool>`${column} IS NULL`;
  // Inlined: a prepared statement uses partial indexes only for literals.
  return sql<SqlBool>`${column} = ${condition.is === SELF ? actor.id : sql.lit(condition.is)}`;
}
