import { beforeAll, beforeEach, expect, test } from 'vitest';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { autoAsignar } from '../../../contract/transportista/transportista.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

/** Matches the sentence followed by day and time. */
const withTime = (words: string) => expect.stringMatching(new RegExp(`^${words} el \\d\\d/\\d\\d a las \\d\\d:\\d\\d$`));

let world: World;
let ana: Person;
let carrier: Person;
let luis: Person;
let stranger: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ana = await world.as(await world.user({ role: 'superadmin', full_name: 'Ana' }));
  carrier = await world.as('transportista');
  luis = await world.as(await world.user({ role: 'transportista', full_name: 'Luis' }));
  stranger = await world.as(await world.user({ role: 'transportista' }));
});

const of = (id: string) => ({ params: { id } });
const step = (who: Person, id: string) => who.call(api.setEstado, { ...of(id), body: { estado: 'en_ruta' } });
const give = (id: string, to: string | null) => ana.call(api.assignTransportista, { ...of(id), body: { transportista_id: to } });
const inHand = () => world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
const NOTHING = [404, { message: 'No encontrado', code: 'not_found' }];

test('only the former carrier learns who gave the order to whom', async () => {
  const { id } = await inHand();
  await give(id, luis.user.id);
  for (const reply of [await carrier.call(api.getPedido, of(id)), await step(carrier, id)]) {
    expect([reply.status, reply.body]).toEqual([404, { message: withTime('Ana ha pasado este pedido a Luis'), code: 'retirado' }]);
  }
  for (const reply of [await stranger.call(api.getPedido, of(id)), await step(stranger, id)]) {
    expect([reply.status, reply.body]).toEqual(NOTHING);
  }
});

test('later changes are hidden from the former carrier', async () => {
  const { id } = await inHand();
  await give(id, luis.user.id);
  await give(id, stranger.user.id);
  await ana.call(api.deletePedido, of(id));
  const answer = async (who: Person) => (await who.call(api.getPedido, of(id))).body;
  expect(await answer(carrier)).toMatchObject({ message: withTime('Ana ha pasado este pedido a Luis') });
  expect(await answer(luis)).toMatchObject({ message: withTime(`Ana ha pasado este pedido a ${stranger.user.full_name}`) });
  expect(await answer(stranger)).toMatchObject({ message: withTime('Ana ha eliminado este pedido') });
});

test('the carrier of a deleted order reads that the order is deleted, until it is restored', async () => {
  const { id } = await inHand();
  await ana.call(api.deletePedido, of(id));
  const reply = await step(carrier, id);
  expect([reply.status, reply.body]).toEqual([404, { message: withTime('Ana ha eliminado este pedido'), code: 'retirado' }]);
  expect((await step(stranger, id)).body).toEqual(NOTHING[1]);
  await ana.call(api.restorePedido, of(id));
  expect((await carrier.call(api.getPedido, of(id))).body).not.toHaveProperty('retirado');
  expect((await step(carrier, id)).status).toBe(200);
});

test('the carrier of a cancelled order can still read the order and who cancelled it, but not change it', async () => {
  const { id } = await inHand();
  await ana.call(api.setEstado, { ...of(id), body: { estado: 'cancelado' } });
  expect((await carrier.call(api.getPedido, of(id))).body).toMatchObject({
    data: { estado: 'cancelado' },
    retirado: withTime('Ana ha cancelado este pedido'),
  });
  const reply = await step(carrier, id);
  expect([reply.status, reply.body]).toEqual([409, { message: withTime('Ana ha cancelado este pedido'), code: 'retirado' }]);
  expect((await ana.call(api.getPedido, of(id))).body).not.toHaveProperty('retirado');
});

test('only the former carrier reads that an available order was withdrawn', async () => {
  const { id } = await inHand();
  await give(id, null);
  expect((await carrier.call(api.getPedido, of(id))).body).toMatchObject({ retirado: withTime('Ana te ha retirado este pedido') });
  expect((await stranger.call(api.getPedido, of(id))).body).not.toHaveProperty('retirado');
  const reply = await step(carrier, id);
  expect([reply.status, reply.body]).toEqual([409, { message: withTime('Ana te ha retirado este pedido'), code: 'retirado' }]);
  expect((await carrier.call(autoAsignar, of(id))).status).toBe(200);
  expect((await step(carrier, id)).status).toBe(200);
});

test('a carrier who returned an order in a second window is told so at the next step', async () => {
  const { id } = await inHand();
  await carrier.call(api.setEstado, { ...of(id), body: { estado: 'pendiente' } });
  await luis.call(autoAsignar, of(id));
  expect((await step(carrier, id)).body).toMatchObject({ message: 'Has devuelto este pedido' });
});
