import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createApiKey, revokeApiKey } from '../../contract/api-keys/api-keys.ts';
import { createBackup, downloadBackup, listBackups } from '../../contract/backups/backups.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { createPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { anonimizar } from '../../contract/privacidad/privacidad.ts';
import { login } from '../../contract/session/session.ts';
import { getSettings, updateSettings } from '../../contract/settings/settings.ts';
import { createWebhook } from '../../contract/webhooks/webhooks.ts';
import { PASSWORD } from '../../test/builders.ts';
import { balance } from '../../test/ledger.ts';
import { emptyBeside } from '../../test/postgres.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { migrateDatabase, type OpenDb, openPostgres, transact } from '../db/open.ts';
import { FEATURES } from '../features.ts';
import { tendBackups } from './backups.job.ts';
import { decryptFile, encryptChunks } from './encrypt.ts';
import { backupFailure, NoRoom } from './failure.ts';
import { readBackup } from './format.ts';
import { type Advance, followBackup } from './progress.ts';
import { restoreBackup } from './restore.ts';
import { type Scratch, scratchOnServer } from './scratch.ts';
import { keptTables, tablesOnRestore, tallyTables } from './tables.ts';
import { verifyBackup } from './verify.ts';
import { writeBackup } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'enruta-copias-'));
const dir = join(folder, 'copias');
let world: World;
/** Target database of the restores. */
let other: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld({ BACKUP_DIR: dir });
  other = await createWorld({ BACKUP_DIR: dir });
  return async () => {
    await world.close();
    await other.close();
    rmSync(folder, { recursive: true });
  };
});
beforeEach(async () => {
  await world.reset();
  await other.reset();
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  admin = await world.as('superadmin');
});

const holding = tablesOnRestore(FEATURES);
const tend = (url = world.open.url) => tendBackups(world.db, { ...world.config, url, holding });
const list = async () => (await admin.call(listBackups)).body.data;
const key = () => ({ secret: world.config.secretKey, clave: 'SECRET_KEY' as const });
const restore = (
  path: string,
  fields: { key?: string; secretKey?: string; overwrite?: boolean; url?: string; anonymised?: 'again' | 'back' } = {},
) =>
  restoreBackup(other.db, {
    path,
    secretKey: world.config.secretKey,
    url: other.open.url,
    holding,
    overwrite: false,
    ...fields,
  });
const set = (body: Parameters<typeof admin.call<typeof updateSettings>>[1]) => admin.call(updateSettings, body);
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
async function plainOf(path: string): Promise<Buffer> {
  const chunks = [];
  for await (const chunk of decryptFile(path, key().secret)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
/** Adds a backup made `hours` ago to the table `backups` and the folder. */
async function past(hours: number, estado: 'verificada' | 'error' = 'verificada') {
  const nombre = `enruta-${hours}-${estado}.jsonl.gz`;
  writeFileSync(join(dir, nombre), 'x');
  await world.db
    .insertInto('backups')
    .values({ nombre, origen: 'programada', estado, created_at: ago(hours) })
    .execute();
  return nombre;
}
/** Creates an empty database, dropped when closed. */
async function openEmpty(): Promise<OpenDb> {
  const { url, drop } = await emptyBeside(inject('postgresTemplate'));
  const opened = openPostgres(url, () => {}, 2);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await drop();
    },
  };
}
async function written(name = 'copia.jsonl.gz') {
  const path = join(dir, name);
  return { path, ...(await writeBackup(world.db, path, { secretKey: world.config.secretKey, key: key(), holding })) };
}
async function tallyIn(path: string) {
  const parts = readBackup(path, world.config.secretKey);
  for (let part = await parts.next(); ; part = await parts.next()) if (part.done) return part.value;
}

