import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { QueryIn } from '../../contract/kit/endpoint.ts';
import { setPrecio } from '../../contract/products/precios.ts';
import { createPack, listPacks, listPacksAlias, updatePack } from '../../contract/products/products.ts';
import { dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const fields = { name: 'Caja de 6', alias: 'C6', pack_quantity: 6, pack_price: 19.99, is_active: true };
const names = (reply: { body: { data: { name: string }[] } }) => reply.body.data.map((pack) => pack.name);

describe('a new pack', () => {
  test('a new pack is returned with its product’s name and its price in euros', async () => {
    const product = await world.product({ name: 'Aceite' });
    const { status, body } = await admin.call(createPack, { body: { ...fields, product_id: product.id } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      success: true,
      message: 'Pack creado',
      data: { ...fields, product_id: product.id, product_name: 'Aceite', available: true },
    });
    const log = await world.db.selectFrom('audit_logs').selectAll().executeTakeFirstOrThrow();
    expect(log).toMatchObject({
      action: 'create',
      entity_type: 'pack',
      entity_id: body.data.id,
      description: 'Pack creado: Aceite – Caja de 6',
    });
  });

  test('a new pack has one unit, costs nothing and is active by default', async () => {
    const { id: product_id } = await world.product();
    const { body } = await admin.call(createPack, { body: { product_id, name: 'Suelto', alias: 'S' } });
    expect(body.data).toMatchObject({ pack_quantity: 1, pack_price: 0, is_active: true });
  });

  test.each([0, 0.01, 0.07, 0.29, 1.1, 19.99, 8.2, 1_000_000])('the price %d of a pack is exact to the cent', async (pack_price) => {
    const { id: product_id } = await world.product();
    const { body } = await admin.call(createPack, { body: { ...fields, product_id, pack_price } });
    expect(body.data.pack_price).toBe(pack_price);
    const { pack_price_cents } = await world.db.selectFrom('product_packs').select('pack_price_cents').executeTakeFirstOrThrow();
    expect(pack_price_cents).toBe(Math.round(pack_price * 100));
  });

  test('a new pack of an unknown product is refused', async () => {
    const { status, body } = await admin.call(createPack, { body: { ...fields, product_id: crypto.randomUUID() } });
    expect([status, body.errors]).toEqual([422, { product_id: ['El producto no existe'] }]);
  });
});

test('a pack shows how many packs can be made of its product’s stock', async () => {
  const { id: product_id } = await world.product({ stock: 7 });
  for (const [pack_quantity, quedan] of [
    [1, 7],
    [2, 3],
    [10, 0],
  ])
    expect((await admin.call(createPack, { body: { ...fields, product_id, pack_quantity } })).body.data).toMatchObject({ quedan });
});

describe('the list', () => {
  beforeEach(async () => {
    const sold = await world.product({ name: 'Miel' });
    const retired = await world.product({ name: 'Arroz', is_active: false });
    await world.pack({ product_id: sold.id, name: 'Tarro' });
    await world.pack({ product_id: sold.id, name: 'Bote' });
    await world.pack({ product_id: sold.id, name: 'Antiguo', is_active: false });
    await world.pack({ product_id: retired.id, name: 'Saco' });
  });

  test('the list of packs shows a superadmin all packs, by product and name, and which can be ordered', async () => {
    const { body } = await admin.call(listPacks);
    expect(body.data.map((pack) => [pack.product_name, pack.name, pack.available])).toEqual([
      ['Arroz', 'Saco', false],
      ['Miel', 'Antiguo', false],
      ['Miel', 'Bote', true],
      ['Miel', 'Tarro', true],
    ]);
  });

  test('the list of packs shows a reseller only packs that can be ordered', async () => {
    expect(names(await (await world.as('revendedor')).call(listPacks))).toEqual(['Bote', 'Tarro']);
  });

  test('the list of packs can also be read under its older path', async () => {
    for (const person of [admin, await world.as('revendedor')]) {
      expect((await person.call(listPacksAlias)).text).toBe((await person.call(listPacks)).text);
    }
  });

  test('the list of packs is refused to a carrier, because of the prices', async () => {
    const carrier = await world.as('transportista');
    for (const endpoint of [listPacks, listPacksAlias]) {
      const { status, body } = await carrier.call(endpoint);
      const message = 'No tienes permisos para realizar esta acción';
      expect([status, body]).toEqual([403, { message, code: 'permission_missing', permission: endpoint.action }]);
    }
  });
});

describe('changing a pack', () => {
  test('changing a pack returns the changed pack, and existing orders keep their price', async () => {
    const pack = await world.pack({ pack_price_cents: 1250 });
    const pedido = await world.pedido({ pack });
    const { status, body } = await admin.call(updatePack, { params: { id: pack.id }, body: { ...fields, is_active: false } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ message: 'Pack actualizado', data: { ...fields, id: pack.id, is_active: false, available: false } });
    const { precio_total_cents } = await world.db
      .selectFrom('pedidos')
      .select('precio_total_cents')
      .where('id', '=', pedido.id)
      .executeTakeFirstOrThrow();
    expect(precio_total_cents).toBe(1250);
  });

  test('changing a pack is logged with the changes, but without prices in the description', async () => {
    const { id: product_id } = await world.product({ name: 'Miel' });
    const pack = await world.pack({ product_id, name: fields.name, alias: fields.alias, pack_quantity: 6, pack_price_cents: 1250 });
    await admin.call(updatePack, { params: { id: pack.id }, body: fields });
    const log = await world.db.selectFrom('audit_logs').selectAll().executeTakeFirstOrThrow();
    expect(log).toMatchObject({
      action: 'update',
      description: 'Pack actualizado: Miel – Caja de 6',
      antes: { pack_price_cents: 1250 },
      despues: { pack_price_cents: 1999 },
    });
  });

  test('changing a pack cannot move the pack to another product', async () => {
    const pack = await world.pack();
    const reply = await admin.request('PUT', `/api/product-packs/${pack.id}`, {
      body: { ...fields, product_id: (await world.product()).id },
    });
    expect([reply.status, reply.body]).toMatchObject([422, { errors: { product_id: ['Campo desconocido: product_id'] } }]);
  });

  test('an unknown pack is not found', async () => {
    expect((await admin.call(updatePack, { params: { id: crypto.randomUUID() }, body: fields })).status).toBe(404);
    expect((await admin.call(updatePack, { params: { id: '1' }, body: fields })).status).toBe(404);
  });
});

describe('invalid input, with its error under the field', () => {
  const AMOUNT = 'Cantidad o precio inválidos';
  test.each<[string, object, string, string]>([
    ['no name', { name: null }, 'name', 'Producto y nombre son obligatorios'],
    ['a blank name', { name: ' ' }, 'name', 'Producto y nombre son obligatorios'],
    ['no alias', { alias: null }, 'alias', 'Alias es obligatorio'],
    ['an empty alias', { alias: '' }, 'alias', 'Alias es obligatorio'],
    ['an alias with NUL', { alias: '\u0000' }, 'alias', 'Contiene caracteres no permitidos'],
    ['a name with half a character', { name: '\udfff!' }, 'name', 'Contiene caracteres no permitidos'],
    ['no units', { pack_quantity: 0 }, 'pack_quantity', AMOUNT],
    ['negative units', { pack_quantity: -2 }, 'pack_quantity', AMOUNT],
    ['half a unit', { pack_quantity: 1.5 }, 'pack_quantity', AMOUNT],
    ['units in words', { pack_quantity: 'dos' }, 'pack_quantity', AMOUNT],
    ['too many units', { pack_quantity: 100_001 }, 'pack_quantity', AMOUNT],
    ['a negative price', { pack_price: -0.01 }, 'pack_price', AMOUNT],
    ['a price too high', { pack_price: 1_000_000.01 }, 'pack_price', AMOUNT],
    ['a price in words', { pack_price: 'gratis' }, 'pack_price', AMOUNT],
    ['a price of null', { pack_price: null }, 'pack_price', AMOUNT],
    ['half a cent', { pack_price: 1.005 }, 'pack_price', 'Como máximo dos decimales'],
    ['an unknown field', { precio: 3 }, 'precio', 'Campo desconocido: precio'],
  ])('a pack with %s is refused', async (_, change, field, message) => {
    const pack = await world.pack({ name: 'Intacto' });
    const body = { ...fields, ...change };
    const replies = [
      await admin.request('POST', '/api/product-packs', { body: { ...body, product_id: pack.product_id } }),
      await admin.request('PUT', `/api/product-packs/${pack.id}`, { body }),
    ];
    for (const reply of replies)
      expect([reply.status, reply.body]).toEqual([422, { message, errors: { [field]: [message] }, code: 'validation_failed' }]);
    expect(names(await admin.call(listPacks))).toEqual(['Intacto']);
  });

  test.each([undefined, null, '', 'aceite', 3])('a pack of the product %j is refused', async (product_id) => {
    const { status, body } = await admin.request('POST', '/api/product-packs', { body: { ...fields, product_id } });
    expect([status, body]).toMatchObject([422, { errors: { product_id: ['Producto y nombre son obligatorios'] } }]);
  });

  test.each(['revendedor', 'transportista'] as const)('a %s cannot write packs', async (role) => {
    const other = await world.as(role);
    const pack = await world.pack({ name: 'Intacto' });
    expect((await other.call(createPack, { body: { ...fields, product_id: pack.product_id } })).status).toBe(403);
    expect((await other.call(updatePack, { params: { id: pack.id }, body: fields })).status).toBe(403);
    expect(names(await admin.call(listPacks))).toEqual(['Intacto']);
  });
});

test('packs are searched by product, name and alias, filtered and sorted, and a reseller sees those on sale at own prices', async () => {
  const [oil, honey] = [await world.product({ name: 'Aceite', is_active: true }), await world.product({ name: 'Miel', is_active: true })];
  await world.pack({ product_id: oil.id, name: 'Caja', alias: 'AC6', pack_price_cents: 3000 });
  await world.pack({ product_id: oil.id, name: 'Lata', alias: 'AL', pack_price_cents: 900, is_active: false });
  const jar = await world.pack({ product_id: honey.id, name: 'Tarro', alias: 'MT', pack_price_cents: 1000 });
  const reseller = await world.as('revendedor');
  await admin.call(setPrecio, { params: { id: jar.id }, body: { revendedor_id: reseller.user.id, desde: dayInMadrid(), precio: 40 } });
  const found = async (query: QueryIn<typeof listPacks>, who = admin) => names(await who.call(listPacks, { query }));
  expect(await found({})).toEqual(['Caja', 'Lata', 'Tarro']);
  expect(await found({ search: 'aceite ac6' })).toEqual(['Caja']);
  expect(await found({ product_id: oil.id, activo: 'no' })).toEqual(['Lata']);
  expect(await found({ sort: 'pack_price', dir: 'desc' })).toEqual(['Caja', 'Tarro', 'Lata']);
  expect(await found({ sort: 'pack_price', dir: 'desc' }, reseller)).toEqual(['Tarro', 'Caja']);
  expect(await found({ activo: 'no' }, reseller)).toEqual([]);
});
