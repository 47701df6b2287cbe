import { beforeAll, beforeEach, expect, test } from 'vitest';
import { KEY_ACTION_NAMES } from '../../contract/api-keys/fields.ts';
import { createEnvio, envioFichero, leerRespuesta, listEnvios, sacarDeEnvio } from '../../contract/envios/envios.ts';
import { escanearPedido } from '../../contract/etiquetas/etiquetas.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { lotePedidos } from '../../contract/pedidos/lote.ts';
import {
  assignTransportista,
  getHistorial,
  getPedido,
  listIntentos,
  listPedidos,
  responderIncidencia,
  setEstado,
} from '../../contract/pedidos/pedidos.ts';
import { autoAsignar, listCiudades, listDisponibles, tomarPedidos } from '../../contract/transportista/transportista.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let carrier: Person;
let reader: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  carrier = await world.as('transportista');
  reader = await world.as(await world.user({ role: 'superadmin' }));
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ shipmentFiles: true, labelsAndLoading: true }) as never })
    .execute();
});

const hand = (ids: string[], { plantilla = 'correos', aunque_tenga_envio = false } = {}) =>
  admin.call(createEnvio, { body: { plantilla, ids, aunque_tenga_envio } });
const takeBack = (...ids: string[]) => admin.call(sacarDeEnvio, { body: { ids } });
const stored = (id: string) => world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const listed = async (query: object) => (await admin.call(listPedidos, { query })).body.data.map(({ id }) => id);

test('carriers are not offered an order that a company has, and cannot take it', async () => {
  const [fields, free] = [await world.pedido({ cliente_ciudad: 'Lugo' }), await world.pedido({ cliente_ciudad: 'Vigo' })];
  await hand([fields.id]);
  expect((await carrier.call(listDisponibles)).body.data.map(({ id }) => id)).toEqual([free.id]);
  expect((await carrier.call(listCiudades, { query: { de: 'disponibles' } })).body.data.map(({ ciudad }) => ciudad)).toEqual(['Vigo']);
  expect((await carrier.call(getPedido, { params: { id: fields.id } })).status).toBe(404);
  expect((await carrier.call(escanearPedido, { query: { codigo: fields.numero_orden } })).status).toBe(404);
  const taken = await carrier.call(autoAsignar, { params: { id: fields.id }, body: {} });
  expect([taken.status, taken.body.message]).toEqual([409, 'Este pedido lo lleva Correos']);
  const many = await carrier.call(tomarPedidos, { body: { ids: [fields.id, free.id] } });
  expect(many.body.data.map(({ ok }) => ok)).toEqual([false, true]);
  expect((await stored(fields.id)).transportista_id).toBeNull();
});

test('an order that a company has cannot be assigned to a carrier, not even in bulk or by a program', async () => {
  const transportista_id = carrier.user.id;
  const held = await world.pedido({ estado: 'asignado', transportista_id: (await world.user({ role: 'transportista' })).id });
  const pending = await world.pedido();
  await hand([pending.id, held.id], { aunque_tenga_envio: true });
  const key = await world.program(KEY_ACTION_NAMES);
  for (const who of [admin, key])
    for (const { id } of [pending, held]) {
      const { status, body } = await who.call(assignTransportista, { params: { id }, body: { transportista_id } });
      expect([status, body.message]).toEqual([409, 'Lo lleva Correos: antes hay que sacarlo de su envío']);
    }
  const bulk = await admin.call(lotePedidos, { body: { pedidos: { ids: [pending.id] }, accion: { tipo: 'asignar', transportista_id } } });
  expect(bulk.text).toContain('Lo lleva Correos');
  expect((await stored(pending.id)).estado).toBe('pendiente');
});

test('an order goes to a company or a carrier, not both, when they take it at the same time', async () => {
  const orders = await Promise.all(Array.from({ length: 8 }, () => world.pedido()));
  await Promise.all(orders.flatMap(({ id }) => [hand([id]), carrier.call(autoAsignar, { params: { id }, body: {} })]));
  for (const { id } of orders) {
    const { en_empresa, transportista_id } = await stored(id);
    expect([en_empresa, transportista_id].filter(Boolean)).toHaveLength(1);
  }
});

test('the second of two concurrent batches is refused, and the refusal names the first company', async () => {
  const order = await world.pedido();
  const replies = await Promise.all([hand([order.id]), hand([order.id], { plantilla: 'seur' })]);
  const [refused] = replies.filter(({ status }) => status === 409);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(refused?.body.message).toMatch(new RegExp(`^Ya lo tiene otro: ${order.numero_orden} \\((Correos|SEUR)\\)$`));
});

test('an order moves to a second batch only on request, and leaves the first batch', async () => {
  const [moved, stays] = [await world.pedido(), await world.pedido()];
  const first = (await hand([moved.id, stays.id])).body.data.id;
  const asked = await hand([moved.id], { plantilla: 'seur' });
  expect([asked.status, asked.body]).toMatchObject([409, { code: 'en_empresa' }]);
  const second = (await hand([moved.id], { plantilla: 'seur', aunque_tenga_envio: true })).body.data.id;
  expect((await stored(moved.id)).en_empresa).toBe('SEUR');
  const file = (id: string) => admin.call(envioFichero, { params: { id } });
  expect((await file(first)).text).not.toContain(moved.numero_orden);
  expect((await file(second)).text).toContain(moved.numero_orden);
  const batches = (await admin.call(listEnvios)).body.data;
  expect(batches.find(({ id }) => id === first)).toMatchObject({ pedidos: 2, sin_respuesta: 1, sacados: 1, fuera: [] });
  // A late answer of the first company must not complete the order that the second company has.
  const filas = [{ referencia: moved.numero_orden, seguimiento: 'PQ1' }];
  const { data } = (await admin.call(leerRespuesta, { params: { id: first }, body: { filas } })).body;
  expect(data).toMatchObject([{ resultado: 'no_encaja', message: 'El pedido se sacó de este envío' }]);
  expect((await stored(moved.id)).estado).toBe('pendiente');
});

