import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { startBucket } from '../../test/bucket-server.ts';
import { builders } from '../../test/builders.ts';
import { copyFolder } from '../../test/copy-folder.ts';
import { migratedFolder } from '../../test/data-folder.ts';
import { until } from '../../test/until.ts';
import { audit } from '../audit/audit.ts';
import { settleRecovered } from '../backups/restore.ts';
import { shopIdentity } from '../backups/shop.ts';
import { tablesOnRestore } from '../backups/tables.ts';
import { readTimeline } from '../cambios/cambios.ts';
import { asAdmin } from '../db/embedded/role.ts';
import { isFull, spoolFolder, waitingPieces } from '../db/embedded/wal-spool.ts';
import { type OpenDb, openDatabase, transact } from '../db/open.ts';
import { FEATURES } from '../features.ts';
import { type Bucket, openBucket } from '../files/bucket.ts';
import { createLog } from '../log/log.ts';
import { readChain, storeChain } from './chain.ts';
import { checkBucket, readSeen, testArchive } from './look.ts';
import { pieceAt } from './names.ts';
import { Incomplete, recoverLog } from './recover.ts';
import { endPiece as endWritten, shipLog } from './ship.ts';

/* After the disk is lost, the bucket alone must restore any recent minute of the embedded database. */

const SECRET = 'only for the tests: thirty-two characters';
const log = createLog('error', process.stderr);
const home = mkdtempSync(join(tmpdir(), 'enruta-archive-'));
const root = join(home, 'machine');
const place = join(root, 'data');
/** A closed data folder with one order, and what its server stored in the bucket: base and log, with the row «first». */
const archived = { folder: join(home, 'archived'), objects: new Map<string, Buffer>(), mark: '' };
let dataDir = place;
let store: Awaited<ReturnType<typeof startBucket>>;
let bucket: Bucket;
let open: OpenDb | undefined;
beforeAll(async () => {
  await migratedFolder(dataDir);
  store = await startBucket();
  bucket = openBucket(store.s3);
  const { db } = await begin();
  await builders(db).pedido({ cliente_nombre: 'Ana Buscada' });
  archived.mark = await readTimeline(db);
  await say('first');
  await ship();
  await end();
  copyFolder(dataDir, archived.folder);
  archived.objects = new Map(store.objects);
});
beforeEach(() => {
  dataDir = place;
  emptyFolder();
  copyFolder(archived.folder, dataDir);
  refill();
  bucket = openBucket(store.s3);
  Object.assign(store.state, { broken: false, silent: false });
});
afterEach(() => end());
afterAll(() => {
  store.close();
  rmSync(home, { recursive: true, force: true });
});

/** The folder itself stays, because a shop is known by its place on the disk. */
function emptyFolder() {
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
}
function refill() {
  store.objects.clear();
  for (const [key, bytes] of archived.objects) store.objects.set(key, bytes);
}
const begin = async () => {
  open = await openDatabase({ databaseUrl: undefined, dataDir, s3: {} }, log);
  return open;
};
async function end() {
  await open?.close();
  open = undefined;
}
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
const wordsIn = async ({ db }: OpenDb) =>
  (await db.selectFrom('audit_logs').select('description').where('entity_type', '=', 'settings').orderBy('created_at').execute()).map(
    ({ description }) => description,
  );
/** Switches to a new piece of the log, as the program does after a write. Waits until the old piece is in the spool. */
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
type More = { secret?: string; overwrite?: boolean; shop?: string; partial?: boolean };
const restore = async (moment: Date | undefined, more: More = {}) => {
  let found: string[] = [];
  let timeline = '';
  const settle = async (opened: OpenDb) => {
    timeline = await readTimeline(opened.db);
    await settleRecovered(opened.db, { secretKey: SECRET, holding: tablesOnRestore(FEATURES) });
    found = await wordsIn(opened);
  };
  const done = await recoverLog({ bucket, dataDir, secret: SECRET, until: moment, overwrite: false, log, settle, ...more });
  return { found, timeline, ...done };
};
const pieces = () => [...store.objects.keys()].filter((key) => key.includes('/log/')).sort();
const flipped = (bytes: Uint8Array = Buffer.alloc(0)) => Buffer.from(bytes.map((byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte)));
/** Stops the database and deletes what is in the data folder. */
async function loseDisk(): Promise<void> {
  await end();
  emptyFolder();
}

