import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getCliente, listClientes } from '../../contract/clientes/clientes.ts';
import type { QueryIn } from '../../contract/kit/endpoint.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let reseller: Person;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  reseller = await world.as('revendedor');
  admin = await world.as('superadmin');
});

const list = async (query: QueryIn<typeof listClientes> = {}, who = reseller) => (await who.call(listClientes, { query })).body;
const find = async (search: string, who = reseller) => (await list({ search }, who)).data;
const names = async (query: QueryIn<typeof listClientes> = {}, who = reseller) =>
  (await list(query, who)).data.map((c) => c.cliente_nombre);
const order = (fields: object, of = reseller) => world.pedido({ revendedor_id: of.user.id, ...fields });

describe('known customers', () => {
  it('known customers are found by name without accents, and by phone in any spelling', async () => {
    await order({ cliente_nombre: 'Íñigo Núñez', cliente_telefono: '600 11 22 33' });
    await order({ cliente_nombre: 'Otra', cliente_telefono: null });
    for (const search of ['inigo', 'NUÑ', '600112', '+34 600 11 22 33', '600 11', 'i']) {
      expect(
        (await find(search)).map((c) => c.cliente_nombre),
        search,
      ).toEqual(['Íñigo Núñez']);
    }
  });

  it('known customers are counted up to a thousand, or completely on request', async () => {
    await sql`INSERT INTO clientes (revendedor_id, clave, nombre, busqueda, ultimo_pedido)
      SELECT ${reseller.user.id}::uuid, 't:' || n, 'Ana', ' ana', now() FROM generate_series(1, 1001) n`.execute(world.db);
    expect(await list({ search: 'ana' })).toMatchObject({ total: 1000, total_exacto: false, last_page: 50 });
    const all = await list({ search: 'ana', page: 51, contar: 'todos' });
    expect(all).toMatchObject({ total: 1001, last_page: 51, data: [{}] });
    expect(all).not.toHaveProperty('total_exacto');
  });

  it('known customers are not found by street, town or product', async () => {
    await order({ cliente_nombre: 'Ana', cliente_direccion: 'Calle Lugones 1', cliente_ciudad: 'Lugones', producto: 'Lugones' });
    expect(await find('lugones')).toEqual([]);
  });

  it('known customers are identified by telephone in any spelling, with the data of the latest order', async () => {
    const old = {
      cliente_nombre: 'Ana Ruiz',
      cliente_direccion: 'La vieja 1',
      cliente_ciudad: 'Soria',
      fecha_pedido: '2026-01-01T10:00:00Z',
    };
    await order({ ...old, cliente_telefono: '600-112233', precio_total_cents: 1000 });
    await order({
      cliente_nombre: 'ana ruíz',
      cliente_telefono: '+34 600112233',
      cliente_direccion: 'La nueva 2',
      fecha_pedido: '2026-02-01T10:00:00Z',
      precio_total_cents: 2550,
    });
    // Created last but dated earlier, so not the latest order.
    await order({ ...old, cliente_telefono: '0034600112233', precio_total_cents: 100 });
    expect(await find('ana ruiz')).toMatchObject([
      { cliente_nombre: 'ana ruíz', cliente_direccion: 'La nueva 2', pedidos: 3, total: 36.5, ultimo_pedido: '2026-02-01T10:00:00.000Z' },
    ]);
  });

  it('known customers are identified by name and postcode without a telephone', async () => {
    await order({ cliente_nombre: 'José  Peña', cliente_telefono: null, cliente_codigo_postal: '42001' });
    await order({ cliente_nombre: 'jose peña', cliente_telefono: '12', cliente_codigo_postal: '42001' });
    await order({ cliente_nombre: 'José Peña', cliente_telefono: null, cliente_codigo_postal: '28001' });
    expect((await find('jose')).map(({ pedidos }) => pedidos).sort()).toEqual([1, 2]);
  });

  it('known customers stay the same when the telephone of their only order is corrected', async () => {
    const { id } = await order({ cliente_nombre: 'Ana', cliente_telefono: '600112233' });
    const [before] = await find('ana');
    const write = (cliente_telefono: string) => world.db.updateTable('pedidos').set({ cliente_telefono }).where('id', '=', id).execute();
    await write('600112234');
    expect(await find('ana')).toMatchObject([{ id: before?.id, cliente_telefono: '600112234', pedidos: 1 }]);
    // With two orders, the correction creates a second customer.
    await order({ cliente_nombre: 'Ana', cliente_telefono: '600112234' });
    await write('600112233');
    expect((await find('ana')).map(({ pedidos }) => pedidos)).toEqual([1, 1]);
  });

  it('a reseller knows the customers of their own undeleted orders, a superadmin those of all orders', async () => {
    const other = await world.as(await world.user({ role: 'revendedor' }));
    // Only the reseller distinguishes the two customers, who have the same default telephone.
    await order({ cliente_nombre: 'Ana Mía' });
    await order({ cliente_nombre: 'Ana Ajena' }, other);
    await order({ cliente_nombre: 'Ana Borrada', cliente_telefono: '611 11 11 11', deleted_at: new Date().toISOString() });
    expect(await names({ search: 'ana' })).toEqual(['Ana Mía']);
    expect((await names({ search: 'ana' }, admin)).sort()).toEqual(['Ana Ajena', 'Ana Mía']);
    expect(await names({ revendedor_id: other.user.id }, admin)).toEqual(['Ana Ajena']);
    expect(await names({ revendedor_id: other.user.id })).toEqual([]);
    await world.pedido({ revendedor_id: null, cliente_nombre: 'De la casa' });
    expect(await names({ revendedor_id: 'sin' }, admin)).toEqual(['De la casa']);
  });

  it('known customers disappear when their orders are anonymised', async () => {
    const { id } = await order({ cliente_nombre: 'Ana' });
    await world.db
      .updateTable('pedidos')
      .set({ cliente_nombre: 'Cliente anonimizado', cliente_telefono: null })
      .where('id', '=', id)
      .execute();
    expect(await names()).toEqual([]);
    expect(await world.db.selectFrom('pedidos').select('cliente_id').executeTakeFirst()).toEqual({ cliente_id: null });
  });

  it('known customers are hidden from carriers', async () => {
    const carrier = await world.as('transportista');
    expect((await carrier.call(listClientes, { query: { search: 'ana' } })).status).toBe(403);
    expect((await carrier.call(listPedidos, { query: { cliente_id: '00000000-0000-4000-8000-000000000000' } })).status).toBe(403);
  });
});