describe('a backup', () => {
  it('a backup made while orders come in is verified, and restores the same data', async () => {
    const reseller = await world.as('revendedor');
    const pack = await world.pack();
    await world.db
      .insertInto('product_pictures')
      .values({ product_id: pack.product_id, content: Buffer.from([0, 255, 92, 10]) })
      .execute();
    await world.pedido({ pack, estado: 'completado', instrucciones: 'Línea 1\nLínea 2 «ñ» \\ "', revendedor_id: reseller.user.id });
    const metadata = { woo_id: '123', nota: 'Línea 1\nLínea 2 «ñ» \\ "' };
    for (const table of ['pedidos', 'clientes', 'products'] as const) await world.db.updateTable(table).set({ metadata }).execute();
    expect((await admin.call(createBackup)).status).toBe(201);
    const order = (n: number) =>
      reseller.call(createPedido, { body: { cliente_nombre: `Cliente ${n}`, cliente_direccion: 'Calle 1', pack_id: pack.id } });
    const [orders] = await Promise.all([Promise.all(Array.from({ length: 12 }, (_, n) => order(n))), tend()]);
    expect(orders.map(({ status }) => status)).toEqual(Array(12).fill(201));

    const [copy] = await list();
    expect(copy).toMatchObject({ estado: 'verificada', origen: 'manual', error: null, verified_at: expect.any(String) });
    const path = join(dir, copy?.nombre ?? '');
    expect([statSync(path).size, statSync(path).mode & 0o777, readdirSync(dir).length]).toEqual([copy?.size, 0o600, 1]);

    const file = await tallyIn(path);
    const { filas, warnings } = await restore(path);
    expect([filas, warnings]).toEqual([copy?.filas, []]);
    const { audit_logs: ours, ...there } = await transact(other.db, async (tx) => tallyTables(tx, await keptTables(tx, holding)));
    const { audit_logs: theirs, ...here } = file;
    expect(there).toEqual(here);
    // The restore adds one entry to the log.
    expect(ours?.rows).toBe((theirs?.rows ?? 0) + 1);
    const { stock, ledger } = await balance(other.db, pack.product_id);
    expect(stock).toBe(ledger);
    expect((await other.nobody().call(login, { body: { email: reseller.user.email, password: PASSWORD } })).status).toBe(200);
    expect(await other.db.selectFrom('product_pictures').select('content').execute()).toEqual([
      { content: expect.objectContaining([0, 255, 92, 10]) },
    ]);
    for (const table of ['pedidos', 'clientes', 'products'] as const)
      expect(await other.db.selectFrom(table).select('metadata').where('metadata', 'is not', null).execute(), table).toEqual([
        { metadata },
      ]);
    // Order numbers continue after the restored numbers.
    const { rows: next } = await sql<{ after: number }>`
      SELECT right(siguiente_numero(), 6)::int - coalesce(max(right(numero_orden, 6))::int, 0) AS after FROM pedidos WHERE numero_orden LIKE 'ORD-%'`.execute(
      other.db,
    );
    expect(next).toEqual([{ after: 1 }]);
    // Triggers are enabled again: new orders are counted.
    await other.pedido({ estado: 'pendiente' });
    const counted = await other.db.selectFrom('pedidos_totales').selectAll().where('ambito', '=', 'todo').execute();
    const total = counted.filter(({ dia }) => dia === '0001-01-01').reduce((sum, { pedidos }) => sum + pedidos, 0);
    expect(total).toBe((file.pedidos?.rows ?? 0) + 1);
  });

  it('backup and restore do not touch tables of other programs', async () => {
    for (const { db } of [world, other]) await sql`CREATE TABLE ajena AS SELECT 1 AS id`.execute(db);
    try {
      await admin.call(createBackup);
      await tend();
      const [copy] = await list();
      expect([copy?.estado, copy?.error]).toEqual(['verificada', null]);
      const path = join(dir, copy?.nombre ?? '');
      expect(Object.keys(await tallyIn(path))).not.toContain('ajena');
      await other.db.insertInto('backups').values({ nombre: 'de antes', origen: 'manual' }).execute();
      await restore(path);
      expect((await sql`SELECT id FROM ajena`.execute(other.db)).rows).toEqual([{ id: 1 }]);
      // The target keeps its own list of backups too.
      expect(await other.db.selectFrom('backups').select('nombre').execute()).toEqual([{ nombre: 'de antes' }]);
    } finally {
      for (const { db } of [world, other]) await sql`DROP TABLE ajena`.execute(db);
    }
  });

  it('a backup of inconsistent data fails, notifies the superadmins and cannot be downloaded', async () => {
    const { product_id } = await world.pack();
    await world.db.updateTable('products').set({ stock: 3 }).where('id', '=', product_id).execute();
    await admin.call(createWebhook, { body: { url: 'https://avisos.test/enruta', eventos: ['backup.failed'] } });
    const { body } = await admin.call(createBackup);
    await tend();
    const [copy] = await list();
    const [event, ...more] = await world.db.selectFrom('events').select(['tipo', 'content']).execute();
    expect([event, more]).toEqual([{ tipo: 'backup.failed', content: { copia: { nombre: copy?.nombre, motivo: copy?.error } } }, []]);
    expect(copy).toMatchObject({ estado: 'error', verified_at: null });
    expect(copy?.error).toMatch(
      /^La copia está dañada: no se cumple «El stock de cada producto es la suma de sus movimientos»: Producto \d+ \(hay 3; esperado, 1000\)$/,
    );
    const notices = (await admin.call(listNotifications)).body.data;
    expect(notices.filter(({ tipo }) => tipo === 'copia_fallida').map(({ enlace }) => enlace)).toEqual(['/configuracion?tab=database']);
    expect((await admin.call(downloadBackup, { params: { id: body.data.id } })).status).toBe(409);
  });

  it('only superadmins make and download backups, and the log records both', async () => {
    const id = (await admin.call(createBackup)).body.data.id;
    expect((await admin.call(createBackup)).body.message).toBe('Ya se está haciendo una copia: espera a que acabe');
    await tend();
    const reply = await admin.call(downloadBackup, { params: { id } });
    const [copy] = await list();
    expect([reply.status, reply.headers['content-type'], reply.headers['content-length']]).toEqual([
      200,
      'application/octet-stream',
      String(copy?.size),
    ]);
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="${copy?.nombre}"`);
    const log = await world.db
      .selectFrom('audit_logs')
      .select('action')
      .where('entity_type', '=', 'backup')
      .orderBy('created_at')
      .execute();
    expect(log.map(({ action }) => action)).toEqual(['create', 'update', 'export']);
    for (const role of ['revendedor', 'transportista'] as const) {
      const person = await world.as(role);
      expect((await person.call(downloadBackup, { params: { id } })).status).toBe(403);
      expect((await person.call(createBackup)).status).toBe(403);
    }
    rmSync(join(dir, copy?.nombre ?? ''));
    const gone = await admin.call(downloadBackup, { params: { id } });
    expect(gone.status).toBe(409);
    expect(gone.text).toContain('El archivo de esta copia no está en la carpeta de copias de este servidor');
  });

  it('a backup altered on disk is detected', async () => {
    const copy = await written();
    const { path } = copy;
    const bytes = readFileSync(path);
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(await verifyBackup({ ...copy, secret: key().secret, url: world.open.url })).toEqual({
      problem: 'La copia está dañada: el archivo del disco no es el que se escribió',
    });
  });

  it('a backup killed halfway is marked as failed, and its files are deleted', async () => {
    const { body } = await admin.call(createBackup);
    const left = join(dir, `${body.data.nombre}.tmp`);
    writeFileSync(left, 'half');
    await tend();
    expect((await list()).map(({ estado, error }) => [estado, error])).toEqual([['error', 'Se interrumpió antes de acabar']]);
    expect(existsSync(left)).toBe(false);
    expect((await admin.call(listNotifications)).body.unread).toBe(1);
  });
});

describe('without the right to create a scratch database', () => {
  const role = `enruta_sin_permiso_${randomBytes(4).toString('hex')}`;
  /** Address of the database for a role that can read everything but cannot create databases. */
  const asReader = () => {
    const url = new URL(world.open.url);
    url.username = role;
    return url.href;
  };
  beforeAll(async () => {
    await sql`CREATE ROLE ${sql.id(role)} LOGIN IN ROLE pg_read_all_data`.execute(world.db);
    return () => void sql`DROP ROLE ${sql.id(role)}`.execute(world.db);
  });

  it('a role that cannot create databases verifies a backup by row counts and checksums', async () => {
    await world.pedido();
    await admin.call(createBackup);
    await tend();
    await admin.call(createBackup);
    await tend(asReader());
    expect((await list()).map(({ estado, verificacion, fase }) => [estado, verificacion, fase])).toEqual([
      ['verificada', 'recuento', null],
      ['verificada', 'restaurada', null],
    ]);
    const [{ description }] = (await world.db
      .selectFrom('audit_logs')
      .select('description')
      .where('entity_type', '=', 'backup')
      .orderBy('created_at', 'desc')
      .limit(1)
      .execute()) as [{ description: string }];
    expect(description).toMatch(/^Copia de seguridad verificada \(recuento y sumas de comprobación\): /);
  });

  it('a backup of inconsistent data fails even without a scratch database', async () => {
    const { product_id } = await world.pack();
    await world.db.updateTable('products').set({ stock: 3 }).where('id', '=', product_id).execute();
    await admin.call(createBackup);
    await tend(asReader());
    expect((await list())[0]?.error).toMatch(
      /^La copia está dañada: no se cumple «El stock de cada producto es la suma de sus movimientos»: Producto \d+ \(hay 3; esperado, 1000\)$/,
    );
  });

  it('a backup whose rows differ from the database is detected without a scratch database', async () => {
    const copy = await written();
    const { users, ...tables } = copy.tables;
    const suspect = { ...copy, secret: key().secret, url: asReader() };
    const changed = { ...tables, users: { rows: 7, sha256: users?.sha256 ?? '' } };
    expect(await verifyBackup(suspect)).toEqual({ verificacion: 'recuento' });
    expect(await verifyBackup({ ...suspect, tables: changed })).toEqual({
      problem: 'La copia está dañada: las filas de users no son las que había en la base de datos',
    });
  });

  it('an older backup is migrated in an embedded database if the role cannot create databases', async () => {
    const old = await openEmpty();
    const path = join(dir, 'antigua.jsonl.gz');
    try {
      await migrateDatabase(old.db, '005-payments');
      await old.db.insertInto('products').values({ name: 'De antes', description: null, min_stock: 0, is_active: true }).execute();
      await writeBackup(old.db, path, { secretKey: world.config.secretKey, key: key(), holding });
    } finally {
      await old.close();
    }
    await restore(path, { url: asReader() });
    expect(await other.db.selectFrom('products').select('name').execute()).toEqual([{ name: 'De antes' }]);
  });
});

describe('the progress of a backup', () => {
  it('the progress of a backup reaches its total in every phase', async () => {
    for (let i = 0; i < 5; i += 1) await world.pedido();
    const steps: Parameters<Advance>[] = [];
    const advance: Advance = (...step) => steps.push(step);
    const path = join(dir, 'copia');
    const copy = await writeBackup(world.db, path, { secretKey: world.config.secretKey, key: key(), holding }, advance);
    const fields = { ...copy, path, secret: key().secret, url: world.open.url };
    expect(await verifyBackup(fields, advance)).toEqual({ verificacion: 'restaurada' });
    expect(new Set(steps.map(([fase]) => fase))).toEqual(new Set(['leyendo', 'comprimiendo', 'comprobando']));
    const last = (fase: string) => steps.findLast(([found]) => found === fase);
    expect(last('leyendo')).toEqual(['leyendo', copy.filas, copy.filas]);
    for (const fase of ['comprimiendo', 'comprobando']) {
      const [, done, total] = last(fase) ?? [];
      expect([fase, done]).toEqual([fase, total]);
    }
  });

  it('the list of backups shows progress within a second, until the backup has ended', async () => {
    const { id } = (await admin.call(createBackup)).body.data;
    const { advance, stop } = followBackup(world.db, id);
    try {
      advance('leyendo', 300, 1000);
      const seen = async () => (await list()).map(({ fase, hechas, total }) => [fase, hechas, total]);
      await expect.poll(seen).toEqual([['leyendo', 300, 1000]]);
      await world.db.updateTable('backups').set({ estado: 'error', fase: null, error: 'Se acabó' }).execute();
      advance('comprobando', 900, 1000);
      await stop();
      expect(await seen()).toEqual([[null, 300, 1000]]);
    } finally {
      await stop();
    }
  });
});

describe('a failed backup', () => {
  const reasons = async () => (await list()).map(({ estado, error }) => [estado, error]);

  it('a backup fails with advice if the folder is not writable', async () => {
    const blocked = join(dir, 'un-archivo');
    writeFileSync(blocked, 'x');
    await admin.call(createBackup);
    await tendBackups(world.db, { ...world.config, url: world.open.url, backupDir: blocked, holding });
    expect(await reasons()).toEqual([
      [
        'error',
        expect.stringMatching(
          /^No se puede escribir en la carpeta de las copias, .*un-archivo\. Comprueba .* \(BACKUP_DIR\), y haz otra\.$/,
        ),
      ],
    ]);
  });

  it.each([
    [new NoRoom('No hay sitio en el disco: faltan 30 MB.', '/c'), 'No hay sitio en el disco: faltan 30 MB. Libera sitio en el disco de /c'],
    [Object.assign(new Error('write'), { code: 'ENOSPC' }), 'No hay sitio en el disco. Libera sitio en el disco de /c'],
    [Object.assign(new Error('could not extend file'), { code: '53100' }), 'No hay sitio en el disco del servidor de PostgreSQL'],
    [new Error('ay'), 'No se pudo hacer: ay. Haz otra; si vuelve a fallar'],
  ])('the sentence about «%s» says what to do', (error, begins) => {
    expect(backupFailure(error, '/c').slice(0, begins.length)).toBe(begins);
    expect(backupFailure(error, '/c')).toMatch(/[Hh]az otra/);
  });
});

describe('the file of a backup', () => {
  it('a backup reveals nothing of its content and opens only with the server’s SECRET_KEY', async () => {
    await world.pedido({ cliente_nombre: 'Clara del Secreto' });
    const { path } = await written();
    const bytes = readFileSync(path);
    expect(bytes.subarray(0, 22).toString()).toBe('enruta-copia-cifrada 1');
    expect(() => gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1))).toThrow();
    expect(gunzipSync(await plainOf(path)).toString()).toContain('Clara del Secreto');
    await expect(restore(path, { secretKey: 'x'.repeat(32) })).rejects.toThrow(
      'La copia está cifrada con otra SECRET_KEY: pon la de entonces en BACKUP_KEY',
    );
    expect((await restore(path)).filas).toBeGreaterThan(0);
  });

  it('a backup encrypted with the passphrase of the settings restores on any server', async () => {
    const passphrase = 'caballo correcto pila grapa';
    expect((await set({ body: { backupPassphrase: passphrase } })).body.data.backupPassphraseSet).toBe(true);
    await admin.call(createBackup);
    await tend();
    const [copy] = await list();
    expect([copy?.estado, copy?.error]).toEqual(['verificada', null]);
    const path = join(dir, copy?.nombre ?? '');
    for (const wrong of [undefined, 'otra contraseña'])
      await expect(restore(path, wrong ? { key: wrong } : {})).rejects.toThrow(
        'La copia está cifrada con la contraseña de las copias: ponla en BACKUP_KEY',
      );
    const { warnings } = await restore(path, { key: passphrase, secretKey: 'x'.repeat(32) });
    expect(warnings).toEqual([expect.stringMatching(/otra SECRET_KEY.*la clave del proveedor de correo/)]);
    expect((await set({ body: { backupPassphrase: 'corta' } })).status).toBe(422);
  });

  it('a backup of several blocks cannot be truncated or reordered', async () => {
    const path = join(dir, 'bloques');
    const plain = randomBytes(200_000);
    const chunks = [];
    for await (const chunk of encryptChunks(Readable.from([plain.subarray(0, 7), plain.subarray(7)]), key())) chunks.push(chunk);
    const [head, ...blocks] = chunks as [Buffer, ...Buffer[]];
    const [first, second, ...rest] = blocks as [Buffer, Buffer, ...Buffer[]];
    const opened = async (...parts: Buffer[]) => {
      writeFileSync(path, Buffer.concat(parts));
      return plainOf(path);
    };
    expect((await opened(head, ...blocks)).equals(plain)).toBe(true);
    const last = Buffer.from(blocks.at(-1) as Buffer);
    last[3] = (last[3] ?? 0) ^ 1;
    for (const parts of [[first], [first, second], [second, first, ...rest], [first, ...rest], [...blocks.slice(0, -1), last], []])
      await expect(opened(head, ...parts)).rejects.toThrow();
  });

  it('downloading a backup notifies the other superadmins', async () => {
    const eva = await world.as(await world.user({ role: 'superadmin' }));
    const { id } = (await admin.call(createBackup)).body.data;
    await tend();
    const [copy] = await list();
    expect((await admin.call(downloadBackup, { params: { id } })).status).toBe(200);
    const notices = (await eva.call(listNotifications)).body.data.map(({ tipo, texto }) => [tipo, texto]);
    expect(notices).toEqual([['copia_descargada', `${admin.user.full_name} ha descargado la copia de seguridad ${copy?.nombre}`]]);
    expect((await admin.call(listNotifications)).body.data).toEqual([]);
  });
});

describe('the scratch database', () => {
  const nameOf = async ({ db }: Scratch) =>
    (await sql<{ name: string }>`SELECT current_database()::text AS name`.execute(db)).rows[0]?.name ?? '';

  it('a scratch database exists once per database, and is dropped when closed', async () => {
    const first = await scratchOnServer(world.open.url);
    if (!first) throw new Error('the tests may create databases');
    const name = await nameOf(first);
    expect(name).toMatch(/^enruta_comprobacion_/);
    expect(await scratchOnServer(world.open.url)).toBeUndefined();
    await first.close();
    expect((await sql`SELECT FROM pg_database WHERE datname = ${name}`.execute(world.db)).rows).toEqual([]);
  });
});

describe('scheduled backups', () => {
  beforeEach(async () => {
    await world.db
      .updateTable('users')
      .set({ created_at: ago(2) })
      .execute();
  });

  it('a scheduled backup is made only when due', async () => {
    const yesterday = await past(23.5);
    const names = async () => (await list()).filter(({ nombre }) => nombre !== yesterday).map(({ origen, estado }) => [origen, estado]);
    await tend();
    expect(await names()).toEqual([]);
    await set({ body: { autoBackup: false, backupFrequency: 'hourly' } });
    await tend();
    expect(await names()).toEqual([]);
    await set({ body: { autoBackup: true } });
    await tend();
    expect(await names()).toEqual([['programada', 'verificada']]);
    await tend();
    expect(await names()).toHaveLength(1);
  });

  it('a failed backup is not retried within half an hour', async () => {
    await past(0.5, 'error');
    await tend();
    expect(await list()).toHaveLength(1);
  });

  it('old backups are deleted, except the newest verified backup', async () => {
    await set({ body: { autoBackup: false, retentionDays: 7 } });
    const [newest, old, failed, young] = [
      await past(24 * 9),
      await past(24 * 10),
      await past(24 * 8, 'error'),
      await past(24 * 6, 'error'),
    ];
    await tend();
    expect(await list(), 'a shorter term begins a day later').toHaveLength(4);
    await sql`UPDATE settings SET data = data - 'heldTerms'`.execute(world.db);
    await tend();
    expect((await list()).map(({ nombre }) => nombre)).toEqual([young, newest]);
    expect([newest, old, failed, young].map((nombre) => existsSync(join(dir, nombre)))).toEqual([true, false, false, true]);
  });
});

describe('a restore', () => {
  it('a restore refuses damaged, foreign or newer files without any change', async () => {
    await world.pedido();
    const { path } = await written();
    const text = gunzipSync(await plainOf(path)).toString();
    const header = text.slice(0, text.indexOf('\n'));
    const bad: [Buffer, RegExp][] = [
      [readFileSync(path).subarray(0, 900), /dañada: su cifrado no es el que se escribió/],
      [readFileSync(path).subarray(0, 60), /dañada: su cifrado no es el que se escribió/],
      [gzipSync(text).subarray(0, 900), /dañada: no se puede descomprimir/],
      [Buffer.from('hola'), /no es una copia de seguridad de Enruta/],
      [gzipSync('{"hola":1}\n'), /no es una copia de seguridad de Enruta/],
      [gzipSync(text.slice(0, text.lastIndexOf('\n["end"') + 1)), /dañada: está cortada/],
      [gzipSync(text.replace('"cliente_nombre":"Cliente', '"cliente_nombre":"Clienta')), /dañada: las filas de pedidos no son las que/],
      [gzipSync(text.replace(header, header.replace('"enruta":1', '"enruta":2'))), /de una versión más nueva/],
      [gzipSync(text.replace(header, header.replace(/"migration":"[^"]+"/, '"migration":"999-x"'))), /de una versión más nueva/],
    ];
    const before = await transact(other.db, async (tx) => tallyTables(tx, await keptTables(tx, holding)));
    for (const [bytes, sentence] of bad) {
      const isForged = bytes.subarray(0, 2).equals(gzipSync('').subarray(0, 2));
      await writeFile(join(dir, 'mala.gz'), isForged ? encryptChunks(Readable.from([bytes]), key()) : bytes);
      await expect(restore(join(dir, 'mala.gz'))).rejects.toThrow(sentence);
    }
    await expect(restore(join(dir, 'no-existe.gz'))).rejects.toThrow(/No existe el archivo/);
    expect(await transact(other.db, async (tx) => tallyTables(tx, await keptTables(tx, holding)))).toEqual(before);
  });

  it('a restore replaces a database in use only with --sobrescribir, and deletes secrets of another key', async () => {
    await set({ body: { smtpPassword: 'muy secreta', companyName: 'Almazara' } });
    await world.db.updateTable('users').set({ totp_secret: 'sellado' }).where('id', '=', admin.user.id).execute();
    const { path } = await written();
    const stranger = await other.as('superadmin');
    await other.pedido();
    await expect(restore(path)).rejects.toThrow(
      'La base de datos ya tiene usuarios o pedidos. Para sustituirlo todo, añade --sobrescribir.',
    );
    expect((await stranger.call(getSettings)).status).toBe(200);

    const { warnings } = await restore(path, { overwrite: true, secretKey: 'x'.repeat(32), key: world.config.secretKey });
    expect(warnings).toEqual([expect.stringMatching(/otra SECRET_KEY.*la clave del proveedor de correo/)]);
    await expect.poll(async () => (await stranger.call(getSettings)).status).toBe(401);
    expect(await other.db.selectFrom('pedidos').selectAll().execute()).toEqual([]);
    const session = other.nobody();
    expect((await session.call(login, { body: { email: admin.user.email, password: PASSWORD } })).status).toBe(200);
    expect((await session.call(getSettings)).body.data).toMatchObject({ companyName: 'Almazara', smtpPasswordSet: false });
  });

  it('a restore refuses a file that is not encrypted, whatever its name', async () => {
    const { path } = await written('buena.jsonl.gz.enc');
    const forged = await plainOf(path);
    writeFileSync(path, forged);
    writeFileSync(join(dir, 'otra.jsonl.gz'), forged);
    for (const file of [path, join(dir, 'otra.jsonl.gz')]) await expect(restore(file)).rejects.toThrow('las suyas están cifradas');
    expect(await other.db.selectFrom('users').select('id').execute()).toEqual([]);
  });

  it('a restore needs a decision about customers anonymised since the backup', async () => {
    const ana = await world.pedido({ estado: 'completado', cliente_nombre: 'Ana Peral Soto', cliente_telefono: '600111222' });
    const luz = await world.pedido({ estado: 'en_ruta', cliente_nombre: 'Luz Marina Gil' });
    const kept = await world.pedido({ estado: 'completado', cliente_nombre: 'Eva Quieta Mas' });
    const { path } = await written();
    await restore(path);
    const boss = await other.as(await other.db.selectFrom('users').selectAll().where('id', '=', admin.user.id).executeTakeFirstOrThrow());
    await other.db.updateTable('pedidos').set({ deleted_at: '2026-11-20T10:00:00.000Z' }).where('id', '=', luz.id).execute();
    const body = { pedidos: [ana.id, luz.id], motivo: 'Lo pide', confirmacion: 'ANONIMIZAR' as const };
    expect((await boss.call(anonimizar, { body })).status).toBe(200);

    const names = async () =>
      Object.fromEntries(
        (await other.db.selectFrom('pedidos').select(['id', 'cliente_nombre']).execute()).map((o) => [o.id, o.cliente_nombre]),
      );
    const refused = await restore(path, { overwrite: true }).catch((error: Error) => error.message);
    for (const words of [
      '2 pedidos que se anonimizaron',
      `${ana.numero_orden} (Ana Peral Soto)`,
      `${luz.numero_orden} (Luz Marina Gil)`,
      '--anonimizar',
    ])
      expect(refused).toContain(words);
    expect(refused).not.toContain('Eva');
    expect((await names())[ana.id]).toBe('Cliente anonimizado');

    const again = await restore(path, { overwrite: true, anonymised: 'again' });
    expect(again.warnings).toEqual([
      'Pedidos anonimizados otra vez: 1.',
      `Aviso: en la copia no han terminado y conservan sus datos: ${luz.numero_orden}.`,
    ]);
    expect(await names()).toEqual({ [ana.id]: 'Cliente anonimizado', [luz.id]: 'Luz Marina Gil', [kept.id]: 'Eva Quieta Mas' });

    const back = await restore(path, { overwrite: true, anonymised: 'back' });
    expect(back.warnings).toEqual(['Aviso: pedidos anonimizados que han vuelto con sus datos: 1.']);
    expect((await names())[ana.id]).toBe('Ana Peral Soto');
  });

  it('a restore revokes every API key and lists the keys that were valid', async () => {
    const body = (nombre: string) => ({ body: { nombre, acciones: ['pedido:list' as const] } });
    const { clave } = (await admin.call(createApiKey, body('ERP'))).body.data;
    await admin.call(revokeApiKey, { params: { id: (await admin.call(createApiKey, body('Vieja'))).body.data.id } });
    const { path } = await written();
    const opens = async () => (await other.app.inject({ url: listPedidos.path, headers: { authorization: `Bearer ${clave}` } })).statusCode;
    const { warnings } = await restore(path);
    expect(warnings).toEqual(['Se han revocado las claves de API, que hay que hacer de nuevo: «ERP».']);
    expect(await opens()).toBe(401);
    // Moving a database to another server keeps the API keys.
    await restoreBackup(other.db, {
      path,
      secretKey: world.config.secretKey,
      url: other.open.url,
      holding,
      overwrite: true,
      sendsWaiting: true,
    });
    expect(await opens()).toBe(200);
  });

  it('a restore discards messages that were pending when the backup was made', async () => {
    await world.db
      .insertInto('outbox')
      .values([
        {
          channel: 'correo',
          recipient: 'ana@b.es',
          payload: JSON.stringify({ asunto: 'Pedido pagado', texto: 'Hola', html: '<p>Hola</p>' }),
        },
        { channel: 'push', recipient: 'https://push.example.com/1', payload: '{}' },
      ])
      .execute();
    const { warnings } = await restore((await written()).path);
    expect(warnings).toEqual(['Correos que entonces estaban por enviar, y que ya no se envían: 1.']);
    const messages = await other.db.selectFrom('outbox').select(['recipient', 'failed_at', 'error']).orderBy('channel').execute();
    expect(messages).toEqual([
      { recipient: 'ana@b.es', failed_at: expect.any(String), error: 'Se restauró una copia' },
      { recipient: 'https://push.example.com/1', failed_at: expect.any(String), error: 'Se restauró una copia' },
    ]);
  });

  it('a restore without --sobrescribir leaves a used database of an older version unchanged', async () => {
    const path = join(dir, 'copia.jsonl.gz');
    await writeBackup(world.db, path, { secretKey: world.config.secretKey, key: key(), holding });
    const old = await openEmpty();
    try {
      await migrateDatabase(old.db, '005-payments');
      await old.db
        .insertInto('users')
        .values({ full_name: 'Ana', email: 'ana@x.es', username: null, password_hash: 'x', role: 'superadmin', is_active: true })
        .execute();
      const fields = { path, url: old.url, secretKey: world.config.secretKey, holding, overwrite: false };
      await expect(restoreBackup(old.db, fields)).rejects.toThrow('añade --sobrescribir');
      const { rows } = await sql<{ last: string }>`SELECT max(name) AS last FROM kysely_migration`.execute(old.db);
      expect(rows).toEqual([{ last: '005-payments' }]);
    } finally {
      await old.close();
    }
  });

  it('a restore migrates a backup of an older version', async () => {
    const old = await openEmpty();
    const path = join(dir, 'antigua.jsonl.gz');
    try {
      await migrateDatabase(old.db, '005-payments');
      await old.db.insertInto('products').values({ name: 'De antes', description: null, min_stock: 0, is_active: true }).execute();
      await sql`INSERT INTO mails (para, asunto, texto, html, sent_at) VALUES
        ('ana@b.es', 'Pedido pagado', 'Hola', '<p>Hola</p>', NULL), ('luis@b.es', 'Pedido pagado', 'Hola', '<p>Hola</p>', now())`.execute(
        old.db,
      );
      await writeBackup(old.db, path, { secretKey: world.config.secretKey, key: key(), holding: { ...holding, mails: 'kept' } });
    } finally {
      await old.close();
    }
    expect((await restore(path)).warnings).toEqual([expect.stringContaining('ya no se envían: 1.')]);
    const mails = await other.db.selectFrom('outbox').select(['channel', 'recipient', 'payload', 'error']).orderBy('recipient').execute();
    const mail = { channel: 'correo', payload: { asunto: 'Pedido pagado', texto: 'Hola', html: '<p>Hola</p>' } };
    expect(mails).toEqual([
      { ...mail, recipient: 'ana@b.es', error: 'Se restauró una copia' },
      { ...mail, recipient: 'luis@b.es', error: null },
    ]);
    expect(await other.db.selectFrom('products').select('name').execute()).toEqual([{ name: 'De antes' }]);
    expect(await other.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
  });
});
