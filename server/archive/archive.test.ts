import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { startBucket } from '../../test/bucket-server.ts';
import { builders } from '../../test/builders.ts';
import { migratedFolder } from '../../test/data-folder.ts';
import { until } from '../../test/until.ts';
import { audit } from '../audit/audit.ts';
import { settleRecovered } from '../backups/restore.ts';
import { holdingOf } from '../backups/tables.ts';
import { asAdmin } from '../db/embedded/role.ts';
import { isFull, spoolOf, waitingPieces } from '../db/embedded/wal-spool.ts';
import { type OpenDb, openDatabase, transact } from '../db/open.ts';
import { FEATURES } from '../features.ts';
import { type Bucket, openBucket } from '../files/bucket.ts';
import { createLog } from '../log/log.ts';
import { readChain } from './chain.ts';
import { recoverLog } from './recover.ts';
import { shipLog } from './ship.ts';

/* After the disk is lost, the bucket alone must restore any recent minute of the embedded database. */

const SECRET = 'only for the tests: thirty-two characters';
const log = createLog('error', process.stderr);
let root: string;
let dataDir: string;
let store: Awaited<ReturnType<typeof startBucket>>;
let bucket: Bucket;
let open: OpenDb | undefined;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'enruta-archive-'));
  dataDir = join(root, 'data');
  await migratedFolder(dataDir);
  store = await startBucket();
  bucket = openBucket(store.s3);
});
afterEach(async () => {
  await open?.close();
  open = undefined;
  store.close();
  rmSync(root, { recursive: true, force: true });
});

const begin = async () => {
  open = await openDatabase({ databaseUrl: undefined, dataDir, s3: {} }, log);
  return open;
};
const ship = (limit?: { spool: number; free: number }) => {
  if (!open) throw new Error('not open');
  return shipLog({ db: open.db, url: open.url, bucket, dataDir, secretKey: SECRET }, limit);
};
/** Commits a row; returns the next millisecond, once it has passed: a commit has microseconds, a moment to restore has not. */
async function say(description: string): Promise<Date> {
  if (!open) throw new Error('not open');
  await transact(open.db, (tx) => audit(tx, SISTEMA, { type: 'configuracion', action: 'update', entity_type: 'settings', description }));
  const after = new Date(Date.now() + 1);
  await until(
    () => Date.now() > after.getTime(),
    () => 'the clock stands still',
  );
  return after;
}
const said = async ({ db }: OpenDb) =>
  (await db.selectFrom('audit_logs').select('description').where('entity_type', '=', 'settings').orderBy('created_at').execute()).map(
    ({ description }) => description,
  );
/** Switches to a new piece of the log, as `archive_timeout` does each minute. Waits until the old piece is in the spool. */
async function endPiece(): Promise<void> {
  const client = new pg.Client({ connectionString: asAdmin(open?.url ?? '') });
  await client.connect();
  const { rows } = await client.query('SELECT pg_walfile_name(pg_switch_wal()) AS piece');
  await client.end();
  await until(
    () => waitingPieces(dataDir).some(({ name }) => name >= rows[0].piece),
    () => `waiting: ${waitingPieces(dataDir).map(({ name }) => name)}`,
    60,
  );
}
const restore = async (moment: Date | undefined, more: { secret?: string; overwrite?: boolean } = {}) => {
  let found: string[] = [];
  const settle = async (opened: OpenDb) => {
    await settleRecovered(opened.db, { secretKey: SECRET, holding: holdingOf(FEATURES) });
    found = await said(opened);
  };
  const { kept } = await recoverLog({ bucket, dataDir, secret: SECRET, until: moment, overwrite: false, log, settle, ...more });
  return { found, kept };
};
/** Stops the database and deletes the data folder. */
async function loseDisk(): Promise<void> {
  await open?.close();
  open = undefined;
  rmSync(dataDir, { recursive: true });
}

