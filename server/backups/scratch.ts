import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { type OpenDb, openPostgres } from '../db/open.ts';

/** A temporary empty database; `close` drops it. */
export type Scratch = Pick<OpenDb, 'db' | 'close'>;

/** Creates a scratch database on the server at `serverUrl`; undefined if the role cannot, or while another run uses that database. */
export async function scratchOnServer(serverUrl: string): Promise<Scratch | undefined> {
  const server = openPostgres(serverUrl, ignore, 1);
  // One fixed name per database, so that the next run drops a leftover of a killed run.
  const name = sql.id(nameFor(serverUrl));
  // PostgreSQL refuses to drop a scratch database that another backup is using.
  const drop = () => sql`DROP DATABASE IF EXISTS ${name}`.execute(server.db);
  try {
    if (!(await mayCreate(server))) return await done(server);
    await drop();
    await sql`CREATE DATABASE ${name} TEMPLATE template0`.execute(server.db);
    const url = new URL(serverUrl);
    url.pathname = `/${nameFor(serverUrl)}`;
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
    // The name is in use, or a pooler refuses unknown databases; callers have a fallback.
    return done(server);
  }
}

async function mayCreate({ db }: Scratch): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`SELECT rolcreatedb OR rolsuper AS may FROM pg_roles WHERE rolname = current_user`.execute(
    db,
  );
  return rows[0]?.may === true;
}

// Ignores lost connections: the query in progress gets the error.
const ignore = () => {};

const done = async ({ close }: Scratch): Promise<undefined> => {
  await close();
};

const nameFor = (serverUrl: string): string => `enruta_comprobacion_${hash('sha256', serverUrl).slice(0, 16)}`;
