import { isDeepStrictEqual } from 'node:util';
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Condition } from '../../../contract/kit/condition.ts';
import { sees } from '../../../contract/pedidos/access.ts';
import { AUDIENCES, type Audience } from '../../../contract/pedidos/field.ts';
import { type Actor, accessCondition, type PedidoAction } from '../../../contract/policy/policy.ts';
import { SEARCHED_PARTS, searchPart } from '../../db/search-text.ts';
import { settingSql } from '../../settings/setting-sql.ts';
import { conditionSql } from './scope.ts';

/* Visibility of listed orders in SQL; same rules as contract/pedidos/access.ts. */

/** Condition: delivered so long ago that the carrier no longer sees the contact (design, section 4.33). */
export const contactHidden = sql<SqlBool>`(pedidos.estado = 'completado' AND pedidos.fecha_completado < now() - make_interval(days => ${settingSql('carrierContactDays')}))`;

type Sight = boolean | Expression<SqlBool>;
const { and, or, not } = expressionBuilder<Record<string, never>, never>();

const isAlways = (condition: Condition) => 'all' in condition && condition.all.length === 0;

/** Condition: `actor` belongs to `audience` for an order of `scope`. */
function sightOf(actor: Actor, audience: Audience, scope: PedidoAction): Sight {
  const needed: readonly PedidoAction[] = AUDIENCES[audience] as readonly never[];
  if (needed.length === 0) return true;
  const inScope = accessCondition(actor, scope);
  const conditions = needed.map((action) => accessCondition(actor, action));
  const all = conditions.some((condition) => isAlways(condition) || isDeepStrictEqual(condition, inScope));
  const some: Sight = all || (sees(actor, audience) && or(conditions.map((condition) => conditionSql(condition, actor))));
  if (audience !== 'contact' || some === false) return some;
  const sale = sightOf(actor, 'sale', scope);
  if (sale === true) return some;
  const lasting = sale === false ? not(contactHidden) : or([not(contactHidden), sale]);
  return some === true ? lasting : and([some, lasting]);
}

/** Visible parts of a search text (SQL) for an order of `scope`; undefined if the whole text is visible. */
export function seenText(actor: Actor, scope: PedidoAction, text: string): Expression<string> | undefined {
  const sights = SEARCHED_PARTS.map((audience) => [searchPart(audience, text), sightOf(actor, audience, scope)] as const);
  if (sights.every(([, sight]) => sight === true)) return undefined;
  const parts = sights.flatMap(([part, sight]) => {
    if (sight === false) return [];
    return [sight === true ? sql.raw(part) : sql`CASE WHEN ${sight} THEN ${sql.raw(part)} ELSE '' END`];
  });
  return sql<string>`(${parts.length ? sql.join(parts, sql` || `) : sql`''`})`;
}
