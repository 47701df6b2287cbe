import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { listVitals, sendVitals } from '../../contract/vitals/vitals.ts';
import { createWorld, type World } from '../../test/world.ts';
import { compareVersions, countVitals, deleteOldVitals, listVitals as readVitals } from './vitals.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const at = (pantalla: string, valor: number) => ({ pantalla, valor });
const rows = () => world.db.selectFrom('velocidad').selectAll().execute();

test('what a browser measured is counted without its person, and shown to the office alone', async () => {
  const [admin, carrier] = [await world.as('superadmin'), await world.as('transportista')];
  const body = { dispositivo: 'movil' as const, lcp: at('/pedidos-asignados', 1000), cls: at('/pedidos-asignados', 0) };
  for (const ms of [500, 1000, 1000, 4000])
    expect((await carrier.call(sendVitals, { body: { ...body, inp: at('/pedidos/$id', ms) } })).status).toBe(200);
  expect(JSON.stringify(await rows())).not.toMatch(new RegExp(`${carrier.user.id}|${carrier.user.full_name}|127\\.0`));
  expect((await carrier.call(listVitals)).status).toBe(403);
  const shown = (await admin.call(listVitals)).body.data;
  const [list, order] = shown;
  expect(shown).toHaveLength(2);
  expect(list).toMatchObject({
    pantalla: '/pedidos-asignados',
    rol: 'transportista',
    dispositivo: 'movil',
    medidas: 4,
    cls: 0,
    inp: null,
    filas: null,
  });
  expect(list?.lcp).toBeGreaterThan(950);
  expect(list?.lcp).toBeLessThan(1050);
  // Three of four stay under a second.
  expect(order?.inp).toBe(list?.lcp);
});

test('an address, an unknown measure and an absurd time are refused, and the setting counts nothing', async () => {
  const admin = await world.as('superadmin');
  const send = (body: object) => admin.call(sendVitals, { body: { dispositivo: 'movil', ...body } } as never);
  for (const refused of [
    { lcp: at('/pedidos/8f14e45f', 5) },
    { lcp: at('/pedidos?search=Ana', 5) },
    { fcp: at('/', 5) },
    { lcp: at('/', 600_001) },
  ])
    expect((await send(refused)).status).toBe(422);
  expect((await send({})).status).toBe(200);
  await sql`UPDATE settings SET data = data || '{"measureSpeed":false}'::jsonb`.execute(world.db);
  expect((await send({ lcp: at('/', 5) })).status).toBe(200);
  expect(await rows()).toEqual([]);
});

test('a browser that reports without end is refused', async () => {
  const { user } = await world.as('revendedor');
  const count = () => countVitals(world.db, { ...user, role: 'revendedor' }, { dispositivo: 'movil', lcp: at('/', 5) });
  for (let i = 0; i < 120; i += 1) await count();
  await expect(count()).rejects.toMatchObject({ status: 429 });
});

const was = (version: string, days: number, cubo: number, veces: number, medida = 'filas') =>
  sql`INSERT INTO velocidad VALUES (current_date - ${days}::int, ${version}, '/pedidos', 'superadmin', 'movil', ${medida}, ${cubo}, ${veces})`.execute(
    world.db,
  );

test('a version that is slower than the one before by a fifth is reported, once it is known well', async () => {
  await was('1', 40, 20, 60);
  await was('2', 20, 70, 60);
  await was('3', 1, 71, 60);
  await compareVersions(world.db, '3');
  await was('3', 0, 72, 200);
  await expect(compareVersions(world.db, '3')).rejects.toThrow('la versión 3 tarda un 21 % más en mostrar los pedidos que la 2');
  await was('4', 0, 90, 49);
  await compareVersions(world.db, '4');
  await compareVersions(world.db, '1');
  await compareVersions(world.db, '9');
});

test('counts of 28 days are shown, and those of 90 are kept', async () => {
  await was('1', 28, 70, 5);
  expect(await readVitals(world.db)).toEqual([]);
  await was('1', 27, 70, 5);
  expect(await readVitals(world.db)).toHaveLength(1);
  await was('1', 90, 70, 5);
  await was('1', 91, 70, 5);
  await deleteOldVitals(world.db);
  expect(await rows()).toHaveLength(3);
});
