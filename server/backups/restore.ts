import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { audit } from '../audit/audit.ts';
import { rebuildChanges } from '../cambios/cambios.ts';
import { firstContradiction } from '../cuadre/run.ts';
import { migrations } from '../db/migrations.ts';
import { type Db, migrateDatabase, openDatabase, type Tx, transact } from '../db/open.ts';
import { conflict } from '../kit/errors.ts';
import { fingerprint } from '../kit/secrets.ts';
import { createLog } from '../log/log.ts';
import { abandonMessages } from '../outbox/outbox.ts';
import { continueNumbers } from '../pedidos/escritura/numbers.ts';
import { rebuildSearch } from '../pedidos/lectura/search.ts';
import { anonymiseLocked } from '../privacidad/block.ts';
import { ENDED } from '../privacidad/persona.ts';
import { SESSIONS_CHANNEL } from '../session/remember.ts';
import { replaceSecretKey } from '../settings/secret-key.ts';
import { inspectBackup } from './format.ts';
import { scratchOnServer } from './scratch.ts';
import { type Holding, passingTables } from './tables.ts';
import { loadBackup, writeBackup } from './write.ts';

type Options = {
  path: string;
  key?: string | undefined;
  secretKey: string;
  /** Address of the server of `db`, used to create a scratch target. */
  url: string;
  holding: Holding;
  overwrite: boolean;
  /** Decision about customers anonymised since the backup: anonymise `again`, or bring them `back`. Undefined refuses such a backup. */
  anonymised?: 'again' | 'back' | undefined;
  /** Preserves unsent messages and API keys, because the database only moves to another server. */
  sendsWaiting?: boolean;
};
/** Rows loaded, time of the backup, and warnings in Spanish for the operator. */
export type Restored = { filas: number; created_at: string; warnings: string[] };

const OTHER_KEY =
  'La copia se hizo con otra SECRET_KEY: la contraseña del correo y la de las copias, la clave del proveedor de correo, los secretos de los webhooks y los segundos factores no se pueden leer ' +
  'y se han borrado; hay que volver a ponerlos.';

/**
 * Replaces everything in `db` with a backup, in one transaction. Ends sessions, revokes API keys and discards unsent messages. Throws 409
 * for a damaged, foreign or newer file, for a database in use without `overwrite`, and without a decision about customers anonymised since.
 */
