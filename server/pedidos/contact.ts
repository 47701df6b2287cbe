import { type SqlBool, sql } from 'kysely';
import { settingSql } from '../settings/setting-sql.ts';

/** Condition: delivered so long ago that the carrier no longer sees the contact (design, section 4.33). */
export const contactHidden = sql<SqlBool>`(pedidos.estado = 'completado' AND pedidos.fecha_completado < now() - make_interval(days => ${settingSql('carrierContactDays')}))`;
