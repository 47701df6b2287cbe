import { beforeAll, beforeEach, expect, test } from 'vitest';
import { getPedido, listPedidos, setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar, listCiudades, listDisponibles, tomarPedidos } from '../../contract/transportista/transportista.ts';
import type { Client } from '../../test/client.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let carrier: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  carrier = await world.as('transportista');
});

const daysAway = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test('available and carried orders are listed with late orders first, and can be sorted or filtered by town', async () => {
  const own = { estado: 'asignado' as const, transportista_id: carrier.user.id };
  for (const [cliente_nombre, cliente_ciudad, days] of [
    ['Mañana', 'Ávila', 1],
    ['Sin fecha', 'Zamora', undefined],
    ['Tarde', 'Burgos', -2],
  ] as const) {
    const fields = { cliente_nombre, cliente_ciudad, fecha_estimada: days === undefined ? null : daysAway(days) };
    await world.pedido(fields);
    await world.pedido({ ...fields, ...own });
  }
  const free = async (query: object = {}) => (await carrier.call(listDisponibles, { query })).body.data.map((p) => p.cliente_nombre);
  const mine = async (query: object) => (await carrier.call(listPedidos, { query })).body.data.map((p) => p.cliente_nombre);
  for (const names of [await free(), await mine({ sort: 'fecha_estimada', dir: 'asc' })])
    expect(names).toEqual(['Tarde', 'Mañana', 'Sin fecha']);
  for (const names of [await free({ sort: 'cliente_ciudad' }), await mine({ sort: 'cliente_ciudad', dir: 'asc' })])
    expect(names).toEqual(['Mañana', 'Tarde', 'Sin fecha']);
  for (const names of [await free({ ciudad: 'Burgos' }), await mine({ ciudad: 'Burgos' })]) expect(names).toEqual(['Tarde']);

  await world.pedido({ ...own, cliente_ciudad: 'Burgos', estado: 'completado', metodo_entrega: 'manual' });
  const towns = ['Ávila', 'Burgos', 'Zamora'].map((ciudad) => ({ ciudad, pedidos: 1 }));
  for (const de of ['disponibles', 'asignados'] as const)
    expect((await carrier.call(listCiudades, { query: { de } })).body.data).toEqual(towns);
  const other = await world.as(await world.user({ role: 'transportista' }));
  expect((await other.call(listCiudades, { query: { de: 'asignados' } })).body.data).toEqual([]);
});

test('several orders can be taken at once, and an already taken order does not stop the rest', async () => {
  const [a, b, gone] = [await world.pedido(), await world.pedido(), await world.pedido()];
  const rival = await world.as(await world.user({ role: 'transportista' }));
  await rival.call(autoAsignar, { params: { id: gone.id } });
  const missing = crypto.randomUUID();
  const { status, body } = await carrier.call(tomarPedidos, { body: { ids: [a.id, gone.id, missing, b.id, a.id] } });
  expect([status, body.message]).toEqual([200, '2 pedidos asignados']);
  expect(body.data.map(({ ok, message }) => [ok, message])).toEqual([
    [true, 'Pedido asignado exitosamente'],
    [false, 'Otro transportista ya ha tomado este pedido'],
    [false, 'No encontrado'],
    [true, 'Pedido asignado exitosamente'],
  ]);
  expect((await carrier.call(listPedidos)).body.total).toBe(2);
  expect((await rival.call(listPedidos)).body.total).toBe(1);
});

test('an order delivered by a company not named before shows that company instead of «Reparto propio»', async () => {
  for (const [metodo_entrega, before, after] of [
    ['correos', 'manual', 'correos'],
    ['correos', 'mrw', 'mrw'],
    ['manual', 'manual', 'manual'],
    ['otro', 'manual', 'manual'],
  ] as const) {
    const pedido = await world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id, empresa_transporte: before });
    const { body } = await carrier.call(setEstado, { params: { id: pedido.id }, body: { estado: 'completado', metodo_entrega } });
    expect(body.data).toMatchObject({ metodo_entrega, empresa_transporte: after });
  }
});

test('a carrier can neither see nor search telephone and door a day after the delivery', async () => {
  const fields = {
    cliente_nombre: 'Nuria',
    cliente_telefono: '611 222 333',
    cliente_direccion2: 'Puerta 4-B',
    transportista_id: carrier.user.id,
  };
  const delivered = (days: number) =>
    world.pedido({ ...fields, estado: 'completado', metodo_entrega: 'manual', fecha_completado: daysAway(-days) });
  const [today, old, open] = [await delivered(0.5), await delivered(2), await world.pedido({ ...fields, estado: 'en_ruta' })];
  const contact = async (who: Person, id: string) => {
    const { body } = await who.call(getPedido, { params: { id } });
    const { cliente_telefono, cliente_direccion2 } = body.data as Record<string, unknown>;
    return [cliente_telefono, cliente_direccion2];
  };
  const seen = ['611 222 333', 'Puerta 4-B'];
  expect(await contact(carrier, today.id)).toEqual(seen);
  expect(await contact(carrier, open.id)).toEqual(seen);
  expect(await contact(carrier, old.id)).toEqual([null, null]);
  const found = async (who: Client, search: string) =>
    (await who.call(listPedidos, { query: { search } })).body.data.map(({ id }) => id).sort();
  for (const search of ['611222333', '4-B']) expect(await found(carrier, search)).toEqual([today.id, open.id].sort());
  expect(await found(carrier, 'nuria')).toEqual([today.id, open.id, old.id].sort());
  // An API key without prices searches orders as carriers do.
  expect(await found(await world.program(['pedido:list', 'pedido:contact']), '611222333')).toEqual([today.id, open.id].sort());

  // Lists hide the same fields as details, with any query.
  for (const query of [{}, { con: 'lineas' as const }, { estado: 'completado' }]) {
    const { data } = (await carrier.call(listPedidos, { query })).body;
    const shown = data.find(({ id }) => id === old.id) as Record<string, unknown> | undefined;
    expect([shown?.cliente_nombre, shown?.cliente_telefono, shown?.cliente_direccion2, shown?.instrucciones]).toEqual([
      'Nuria',
      null,
      null,
      null,
    ]);
    const fresh = data.find(({ id }) => id === today.id) as Record<string, unknown> | undefined;
    expect([fresh?.cliente_telefono, fresh?.instrucciones]).toEqual(['611 222 333', 'Llamar antes']);
  }
  expect(await found(carrier, 'llamar antes')).toEqual([]);

  const admin = await world.as('superadmin');
  expect(await contact(admin, old.id)).toEqual(seen);
  expect(await found(admin, '611222333')).toHaveLength(3);
  await admin.call(updateSettings, { body: { carrierContactDays: 3 } });
  expect(await contact(carrier, old.id)).toEqual(seen);
});
