import { beforeAll, beforeEach, expect, test } from 'vitest';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { lotePedidos } from '../../contract/pedidos/lote.ts';
import { assignTransportista, createPedido } from '../../contract/pedidos/pedidos.ts';
import { getUser } from '../../contract/session/session.ts';
import { transportistaStats } from '../../contract/stats/stats.ts';
import { autoAsignar, listCiudades, listDisponibles, tomarPedidos } from '../../contract/transportista/transportista.ts';
import { createUser, listUsers, updateUser } from '../../contract/users/users.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let madrid: Person;
let toledo: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  madrid = await world.as(await world.user({ role: 'transportista', zonas: '280*, 45001' }));
  toledo = await world.as(await world.user({ role: 'transportista', zonas: '45*' }));
});

const use = (deliveryZones: 'no' | 'primero' | 'solo') =>
  world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ deliveryZones }) as never })
    .execute();
const at = (cliente_codigo_postal: string | null, cliente_ciudad = cliente_codigo_postal ?? 'Sin') =>
  world.pedido({ cliente_codigo_postal, cliente_ciudad, cliente_nombre: cliente_ciudad });
const offered = async (carrier: Person) => (await carrier.call(listDisponibles)).body.data.map(({ cliente_nombre }) => cliente_nombre);

test('a setting decides whether a carrier is offered all orders alike, own zones first or own zones only', async () => {
  for (const postcode of ['08001', '45 001', '28013']) await at(postcode);
  await at(null);
  const all = ['08001', '45 001', '28013', 'Sin'];
  expect([await offered(madrid), await offered(toledo)]).toEqual([all, all]);
  expect((await madrid.call(getUser)).body.user).not.toHaveProperty('zonas');

  await use('primero');
  expect(await offered(madrid)).toEqual(['45 001', '28013', '08001', 'Sin']);
  expect(await offered(toledo)).toEqual(['45 001', '08001', '28013', 'Sin']);
  expect((await madrid.call(getUser)).body.user.zonas).toBe('primero');

  await use('solo');
  expect(await offered(madrid)).toEqual(['45 001', '28013']);
  expect(await offered(toledo)).toEqual(['45 001']);
  const anywhere = await world.as(await world.user({ role: 'transportista' }));
  expect(await offered(anywhere)).toEqual(all);
  expect((await madrid.call(transportistaStats)).body.data).toMatchObject({ disponibles: 2, disponiblesSemana: 2 });
  expect((await anywhere.call(transportistaStats)).body.data.disponibles).toBe(4);
  const towns = await toledo.call(listCiudades, { query: { de: 'disponibles' } });
  expect(towns.body.data).toEqual([{ ciudad: '45 001', pedidos: 1 }]);
});

test('a carrier can take only orders offered to the carrier, one or many at once', async () => {
  const [far, near] = [await at('08001'), await at('45002')];
  await use('solo');
  const refused = await toledo.call(autoAsignar, { params: { id: far.id } });
  expect([refused.status, refused.body.message]).toEqual([409, 'Este pedido no es de tus zonas de reparto']);
  const { data } = (await toledo.call(tomarPedidos, { body: { ids: [far.id, near.id] } })).body;
  expect(data.map(({ ok }) => ok)).toEqual([false, true]);
  await use('primero');
  expect((await toledo.call(autoAsignar, { params: { id: far.id } })).status).toBe(200);
});

test('the office and programs can assign orders outside a carrier’s zones', async () => {
  const [far, other] = [await at('08001'), await at('08002')];
  await use('solo');
  const program = await world.program(['pedido:assign', 'pedido:read', 'pedido:prices']);
  const transportista_id = toledo.user.id;
  const { body } = await admin.call(lotePedidos, { body: { pedidos: { ids: [far.id] }, accion: { tipo: 'asignar', transportista_id } } });
  expect(body.hechos).toBe(1);
  expect((await program.call(assignTransportista, { params: { id: other.id }, body: { transportista_id } })).status).toBe(200);
});

test('a new order is announced only to carriers who can take the order', async () => {
  const pack = await world.pack();
  const create = (cliente_codigo_postal: string) =>
    admin.call(createPedido, {
      body: {
        cliente_nombre: cliente_codigo_postal,
        cliente_direccion: 'Calle 1',
        cliente_codigo_postal,
        lineas: [{ pack_id: pack.id, cantidad: 1 }],
      },
    });
  const noticesOf = async (carrier: Person) =>
    (await carrier.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'pedido_disponible').length;
  const counts = async () => [await noticesOf(madrid), await noticesOf(toledo)];
  await create('08001');
  expect(await counts()).toEqual([1, 1]);
  await use('solo');
  await create('08001');
  expect(await counts()).toEqual([1, 1]);
  await create('45200');
  expect(await counts()).toEqual([1, 2]);
});

test('only a carrier has zones, which are normalized when saved and cleared by an empty text', async () => {
  const edit = (person: Person, zonas: string | null, version = 1) =>
    admin.call(updateUser, { params: { id: person.user.id }, body: { zonas, version } });
  expect((await edit(toledo, '45001;28* 45*')).body.data.zonas).toBe('28*, 45*');
  expect((await edit(toledo, '', 2)).body.data.zonas).toBeNull();
  expect((await edit(toledo, 'Toledo', 3)).status).toBe(422);
  const reseller = await world.as('revendedor');
  expect((await edit(reseller, '28*')).body.errors).toEqual({ zonas: ['Solo un transportista tiene zonas de reparto'] });
  const person = { full_name: 'Rosa Vega', email: 'rosa@tienda.es', password: PASSWORD, zonas: '28*' };
  expect((await admin.call(createUser, { body: { ...person, role: 'revendedor' } })).status).toBe(422);
  expect((await admin.call(createUser, { body: { ...person, role: 'transportista' } })).body.data.zonas).toBe('28*');
  expect((await toledo.call(listUsers)).status).toBe(403);
});
