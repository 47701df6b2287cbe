import { type SqlBool, sql } from 'kysely';
import { type Estado, POR_ENTREGAR } from '../../../contract/pedidos/estados.ts';
import { FACTS, type Fact, SITUATION_IDS, SITUATIONS, type SituationId } from '../../../contract/pedidos/situation.ts';
import { ZONE } from '../../settings/zone.ts';

/* Situations of orders in SQL; same rules as contract/pedidos/situation.ts. Literals, because partial indexes are used only for them. */

export const dayStart = (days: number) => sql`(dia_negocio(now()) + ${sql.lit(days)})::timestamp AT TIME ZONE ${ZONE}`;
export const isIn = (estados: readonly Estado[]) => sql<SqlBool>`estado IN (${sql.join(estados.map(sql.lit))})`;

function factSql(fact: Fact) {
  const { column, is } = FACTS[fact];
  if (is === 'positive') return sql<SqlBool>`${sql.ref(`${column}_cents`)} > 0`;
  if (is === 'past') return sql<SqlBool>`${sql.ref(column)} < ${dayStart(0)}`;
  return is === 'true' ? sql<SqlBool>`${sql.ref(column)}` : sql<SqlBool>`${sql.ref(column)} IS NOT NULL`;
}

/** Condition: the order is in the situation, whatever else is the matter. Says nothing of deletion, except for `eliminado`. */
export function situationSql(id: SituationId) {
  const { estados, facts = [] } = SITUATIONS[id];
  return sql<SqlBool>`(${sql.join([...(estados ? [isIn(estados)] : []), ...facts.map(factSql)], sql` AND `)})`;
}

/** `mayLeave` of an order as SQL. */
export const leavesSql = sql<SqlBool>`${isIn(POR_ENTREGAR)} AND NOT (${sql.join(
  SITUATION_IDS.filter((id) => SITUATIONS[id].stays).map(situationSql),
  sql` OR `,
)})`;
