import { beforeAll, beforeEach, expect, test } from 'vitest';
import { getPago } from '../../contract/pagar/pagar.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { guardarRuta } from '../../contract/ruta/ruta.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* Expected arrival on the customer's page. */

/** Time zone where it is now between eleven and noon, because late in the evening no arrival is promised. */
const shift = new Date().getUTCHours() - 11;
const FORENOON = `Etc/GMT${shift < 0 ? shift : `+${shift}`}`;

let world: World;
let carrier: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  carrier = await world.as(await world.user({ role: 'transportista', full_name: 'Carrier Secreto' }));
  await use({ dayRoute: true, routeMinutes: 10, timezone: FORENOON });
});

const use = (settings: object) =>
  world.db
    .updateTable('settings')
    .set({ data: JSON.stringify(settings) as never })
    .execute();
const held = (cliente_nombre: string, fields: object = {}) =>
  world.pedido({
    estado: 'asignado',
    transportista_id: carrier.user.id,
    cliente_nombre,
    cliente_codigo_postal: '45001',
    cliente_ciudad: 'Toledo',
    ...fields,
  });
const leave = (id: string) => carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
const arrange = (pedidos: string[]) =>
  carrier.call(guardarRuta, { body: { pedidos, primera: null, ultima: null, ocurrido: new Date().toISOString() } });
type Paid = { pago_token: string | null };
const pageOf = ({ pago_token }: Paid) => world.nobody().call(getPago, { params: { token: pago_token ?? '' } });
const arrivalOf = async (pedido: Paid) => (await pageOf(pedido)).body.data.llegada;

test('the page of an order on its way shows the number of stops before and a time range', async () => {
  const [first, second, third] = [await held('Ana Primera'), await held('Berta Segunda'), await held('Carla Tercera')];
  await arrange([second.id, first.id, third.id]);
  expect(await arrivalOf(third)).toBeUndefined();
  for (const { id } of [first, second, third]) await leave(id);
  const reply = await pageOf(third);
  const { llegada } = reply.body.data;
  expect(Object.keys(llegada ?? {}).sort()).toEqual(['desde', 'hasta', 'paradas']);
  expect(llegada?.paradas).toBe(2);
  const [desde, hasta] = [Date.parse(llegada?.desde ?? ''), Date.parse(llegada?.hasta ?? '')];
  expect([desde % 900_000, hasta % 900_000]).toEqual([0, 0]);
  expect(hasta).toBeGreaterThan(desde);
  expect(desde).toBeGreaterThan(Date.now() - 900_000);
  for (const secret of ['Ana Primera', 'Berta Segunda', 'Carrier Secreto', first.id, second.id, first.numero_orden, second.numero_orden])
    expect(reply.text).not.toContain(secret);

  await carrier.call(setEstado, { params: { id: second.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  expect((await arrivalOf(third))?.paradas).toBe(1);
  await carrier.call(setEstado, { params: { id: first.id }, body: { estado: 'asignado', paso: 'fallar', motivo: 'No había nadie' } });
  expect((await arrivalOf(third))?.paradas).toBe(0);
});

test('no arrival is shown for an order outside the route, after its delivery, or in a shop without routes', async () => {
  const [inside, outside] = [await held('Ana'), await held('Berta')];
  await arrange([inside.id]);
  for (const { id } of [inside, outside]) await leave(id);
  expect(await arrivalOf(outside)).toBeUndefined();
  expect((await arrivalOf(inside))?.paradas).toBe(0);
  await use({ timezone: FORENOON });
  expect(await arrivalOf(inside)).toBeUndefined();
  await use({ dayRoute: true, timezone: FORENOON });
  await carrier.call(setEstado, { params: { id: inside.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  expect(await arrivalOf(inside)).toBeUndefined();
});
