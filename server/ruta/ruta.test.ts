import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assignTransportista, setEstado } from '../../contract/pedidos/pedidos.ts';
import { getRuta, guardarRuta } from '../../contract/ruta/ruta.ts';
import { getUser } from '../../contract/session/session.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let mine: Person;
let other: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  mine = await world.as(await world.user({ role: 'transportista' }));
  other = await world.as(await world.user({ role: 'transportista' }));
  await use({ dayRoute: true });
});

const use = (settings: object) =>
  world.db
    .updateTable('settings')
    .set({ data: JSON.stringify(settings) as never })
    .execute();
const TOLEDO = { cliente_codigo_postal: '45001', cliente_ciudad: 'Toledo', cliente_provincia: 'Toledo' };
const held = (carrier: Person, fields: object = {}) =>
  world.pedido({ estado: 'asignado', transportista_id: carrier.user.id, ...TOLEDO, ...fields });
const arrange = (carrier: Person, pedidos: string[], more: object = {}) =>
  carrier.call(guardarRuta, { body: { pedidos, primera: null, ultima: null, ocurrido: new Date().toISOString(), ...more } });
const routeOf = async (carrier: Person) => (await carrier.call(getRuta)).body.data;

test('a carrier’s route keeps its order and pinned ends, and has the centres of towns instead of addresses', async () => {
  const [a, b, c] = [
    await held(mine),
    await held(mine, { cliente_codigo_postal: '28901', cliente_ciudad: 'Getafe' }),
    await held(mine, { cliente_codigo_postal: null, cliente_ciudad: 'Ninguna Parte' }),
  ];
  const before = await world.db.selectFrom('pedidos').selectAll().orderBy('id').execute();
  expect(await routeOf(mine)).toMatchObject({ pedidos: [], primera: null, ultima: null });
  expect((await arrange(mine, [b.id, a.id, c.id, b.id], { primera: b.id, ultima: c.id })).status).toBe(200);
  const { paradas, ...route } = await routeOf(mine);
  expect(route).toEqual({ pedidos: [b.id, a.id, c.id], primera: b.id, ultima: c.id });
  expect(new Map(paradas.map(({ id, lat, lng }) => [id, [lat, lng]]))).toEqual(
    new Map([
      [a.id, [39.858, -4.023]],
      [b.id, [40.306, -3.733]],
    ]),
  );
  const answer = (await mine.call(getRuta)).text;
  for (const secret of [a.cliente_nombre, a.cliente_direccion, a.cliente_telefono, a.numero_orden].filter((text) => text !== null))
    expect(answer).not.toContain(secret);
  // Arranging a route changes nothing in the orders.
  expect(await world.db.selectFrom('pedidos').selectAll().orderBy('id').execute()).toEqual(before);
});

test('an order of another carrier is refused, and the other carrier’s route stays unchanged', async () => {
  const [own, foreign] = [await held(mine), await held(other)];
  expect((await arrange(other, [foreign.id])).status).toBe(200);
  const refused = await arrange(mine, [own.id, foreign.id]);
  expect([refused.status, refused.body.message]).toEqual([404, 'Pedido no encontrado']);
  expect((await arrange(mine, [own.id], { ultima: foreign.id })).status).toBe(200);
  expect(await routeOf(mine)).toMatchObject({ pedidos: [own.id], ultima: null, paradas: [{ id: own.id }] });
  expect(await routeOf(other)).toMatchObject({ pedidos: [foreign.id], paradas: [{ id: foreign.id }] });
});

test('an order taken away or delivered leaves the route, and a route that still names the order is accepted', async () => {
  const [a, b, c] = [await held(mine), await held(mine), await held(mine, { estado: 'en_ruta' })];
  const all = [a.id, b.id, c.id];
  await arrange(mine, all);
  await admin.call(assignTransportista, { params: { id: a.id }, body: { transportista_id: other.user.id } });
  await mine.call(setEstado, { params: { id: c.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  expect((await routeOf(mine)).pedidos).toEqual([b.id]);
  // The telephone was offline while arranging this route, and did not know of the changes.
  expect((await arrange(mine, [c.id, a.id, b.id])).status).toBe(200);
  expect((await routeOf(mine)).pedidos).toEqual([b.id]);
});

test('the latest arrangement of a route wins, whatever the order in which arrangements arrive', async () => {
  const [a, b] = [await held(mine), await held(mine)];
  const at = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  await arrange(mine, [b.id, a.id], { ocurrido: at(1) });
  expect((await arrange(mine, [a.id, b.id], { ocurrido: at(5) })).status).toBe(200);
  expect((await routeOf(mine)).pedidos).toEqual([b.id, a.id]);
  // An arrangement dated in the future must not block later ones.
  await arrange(mine, [a.id, b.id], { ocurrido: at(-9000) });
  await arrange(mine, [b.id], { ocurrido: at(0) });
  expect((await routeOf(mine)).pedidos).toEqual([b.id]);
});

test('yesterday’s route is not shown today', async () => {
  const a = await held(mine);
  await arrange(mine, [a.id], { ocurrido: new Date(Date.now() - 25 * 3_600_000).toISOString() });
  expect((await routeOf(mine)).pedidos).toEqual([]);
});

describe('a shop without routes', () => {
  test('a shop without routes has neither the screen nor the endpoints', async () => {
    expect((await mine.call(getUser)).body.user.ruta).toBe(true);
    expect((await admin.call(getUser)).body.user).not.toHaveProperty('ruta');
    await use({});
    expect((await mine.call(getUser)).body.user).not.toHaveProperty('ruta');
    expect([(await mine.call(getRuta)).status, (await arrange(mine, [])).status]).toEqual([409, 409]);
  });
});
