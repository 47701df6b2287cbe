import { sql } from 'kysely';
import { CURSOR_EXPIRED, type cambiosProductos } from '../../contract/cambios/cambios.ts';
import type { QueryOut } from '../../contract/kit/endpoint.ts';
import { type Action, type Actor, ofEverybody } from '../../contract/policy/policy.ts';
import type { Db, Tx } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import { DomainError, invalid } from '../kit/errors.ts';

type Tipo = 'pedido' | 'cliente' | 'producto' | 'pago';
export type Changes<T> = { data: { id: string; data: T | null }[]; cursor: string; hay_mas: boolean };

const START = { xid: '0', id: '00000000-0000-0000-0000-000000000000' };
type Place = typeof START;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const LISTED: Record<Tipo, Action> = { pedido: 'pedido:list', cliente: 'cliente:read', producto: 'product:manage', pago: 'pago:read' };

/** Returns the rows changed since the cursor, up to the oldest open transaction. Throws 422, or 410 for a cursor of another server. */
export async function readChanges<T extends { id: string }>(
  db: Db,
  actor: Actor,
  tipo: Tipo,
  { desde, limite }: QueryOut<typeof cambiosProductos>,
  read: (ids: string[]) => Promise<T[]>,
): Promise<Changes<T>> {
  const marca = await readTimeline(db);
  const from = desde === undefined ? START : decodeCursor(desde, marca, UUID);
  // Sorts by `cambios.xid`: the selected text, also named xid, would sort 1000 before 999.
  const { rows } = await sql<Place>`
    SELECT entidad_id AS id, xid::text AS xid FROM cambios
    WHERE tipo = ${tipo} AND (xid, entidad_id) > (${from.xid}::xid8, ${from.id}::uuid) AND xid < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY cambios.xid, entidad_id LIMIT ${limite + 1}`.execute(db);
  const page = rows.slice(0, limite);
  const found = new Map(page.length ? (await read(page.map(({ id }) => id))).map((row) => [row.id, row]) : []);
  const data = page.map(({ id }) => ({ id, data: found.get(id) ?? null }));
  return {
    // Only actors who see all rows get deletions, because a deletion would reveal other people's rows.
    data: ofEverybody(actor, LISTED[tipo]) ? data : data.filter((change) => change.data),
    cursor: encodeCursor(page.at(-1) ?? from, marca),
    hay_mas: rows.length > limite,
  };
}

/**
 * Returns the mark of this database, which is part of every cursor. A restore changes the mark, and so does the promotion of a replica,
 * which may lack the last transactions of the former server: its timeline is part of the mark, unless the timeline is the first.
 */
export async function readTimeline(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ marca: string }>`
    SELECT CASE timeline WHEN 1 THEN entidad_id::text ELSE md5(entidad_id || ' ' || timeline) END AS marca
    FROM cambios, LATERAL (SELECT CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint())
      ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline) t
    WHERE tipo = 'marca'`.execute(db);
  return rows[0]?.marca ?? '';
}

/** Encodes a place, which is a transaction and a row changed in it, as a cursor. */
export const encodeCursor = ({ xid, id }: Place, marca: string): string =>
  Buffer.from(`${marca.slice(0, 8)}.${xid}.${id}`).toString('base64url');

/** Decodes a cursor. Throws 422 unless its row id matches `rowId`, 410 for a cursor of another server or from before a restore. */
export function decodeCursor(cursor: string, marca: string, rowId: RegExp, field = 'desde'): Place {
  const [mark, xid = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^\d{1,19}$/.test(xid) || !rowId.test(id)) throw invalid(field, 'Cursor no válido');
  if (mark !== marca.slice(0, 8))
    throw new DomainError(
      410,
      'Desde ese cursor se ha restaurado una copia, o la base de datos ha cambiado de servidor: empieza de nuevo, sin cursor',
      { code: CURSOR_EXPIRED },
    );
  return { xid, id };
}

/** Marks all rows as changed and invalidates older cursors. Needed after rows are loaded with triggers disabled. */
export async function rebuildChanges(tx: Tx): Promise<void> {
  await withoutTimeout(tx, () => sql`SELECT rehacer_cambios()`.execute(tx));
}
