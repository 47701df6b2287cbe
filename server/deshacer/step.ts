import { sql } from 'kysely';
import { ESTADO, type Estado } from '../../contract/pedidos/estados.ts';
import { TRANSITIONS } from '../../contract/pedidos/flow.ts';
import { REVERSALS, type ReversalName } from '../../contract/pedidos/reversals.ts';
import type { Tx } from '../db/open.ts';
import type { Overwritten } from '../db/schema.ts';
import { conflict } from '../kit/errors.ts';
import type { Happened } from '../pedidos/historia/happened.ts';
import { refuseBlockedData } from '../pedidos/lectura/blocked.ts';
import type { PedidoRow } from '../pedidos/lectura/row.ts';

/** A counter-entry of one ledger: what it takes back, in words, and how. */
export type Counter = { words: string; run: (motivo: string) => Promise<unknown> };

/** The history entry of a step. */
export type MadeStep = {
  id: string;
  estado_anterior: Estado | null;
  estado_nuevo: Estado;
  actor_user_id: string | null;
  antes: Overwritten | null;
  /** Minutes since it was made, by the clock of whoever made it. */
  minutes: number;
};

/** Returns the step that `paso` takes back: the last one that has not been taken back. Throws 409 if that is another one. */
export async function readStep(tx: Tx, row: PedidoRow, paso: ReversalName, happened: Happened | undefined): Promise<MadeStep> {
  const { of, label } = REVERSALS[paso];
  const { to } = TRANSITIONS[of];
  if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
  refuseBlockedData(row, label.toLowerCase());
  if (row.estado !== to) throw conflict(`El pedido está en estado «${ESTADO[row.estado].label}»: no hay nada así que deshacer`, 'estado');
  const at = happened ? sql`${happened.at}::timestamptz` : sql`now()`;
  const { rows } = await sql<MadeStep>`
    SELECT id, estado_anterior, estado_nuevo, actor_user_id, antes, extract(epoch FROM ${at} - coalesce(ocurrido_at, created_at)) / 60 AS minutes
    FROM pedidos_historial h WHERE pedido_id = ${row.id} AND estado_nuevo IS NOT NULL AND deshace_id IS NULL
      AND NOT EXISTS (SELECT FROM pedidos_historial x WHERE x.deshace_id = h.id) ORDER BY created_at DESC, id DESC LIMIT 1`.execute(tx);
  const [step] = rows;
  if (!step?.estado_anterior || step.estado_nuevo !== to)
    throw conflict(`El pedido se creó ya «${ESTADO[to].label}»: no hay paso que deshacer`, 'estado');
  return { ...step, minutes: Number(step.minutes) };
}