export async function restoreBackup(
  db: Db,
  { path, overwrite, anonymised, sendsWaiting = false, key: own, ...target }: Options,
): Promise<Restored> {
  const secret = own ?? target.secretKey;
  const { see, found } = await watchAnonymised(db);
  const { migration, created_at, key } = await inspectBackup(path, secret, (_, table, rows) => see(table, rows));
  if (!(migration in migrations)) {
    throw conflict('La copia es de una versión más nueva de Enruta: actualiza el programa antes de restaurarla');
  }
  // Must run before migrating: an older version may be running on this target.
  if (!overwrite) await refuseInUse(db);
  if (!anonymised) refuseBroughtBack(found);
  await migrateDatabase(db);
  const isOld = migration !== Object.keys(migrations).sort().at(-1);
  const folder = isOld ? await mkdtemp(join(tmpdir(), 'enruta-restore-')) : undefined;
  try {
    const current = folder ? await modernize(path, secret, migration, folder, target) : { path, secret };
    return await transact(db, async (tx) => {
      if (!overwrite) await refuseInUse(tx);
      const filas = await loadBackup(tx, current.path, current.secret, target.holding);
      await continueNumbers(tx);
      await rebuild(tx);
      await sql`SELECT pg_notify(${SESSIONS_CHANNEL}, '')`.execute(tx);
      const problem = await firstContradiction(tx);
      const unfinished = anonymised === 'again' ? await anonymiseAgain(tx, found) : [];
      const settled = await settle(tx, target.secretKey, key, sendsWaiting);
      await audit(tx, SISTEMA, {
        action: 'restore',
        entity_type: 'backup',
        description: sendsWaiting ? 'Base de datos trasladada a PostgreSQL' : `Base de datos restaurada de la copia ${basename(path)}`,
        despues: { filas, created_at },
      });
      const warnings = [
        problem && `Aviso: ${problem}.`,
        anonymised === 'again' && found.length > 0 && `Pedidos anonimizados otra vez: ${found.length - unfinished.length}.`,
        unfinished.length && `Aviso: en la copia no han terminado y conservan sus datos: ${unfinished.join(', ')}.`,
        anonymised === 'back' && found.length > 0 && `Aviso: pedidos anonimizados que han vuelto con sus datos: ${found.length}.`,
        ...settled,
      ].filter((warning) => typeof warning === 'string');
      return { filas, created_at, warnings };
    });
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

/** Rebuilds the derived tables, which backups leave out. */
async function rebuild(tx: Tx): Promise<void> {
  await rebuildSearch(tx);
  await rebuildChanges(tx);
}

/** Adapts restored rows to this server; `of`: fingerprint of the key that encrypted the rows. Returns warnings in Spanish. */
async function settle(tx: Tx, secretKey: string, of: string | undefined, sendsWaiting: boolean): Promise<(string | false | 0)[]> {
  const isOtherKey = of !== fingerprint(secretKey);
  if (isOtherKey) await deleteEncrypted(tx);
  await replaceSecretKey(tx, secretKey);
  // Keys revoked since the backup must not become valid again.
  const revoked = sendsWaiting ? [] : await revokeAllKeys(tx);
  // Discards messages pending in the backup, which were probably sent since or would be weeks late.
  const abandoned = sendsWaiting ? [] : await abandonMessages(tx, 'Se restauró una copia');
  const unsent = abandoned.filter((channel) => channel === 'correo').length;
  return [
    isOtherKey && OTHER_KEY,
    revoked.length && `Se han revocado las claves de API, que hay que hacer de nuevo: ${revoked.map((name) => `«${name}»`).join(', ')}.`,
    unsent && `Correos que entonces estaban por enviar, y que ya no se envían: ${unsent}.`,
  ];
}

/** Adapts a recovered database to this server, as `restoreBackup` does after loading a file. Returns warnings in Spanish. */
export async function settleRecovered(db: Db, { secretKey, holding }: Pick<Options, 'secretKey' | 'holding'>): Promise<string[]> {
  await migrateDatabase(db);
  return transact(db, async (tx) => {
    const passing = (await passingTables(tx, holding)).map((name) => sql.table(name));
    await sql`TRUNCATE ${sql.join(passing)}`.execute(tx);
    await rebuild(tx);
    const problem = await firstContradiction(tx);
    const { rows } = await sql<{ fingerprint: string }>`SELECT fingerprint FROM secret_keys`.execute(tx);
    const settled = await settle(tx, secretKey, rows[0]?.fingerprint, false);
    await audit(tx, SISTEMA, { action: 'restore', entity_type: 'backup', description: 'Base de datos recuperada del archivo continuo' });
    return [problem && `Aviso: ${problem}.`, ...settled].filter((warning) => typeof warning === 'string');
  });
}

// Migrations may change rows, so rows of an older version must be loaded before the later migrations run.
async function modernize(
  path: string,
  secret: string,
  migration: string,
  folder: string,
  target: Pick<Options, 'secretKey' | 'url' | 'holding'>,
): Promise<{ path: string; secret: string }> {
  const { db, close } = (await scratchOnServer(target.url)) ?? (await openOwn(join(folder, 'db')));
  try {
    await migrateDatabase(db, migration);
    await transact(db, (tx) => loadBackup(tx, path, secret));
    await migrateDatabase(db);
    const current = join(folder, 'copia.jsonl.gz.enc');
    await writeBackup(db, current, { ...target, key: { secret: target.secretKey, clave: 'SECRET_KEY' } });
    return { path: current, secret: target.secretKey };
  } finally {
    await close();
  }
}

/** Opens an embedded scratch database, the fallback if `scratchOnServer` can create none. */
const openOwn = (dataDir: string) => openDatabase({ databaseUrl: undefined, dataDir }, createLog('warn', process.stderr));

async function refuseInUse(db: Db | Tx): Promise<void> {
  const { rows: tables } = await sql<{ some: boolean }>`SELECT to_regclass('users') IS NOT NULL AS some`.execute(db);
  if (!tables[0]?.some) return;
  const { rows } = await sql<{ used: boolean }>`SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM pedidos) AS used`.execute(db);
  if (rows[0]?.used) throw conflict('La base de datos ya tiene usuarios o pedidos. Para sustituirlo todo, añade --sobrescribir.');
}

/** Accepts a new `SECRET_KEY` by deleting everything that the old key encrypted. */
export async function acceptSecretKey(db: Db, secretKey: string): Promise<void> {
  await transact(db, async (tx) => {
    await deleteEncrypted(tx);
    await replaceSecretKey(tx, secretKey);
    const description = 'SECRET_KEY sustituida: borrado lo que cifraba la anterior';
    await audit(tx, SISTEMA, { action: 'update', entity_type: 'settings', description });
  });
}

async function revokeAllKeys(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ nombre: string }>`
    UPDATE api_keys SET revocada_at = now() WHERE revocada_at IS NULL AND (caduca_at IS NULL OR caduca_at > now()) RETURNING nombre`.execute(
    tx,
  );
  return rows.map(({ nombre }) => nombre);
}

async function deleteEncrypted(tx: Tx): Promise<void> {
  await sql`UPDATE settings SET data = data - 'secrets'`.execute(tx);
  await tx.updateTable('users').set({ totp_secret: null, totp_pending: null, totp_last_step: null }).execute();
  await tx.deleteFrom('recovery_codes').execute();
  await tx.updateTable('webhooks').set({ secreto: null, is_active: false }).execute();
}

/** An order, anonymised since the backup, whose personal data a restore would bring back. */
type BroughtBack = { id: string; numero_orden: string; cliente_nombre: string };

/** Finds the orders of a backup that have since been anonymised in `db`. Call `see` with each batch of rows. */
async function watchAnonymised(db: Db): Promise<{ see: (table: string, rows: readonly string[]) => void; found: BroughtBack[] }> {
  const found: BroughtBack[] = [];
  const ids = await anonymisedIn(db);
  const see = (table: string, rows: readonly string[]) => {
    if (table !== 'pedidos' || ids.size === 0) return;
    for (const row of rows) {
      const { id, numero_orden, cliente_nombre, anonimizado_at } = JSON.parse(row) as BroughtBack & { anonimizado_at?: string | null };
      if (ids.has(id) && !anonimizado_at) found.push({ id, numero_orden, cliente_nombre });
    }
  };
  return { see, found };
}

// The database can be empty, or too old to have the column `anonimizado_at`.
async function anonymisedIn(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ known: boolean }>`SELECT EXISTS (SELECT FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'pedidos' AND column_name = 'anonimizado_at') AS known`.execute(db);
  if (!rows[0]?.known) return new Set();
  const orders = await db.selectFrom('pedidos').select('id').where('anonimizado_at', 'is not', null).execute();
  return new Set(orders.map(({ id }) => id));
}

