import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { QueryIn } from '../../../contract/kit/endpoint.ts';
import { lotePedidos } from '../../../contract/pedidos/lote.ts';
import { deletePedido, listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

/* Listing deleted orders and restoring them in batches. */

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

const remove = (id: string) => admin.call(deletePedido, { params: { id } });
const found = async (who: Person, query: QueryIn<typeof listPedidos>) =>
  (await who.call(listPedidos, { query })).body.data.map(({ numero_orden }) => numero_orden).sort();

test('a superadmin can list and search deleted orders', async () => {
  const [first, second, kept] = [await world.pedido({ cliente_nombre: 'Lola' }), await world.pedido(), await world.pedido()];
  for (const { id } of [first, second]) await remove(id);
  expect(await found(admin, { eliminados: 'si' })).toEqual([first.numero_orden, second.numero_orden].sort());
  expect(await found(admin, { eliminados: 'si', search: 'lola' })).toEqual([first.numero_orden]);
  expect(await found(admin, {})).toEqual([kept.numero_orden]);
});

test('the filter of deleted orders reveals nothing to resellers and carriers', async () => {
  const [reseller, carrier] = [await world.as('revendedor'), await world.as('transportista')];
  const fields = { estado: 'asignado', revendedor_id: reseller.user.id, transportista_id: carrier.user.id } as const;
  await remove((await world.pedido(fields)).id);
  await world.pedido(fields);
  for (const person of [reseller, carrier]) expect(await found(person, { eliminados: 'si' })).toEqual([]);
});

test('many deleted orders are restored at once', async () => {
  const [first, second, alive] = [await world.pedido(), await world.pedido(), await world.pedido()];
  const ids = [first.id, second.id, alive.id];
  const run = (accion: 'eliminar' | 'restaurar', fields = ids) =>
    admin.call(lotePedidos, { body: { pedidos: { ids: fields }, accion: { tipo: accion } } });
  await run('eliminar', [first.id, second.id]);
  expect(await found(admin, {})).toEqual([alive.numero_orden]);
  const { body } = await run('restaurar');
  // The batch skips the order that was never deleted.
  expect(body).toMatchObject({ hechos: 2, message: '2 de 2 pedidos: restaurado' });
  expect(await found(admin, {})).toHaveLength(3);
});

test('deleted orders are restored by filter only if the filter matches the expected number', async () => {
  const { id } = await world.pedido();
  await remove(id);
  const restore = (esperados: number) =>
    admin.call(lotePedidos, { body: { pedidos: { filtro: { eliminados: 'si' }, esperados }, accion: { tipo: 'restaurar' } } });
  expect((await restore(2)).status).toBe(409);
  expect((await restore(1)).body).toMatchObject({ hechos: 1 });
});
