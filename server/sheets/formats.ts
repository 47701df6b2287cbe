import { sql } from 'kysely';
import { type Caller, can } from '../../contract/policy/policy.ts';
import type { Format } from '../../contract/sheets/formats.ts';
import type { Db } from '../db/open.ts';
import { forbidden } from '../kit/errors.ts';

/* What persons have answered about files of other programs. */

/** Formats kept for an owner; the oldest ones go. */
const MOST = 60;

/** Whose answers they are; null: of the office and its programs, which share them. */
const ownerOf = (actor: Caller) => (can(actor, 'pedido:batch') ? null : actor.id);

/** Returns the answers of the actor, or of the office, the latest first. */
export const listFormats = (db: Db, actor: Caller): Promise<Format[]> =>
  db
    .selectFrom('formatos')
    .select(['uso', 'origen', 'titulos', 'respuestas'])
    .where('dueno', 'is not distinct from', ownerOf(actor))
    .orderBy('updated_at', 'desc')
    .limit(MOST)
    .execute();

/** Stores the answers for files with these headings. Throws 403 for the answers of companies without their permission. */
export async function keepFormat(db: Db, actor: Caller, { respuestas, ...format }: Format): Promise<void> {
  if (format.uso !== 'pedidos' && !can(actor, 'pedido:batch')) throw forbidden('pedido:batch');
  const written = JSON.stringify(respuestas);
  await sql`INSERT INTO formatos (dueno, uso, origen, titulos, respuestas)
    VALUES (${ownerOf(actor)}, ${format.uso}, ${format.origen}, ${format.titulos}, ${written})
    ON CONFLICT (dueno, uso, origen, md5(titulos)) DO UPDATE SET respuestas = excluded.respuestas, updated_at = now()`.execute(db);
}

/** Deletes what no file has needed for a year, and the oldest formats of an owner beyond the maximum. */
export async function deleteOldFormats(db: Db): Promise<void> {
  await sql`DELETE FROM formatos WHERE updated_at < now() - interval '1 year' OR id IN (
    SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY dueno ORDER BY updated_at DESC) AS n FROM formatos) AS ranked
    WHERE n > ${MOST})`.execute(db);
}