const NAMED = 20;

/** Throws 409 if `found` has orders. The message lists the orders and the flags to choose from. */
function refuseBroughtBack(found: readonly BroughtBack[]): void {
  if (found.length === 0) return;
  const named = found.slice(0, NAMED).map(({ numero_orden, cliente_nombre }) => `  ${numero_orden} (${cliente_nombre})`);
  const more = found.length > NAMED ? [`  y ${found.length - NAMED} más`] : [];
  throw conflict(
    [
      `La copia devuelve los datos personales de ${plural(found.length, 'pedido que se anonimizó', 'pedidos que se anonimizaron')} después de hacerla:`,
      ...named,
      ...more,
      'No se ha cambiado nada. Añade --anonimizar para anonimizarlos otra vez al restaurar, o --con-sus-datos para que vuelvan como estaban.',
    ].join('\n'),
  );
}

const BATCH = 50;

/** Anonymises orders again. Returns the numbers of orders that the backup has as open: open orders cannot be anonymised. */
async function anonymiseAgain(tx: Tx, found: readonly BroughtBack[]): Promise<string[]> {
  const open = new Set<string>();
  for (let at = 0; at < found.length; at += BATCH) {
    const some = found.slice(at, at + BATCH);
    const ids = some.map(({ id }) => id);
    const ended = await tx.selectFrom('pedidos').select(['id', 'numero_orden']).where('id', 'in', ids).where(ENDED).execute();
    if (ended.length) await anonymiseLocked(tx, SISTEMA, ended, 'Se había anonimizado antes de restaurar una copia');
    for (const { id, numero_orden } of some) if (!ended.some((order) => order.id === id)) open.add(numero_orden);
  }
  return [...open];
}
