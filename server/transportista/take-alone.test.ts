import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as pedidos from '../../contract/pedidos/pedidos.ts';
import { mayEver, RULES } from '../../contract/policy/policy.ts';
import { UNSENT } from '../../contract/session/fields.ts';
import { contarNoAceptado, listDisponibles, listSinEnviar } from '../../contract/transportista/transportista.ts';
import { createUser } from '../../contract/users/users.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* Lets superadmins take orders, which must give them no other right of a carrier. */

const rule: object = RULES['pedido:take'];
let world: World;
let admin: Person;
let carrier: Person;
beforeAll(async () => {
  Object.assign(rule, { superadmin: RULES['pedido:take'].transportista });
  world = await createWorld();
  return world.close;
});
afterAll(() => Reflect.deleteProperty(rule, 'superadmin'));
beforeEach(async () => {
  await world.reset();
  [admin, carrier] = [await world.as('superadmin'), await world.as(await world.user({ role: 'transportista', full_name: 'Nuria' }))];
});

test('superadmins with permission to take orders see the orders on offer', async () => {
  expect(mayEver({ ...admin.user, role: 'superadmin' }, 'pedido:take')).toBe(true);
  await world.pedido({ estado: 'pendiente' });
  expect((await admin.call(listDisponibles)).body.data).toHaveLength(1);
});

test('a superadmin’s step cannot state its own time', async () => {
  const { id } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
  const body = { estado: 'en_ruta', ocurrido: new Date().toISOString() } as const;
  expect((await admin.call(pedidos.setEstado, { params: { id }, body })).status).toBe(422);
  expect((await carrier.call(pedidos.setEstado, { params: { id }, body })).status).toBe(200);
});

test('a superadmin’s browser cannot report unsent or refused steps', async () => {
  const waits = (who: Person) =>
    who.call(pedidos.listPedidos, { query: {}, headers: { [UNSENT]: `3;${new Date(Date.now() - 60_000).toISOString()}` } });
  await waits(admin);
  await waits(carrier);
  await expect
    .poll(async () => (await admin.call(listSinEnviar)).body.data.map(({ transportista_nombre }) => transportista_nombre))
    .toEqual(['Nuria']);
  expect((await admin.request('POST', contarNoAceptado.path)).status).toBe(403);
});

test('a superadmin’s list has no notes of customers', async () => {
  await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
  const [seen] = (await admin.call(pedidos.listPedidos, { query: {} })).body.data;
  const [carried] = (await carrier.call(pedidos.listPedidos, { query: {} })).body.data;
  expect(seen).not.toHaveProperty('cliente_nota');
  expect(carried).toHaveProperty('cliente_nota');
});

test('a superadmin who had an order is not told that the order was taken away', async () => {
  const { id } = await world.pedido({ estado: 'asignado', transportista_id: admin.user.id });
  const give = await admin.call(pedidos.assignTransportista, { params: { id }, body: { transportista_id: carrier.user.id } });
  expect(give.status).toBe(200);
  expect((await admin.call(pedidos.getPedido, { params: { id } })).body).not.toHaveProperty('retirado');
});

test('a superadmin cannot have delivery zones', async () => {
  const account = { full_name: 'Ana', username: 'ana2', email: 'ana2@enruta.test', password: 'una clave larga y rara 77', zonas: '280*' };
  const create = (role: 'superadmin' | 'transportista') => admin.call(createUser, { body: { ...account, role } });
  expect(await create('superadmin')).toMatchObject({
    status: 422,
    body: { errors: { zonas: ['Solo un transportista tiene zonas de reparto'] } },
  });
  expect((await create('transportista')).status).toBe(201);
});
