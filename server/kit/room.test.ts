import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBackup, listBackups } from '../../contract/backups/backups.ts';
import { createExport, listExports } from '../../contract/exports/exports.ts';
import { createProduct, listProducts } from '../../contract/products/products.ts';
import { login } from '../../contract/session/session.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createClient } from '../../test/client.ts';
import { migratedFolder, openFolder } from '../../test/data-folder.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { buildApp } from '../app.ts';
import { tendBackups } from '../backups/backups.job.ts';
import { tablesOnRestore } from '../backups/tables.ts';
import { LOW } from '../db/disk.ts';
import { buildExports } from '../exports/build.job.ts';
import { FEATURES } from '../features.ts';

const FULL = 'Queda muy poco sitio en el disco del servidor: se puede consultar, pero no guardar. Avisa a quien lo administra.';
const PRODUCT = { name: 'Aceite', stock: 1, min_stock: 0, is_active: true };
let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

it('writes are refused with a sentence while the disk is full, but reading and signing in work', async () => {
  let room = LOW - 1;
  const app = await buildApp({ ...world.process, freeRoom: () => room });
  const client = createClient(async ({ method, path, headers, body }) => {
    const reply = await app.inject({ method: method as 'GET', url: path, headers, ...(body === undefined ? {} : { body }) });
    return { status: reply.statusCode, headers: reply.headers as Record<string, string>, text: reply.body };
  });
  try {
    expect((await client.call(login, { body: { email: admin.user.email, password: PASSWORD } })).status).toBe(200);
    expect((await client.call(listProducts)).status).toBe(200);
    const refused = await client.call(createProduct, { body: PRODUCT });
    expect([refused.status, refused.body.message, refused.headers['retry-after']]).toEqual([503, FULL, '60']);
    room = LOW;
    expect((await client.call(createProduct, { body: PRODUCT })).status).toBe(201);
  } finally {
    await app.close();
  }
});

it('writes are refused with the same sentence when the PostgreSQL server’s disk is full', async () => {
  await sql`CREATE FUNCTION lleno() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$`.execute(world.db);
  await sql`CREATE TRIGGER lleno BEFORE INSERT ON products FOR EACH ROW EXECUTE FUNCTION lleno()`.execute(world.db);
  try {
    const { status, body } = await admin.call(createProduct, { body: PRODUCT });
    expect([status, body.message]).toEqual([503, FULL]);
  } finally {
    await sql`DROP TRIGGER lleno ON products`.execute(world.db);
    await sql`DROP FUNCTION lleno`.execute(world.db);
  }
});

describe('an export', () => {
  const ask = () => admin.call(createExport, { body: { conjuntos: ['pedidos'], formato: 'csv' } });
  const last = async () => (await admin.call(listExports)).body.data[0];

  it('an export fails without enough space, and says how much is missing', async () => {
    await ask();
    await buildExports(world.db, () => LOW - 3 * 2 ** 20);
    expect(await last()).toMatchObject({
      estado: 'error',
      error: 'No hay sitio en el disco: para la exportación hacen falta unos 64 MB y quedan 61; faltan 3 MB.',
    });
  });

  it('an export that crashes the process is tried three times, and then fails', async () => {
    await ask();
    await world.db.updateTable('exports').set({ attempts: 2 }).execute();
    await buildExports(world.db, world.open.freeRoom);
    expect(await last()).toMatchObject({ estado: 'listo', error: null });
    expect(await world.db.selectFrom('exports').select('attempts').execute()).toEqual([{ attempts: 3 }]);

    await ask();
    await world.db.updateTable('exports').set({ attempts: 3 }).where('estado', '=', 'en_curso').execute();
    await buildExports(world.db, world.open.freeRoom);
    expect(await last()).toMatchObject({ estado: 'error', error: expect.stringMatching(/se ha parado 3 veces/) });
  });
});

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'enruta-mount-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
  if (isMounted) execFileSync('umount', [folder]);
  else console.warn('skipped: this user may not mount a small disk (tmpfs)');
  rmSync(folder, { recursive: true });
  return isMounted;
}

describe.skipIf(!mayMount())('a full disk', () => {
  let disk: string;
  const mount = (size: string) => {
    disk = mkdtempSync(join(tmpdir(), 'enruta-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
  };
  afterEach(() => {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true });
  });

  it('a full disk makes a backup fail, and the list says how much space is missing', async () => {
    mount('20m');
    await admin.call(createBackup);
    await tendBackups(world.db, { ...world.config, url: world.open.url, backupDir: disk, holding: tablesOnRestore(FEATURES) });
    const { body } = await admin.call(listBackups);
    expect(body.data).toMatchObject([
      { estado: 'error', error: expect.stringMatching(/No hay sitio en el disco: .+ faltan \d+ MB\. Libera sitio en el disco de /) },
    ]);
  });

  it('the database starts read-only while a little space is left, and not at all on a full disk', async () => {
    mount('400m');
    const dataDir = join(disk, 'data');
    await migratedFolder(dataDir);
    const [filler, spare] = [join(disk, 'ajeno'), join(disk, 'hueco')];
    writeFileSync(spare, Buffer.alloc(20 * 2 ** 20, 'x'));
    fillUp(filler);
    await expect(openFolder(dataDir)).rejects.toThrow(/^El disco de .* está lleno: libera sitio y vuelve a arrancar\.$/);

    rmSync(spare);
    const low = await openFolder(dataDir);
    expect(low.freeRoom()).toBeLessThan(LOW);
    expect(await low.db.selectFrom('settings').select('id').execute()).toHaveLength(1);
    await low.close();

    rmSync(filler);
    const { db, close } = await openFolder(dataDir);
    await db.insertInto('products').values({ name: 'Aceite' }).execute();
    await close();
  });
});

function fillUp(path: string) {
  const file = openSync(path, 'w');
  const block = Buffer.alloc(2 ** 16, 'x');
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
}
