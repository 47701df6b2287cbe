import { type Expression, type SqlBool, sql } from 'kysely';
import { REFUSED_SPELLINGS } from '../../../contract/pedidos/attempts.ts';
import type { Dia } from '../../../contract/pedidos/day.ts';
import { type Estado, POR_ENTREGAR, PROGRESO } from '../../../contract/pedidos/estados.ts';
import { pedidoField } from '../../../contract/pedidos/fields.ts';
import { FACTS, type Fact, SITUATION_IDS, SITUATIONS, type SituationId } from '../../../contract/pedidos/situations.ts';
import { ZONE } from '../../settings/zone.ts';

/* Situations of orders in SQL; same rules as contract/pedidos/situation.ts. Literals, because partial indexes are used only for them. */

const dayStart = (days: number) => sql`(dia_negocio(now()) + ${sql.lit(days)})::timestamp AT TIME ZONE ${ZONE}`;
const isIn = (estados: readonly Estado[]) => sql<SqlBool>`estado IN (${sql.join(estados.map(sql.lit))})`;

function factSql(fact: Fact) {
  const { column, is } = FACTS[fact];
  if (is === 'positive') return sql<SqlBool>`${sql.ref(`${column}_cents`)} > 0`;
  if (is === 'past') return sql<SqlBool>`${sql.ref(column)} < ${dayStart(0)}`;
  if (is === 'refused')
    return sql<SqlBool>`(${sql.join(
      REFUSED_SPELLINGS.map((each) => sql`${sql.ref(column)} LIKE ${sql.lit(each)}`),
      sql` OR `,
    )})`;
  return is === 'true' ? sql<SqlBool>`${sql.ref(column)}` : sql<SqlBool>`${sql.ref(column)} IS NOT NULL`;
}

/** Condition: the order is in the situation, whatever else is the matter. Says nothing of deletion, except for `eliminado`. */
export function situationSql(id: SituationId) {
  const { estados, facts = [] } = SITUATIONS[id];
  return sql<SqlBool>`(${sql.join([...(estados ? [isIn(estados)] : []), ...facts.map(factSql)], sql` AND `)})`;
}

/** Place of the order's most important situation among all. */
export const situationRank = sql<number>`(CASE ${sql.join(
  SITUATION_IDS.map((id, place) => sql`WHEN ${situationSql(id)} THEN ${sql.lit(place)}`),
  sql` `,
)} END)`;

/** Audiences of what tells a situation. */
export const situationAudiences = (id: SituationId) => (SITUATIONS[id].facts ?? []).map((fact) => pedidoField(FACTS[fact].column).seen);

/** `mayLeave` of an order as SQL. */
export const leavesSql = sql<SqlBool>`${isIn(POR_ENTREGAR)} AND NOT (${sql.join(
  SITUATION_IDS.filter((id) => SITUATIONS[id].stays).map(situationSql),
  sql` OR `,
)})`;

/** `dayPlace` of an order as SQL; says nothing of deletion. */
export const daySql: Record<Dia, Expression<SqlBool>> = {
  toca: sql`(fecha_estimada < ${dayStart(1)} AND ${isIn([...PROGRESO.confirmado, ...PROGRESO.preparacion])} AND ${leavesSql})`,
  calle: sql`(${isIn(PROGRESO.camino)} AND ${leavesSql})`,
  hecho: sql`(${isIn(PROGRESO.entregado)} AND incidencia_at IS NULL AND fecha_completado >= ${dayStart(0)} AND fecha_completado < ${dayStart(1)})`,
  decidir: situationSql('espera_respuesta'),
};
