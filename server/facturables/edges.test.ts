import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listFacturables } from '../../contract/facturables/facturables.ts';
import { createPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { settled } from '../../test/settled.ts';
import { vatShop } from '../../test/vat.ts';
import { createWorld, type World } from '../../test/world.ts';

/* A row to each side (test/faults.ts). */

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

it('a page that ends with the last row says that there are no more', async () => {
  const { admin, pack } = await vatShop(world);
  for (let i = 0; i < 2; i += 1) {
    const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013', pack_id: pack.id };
    const { id } = (await admin.call(createPedido, { body })).body.data;
    const done = { estado: 'completado', metodo_entrega: 'manual' } as const;
    expect((await admin.call(setEstado, { params: { id }, body: done })).status).toBe(200);
  }
  await settled(world.db);
  const more = async (limite: number) => (await admin.call(listFacturables, { query: { limite } })).body.hay_mas;
  expect([await more(1), await more(2)]).toEqual([true, false]);
});
