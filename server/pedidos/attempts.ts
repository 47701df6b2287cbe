import { type RawBuilder, sql } from 'kysely';
import type { Llamado } from '../../contract/pedidos.attempts.ts';
import type { InputOf } from '../../contract/pedidos.flow.ts';
import type { Intento } from '../../contract/pedidos.ts';
import { type Actor, can } from '../../contract/policy.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Anunciada } from '../db/schema.ts';
import { notFound } from '../kit/errors.ts';
import { settingSql } from '../settings/setting-sql.ts';
import { findPedido, type PedidoRow } from './row.ts';

/* Failed delivery attempts (decision 059). */

type Attempt = InputOf<'fallar'> & { photos?: readonly Anunciada[] | undefined };

/** Keeps an attempt made at `at`, with the photos that will follow; from the number in the settings on, the order waits for an answer. None for the program, which never knocks. */
export async function recordAttempt(
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  { motivo, llamado, photos = [] }: Attempt,
  at: RawBuilder<string>,
): Promise<{ incidencia_at?: string }> {
  if (actor.id === null) return {};
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
    .selectNoFrom([
      // The statement does not see its own insert.
      sql<boolean>`(SELECT count(*) + 1 FROM intentos WHERE pedido_id = ${row.id}) >= nullif(${settingSql('maxAttempts')}, 0)`.as('many'),
      sql<string>`${at}`.as('since'),
    ])
    .executeTakeFirstOrThrow();
  return many ? { incidencia_at: since } : {};
}

/** Failed attempts of an order, oldest first. Throws 404. */
export async function listAttempts(db: Db, actor: Actor, id: string): Promise<Intento[]> {
  const row = await findPedido(db, actor, id);
  if (!can(actor, 'pedido:history', row)) throw notFound();
  return attemptsOf(db, id, can(actor, 'pedido:proofs', row) && !row.bloqueado_at && !row.anonimizado_at);
}

/** Like `listAttempts`, without the check of permissions; with photos only if they may be `seen`. */
export async function attemptsOf(db: Db, id: string, seen = false): Promise<Intento[]> {
  const rows = await db
    .selectFrom('intentos')
    .select(['id', 'created_at', 'transportista_nombre', 'motivo', 'llamado'])
    .select(
      sql<{ id: string | null; hay: boolean }[]>`(
        SELECT coalesce(json_agg(json_build_object('id', p.id, 'hay', p.fichero IS NOT NULL AND p.retirada_at IS NULL)), '[]')
        FROM jsonb_array_elements(intentos.anunciadas) a LEFT JOIN pruebas p ON p.pedido_id = intentos.pedido_id AND p.sha256 = a->>'sha256')`.as(
        'fotos',
      ),
    )
    .where('pedido_id', '=', id)
    .orderBy('created_at')
    .execute();
  return rows.map(({ fotos, ...row }) => ({
    ...row,
    llamado: row.llamado as Llamado | null,
    fotos: fotos.map((foto) => ({
      enviada: foto.id !== null,
      url: seen && foto.id && foto.hay ? `/api/pruebas/${foto.id}/fichero` : null,
    })),
  }));
}
