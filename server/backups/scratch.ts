import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { type OpenDb, openPostgres } from '../db/open.ts';

/** An empty database for a short while; `close` deletes it. */
export type Scratch = Pick<OpenDb, 'db' | 'close'>;

/** Makes a scratch database on the server at `serverUrl`. Returns undefined where the role may not create one. */
export async function scratchOnServer(serverUrl: string): Promise<Scratch | undefined> {
  const server = openPostgres(serverUrl, ignore, 1);
  // One for each database, so that what a killed run left is found, and dropped, by the next.
  const name = sql.id(nameFor(serverUrl));
  // Refused while somebody uses it: another backup of the same database, which then goes on undisturbed.
  const drop = () => sql`DROP DATABASE IF EXISTS ${name}`.execute(server.db);
  try {
    if (!(await mayCreate(server))) return await done(server);
    await drop();
    // template0 has nothing that somebody may have added.
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

const nameFor = (serverUrl: string): string => `enruta_comprobacion_${hash('sha256', serverUrl).slice(0, 16)}`;
