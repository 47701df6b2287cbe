import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { UNSENT } from '../../contract/session/fields.ts';
import { listSinEnviar } from '../../contract/transportista/transportista.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { notifyUnsent } from './unsent.ts';

let world: World;
let admin: Person;
let nuria: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  [admin, nuria] = [await world.as('superadmin'), await world.as(await world.user({ role: 'transportista', full_name: 'Nuria' }))];
});

const NOON = '2026-11-25T11:40:00.000Z';
const report = (header: string, who = nuria) => who.call(listPedidos, { query: {}, headers: { [UNSENT]: header } });
const waiting = async () =>
  (await admin.call(listSinEnviar)).body.data.map(({ transportista_nombre, pedidos }) => [transportista_nombre, pedidos]);
const notices = async (who: Person) =>
  (await who.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'sin_enviar').map(({ texto }) => texto);

it('the office sees the unsent steps that a carrier’s telephone reports, until the telephone reports none', async () => {
  await report(`3;${NOON}`);
  await expect.poll(waiting).toEqual([['Nuria', 3]]);
  expect((await admin.call(listSinEnviar)).body.data[0]).toMatchObject({ desde: expect.stringContaining('2026-11-25T11:40') });
  await report(`2;${NOON}`);
  await expect.poll(waiting).toEqual([['Nuria', 2]]);
  await report('0');
  await expect.poll(waiting).toEqual([]);
});

it('reports of unsent steps by other roles and malformed reports are ignored', async () => {
  await report(`3;${NOON}`, admin);
  for (const header of ['', 'x', '3', '3;ayer', `99999;${NOON}`, `-1;${NOON}`]) await report(header);
  await report('1;2999-01-01T00:00:00.000Z');
  await expect.poll(waiting).toEqual([['Nuria', 1]]);
  const [row] = (await admin.call(listSinEnviar)).body.data;
  expect(Date.parse(row?.desde ?? '')).toBeLessThanOrEqual(Date.now());
  expect((await nuria.call(listSinEnviar)).status).toBe(403);
});

it('a telephone also reports unsent steps of other carriers, but not of other roles', async () => {
  const pepe = await world.user({ role: 'transportista', full_name: 'Pepe' });
  const rita = await world.user({ role: 'revendedor', full_name: 'Rita' });
  await report(`0|${pepe.id}=1;${NOON}|${rita.id}=2;${NOON}|x=3;${NOON}`);
  await expect.poll(waiting).toEqual([['Pepe', 1]]);
  await report(`2;${NOON}`);
  await expect.poll(waiting).toEqual([
    ['Nuria', 2],
    ['Pepe', 1],
  ]);
  await report('0', await world.as(pepe));
  await expect.poll(waiting).toEqual([['Nuria', 2]]);
});

it('carrier and office are notified of unsent steps in the evening, once a day', async () => {
  await report(`3;${NOON}`);
  await expect.poll(waiting).toHaveLength(1);
  await notifyUnsent(world.db, 24);
  expect(await notices(admin)).toEqual([]);
  for (const _ of [1, 2]) await notifyUnsent(world.db, 0);
  expect(await notices(admin)).toEqual(['Nuria: 3 entregas sin enviar desde el 25/11 a las 12:40']);
  expect(await notices(nuria)).toEqual([expect.stringContaining('En tu teléfono quedan 3 entregas sin enviar desde el 25/11')]);
  // New unsent steps on the same day bring no second notice.
  await report('0');
  await expect.poll(waiting).toEqual([]);
  await notifyUnsent(world.db, 0);
  await report(`1;${NOON}`);
  await expect.poll(waiting).toEqual([['Nuria', 1]]);
  await notifyUnsent(world.db, 0);
  expect(await notices(admin)).toHaveLength(1);
});