test('an order of a carrier joins a batch only on request, and stays with the carrier', async () => {
  const { id } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
  expect((await hand([id])).body.message).toContain(`(${carrier.user.full_name})`);
  expect((await hand([id], { aunque_tenga_envio: true })).status).toBe(201);
  expect(await stored(id)).toMatchObject({ transportista_id: carrier.user.id, en_empresa: 'Correos' });
});

test('an order taken out of its batch is offered to carriers again, and its history has both steps', async () => {
  const { id } = await world.pedido();
  await hand([id]);
  expect(await listed({ en_empresa: 'si' })).toEqual([id]);
  const { body } = await takeBack(id);
  expect(body).toMatchObject({ sacados: 1, message: '1 pedido sacado de su envío' });
  expect(await listed({ en_empresa: 'si' })).toEqual([]);
  expect((await carrier.call(listDisponibles)).body.data.map((order) => order.id)).toEqual([id]);
  const { data } = (await admin.call(getHistorial, { params: { id } })).body;
  expect(data.map(({ accion }) => accion).slice(0, 2)).toEqual(['Sacar del envío de Correos', 'Fichero de envío de Correos']);
  expect((await takeBack(id)).status).toBe(409);
  // The order can be put in a batch again.
  expect((await hand([id])).status).toBe(201);
});

test('an order completed or cancelled elsewhere leaves the company’s hands, and its batch waits for no answer', async () => {
  const [done, gone] = [await world.pedido(), await world.pedido()];
  const { id } = (await hand([done.id, gone.id])).body.data;
  await admin.call(setEstado, { params: { id: done.id }, body: { estado: 'completado', metodo_entrega: 'otro' } });
  await admin.call(setEstado, { params: { id: gone.id }, body: { estado: 'cancelado' } });
  for (const order of [done, gone]) expect(await stored(order.id)).toMatchObject({ en_empresa: null, en_empresa_at: null });
  expect((await admin.call(listEnvios)).body.data).toMatchObject([{ id, sin_respuesta: 0 }]);
  expect((await listed({ envio_id: id })).sort()).toEqual([done.id, gone.id].sort());
});

test('orders that no company has, or that are gone, stay out of it when others are taken out of their batch', async () => {
  const [held, free] = [await world.pedido(), await world.pedido()];
  await hand([held.id]);
  expect((await takeBack(held.id, free.id, crypto.randomUUID())).status).toBe(200);
  expect(await stored(held.id)).toMatchObject({ en_empresa: null, en_empresa_at: null });
  expect((await admin.call(getHistorial, { params: { id: free.id } })).body.data).toEqual([]);
  expect((await takeBack(held.id, crypto.randomUUID())).status).toBe(409);
});

test('only the office takes orders out of a batch or lists a batch', async () => {
  const seller = await world.as('revendedor');
  const { id } = await world.pedido({ revendedor_id: seller.user.id });
  const batch = (await hand([id])).body.data;
  for (const who of [seller, carrier, await world.program(KEY_ACTION_NAMES)]) {
    expect((await who.call(sacarDeEnvio, { body: { ids: [id] } })).status).toBe(403);
    expect((await who.call(listPedidos, { query: { envio_id: batch.id } })).status).toBe(403);
  }
  expect((await seller.call(getPedido, { params: { id } })).body.data).toMatchObject({ en_empresa: 'Correos' });
});

test('a failed delivery of a company waits for an answer, in the same list as a carrier’s attempt and with a notice', async () => {
  const [absent, away] = [await world.pedido(), await world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id })];
  const { id } = (await hand([absent.id, away.id], { aunque_tenga_envio: true })).body.data;
  const filas = [absent, away].map(({ numero_orden }) => ({ referencia: numero_orden, seguimiento: null, estado: 'Ausente' }));
  const read = () => admin.call(leerRespuesta, { params: { id }, body: { filas } });
  expect((await read()).body.data.map(({ resultado, message }) => [resultado, message])).toEqual(
    [absent, away].map(() => ['incidencia', 'No entregado: Ausente']),
  );
  expect((await listed({ incidencia: 'si' })).sort()).toEqual([absent.id, away.id].sort());
  expect(await stored(absent.id)).toMatchObject({ estado: 'pendiente', motivo: 'Correos: Ausente' });
  const bell = (await reader.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'intento_fallido');
  expect(bell.map(({ texto }) => texto)).toContainEqual(expect.stringContaining('Correos: Ausente. Di qué se hace con él'));
  const attempts = (await admin.call(listIntentos, { params: { id: absent.id } })).body.data;
  expect(attempts).toEqual([expect.objectContaining({ motivo: 'Correos: Ausente', transportista_nombre: 'Correos' })]);
  expect((await read()).body.data.map(({ resultado }) => resultado)).toEqual(['igual', 'igual']);
  const answered = await admin.call(responderIncidencia, { params: { id: absent.id }, body: { respuesta: 'recogida' } });
  expect(answered.status).toBe(200);
  expect(await stored(absent.id)).toMatchObject({ incidencia_at: null, recoge_at: expect.any(String) });
});
