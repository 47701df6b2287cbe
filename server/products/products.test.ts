import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { QueryIn } from '../../contract/kit/endpoint.ts';
import { createProduct, listProducts, updateProduct } from '../../contract/products/products.ts';
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

const body = { name: 'Aceite', description: 'Virgen extra', stock: 40, min_stock: 5, is_active: true };
const movements = () =>
  world.db.selectFrom('stock_movements').select(['unidades', 'motivo', 'actor_nombre']).orderBy('created_at').execute();
const logs = () => world.db.selectFrom('audit_logs').selectAll().where('entity_type', '=', 'product').orderBy('created_at').execute();

describe('a new product', () => {
  test('a new product is returned with its initial stock, which the ledger records', async () => {
    const { status, body: reply } = await admin.call(createProduct, { body });
    expect(status).toBe(201);
    expect(reply).toMatchObject({ success: true, message: 'Producto creado exitosamente', data: { ...body, packs_activos: 0 } });
    expect(await movements()).toEqual([{ unidades: 40, motivo: 'inicial', actor_nombre: admin.user.full_name }]);
    const [log] = await logs();
    expect(log).toMatchObject({
      action: 'create',
      entity_id: reply.data.id,
      description: 'Producto creado: Aceite',
      actor_user_id: admin.user.id,
    });
  });

  test('a new product starts inactive, without description, and without movement if there is no stock', async () => {
    const { body: reply } = await admin.call(createProduct, { body: { name: '  Sal  ', stock: 0, min_stock: 0 } });
    expect(reply.data).toMatchObject({ name: 'Sal', description: null, stock: 0, is_active: false });
    expect(await movements()).toEqual([]);
  });
});

describe('the list', () => {
  test('the list of products is sorted by name, ignoring accents and case, and counts active packs', async () => {
    for (const name of ['Zumo', 'ácido', 'Banana']) await world.product({ name });
    const [{ id: product_id }] = (await world.db.selectFrom('products').select('id').where('name', '=', 'Banana').execute()) as [
      { id: string },
    ];
    await world.pack({ product_id });
    await world.pack({ product_id });
    await world.pack({ product_id, is_active: false });

    const { status, body: reply } = await admin.call(listProducts);
    expect(status).toBe(200);
    expect(reply.data.map((p) => [p.name, p.packs_activos])).toEqual([
      ['ácido', 0],
      ['Banana', 2],
      ['Zumo', 0],
    ]);
  });
});

describe('changing a product', () => {
  test('changing a product returns the changed product and logs the changes', async () => {
    const { id } = await world.product({ name: 'Aceite', stock: 10, min_stock: 5 });
    const { status, body: reply } = await admin.call(updateProduct, { params: { id }, body: { ...body, name: 'Aceite nuevo', stock: 12 } });
    expect(status).toBe(200);
    expect(reply).toMatchObject({ message: 'Producto actualizado', data: { ...body, id, name: 'Aceite nuevo', stock: 12 } });
    expect(await movements()).toMatchObject([{ unidades: 10 }, { unidades: 2, motivo: 'ajuste', actor_nombre: admin.user.full_name }]);
    const [log] = await logs();
    expect(log).toMatchObject({
      action: 'update',
      antes: { name: 'Aceite', description: null, stock: 10 },
      despues: { name: 'Aceite nuevo', description: 'Virgen extra', stock: 12 },
    });
  });

  test('changing a product without a description keeps the old description', async () => {
    const { id } = await world.product({ description: 'Virgen extra' });
    const { description: _, ...call } = body;
    expect((await admin.call(updateProduct, { params: { id }, body: call })).body.data.description).toBe('Virgen extra');
    expect((await admin.call(updateProduct, { params: { id }, body: { ...call, description: ' ' } })).body.data.description).toBeNull();
  });

  test('changing a product takes account of an order placed while the form was open', async () => {
    const { id } = await world.product({ stock: 100 });
    const pack = await world.pack({ product_id: id, pack_quantity: 30 });
    await world.pedido({ pack });
    const { body: reply } = await admin.call(updateProduct, { params: { id }, body: { ...body, stock: 110, stock_visto: 100 } });
    expect(reply.data.stock).toBe(80);
    const unchanged = await admin.call(updateProduct, { params: { id }, body: { ...body, stock: 100, stock_visto: 100 } });
    expect(unchanged.body.data.stock).toBe(80);
  });

  test('changing a product cannot remove more units than are left', async () => {
    const { id } = await world.product({ name: 'Aceite', stock: 3 });
    const { status, body: reply } = await admin.call(updateProduct, {
      params: { id },
      body: { ...body, name: 'Otro', stock: 0, stock_visto: 10 },
    });
    expect(status).toBe(422);
    expect(reply.errors).toEqual({ stock: ['Stock insuficiente: quedan 3 unidades'] });
    expect((await admin.call(listProducts)).body.data[0]).toMatchObject({ name: 'Aceite', stock: 3 });
    expect(await logs()).toEqual([]);
  });

  test('concurrent edits without `stock_visto` end with one of the sent stocks and a matching ledger', async () => {
    const { id } = await world.product({ stock: 50 });
    await Promise.all([10, 70, 30, 90].map((stock) => admin.call(updateProduct, { params: { id }, body: { ...body, stock } })));
    const { stock } = await world.db.selectFrom('products').select('stock').executeTakeFirstOrThrow();
    expect([10, 70, 30, 90]).toContain(stock);
    expect((await movements()).reduce((sum, row) => sum + row.unidades, 0)).toBe(stock);
  });

  test('an unknown product gets the same 404 answer as an invalid id', async () => {
    const unknown = await admin.call(updateProduct, { params: { id: crypto.randomUUID() }, body });
    const none = await admin.call(updateProduct, { params: { id: 'nada' }, body });
    expect([unknown.status, unknown.text]).toEqual([404, none.text]);
  });
});

