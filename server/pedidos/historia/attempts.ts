import { type RawBuilder, sql } from 'kysely';
import { isRefused, type Llamado } from '../../../contract/pedidos/attempts.ts';
import type { InputOf } from '../../../contract/pedidos/flow.ts';
import type { Intento } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';
import type { TipoPrueba } from '../../../contract/pruebas/fields.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Anunciada } from '../../db/schema.ts';
import { notFound } from '../../kit/errors.ts';
import { settingSql } from '../../settings/setting-sql.ts';
import { findPedido, type PedidoRow } from '../lectura/row.ts';

/* Failed delivery attempts (decision 059). */

type Attempt = InputOf<'fallar'> & { photos?: readonly Anunciada[] | undefined };

/**
 * Records a failed attempt with its announced photos; the order waits for an answer if
 * it was refused, and at the maximum of the settings. Ignores failures by the program.
 */
export async function recordAttempt(
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  { motivo, llamado, photos = [] }: Attempt,
  at: RawBuilder<string>,
): Promise<{ incidencia_at?: string; intento_at?: string; intentos?: number }> {
  if (actor.id === null) return {};
  const times = row.intentos + 1;
  const { many, since } = await tx
    .with('made', (db) =>
      db.insertInto('intentos').values({
        pedido_id: row.id,
        transportista_id: row.transportista_id,
        transportista_nombre: row.transportista_nombre ?? actor.full_name,
        motivo: motivo ?? '',
        llamado: llamado ?? null,
        anunciadas: JSON.stringify(photos),
        created_at: at,
      }),
    )
    .selectNoFrom([sql<boolean>`${times}::int >= nullif(${settingSql('maxAttempts')}, 0)`.as('many'), sql<string>`${at}`.as('since')])
    .executeTakeFirstOrThrow();
  return { intento_at: since, intentos: times, ...((many || isRefused(motivo ?? null)) && { incidencia_at: since }) };
}

/** Records a failed attempt of a delivery company. */
export const noteAttempt = (tx: Tx, { id }: PedidoRow, empresa: string, motivo: string) =>
  tx
    .insertInto('intentos')
    .values({ pedido_id: id, transportista_id: null, transportista_nombre: empresa, motivo, anunciadas: '[]' })
    .execute();

/** Deletes an attempt that was not made; the history still tells of it. */
export const deleteAttempt = (tx: Tx, id: string) => tx.deleteFrom('intentos').where('id', '=', id).execute();

/** Returns the failed attempts of an order, oldest first. Throws 404. */
export async function listAttempts(db: Db, actor: Actor, id: string): Promise<Intento[]> {
  const pedido = await findPedido(db, actor, id);
  if (!can(actor, 'pedido:history', pedido)) throw notFound();
  const rows = await failedAttempts(db, id)
    .select(['id', 'transportista_nombre', 'llamado'])
    .select(filesAnnounced('intentos').as('fotos'))
    .execute();
  return rows.map(({ fotos, ...row }) => ({
    ...row,
    llamado: row.llamado as Llamado | null,
    fotos: shownFiles(actor, pedido, fotos).map(({ enviada, url }) => ({ enviada, url })),
  }));
}

/** Query of the times and reasons of failed attempts, oldest first. */
export const failedAttempts = (db: Db, id: string) =>
  db.selectFrom('intentos').select(['created_at', 'motivo']).where('pedido_id', '=', id).orderBy('created_at');

/* Files that a failed attempt or an unregistered step announces for a later upload (`anunciadas`). */

export type Announced = { tipo: TipoPrueba; id: string | null; hay: boolean };

/** SQL for the files that a row of `table` announces, each with its stored proof, if uploaded. */
export const filesAnnounced = (table: 'intentos' | 'pedidos_historial'): RawBuilder<Announced[]> => sql`(
  SELECT coalesce(json_agg(json_build_object('tipo', a->>'tipo', 'id', p.id, 'hay', p.fichero IS NOT NULL AND p.retirada_at IS NULL)), '[]')
  FROM jsonb_array_elements(${sql.ref(`${table}.anunciadas`)}) a
  LEFT JOIN pruebas p ON p.pedido_id = ${sql.ref(`${table}.pedido_id`)} AND p.sha256 = a->>'sha256')`;

/** Returns the files. URLs are null if `actor` may not see the proofs of `pedido`, or if its data is blocked or anonymised. */
export function shownFiles(actor: Actor, pedido: PedidoRow, files: readonly Announced[]) {
  const seen = can(actor, 'pedido:proofs', pedido) && !pedido.bloqueado_at && !pedido.anonimizado_at;
  return files.map(({ tipo, id, hay }) => ({ tipo, enviada: id !== null, url: seen && id && hay ? `/api/pruebas/${id}/fichero` : null }));
}