describe('the list of customers', () => {
  beforeEach(async () => {
    const fields = { cliente_telefono: '600 00 00 01', cliente_nombre: 'Ángel' };
    await order({ ...fields, fecha_pedido: '2026-01-01T10:00:00Z', precio_total_cents: 100 });
    await order({ ...fields, fecha_pedido: '2026-01-02T10:00:00Z', precio_total_cents: 100 });
    await order({ ...fields, fecha_pedido: '2026-01-09T10:00:00Z', precio_total_cents: 900, estado: 'cancelado' });
    await order({
      cliente_telefono: '600 00 00 02',
      cliente_nombre: 'Blas',
      fecha_pedido: '2026-01-03T10:00:00Z',
      precio_total_cents: 999,
    });
    await order({ cliente_telefono: '600 00 00 03', cliente_nombre: 'Zoe', fecha_pedido: '2026-01-05T10:00:00Z', precio_total_cents: 50 });
  });

  it('the list of customers can be sorted by any figure, without counting cancelled orders', async () => {
    expect(await names()).toEqual(['Ángel', 'Zoe', 'Blas']);
    expect(await names({ sort: 'nombre', dir: 'asc' })).toEqual(['Ángel', 'Blas', 'Zoe']);
    expect(await names({ sort: 'pedidos' })).toContain('Ángel');
    expect(await names({ sort: 'total' })).toEqual(['Blas', 'Ángel', 'Zoe']);
    expect(await list({ sort: 'nombre', dir: 'asc', per_page: 1, page: 2 })).toMatchObject({
      data: [{ cliente_nombre: 'Blas' }],
      total: 3,
      last_page: 3,
    });
    expect((await find('angel'))[0]).toMatchObject({ pedidos: 2, total: 2 });
  });

  it('the list of customers leads to the full customer with addresses and every order', async () => {
    await order({ cliente_telefono: '600 00 00 01', cliente_nombre: 'Ángel', cliente_direccion: 'Otra calle 3' });
    await order({ cliente_telefono: '600 00 00 01', cliente_nombre: 'Ángel', cliente_direccion: 'OTRA CALLE 3' });
    const [{ id } = { id: '' }] = await find('angel');
    const { data } = (await reseller.call(getCliente, { params: { id } })).body;
    expect(data).toMatchObject({ pedidos: 4, unidos: [], propia: { nota: null, avisar_antes: false } });
    expect(data.direcciones[0]).toMatchObject({ cliente_direccion: 'OTRA CALLE 3', pedidos: 2 });
    expect((await reseller.call(listPedidos, { query: { cliente_id: id } })).body.total).toBe(5);
  });
});
