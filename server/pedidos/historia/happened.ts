import { sql } from 'kysely';
import { HAPPENED_AGE_MS, HAPPENED_AHEAD_MS, SAME_TIME_MS } from '../../../contract/pedidos/happened.ts';
import type { Tx } from '../../db/open.ts';
import type { PedidoRow } from '../lectura/row.ts';

/** Time of a step (`at`), and the columns of its history row. */
export type Happened = {
  at: string;
  /** Null if the step was recorded when it happened. */
  ocurrido_at: string | null;
  /** Time reported by the telephone if out of bounds, else null. */
  ocurrido_dicho: string | null;
};

/** Moves `claimed` within bounds (decision 063): not after `now`, not before `earliest`, at most seven days old. Times in ms since 1970. */
export function withinBounds(claimed: number, now: number, earliest: number): Happened {
  const at = Math.min(Math.max(claimed, earliest, now - HAPPENED_AGE_MS), now);
  const same = now - at < SAME_TIME_MS;
  const moved = claimed > now ? claimed - now > HAPPENED_AHEAD_MS : at - claimed >= SAME_TIME_MS;
  const iso = (ms: number) => new Date(ms).toISOString();
  return { at: iso(same ? now : at), ocurrido_at: same ? null : iso(at), ocurrido_dicho: moved ? iso(claimed) : null };
}

/** True if a step happened so long ago that the carrier has left the door. `at`: time by the telephone's clock. */
export const isLate = (at: string | undefined, now = Date.now()): boolean => at !== undefined && now - Date.parse(at) >= SAME_TIME_MS;

/** Returns when a step of `row` happened by the telephone's clock, but never before the order's last step or reassignment. */
export async function happenedAt(tx: Tx, row: PedidoRow, claimed: string): Promise<Happened> {
  const { rows } = await sql<{ now: string; last: string | null }>`
    SELECT now() AS now, (SELECT max(coalesce(ocurrido_at, created_at)) FROM pedidos_historial
      WHERE pedido_id = ${row.id} AND (estado_nuevo IS NOT NULL OR retirado_a IS NOT NULL OR cambios ? 'transportista_nombre')) AS last`.execute(
    tx,
  );
  const { now = '', last = null } = rows[0] ?? {};
  return withinBounds(Date.parse(claimed), Date.parse(now), last ? Date.parse(last) : 0);
}
