import { beforeAll, beforeEach, expect, it } from 'vitest';
import { addComentario, listComentarios } from '../../contract/comentarios/comentarios.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let reseller: Person;
let carrier: Person;
let id: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as(await world.user({ role: 'superadmin', full_name: 'Ana Núñez' }));
  reseller = await world.as(await world.user({ role: 'revendedor', full_name: 'Rosa Gil' }));
  carrier = await world.as(await world.user({ role: 'transportista', full_name: 'Luis Paz' }));
  id = (await world.pedido({ estado: 'asignado', revendedor_id: reseller.user.id, transportista_id: carrier.user.id })).id;
});

const say = (texto: string, who: Person) => who.call(addComentario, { params: { id }, body: { texto } });
const read = async (who: Person) => (await who.call(listComentarios, { params: { id } })).body;
const texts = async (who: Person) => (await read(who)).data.map(({ texto, autor_nombre }) => `${autor_nombre}: ${texto}`);
const notices = async (who: Person) => (await who.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'comentario');

it('comments are read by superadmins and the order’s reseller, oldest first', async () => {
  expect((await say('Llamar antes', admin)).body).toMatchObject({ message: 'Comentario guardado', data: { texto: 'Llamar antes' } });
  await say('Ya he llamado', reseller);
  const all = ['Ana Núñez: Llamar antes', 'Rosa Gil: Ya he llamado'];
  expect([await texts(admin), await texts(reseller)]).toEqual([all, all]);
});

it('carriers read their own comments, but not the comments of other people', async () => {
  await say('Costó 20 €', admin);
  await say('No está en casa', carrier);
  expect(await texts(carrier)).toEqual(['Luis Paz: No está en casa']);
  expect(await texts(admin)).toHaveLength(2);
});

it('comments are neither read nor written without permission to read the order', async () => {
  const other = await world.as(await world.user({ role: 'revendedor' }));
  const otherCarrier = await world.as(await world.user({ role: 'transportista' }));
  for (const who of [other, otherCarrier]) {
    expect((await who.call(listComentarios, { params: { id } })).status).toBe(404);
    expect((await say('Hola', who)).status).toBe(404);
  }
  // Carriers read no comments of orders that are not theirs yet.
  const { id: open } = await world.pedido();
  expect((await carrier.call(listComentarios, { params: { id: open } })).status).toBe(404);
});

it('comments notify only mentioned people who can read the order', async () => {
  expect((await read(reseller)).personas).toEqual(['Ana Núñez']);
  await say('@ana nunez, ¿cuándo sale? Lo pregunta @Luis Paz', reseller);
  expect(await notices(admin)).toMatchObject([
    { texto: expect.stringMatching(/^Rosa Gil te ha nombrado en el pedido TEST-/), enlace: `/pedidos/${id}` },
  ]);
  expect(await notices(carrier)).toEqual([]);
  await say('Mañana', admin);
  expect(await notices(reseller)).toEqual([]);
  await say('Mañana, @Rosa Gil', admin);
  expect(await notices(reseller)).toHaveLength(1);
});

it('comments do not reveal the reseller to the carrier, who cannot mention the reseller', async () => {
  expect((await read(carrier)).personas).toEqual(['Ana Núñez']);
  await say('@Rosa Gil y @Ana Núñez, no está en casa', carrier);
  expect([await notices(reseller), await notices(admin)]).toEqual([[], [expect.anything()]]);
});

it('mentioning a person does not notify a person whose name is a prefix of the mention', async () => {
  const ana = await world.as(await world.user({ role: 'superadmin', full_name: 'Ana' }));
  await say('@Ana Núñez, ¿sale hoy?', reseller);
  expect([await notices(admin), await notices(ana)]).toEqual([[expect.anything()], []]);
  await say('@Ana, ¿sale hoy? @ana núñez', reseller);
  expect([(await notices(admin)).length, (await notices(ana)).length]).toEqual([2, 1]);
});

it('comments are neither empty nor longer than a thousand characters', async () => {
  expect((await say('  ', admin)).body.errors).toEqual({ texto: ['Escribe el comentario'] });
  expect((await say('a'.repeat(1001), admin)).status).toBe(422);
});
