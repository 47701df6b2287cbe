import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listFacturables } from '../../contract/facturables/facturables.ts';
import { createPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { settled } from '../../test/settled.ts';
import { vatShop } from '../../test/vat.ts';
import { createWorld, type World } from '../../test/world.ts';
import { settleAll } from './settle.ts';

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

it.each([499, 500, 1001])('a delivery is written down after %i other changes, and the place in the log is kept', async (others) => {
  const { admin, pack } = await vatShop(world);
  await sql`INSERT INTO cambios SELECT 'pedido', gen_random_uuid(), '1'::xid8 FROM generate_series(1, ${others})`.execute(world.db);
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013', pack_id: pack.id };
  const { id } = (await admin.call(createPedido, { body })).body.data;
  await admin.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  await settled(world.db);
  const place = async () => {
    await settleAll(world.db);
    return world.db.selectFrom('facturables_seguimiento').selectAll().executeTakeFirstOrThrow();
  };
  const first = await place();
  expect(first.pedido_id).toBe(id);
  expect((await admin.call(listFacturables)).body.data).toHaveLength(1);
  expect(await place()).toEqual(first);
});