describe('the archive', () => {
  it('a piece ends after a write of the shop, and not for the jobs alone', async () => {
    const { db } = await begin();
    await sql`CREATE SCHEMA IF NOT EXISTS jobs`.execute(db);
    await sql`CREATE TABLE jobs.idle (n int)`.execute(db);
    const names = () => waitingPieces(dataDir).map(({ name }) => name);
    const wal = async () =>
      (await sql<{ wal: string }>`SELECT pg_walfile_name(pg_current_wal_lsn()) AS wal`.execute(db)).rows[0]?.wal ?? '';
    await endWritten(db);
    // Statistics of the start come late.
    await until(
      async () => {
        const before = await wal();
        await sql`SELECT pg_stat_force_next_flush()`.execute(db);
        await endWritten(db);
        return before === (await wal());
      },
      () => 'the shop is never idle',
    );
    const idle = await wal();
    await sql`INSERT INTO jobs.idle SELECT 1 FROM pg_stat_force_next_flush()`.execute(db);
    await endWritten(db);
    expect(await wal()).toBe(idle);
    await say('written');
    await until(
      async () => {
        await endWritten(db);
        return names().includes(idle);
      },
      () => `waiting: ${names()}`,
      60,
    );
  });

  it('the archive restores the minute before a mistake from the bucket alone, and continues', async () => {
    await begin();
    await say('after the base');
    await endPiece();
    await ship();
    const moment = await say('the last one wanted');
    await say('a mistake');
    await endPiece();
    await ship();
    await loseDisk();
    expect((await restore(moment)).found).toEqual(['first', 'after the base', 'the last one wanted']);
    const again = await begin();
    const { rows: searched } = await sql<{
      n: number;
    }>`SELECT count(*) AS n FROM pedidos_busqueda WHERE texto LIKE '%ana buscada%'`.execute(again.db);
    expect(searched).toEqual([{ n: 1 }]);
    expect(await wordsIn(again)).toEqual(['first', 'after the base', 'the last one wanted']);
    // Archiving starts a new chain, because new pieces reuse the numbers of lost pieces.
    const before = new Set((await bucket.list('tiendas/')).map(({ key }) => key.split('/')[3]));
    await ship();
    expect(before).not.toContain(readChain(dataDir)?.id);
    await say('after the disaster');
    await endPiece();
    await ship();
    const shop = shopIdentity(dataDir) ?? '';
    await loseDisk();
    expect((await restore(undefined, { shop })).found.at(-1)).toBe('after the disaster');
  });

  it('a restore to a moment before or after the archive is refused, with the limit of the archive', async () => {
    const base = Date.parse(readChain(dataDir)?.base?.at ?? '');
    await begin();
    const last = await say('b');
    await endPiece();
    await ship();
    await loseDisk();
    await expect(restore(new Date(base - 60_000))).rejects.toThrow('El archivo del cubo empieza el');
    await expect(restore(undefined, { secret: 'another one, of thirty-two characters' })).rejects.toThrow('BACKUP_KEY');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    await expect(restore(new Date(Date.now() + 5000))).rejects.toThrow('Falta de');
    const { found, reached, isWhole } = await restore(undefined);
    expect([found, isWhole]).toEqual([['first', 'b'], true]);
    expect(Math.abs(reached - last.getTime())).toBeLessThan(10_000);
  });

  it('a restore replaces a database only with --sobrescribir, keeps it aside, and invalidates its cursors; foreign names are ignored', async () => {
    const [piece = ''] = pieces();
    const folder = piece.slice(0, piece.lastIndexOf('/'));
    for (const name of ['../../../../escaped', '..', 'x'.repeat(300)]) store.objects.set(`${folder}/${name}.gz.enc`, Buffer.from('x'));
    mkdirSync(join(dataDir, 'de-fuera-killed'));
    await expect(restore(undefined)).rejects.toThrow('--sobrescribir');
    const { kept, timeline } = await restore(undefined, { overwrite: true });
    expect(existsSync(kept ?? '')).toBe(true);
    expect(readdirSync(dataDir).filter((name) => /^(de-fuera|wal)/.test(name))).toEqual([]);
    expect(archived.mark).toMatch(/^[0-9a-f-]{36}$/);
    expect(timeline.slice(0, 8)).not.toBe(archived.mark.slice(0, 8));
    expect(readdirSync(root)).toEqual(['data']);
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
    expect((await restore(undefined)).found).toEqual(['first', 'while the bucket is away']);
  });

  it('the archive starts a new chain when a piece is missing, and refuses a moment between the two chains', async () => {
    await begin();
    await ship();
    const { id } = readChain(dataDir) ?? {};
    const between = await say('lost on the way');
    await endPiece();
    for (const { path } of waitingPieces(dataDir)) rmSync(path);
    await say('kept');
    await endPiece();
    await ship();
    expect(readChain(dataDir)?.id).not.toBe(id);
    await say('c');
    await endPiece();
    await ship();
    await loseDisk();
    await expect(restore(between)).rejects.toBeInstanceOf(Incomplete);
    expect((await restore(undefined)).found).toEqual(['first', 'lost on the way', 'kept', 'c']);
  });

  it('a piece that is missing or exchanged stops a restore before its moment, which then restores what precedes the piece', async () => {
    await begin();
    const moments: Date[] = [];
    for (const word of ['b', 'c', 'd']) {
      moments.push(await say(word));
      await endPiece();
    }
    await ship();
    await loseDisk();
    const [key, last] = [pieces().at(-2) ?? '', pieces().at(-1) ?? ''];
    const refuses = async (moment: Date | undefined) => {
      const error = await restore(moment).catch((thrown: Error) => thrown);
      expect(error).toBeInstanceOf(Incomplete);
      expect((error as Error).message).toMatch(/Falta de .* a .*; con --hasta '2\d{3}-\d\d-\d\d \d\d:\d\d:\d\d/);
      expect(readdirSync(dataDir).filter((name) => name !== 'enruta.lock')).toEqual([]);
    };
    store.objects.set(key, store.objects.get(last) ?? Buffer.alloc(0));
    await refuses(undefined);
    store.objects.delete(key);
    await refuses(moments[2]);
    expect(await restore(moments[2], { partial: true, overwrite: true })).toMatchObject({ found: ['first', 'b'], isWhole: false });
  });

  it('two servers in one bucket keep apart, and a restore asks which is meant', async () => {
    const shop = shopIdentity(dataDir) ?? '';
    const before = store.objects.size;
    emptyFolder();
    await migratedFolder(dataDir);
    const { db } = await begin();
    await say('of an empty server');
    await ship();
    expect(await db.selectFrom('notifications').select('texto').execute()).toMatchObject([
      { texto: expect.stringContaining(shop.slice(0, 8)) },
    ]);
    expect(store.objects.size).toBeGreaterThan(before + 3);
    await loseDisk();
    await expect(restore(undefined)).rejects.toThrow(/En el cubo hay 2 tiendas.*--tienda.*: de .* a /s);
    expect((await restore(undefined, { shop: shop.slice(0, 8) })).found).toEqual(['first']);
  });

  it('a copy of the data folder never writes into the archive of the original', async () => {
    const copy = join(home, 'copy');
    copyFolder(place, copy);
    const shop = shopIdentity(place) ?? '';
    for (const [folder, word] of [
      [copy, 'of the copy'],
      [place, 'of the original'],
    ] as const) {
      dataDir = folder;
      const { db } = await begin();
      await say(word);
      await endPiece();
      await ship();
      const notices = await db.selectFrom('notifications').select('texto').execute();
      expect(notices).toHaveLength(folder === copy ? 2 : 0);
      await end();
    }
    expect(shopIdentity(copy)).not.toBe(shop);
    emptyFolder();
    expect((await restore(undefined, { shop })).found).toEqual(['first', 'of the original']);
  });

  it('a clone of the machine, which the folder cannot know, does not overwrite a piece of the original', async () => {
    await begin();
    await ship();
    await say('of the original');
    await endPiece();
    const [piece] = waitingPieces(dataDir);
    const { id, shop } = readChain(dataDir) ?? { id: '', shop: '' };
    const theirs = `${shop}${pieceAt(id, piece?.name ?? '', (piece?.since ?? 0) - 500)}`;
    store.objects.set(theirs, Buffer.from('other bytes'));
    await expect(ship()).rejects.toThrow('se empieza aparte');
    expect(store.objects.get(theirs)?.toString()).toBe('other bytes');
    expect([readChain(dataDir), shop.includes(shopIdentity(dataDir) ?? '')]).toEqual([undefined, false]);
  });

  it('files deleted in the bucket are noticed by its list, and the archive starts again', async () => {
    const check = () => checkBucket({ bucket, dataDir }, 0);
    const chain = readChain(dataDir);
    if (!chain) throw new Error('no chain');
    for (const [part, sentence] of [
      ['tiendas/', 'no está nada'],
      ['/key.enc', 'falta la clave'],
      ['/base/', 'falta la base'],
      ['/log/', 'falta la base'],
    ] as const) {
      await check();
      expect(readSeen(dataDir).hasta).toBe(chain.base?.at);
      for (const key of store.objects.keys()) if (key.includes(part)) store.objects.delete(key);
      await expect(check()).rejects.toThrow(sentence);
      expect(readChain(dataDir)).toBeUndefined();
      if (part === '/log/') break;
      storeChain(dataDir, chain);
      refill();
    }
    await begin();
    await ship();
    await check();
  });

  it('the archive is restored by itself as a test, which finds a damaged piece', async () => {
    const { db, url } = await begin();
    await say('a');
    await endPiece();
    await ship();
    const test = () => testArchive({ db, url, bucket, dataDir, secretKey: SECRET, log });
    const last = pieces().at(-1) ?? '';
    store.objects.set(last, flipped(store.objects.get(last)));
    await expect(test()).rejects.toThrow(/no se ha podido restaurar.*está dañado.*Se empieza otra vez/);
    expect([readSeen(dataDir).error, readChain(dataDir)]).toEqual([expect.stringContaining('está dañado'), undefined]);
    await ship();
    await test();
    expect(readSeen(dataDir)).toMatchObject({ pedidos: 1, probado_hasta: expect.any(String) });
    expect(readSeen(dataDir).error).toBeUndefined();
    expect(readdirSync(dataDir).filter((name) => name.startsWith('prueba'))).toEqual([]);
  });

  it('the bound of the spool holds while the bucket accepts and says nothing', async () => {
    bucket = openBucket(store.s3, { small: 500, large: 500 });
    await begin();
    await ship();
    await say('unheard');
    await endPiece();
    store.state.silent = true;
    await expect(ship({ spool: 1, free: 0 })).rejects.toThrow(/no ha contestado.*se ha dejado de archivar/);
    expect(waitingPieces(dataDir)).toEqual([]);
  });

  it('the archive ends when the bucket is no longer configured', async () => {
    expect(existsSync(spoolFolder(dataDir))).toBe(true);
    open = await openDatabase({ databaseUrl: undefined, dataDir }, log);
    expect(existsSync(spoolFolder(dataDir))).toBe(false);
  });
});