describe('the archive', () => {
  it('the archive restores the minute before a mistake from the bucket alone, and continues', async () => {
    const { db } = await begin();
    await builders(db).pedido({ cliente_nombre: 'Ana Buscada' });
    await say('before the base');
    await ship();
    await say('after the base');
    await endPiece();
    await ship();
    const moment = await say('the last one wanted');
    await say('a mistake');
    await endPiece();
    await ship();
    await loseDisk();
    expect((await restore(moment)).found).toEqual(['before the base', 'after the base', 'the last one wanted']);
    const again = await begin();
    const { rows: searched } = await sql<{
      n: number;
    }>`SELECT count(*) AS n FROM pedidos_busqueda WHERE texto LIKE '%ana buscada%'`.execute(again.db);
    expect(searched).toEqual([{ n: 1 }]);
    expect(await said(again)).toEqual(['before the base', 'after the base', 'the last one wanted']);
    // Archiving starts a new chain, because new pieces reuse the numbers of lost pieces.
    const [before] = new Set((await bucket.list('wal/')).map(({ key }) => key.split('/')[1]));
    await ship();
    expect(readChain(dataDir)?.id).not.toBe(before);
    await say('after the disaster');
    await endPiece();
    await ship();
    await loseDisk();
    expect((await restore(undefined)).found.at(-1)).toBe('after the disaster');
  });

  it('the archive restores everything for a moment after the last piece, and nothing before the first', async () => {
    await begin();
    const early = await say('a');
    await ship();
    await say('b');
    await endPiece();
    await ship();
    await loseDisk();
    await expect(restore(new Date(early.getTime() - 60_000))).rejects.toThrow('El archivo del cubo empieza el');
    await expect(restore(undefined, { secret: 'another one, of thirty-two characters' })).rejects.toThrow('BACKUP_KEY');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    expect((await restore(new Date(Date.now() + 3_600_000))).found).toEqual(['a', 'b']);
  });

  it('the archive replaces a database only with --sobrescribir, and keeps the old database aside', async () => {
    await begin();
    await say('a');
    await ship();
    await open?.close();
    open = undefined;
    mkdirSync(join(dataDir, 'de-fuera-killed'));
    await expect(restore(undefined)).rejects.toThrow('--sobrescribir');
    const { kept } = await restore(undefined, { overwrite: true });
    expect(existsSync(kept ?? '')).toBe(true);
    expect(readdirSync(dataDir).filter((name) => /^(de-fuera|wal)/.test(name))).toEqual([]);
  });

  it('the archive drops waiting pieces before they fill the disk, and starts again once the bucket answers', async () => {
    await begin();
    await ship();
    const { id } = readChain(dataDir) ?? {};
    store.state.broken = true;
    await say('while the bucket is away');
    await endPiece();
    await expect(ship()).rejects.toThrow('Esperan 1 ficheros');
    expect(waitingPieces(dataDir)).toHaveLength(1);
    await expect(ship({ spool: 1, free: 0 })).rejects.toThrow('se ha dejado de archivar');
    expect([waitingPieces(dataDir), isFull(dataDir)]).toEqual([[], true]);
    store.state.broken = false;
    await ship();
    expect([readChain(dataDir)?.id === id, isFull(dataDir)]).toEqual([false, false]);
    await loseDisk();
    expect((await restore(undefined)).found).toEqual(['while the bucket is away']);
  });

  it('the archive starts a new chain when a piece is missing', async () => {
    await begin();
    await ship();
    const { id } = readChain(dataDir) ?? {};
    await say('lost on the way');
    await endPiece();
    for (const { path } of waitingPieces(dataDir)) rmSync(path);
    await say('kept');
    await endPiece();
    await ship();
    expect(readChain(dataDir)?.id).not.toBe(id);
    await loseDisk();
    expect((await restore(undefined)).found).toEqual(['lost on the way', 'kept']);
  });

  it('the archive ends when the bucket is no longer configured', async () => {
    await begin();
    await ship();
    await open?.close();
    open = await openDatabase({ databaseUrl: undefined, dataDir }, log);
    expect(existsSync(spoolOf(dataDir))).toBe(false);
  });
});
