import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { type Actor, type Condition, conditionOf, type PedidoAction, SELF } from '../../contract/policy.ts';
import type { Tables } from '../db/schema.ts';

type Builder = ExpressionBuilder<Tables, 'pedidos'>;
/** What joins conditions, of whatever table. */
type Conditions = { and: Join; or: Join };
type Join = (parts: readonly Expression<SqlBool>[]) => Expression<SqlBool>;

/** The orders to which `actor` may do `action`: the SQL twin of `can(actor, action, row)`. */
export const allowed = (actor: Actor, action: PedidoAction) => (eb: Builder) => where(eb, conditionOf(actor, action), actor);

/** The rows an actor may read. */
export const visible = (actor: Actor) => allowed(actor, 'pedido:read');

/** The rows of an actor's own lists: everybody's living orders, the reseller's own, or the carrier's own. */
export const own = (actor: Actor) => allowed(actor, 'pedido:list');

/** The rows a carrier may take. */
export const available = (actor: Actor) => allowed(actor, 'pedido:take');

/** The SQL twin of `holds(condition, actor, row)`, of a row of `table`. */
export function where(eb: Conditions, condition: Condition, actor: Actor, table = 'pedidos'): Expression<SqlBool> {
  if ('all' in condition) return eb.and(condition.all.map((part) => where(eb, part, actor, table)));
  if ('any' in condition) return eb.or(condition.any.map((part) => where(eb, part, actor, table)));
  // IS NOT TRUE rather than NOT, which would turn NULL into NULL.
  if ('not' in condition) return sql<SqlBool>`(${where(eb, condition.not, actor, table)}) IS NOT TRUE`;
  const column = sql.ref(`${table}.${condition.column}`);
  if (condition.is === null) return sql<SqlBool>`${column} IS NULL`;
  // Inlined: a prepared statement uses partial indexes only for literals.
  return sql<SqlBool>`${column} = ${condition.is === SELF ? actor.id : sql.lit(condition.is)}`;
}
