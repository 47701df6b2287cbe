import { type RawBuilder, sql } from 'kysely';
import { type Actor, can } from '../../contract/policy/policy.ts';
import type { TipoPrueba } from '../../contract/pruebas/fields.ts';
import type { PedidoRow } from './row.ts';

/* Files that a failed attempt or a refused step announced (`anunciadas`), as the office sees them there. */

export type Announced = { tipo: TipoPrueba; id: string | null; hay: boolean };

/** The announced files of a row of `table`, with the proof that has come of each. */
export const filesAnnounced = (table: 'intentos' | 'pedidos_historial'): RawBuilder<Announced[]> => sql`(
  SELECT coalesce(json_agg(json_build_object('tipo', a->>'tipo', 'id', p.id, 'hay', p.fichero IS NOT NULL AND p.retirada_at IS NULL)), '[]')
  FROM jsonb_array_elements(${sql.ref(`${table}.anunciadas`)}) a
  LEFT JOIN pruebas p ON p.pedido_id = ${sql.ref(`${table}.pedido_id`)} AND p.sha256 = a->>'sha256')`;

/** Files with their address, for callers who may see the proofs of `pedido`. */
export function shownFiles(actor: Actor, pedido: PedidoRow, files: readonly Announced[]) {
  const seen = can(actor, 'pedido:proofs', pedido) && !pedido.bloqueado_at && !pedido.anonimizado_at;
  return files.map(({ tipo, id, hay }) => ({ tipo, enviada: id !== null, url: seen && id && hay ? `/api/pruebas/${id}/fichero` : null }));
}
