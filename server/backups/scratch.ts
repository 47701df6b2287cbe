import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type OpenDb, openPGlite, openPostgres } from '../db/open.ts';

/** An empty database for a short while; `close` deletes it. */
export type Scratch = Pick<OpenDb, 'db' | 'close'>;

/**
 * Makes an empty scratch database: on the server at `databaseUrl` where the role may create one, which holds any size
 * and takes no memory of ours; otherwise an embedded one in `folder`.
 */
export async function openScratch(folder: string, databaseUrl?: string): Promise<Scratch> {
  return (await scratchOnServer(databaseUrl)) ?? (await scratchOnDisk(folder));
}

/** A scratch database on the server at `databaseUrl`; undefined where there is none, or it lets us make none. */
export async function scratchOnServer(databaseUrl: string | undefined): Promise<Scratch | undefined> {
  if (!databaseUrl) return undefined;
  const server = openPostgres(databaseUrl, ignore, 1);
  // One for each database, so that what a killed run left is found, and dropped, by the next.
  const name = sql.id(nameFor(databaseUrl));
  // Refused while somebody uses it: another backup of the same database, which then goes on undisturbed.
  const drop = () => sql`DROP DATABASE IF EXISTS ${name}`.execute(server.db);
  try {
    if (!(await mayCreate(server))) return await done(server);
    await drop();
    // template0 has nothing that somebody may have added.
    await sql`CREATE DATABASE ${name} TEMPLATE template0`.execute(server.db);
    const url = new URL(databaseUrl);
    url.pathname = `/${nameFor(databaseUrl)}`;
    const { db, close } = openPostgres(url.href, ignore, 2);
    await sql`SELECT`.execute(db);
    return {
      db,
      close: async () => {
        await close();
        await drop().finally(server.close);
      },
    };
  } catch {
    // In use, or a pooler that knows only its own databases: there are other ways.
    return done(server);
  }
}

async function mayCreate({ db }: Scratch): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`SELECT rolcreatedb OR rolsuper AS may FROM pg_roles WHERE rolname = current_user`.execute(
    db,
  );
  return rows[0]?.may === true;
}

// A lost connection rejects the query that was waiting; there is nobody else to tell.
const ignore = () => {};

const done = async ({ close }: Scratch): Promise<undefined> => {
  await close();
};

const nameFor = (databaseUrl: string): string => `enruta_comprobacion_${hash('sha256', databaseUrl).slice(0, 16)}`;

/** An embedded scratch database in `folder`. */
export async function scratchOnDisk(folder: string): Promise<Scratch> {
  // On disk: in memory, a hundred thousand orders would take gigabytes.
  const { db, close } = await openPGlite(join(folder, 'db'));
  return {
    db,
    close: async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