describe('invalid input, with its error under the field', () => {
  test.each<[string, unknown, string, string]>([
    ['no name', { name: null }, 'name', 'El nombre es obligatorio'],
    ['a blank name', { name: '   ' }, 'name', 'El nombre es obligatorio'],
    ['a name that is a number', { name: 7 }, 'name', 'El nombre es obligatorio'],
    ['a name too long', { name: 'x'.repeat(121) }, 'name', 'No puede superar los 120 caracteres'],
    ['a name with NUL', { name: 'a\u0000b' }, 'name', 'Contiene caracteres no permitidos'],
    ['a name with half a character', { name: 'a\ud800b' }, 'name', 'Contiene caracteres no permitidos'],
    ['a description with NUL', { description: '\u0000' }, 'description', 'Contiene caracteres no permitidos'],
    ['no stock', { stock: null }, 'stock', 'Stock inicial inválido'],
    ['a negative stock', { stock: -1 }, 'stock', 'Stock inicial inválido'],
    ['half a unit', { stock: 0.5 }, 'stock', 'Stock inicial inválido'],
    ['a stock in words', { stock: '40' }, 'stock', 'Stock inicial inválido'],
    ['a huge stock', { stock: 1e300 }, 'stock', 'Stock inicial inválido'],
    ['a negative minimum', { min_stock: -1 }, 'min_stock', 'Stock mínimo inválido'],
    ['no minimum', { min_stock: null }, 'min_stock', 'Stock mínimo inválido'],
    ['a word as `is_active`', { is_active: 'false' }, 'is_active', ''],
    ['an unknown field', { price: 3 }, 'price', 'Campo desconocido: price'],
    ['an id in the body', { id: crypto.randomUUID() }, 'id', 'Campo desconocido: id'],
    ['a word as `stock_visto`', { stock_visto: 'x' }, 'stock_visto', ''],
  ])('a product with %s is refused', async (_, change, field, message) => {
    const { id } = await world.product({ name: 'Intacto' });
    const fields = { ...body, ...(change as object) };
    const replies = [
      await admin.request('POST', '/api/products', { body: fields }),
      await admin.request('PUT', `/api/products/${id}`, { body: fields }),
    ];
    for (const reply of field === 'stock_visto' ? replies.slice(1) : replies) {
      expect(reply.status).toBe(422);
      const { errors } = reply.body as { errors: Record<string, string[]> };
      expect(Object.keys(errors)).toEqual([field]);
      if (message) expect(errors[field]?.[0]).toBe(message);
    }
    expect((await admin.call(listProducts)).body.data.map((p) => p.name)).toEqual(['Intacto']);
  });

  test.each(['revendedor', 'transportista'] as const)('a %s can neither read nor change products', async (role) => {
    const other = await world.as(role);
    const { id } = await world.product({ name: 'Intacto' });
    expect((await other.call(listProducts)).status).toBe(403);
    expect((await other.call(createProduct, { body })).status).toBe(403);
    expect((await other.call(updateProduct, { params: { id }, body })).status).toBe(403);
    expect((await admin.call(listProducts)).body.data.map((p) => p.name)).toEqual(['Intacto']);
  });
});

test('the list is searched, filtered by state and day of creation, and sorted', async () => {
  for (const [name, stock, is_active] of [
    ['Aceite de oliva', 5, true],
    ['Miel', 9, false],
    ['Aceite 100%', 7, true],
  ] as const)
    await admin.call(createProduct, { body: { ...body, name, stock, is_active } });
  const names = async (query: QueryIn<typeof listProducts>) =>
    (await admin.call(listProducts, { query })).body.data.map(({ name }) => name);
  expect(await names({})).toEqual(['Aceite 100%', 'Aceite de oliva', 'Miel']);
  expect(await names({ search: 'OLIVA aceite' })).toEqual(['Aceite de oliva']);
  expect(await names({ search: '%' })).toEqual(['Aceite 100%']);
  expect(await names({ activo: 'no' })).toEqual(['Miel']);
  expect(await names({ activo: 'si', sort: 'stock', dir: 'desc' })).toEqual(['Aceite 100%', 'Aceite de oliva']);
  const today = dayInMadrid();
  expect(await names({ creado_desde: today, creado_hasta: today })).toHaveLength(3);
  expect([await names({ creado_desde: '2999-01-01' }), await names({ creado_hasta: '2020-01-01' })]).toEqual([[], []]);
  expect((await admin.request('GET', '/api/products?activo=quiza')).status).toBe(422);
});
