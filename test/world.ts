import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { ERRORS } from '../contract/kit/errors.ts';
import { ROLES, type Role } from '../contract/policy/policy.ts';
import { hashKey, PREFIX } from '../server/api-keys/api-keys.ts';
import { buildApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { type Db, type OpenDb, openPostgres } from '../server/db/open.ts';
import { createLog } from '../server/log/log.ts';
import { continueNumbers } from '../server/pedidos/escritura/numbers.ts';
import { hashToken, openSession } from '../server/session/sessions.ts';
import { builders, type UserRow } from './builders.ts';
import { type Client, createClient } from './client.ts';
import { copyOf } from './postgres.ts';
import type { Gate } from './schedule.ts';

export type World = Awaited<ReturnType<typeof createWorld>>;
export type Person = Client & { user: UserRow };

/**
 * A private migrated database, with the program running on it:
 *
 *     let world: World;
 *     beforeAll(async () => {
 *       world = await createWorld();
 *       return world.close;
 *     });
 *     beforeEach(() => world.reset());
 *
 *     const admin = await world.as('superadmin');
 *     const { status, body } = await admin.call(createProduct, { body: { … } });
 *
 * `gate` orders the statements of its transactions.
 */
export async function createWorld(env: Record<string, string> = {}, gate?: Gate) {
  const open = await openDatabase(gate);
  const filesDir = mkdtempSync(join(tmpdir(), 'enruta-files-'));
  const { db, url, close } = open;
  const config = readConfig({
    DATABASE_URL: url,
    SECRET_KEY: 'only for the tests: thirty-two characters',
    LOG_LEVEL: 'error',
    DATA_DIR: filesDir,
    FILES_DIR: filesDir,
    ...env,
  });
  const logged: string[] = [];
  const log = createLog(config.logLevel, { write: (line) => void logged.push(line) });
  const app = await buildApp({ ...open, config, log });
  await createClear(db);
  const known = new Map<Role, UserRow>();
  let programs = 0;
  const build = builders(db);

  return {
    db,
    open,
    app,
    config,
    /** Lines of the program's log. */
    logged,
    /** Dependencies of the program's features. */
    process: { ...open, config, log },
    ...build,

    /**
     * A signed-in client for this person, or for the default person of this role. The person has just confirmed the
     * password (`stepUp`), unless `proven` is false.
     */
    as: async (who: UserRow | Role, { proven = true } = {}): Promise<Person> => {
      const user = typeof who === 'string' ? (known.get(who) ?? (await build.user({ role: who }))) : who;
      if (typeof who === 'string') known.set(who, user);
      const client = connect(app);
      const token = await openSession(db, user.id, { ip: '127.0.0.1', userAgent: 'test' });
      if (proven) await db.updateTable('sessions').set({ proven_at: sql`now()` }).where('token_hash', '=', hashToken(token)).execute();
      client.cookies.set('enruta', token);
      return { ...client, user };
    },

    /** A program whose API key has these scopes, at a separate IP address. */
    program: async (scopes: readonly string[]): Promise<Client> => {
      const key = `${PREFIX}${randomBytes(32).toString('base64url')}`;
      const values = { nombre: 'ERP', key_hash: hashKey(key), inicio: key.slice(0, 10), acciones: [...scopes], creada_por: 'Ana' };
      await db.insertInto('api_keys').values(values).execute();
      programs += 1;
      return connect(app, { authorization: `Bearer ${key}` }, `10.0.${programs >> 8}.${programs & 255}`);
    },

    /** A client without a session, from this address. */
    nobody: (address?: string): Client => connect(app, {}, address),

    /** Resets to a freshly migrated database; signed-in clients are discarded too. */
    reset: async () => {
      known.clear();
      await db.transaction().execute(async (tx) => {
        await sql`SELECT testing.clear()`.execute(tx);
        // Deleting rows does not reset a sequence.
        await continueNumbers(tx);
      });
    },

    close: async () => {
      await app.close();
      await close();
      rmSync(filesDir, { recursive: true });
    },
  };
}

/** A signed-in client per role: `{ superadmin, revendedor, transportista }`. */
export async function everyRole(world: World): Promise<Record<Role, Person>> {
  const people = await Promise.all(ROLES.map(async (role) => [role, await world.as(role)]));
  return Object.fromEntries(people);
}

async function openDatabase(gate?: Gate): Promise<OpenDb> {
  const { url, drop } = await copyOf(inject('postgresTemplate'));
  let closing = false;
  // Ignores the errors of connections that are still closing while the database is dropped.
  const opened = openPostgres(url, (error) => closing || console.error(error.message), 10, gate?.through);
  return {
    ...opened,
    close: async () => {
      closing = true;
      await opened.close();
      await drop();
    },
  };
}

/**
 * Creates the function `testing.clear()`, which restores the initial rows of every table. A function, because a connection plans its statements
 * once; DELETE, because it is a dozen times faster than TRUNCATE for a handful of rows. The replica role, which needs a superuser, skips foreign
 * keys and triggers, so the order of the tables does not matter.
 */
async function createClear(db: Db): Promise<void> {
  const statements = [...(await readAll(db))].flatMap(([name, rows]) => {
    const table = sql.id(name);
    const load = sql`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, ${sql.lit(rows)}::json);`;
    return [sql`DELETE FROM ${table};`, ...(rows === '[]' ? [] : [load])];
  });
  await sql`CREATE SCHEMA testing`.execute(db);
  await sql`CREATE FUNCTION testing.clear() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica
    AS $clear$ BEGIN ${sql.join(statements, sql` `)} END $clear$`.execute(db);
}

/** Returns the rows of every table as JSON, except the tables of the migrations: the initial data, such as the settings. */
async function readAll(db: Db): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'kysely%'`.execute(db);
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await sql<{ all: string }>`SELECT coalesce(json_agg(t), '[]')::text AS all FROM ${sql.id(name)} t`.execute(db);
    found.set(name, rows[0]?.all ?? '[]');
  }
  return found;
}

function connect(app: FastifyInstance, always: Record<string, string> = {}, remoteAddress = '127.0.0.1'): Client {
  return createClient(async ({ method, path, headers, body }) => {
    // Drops cached sessions before each request, because tests change rows behind the program's back.
    app.guard.forgetSessions();
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      remoteAddress,
      headers: { ...headers, ...always },
      ...(body === undefined ? {} : { body }),
    });
    refuseUncoded(response.statusCode, response.headers['content-type'], response.body);
    return { status: response.statusCode, headers: response.headers as Record<string, string | string[] | undefined>, text: response.body };
  });
}

/** Throws for an error response with an unknown code, or a code of another status. */
function refuseUncoded(status: number, type: unknown, text: string): void {
  if (status < 400 || !String(type ?? '').includes('json')) return;
  const { code } = JSON.parse(text) as { code?: string };
  const { status: statuses = [] } = Object.entries(ERRORS).find(([name]) => name === code)?.[1] ?? {};
  if (!statuses.some((own) => own === status)) throw new Error(`A ${status} with the code ${code}: see contract/kit/errors.ts`);
}
