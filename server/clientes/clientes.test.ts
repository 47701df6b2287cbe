import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listClientes } from '../../contract/clientes.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let reseller: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  reseller = await world.as('revendedor');
});

const find = async (search: string, who = reseller) => (await who.call(listClientes, { query: { search } })).body.data;
const order = (given: object, of = reseller) => world.pedido({ revendedor_id: of.user.id, ...given });

describe('known customers', () => {
  it('are found by name without its accents, and by phone in any writing', async () => {
    await order({ cliente_nombre: 'Íñigo Núñez', cliente_telefono: '600 11 22 33' });
    await order({ cliente_nombre: 'Otra', cliente_telefono: null });
    for (const search of ['inigo', 'NUÑ', '600112', '+34 600 11 22 33', '600 11']) {
      expect(
        (await find(search)).map((c) => c.cliente_nombre),
        search,
      ).toEqual(['Íñigo Núñez']);
    }
  });

  it('are not those whose street, town or product has the word', async () => {
    await order({ cliente_nombre: 'Ana', cliente_direccion: 'Calle Lugones 1', cliente_ciudad: 'Lugones', producto: 'Lugones' });
    expect(await find('lugones')).toEqual([]);
  });

  it('are one for many orders, as the latest has them', async () => {
    await order({
      cliente_nombre: 'Ana Ruiz',
      cliente_telefono: '600-112233',
      cliente_direccion: 'La vieja 1',
      fecha_pedido: '2026-01-01T10:00:00Z',
    });
    await order({
      cliente_nombre: 'ana ruíz',
      cliente_telefono: '600112233',
      cliente_direccion: 'La nueva 2',
      fecha_pedido: '2026-02-01T10:00:00Z',
    });
    expect(await find('ana ruiz')).toMatchObject([{ cliente_nombre: 'ana ruíz', cliente_direccion: 'La nueva 2', pedidos: 2 }]);
  });

  it('of a reseller are those of their own orders, deleted ones apart; a superadmin’s are everybody’s', async () => {
    const other = await world.as(await world.user({ role: 'revendedor' }));
    await order({ cliente_nombre: 'Ana Mía' });
    await order({ cliente_nombre: 'Ana Ajena' }, other);
    await order({ cliente_nombre: 'Ana Borrada', deleted_at: new Date().toISOString() });
    expect((await find('ana')).map((c) => c.cliente_nombre)).toEqual(['Ana Mía']);
    expect((await find('ana', await world.as('superadmin'))).map((c) => c.cliente_nombre).sort()).toEqual(['Ana Ajena', 'Ana Mía']);
  });

  it('are not looked for by one letter, nor for a carrier', async () => {
    expect((await reseller.call(listClientes, { query: { search: 'a' } })).status).toBe(422);
    const carrier = await world.as('transportista');
    expect((await carrier.call(listClientes, { query: { search: 'ana' } })).status).toBe(403);
  });
});
