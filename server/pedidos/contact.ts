import { type SqlBool, sql } from 'kysely';
import { settingSql } from '../settings/setting-sql.ts';

/** Whether the order was delivered so long ago that its carrier no longer sees telephone, door and instructions (design, section 4.33). */
export const contactHidden = sql<SqlBool>`(pedidos.estado = 'completado' AND pedidos.fecha_completado < now() - make_interval(days => ${settingSql('carrierContactDays')}))`;
