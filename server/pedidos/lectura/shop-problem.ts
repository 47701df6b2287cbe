import { sql } from 'kysely';
import { ZONE } from '../../settings/zone.ts';

/** Time of a shop's last message, such as «las 10:12» or «el 21/11 a las 10:12». */
const receivedAt = sql`coalesce(to_char(s.oido_at AT TIME ZONE ${ZONE}, CASE WHEN dia_negocio(s.oido_at) = dia_negocio(now())
  THEN '"las" HH24:MI' ELSE '"el" DD/MM "a las" HH24:MI' END), 'que se conectó')`;
/** Problem of a shop `s`, in Spanish, or null. Unpolled: after twice the longest pause in 200 messages (a day if under ten), from a day to a week. */
export const SHOP_PROBLEM = sql<string | null>`CASE
  WHEN s.estado = 'ignorada' THEN NULL
  WHEN s.estado = 'por_confirmar' THEN 'llega a la dirección común, que es de otra tienda: di de quién son sus pedidos'
  WHEN s.secreto IS NULL AND s.comun IS NOT TRUE THEN 'no tiene secreto: ponlo, y en la tienda su dirección, para que entren sus pedidos'
  WHEN s.webhook_apagado THEN 'ha apagado su webhook: enciéndelo'
  WHEN s.rescatados > 0 THEN 'no envía nada desde ' || ${receivedAt} || ': ' || s.rescatados || ' pedidos suyos se han traído preguntándole'
  WHEN s.sondeo_error IS NOT NULL THEN 'no responde cuando se le pregunta: ' || s.sondeo_error
  WHEN s.sondeo_at IS NULL AND s.oido_at < now() - least(interval '7 days', greatest(interval '1 day', 2 * (
      SELECT CASE WHEN count(*) > 9 THEN max(hueco) END FROM (
        SELECT recibido_at - lag(recibido_at) OVER (ORDER BY recibido_at) AS hueco FROM (
          SELECT recibido_at FROM tienda_mensajes m WHERE m.tienda_id = s.id ORDER BY recibido_at DESC LIMIT 200) u) h)))
    THEN 'no envía nada desde ' || ${receivedAt} || ' y no se le puede preguntar: pon sus claves' END`;
