import { type RawBuilder, sql } from 'kysely';
import { type Actor, can } from '../../contract/policy/policy.ts';
import type { TipoPrueba } from '../../contract/pruebas/fields.ts';
import type { PedidoRow } from './row.ts';

/* Files announced by a failed attempt or a refused step (`anunciadas`), as the office sees them. */

export type Announced = { tipo: TipoPrueba; id: string | null; hay: boolean };

/** SQL for the files that a row of `table` announces, each with its stored proof, if sent. */
export const filesAnnounced = (table: 'intentos' | 'pedidos_historial'): RawBuilder<Announced[]> => sql`(
  SELECT coalesce(json_agg(json_build_object('tipo', a->>'tipo', 'id', p.id, 'hay', p.fichero IS NOT NULL AND p.retirada_at IS NULL)), '[]')
  FROM jsonb_array_elements(${sql.ref(`${table}.anunciadas`)}) a
  LEFT JOIN pruebas p ON p.pedido_id = ${sql.ref(`${table}.pedido_id`)} AND p.sha256 = a->>'sha256')`;

/** Returns the files, with URLs only if `actor` may see the proofs of `pedido`. */
export function shownFiles(actor: Actor, pedido: PedidoRow, files: readonly Announced[]) {
  const seen = can(actor, 'pedido:proofs', pedido) && !pedido.bloqueado_at && !pedido.anonimizado_at;
  return files.map(({ tipo, id, hay }) => ({ tipo, enviada: id !== null, url: seen && id && hay ? `/api/pruebas/${id}/fichero` : null }));
}
