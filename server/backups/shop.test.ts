import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { chooseShop, type Shop, shopBucketFolder, shopFolder, shopIdentity } from './shop.ts';

/* A folder in the bucket belongs to one DATA_DIR in its place, so that a copy never writes into the shop that it was copied from. */

let world: World;
let root: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  await world.as('superadmin');
  root = mkdtempSync(join(tmpdir(), 'enruta-shop-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = (name: string, databaseUrl: string | null = null) => {
  if (!databaseUrl) mkdirSync(join(root, name), { recursive: true });
  return shopFolder(world.db, { dataDir: join(root, name), databaseUrl } as Parameters<typeof shopFolder>[1]);
};
const notices = async () =>
  (await world.db.selectFrom('notifications').select('texto').execute())
    .map(({ texto }) => texto)
    .filter((texto) => texto.includes('cubo'));

it('a DATA_DIR keeps its folder in the bucket, which nobody is told of', async () => {
  const first = await folder('datos');
  expect(first).toMatch(/^tiendas\/[0-9a-f-]{36}\/$/);
  expect(await folder('datos')).toBe(first);
  expect(shopBucketFolder(shopIdentity(join(root, 'datos')) ?? '')).toBe(first);
  expect([await notices(), existsSync(join(root, 'datos', 'cubo.json.tmp'))]).toEqual([[], false]);
});

it('a copy of DATA_DIR begins a folder of its own and says so; the original keeps its own', async () => {
  const first = await folder('datos');
  cpSync(join(root, 'datos'), join(root, 'copia'), { recursive: true });
  const copy = await folder('copia');
  expect(copy).not.toBe(first);
  expect(await notices()).toEqual([expect.stringMatching(new RegExp(`es una copia de otra.* en ${copy}.* sigue en ${first}`))]);
  expect([await folder('copia'), await folder('datos')]).toEqual([copy, first]);
  expect(await notices()).toHaveLength(1);
});

it('a DATA_DIR that was moved, or put in the place of another, begins a folder of its own', async () => {
  const first = await folder('datos');
  renameSync(join(root, 'datos'), join(root, 'otra'));
  const moved = await folder('otra');
  expect(moved).not.toBe(first);
  cpSync(join(root, 'otra'), join(root, 'llegada'), { recursive: true });
  renameSync(join(root, 'otra'), join(root, 'vieja'));
  renameSync(join(root, 'llegada'), join(root, 'otra'));
  expect(await folder('otra')).not.toBe(moved);
  expect(await notices()).toHaveLength(2);
});

it('a DATA_DIR whose card cannot be read begins anew, and a database of its own has one folder from everywhere', async () => {
  const first = await folder('datos');
  writeFileSync(join(root, 'datos', 'cubo.json'), '{');
  expect(await folder('datos')).not.toBe(first);
  expect(JSON.parse(readFileSync(join(root, 'datos', 'cubo.json'), 'utf8'))).toMatchObject({ tienda: shopIdentity(join(root, 'datos')) });
  expect(await folder('nada', 'postgres://x')).toBe(await folder('otra', 'postgres://x'));
  expect(existsSync(join(root, 'nada'))).toBe(false);
});

it('one shop of a bucket is chosen by the beginning of its number, or because it is the only one', () => {
  const shop = (id: string): Shop => ({ id, folder: shopBucketFolder(id), objects: [], nombre: '', servidor: '' });
  const [one, two, alike] = ['1a', '2b', '2c'].map(shop) as [Shop, Shop, Shop];
  expect(chooseShop([one], undefined)).toBe(one);
  expect(chooseShop([one, two, alike], '1')).toBe(one);
  expect(() => chooseShop([one, two], undefined)).toThrow('En el cubo hay 2 tiendas');
  expect(() => chooseShop([one, two, alike], '2')).toThrow();
  expect(() => chooseShop([one], '9')).toThrow('Ninguna tienda del cubo es 9');
  expect(() => chooseShop([], undefined)).toThrow('no hay ninguna tienda');
});
