import { type SqlBool, sql } from 'kysely';
import type { Actor } from '../../../contract/policy/policy.ts';
import { settingSql } from '../../settings/setting-sql.ts';

/* Zones of carriers in SQL (decision 067); same rules as contract/zonas/reparto.ts. */

const own = (actor: Actor) => sql`(SELECT u.zonas FROM users u WHERE u.id = ${actor.id})`;

/** SQL condition: the order is in the carrier's zones. */
export const inOwnZonas = (actor: Actor) => sql<boolean>`en_zonas(${own(actor)}, pedidos.cliente_codigo_postal)`;

/** SQL condition: the setting lets the carrier take the order. */
export const offeredIn = (actor: Actor) =>
  sql<SqlBool>`(${settingSql('deliveryZones')} <> 'solo' OR ${own(actor)} IS NULL OR ${inOwnZonas(actor)})`;

/** SQL sort key: 0 for orders that the setting shows first, else 1. */
export const firstByZona = (actor: Actor) =>
  sql<number>`CASE WHEN ${settingSql('deliveryZones')} <> 'no' AND ${inOwnZonas(actor)} THEN 0 ELSE 1 END`;
