import { sql } from 'kysely';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import { type Punto, routeKilometres } from '../../contract/ruta/orden.ts';
import type { Settings } from '../../contract/settings/values.ts';
import type { Db } from '../db/open.ts';
import type { PedidoRow } from '../pedidos/lectura/row.ts';
import { lugarDe } from './lugar.ts';

/** Ratio of a road's length to the straight line. */
const DETOUR = 1.3;
const KM_PER_HOUR = 50;
/** Minutes of travel within a town, and to or from an unknown town. */
const NEXT_DOOR = 3;
const UNKNOWN = 10;
/** Margin in minutes on either side of the estimate: at the next stop, and added for each stop before. */
const MARGIN = 15;
const MARGIN_PER_STOP = 5;
const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

const travelMinutes = (from: Punto | null, to: Punto | null): number =>
  from && to ? Math.max(NEXT_DOOR, ((routeKilometres(from, to) * DETOUR) / KM_PER_HOUR) * 60) : UNKNOWN;

type Way = {
  /** Time (ms since 1970) and place of the carrier's last event. The place is null if unknown, undefined after a departure. */
  since: number;
  from: Punto | null | undefined;
  /** Places of the stops before the order, then of the order itself; null if unknown. */
  stops: readonly (Punto | null)[];
  minutes: number;
};

/** Returns the range in which the carrier reaches the last stop, in ms since 1970, as quarter hours from the current one on. */
export function arrivalRange({ since, from, stops, minutes }: Way, now: number): { desde: number; hasta: number } {
  const before = stops.length - 1;
  const travel = stops.reduce((sum, stop, i) => {
    const last = i === 0 ? from : (stops[i - 1] ?? null);
    return last === undefined ? sum : sum + travelMinutes(last, stop);
  }, 0);
  // A late carrier arrives after now, not in the past.
  const expected = Math.max(since + (travel + before * minutes) * MINUTE, now + before * minutes * MINUTE);
  const margin = (MARGIN + before * MARGIN_PER_STOP) * MINUTE;
  const desde = Math.max(Math.floor((expected - margin) / QUARTER), Math.floor(now / QUARTER)) * QUARTER;
  return { desde, hasta: Math.ceil((expected + margin) / QUARTER) * QUARTER };
}

type Stop = Parameters<typeof lugarDe>[0] & { id: string };
/** Returns how many stops come before an order on its way, and the range of its arrival; undefined if unknown. */
export async function readLlegada(
  db: Db,
  row: Pick<PedidoRow, 'id' | 'estado' | 'transportista_id'>,
  { dayRoute, routeMinutes, timezone }: Pick<Settings, 'dayRoute' | 'routeMinutes' | 'timezone'>,
): Promise<PagoPublico['llegada']> {
  const carrier = row.transportista_id;
  if (!dayRoute || row.estado !== 'en_ruta' || carrier === null) return undefined;
  const { rows: stops } = await sql<Stop>`
    SELECT p.id, cliente_codigo_postal, cliente_ciudad, cliente_provincia, cliente_pais
    FROM rutas r CROSS JOIN unnest(r.pedidos) WITH ORDINALITY AS visit (id, place) JOIN pedidos p ON p.id = visit.id
    WHERE r.transportista_id = ${carrier}::uuid AND r.dia = dia_negocio(now())
      AND p.transportista_id = ${carrier}::uuid AND p.estado = 'en_ruta' AND p.deleted_at IS NULL
    ORDER BY visit.place`.execute(db);
  const before = stops.findIndex(({ id }) => id === row.id);
  if (before < 0) return undefined;
  // Latest departure, delivery or failed attempt of today.
  const { rows } = await sql<(Stop & { at: string }) & { left: boolean }>`
    SELECT * FROM (
      SELECT p.id, cliente_codigo_postal, cliente_ciudad, cliente_provincia, cliente_pais, fecha_completado AS at, false AS left
      FROM pedidos p WHERE p.transportista_id = ${carrier}::uuid AND p.estado = 'completado' AND fecha_completado >= now() - interval '1 day'
      UNION ALL
      SELECT p.id, cliente_codigo_postal, cliente_ciudad, cliente_provincia, cliente_pais, i.created_at, false
      FROM intentos i JOIN pedidos p ON p.id = i.pedido_id
      WHERE p.transportista_id = ${carrier}::uuid AND i.transportista_id = ${carrier}::uuid AND i.created_at >= now() - interval '1 day'
      UNION ALL
      SELECT p.id, NULL, NULL, NULL, NULL, coalesce(h.ocurrido_at, h.created_at), true
      FROM pedidos_historial h JOIN pedidos p ON p.id = h.pedido_id
      WHERE p.id = ANY (${stops.map(({ id }) => id)}::uuid[]) AND h.estado_nuevo = 'en_ruta'
    ) seen WHERE dia_negocio(at) = dia_negocio(now()) ORDER BY at DESC LIMIT 1`.execute(db);
  const [seen] = rows;
  if (!seen) return undefined;
  const now = Date.now();
  const way = {
    since: Date.parse(seen.at),
    from: seen.left ? undefined : lugarDe(seen),
    stops: stops.slice(0, before + 1).map(lugarDe),
    minutes: routeMinutes,
  };
  const { desde, hasta } = arrivalRange(way, now);
  const dayOf = (at: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(at);
  // No promise for an arrival after midnight.
  if (dayOf(hasta) !== dayOf(now)) return undefined;
  return { paradas: before, desde: new Date(desde).toISOString(), hasta: new Date(hasta).toISOString() };
}
