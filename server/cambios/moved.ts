import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../db/open.ts';
import { rebuildChanges } from './cambios.ts';

/** Value of `tipo` in the row that stores the server's identity. */
const SERVER = 'servidor';

/**
 * Rebuilds the feeds of changes and events if the database was moved to another server, for example with `pg_dump`. Transaction numbers
 * differ there, and higher old numbers would hide rows. Older cursors then get 410. `renumber` renumbers the events. Returns true if moved.
 */
export const followServer = async (db: Db, renumber: (tx: Tx) => Promise<unknown>, identity = serverIdentity): Promise<boolean> =>
  transact(db, async (tx) => {
    // Serialises instances that start at the same time.
    await sql`SELECT pg_advisory_xact_lock(hashtext('cambios'))`.execute(tx);
    const now = await identity(tx);
    const known = await tx.selectFrom('cambios').select('entidad_id').where('tipo', '=', SERVER).executeTakeFirst();
    const { rows } = await sql<{ ahead: boolean }>`
      SELECT EXISTS (SELECT FROM cambios WHERE xid > pg_current_xact_id()) OR EXISTS (SELECT FROM events WHERE xid > pg_current_xact_id()) AS ahead`.execute(
      tx,
    );
    const moved = rows[0]?.ahead === true || (known !== undefined && known.entidad_id !== now);
    if (moved) {
      await rebuildChanges(tx);
      await renumber(tx);
    }
    if (moved || !known) {
      await tx.deleteFrom('cambios').where('tipo', '=', SERVER).execute();
      await sql`INSERT INTO cambios (tipo, entidad_id, xid) VALUES (${SERVER}, ${now}::uuid, pg_current_xact_id())`.execute(tx);
    }
    return moved;
  });

/** Returns the identity of the server and its database, as a UUID because `entidad_id` is a UUID. */
export async function serverIdentity(tx: Tx): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    SELECT system_identifier || ' ' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity FROM pg_control_system()`.execute(
    tx,
  );
  const [, ...parts] =
    /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(
      createHash('sha256')
        .update(rows[0]?.identity ?? '')
        .digest('hex'),
    ) ?? [];
  return parts.join('-');
}
