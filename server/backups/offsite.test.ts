import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import type { Bucket } from '../files/bucket.ts';
import { ageOffSite, fetchOffSite, refuseFailed, takeOffSite } from './backups.ts';
import { shopBucketFolder, shopFolder } from './shop.ts';

let world: World;
let shop: string;
const folder = mkdtempSync(join(tmpdir(), 'enruta-offsite-'));
const server = { backupDir: folder, dataDir: folder, databaseUrl: undefined };
beforeAll(async () => {
  world = await createWorld();
  shop = await shopFolder(world.db, server);
  return world.close;
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => world.reset());

/** Fake bucket that stores only keys. Uploads fail while `broken`. */
function memory(keys: string[] = []) {
  const state = { keys: new Set(keys), broken: false, uploads: 0, gone: new Set<string>() };
  const bucket = {
    upload: async (key: string) => {
      state.uploads += 1;
      if (state.broken) throw new Error('gives back other bytes than it was given');
      state.keys.add(key);
    },
    get: async () => undefined,
    put: async () => {},
    list: async (prefix: string) => [...state.keys].filter((key) => key.startsWith(prefix)).map((key) => ({ key, size: 1 })),
    remove: async (key: string) => void state.keys.delete(key),
    download: async (key: string, path: string) => {
      if (state.gone.has(key)) return false;
      copyFileSync(join(folder, 'any'), path);
      return true;
    },
  } as unknown as Bucket;
  return { state, bucket };
}

const nameOf = (at: Date) => `enruta-${at.toISOString().replace(/[-:.]/g, '')}.jsonl.gz.enc`;
async function backup(estado: 'verificada' | 'error' = 'verificada', at = new Date()) {
  const nombre = nameOf(at);
  writeFileSync(join(folder, nombre), 'x');
  writeFileSync(join(folder, 'any'), 'x');
  await world.db.insertInto('backups').values({ nombre, origen: 'manual', estado, created_at: at.toISOString() }).execute();
  return nombre;
}
const notices = () => world.db.selectFrom('notifications').select('texto').where('tipo', '=', 'copia_fallida').execute();

test('the newest verified backup is uploaded once and sets the age of the off-site backup', async () => {
  const nombre = await backup();
  expect(await ageOffSite(world.db)).toBeUndefined();
  const { state, bucket } = memory();
  await takeOffSite(world.db, bucket, server);
  await takeOffSite(world.db, bucket, server);
  expect(state).toMatchObject({ uploads: 1, keys: new Set([`${shop}copias/${nombre}`]) });
  expect(await ageOffSite(world.db)).toBeLessThan(60);
});

test('a backup that was deleted in the bucket is uploaded again, with a notice', async () => {
  await world.as('superadmin');
  const nombre = await backup();
  const { state, bucket } = memory();
  await takeOffSite(world.db, bucket, server);
  state.keys.clear();
  await takeOffSite(world.db, bucket, server);
  expect([...state.keys]).toEqual([`${shop}copias/${nombre}`]);
  expect(await notices()).toMatchObject([{ texto: expect.stringContaining('ya no está en el cubo') }]);
});

test('a failed upload is notified once and retried until the bucket works', async () => {
  await world.as('superadmin');
  await backup();
  const { state, bucket } = memory();
  state.broken = true;
  for (let i = 0; i < 2; i += 1) await expect(takeOffSite(world.db, bucket, server)).rejects.toThrow(/no se ha podido guardar fuera.*S3_/);
  expect(await notices()).toHaveLength(1);
  expect(await ageOffSite(world.db)).toBeUndefined();
  state.broken = false;
  await takeOffSite(world.db, bucket, server);
  expect(await ageOffSite(world.db)).toBeLessThan(60);
});

test('pruning the bucket deletes only expired backups, by the date in their name', async () => {
  const old = ['2026-01-01', '2025-01-01'].map((day) => `${shop}copias/${nameOf(new Date(day))}`);
  const proof = '00000000-0000-4000-8000-000000000000/a.png';
  const { state, bucket } = memory([...old, proof, `${shop}copias/mine.txt`]);
  const nombre = await backup();
  await takeOffSite(world.db, bucket, server);
  expect([...state.keys].sort()).toEqual([proof, `${shop}copias/${nombre}`, `${shop}copias/mine.txt`].sort());
});

test('a restore downloads the newest backup in the bucket, or the named backup', async () => {
  await backup();
  const names = ['2026-11-01', '2026-11-03', '2026-11-02'].map((day) => nameOf(new Date(day)));
  const { state, bucket } = memory(names.map((name) => `${shop}copias/${name}`));
  const into = mkdtempSync(join(folder, 'into-'));
  expect(await fetchOffSite(bucket, { name: '' }, into)).toBe(join(into, names[1] ?? ''));
  expect(await fetchOffSite(bucket, { name: names[0] ?? '' }, into)).toBe(join(into, names[0] ?? ''));
  expect(existsSync(join(into, names[0] ?? ''))).toBe(true);
  await expect(fetchOffSite(bucket, { name: 'enruta-none' }, into)).rejects.toThrow('no hay ninguna copia enruta-none');
  await expect(fetchOffSite(memory().bucket, { name: '' }, into)).rejects.toThrow('no hay ninguna copia');
  // The list still names a backup that was removed since.
  state.gone.add(`${shop}copias/${names[1]}`);
  await expect(fetchOffSite(bucket, { name: '' }, into)).rejects.toThrow(`La copia ${names[1]} ya no está en el cubo`);
});

test('backups of another shop in the bucket are neither pruned nor restored unasked', async () => {
  const theirs = `${shopBucketFolder('00000000-0000-4000-8000-000000000001')}copias/${nameOf(new Date('2020-01-01'))}`;
  const { state, bucket } = memory([theirs]);
  const nombre = await backup();
  await takeOffSite(world.db, bucket, server);
  expect(state.keys).toContain(theirs);
  const into = mkdtempSync(join(folder, 'into-'));
  await expect(fetchOffSite(bucket, { name: '' }, into)).rejects.toThrow('En el cubo hay 2 tiendas');
  expect(await fetchOffSite(bucket, { name: '', shop: shop.split('/')[1] }, into)).toBe(join(into, nombre));
});

test('the job for backups counts as failing from a failed backup until a backup succeeds', async () => {
  await refuseFailed(world.db);
  await backup('error', new Date(Date.now() - 60_000));
  await expect(refuseFailed(world.db)).rejects.toThrow('La última copia de seguridad ha fallado');
  await backup();
  await refuseFailed(world.db);
});
