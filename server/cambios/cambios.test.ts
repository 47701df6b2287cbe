import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cambiosClientes, cambiosPedidos, cambiosProductos } from '../../contract/cambios/cambios.ts';
import { createPedido, deletePedido, listPedidos, updatePedido } from '../../contract/pedidos/pedidos.ts';
import { ajustarStock } from '../../contract/products/products.ts';
import { settled } from '../../test/settled.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { renumberEvents } from '../webhooks/queue.ts';
import { rebuildChanges } from './cambios.ts';
import { followServer } from './moved.ts';

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

const orders = async (desde?: string, who = admin, limite = 100) => {
  await settled(world.db);
  return ordersNow(desde, who, limite);
};
const ordersNow = async (desde?: string, who = admin, limite = 100) =>
  (await who.call(cambiosPedidos, { query: { limite, ...(desde && { desde }) } })).body;
const ADDRESS = { cliente_nombre: 'Ana Ruiz', cliente_telefono: '600 111 222', cliente_direccion: 'Calle 1' };

describe('changes', () => {
  it('the changes list all orders first, then each changed order once, by its latest change', async () => {
    const all = [];
    for (let i = 0; i < 5; i += 1) all.push((await world.pedido({})).id);
    const seen: string[] = [];
    let page = await orders(undefined, admin, 2);
    for (; ; page = await orders(page.cursor, admin, 2)) {
      seen.push(...page.data.map(({ id }) => id));
      if (!page.hay_mas) break;
    }
    expect(seen).toEqual(all);
    expect(await orders(page.cursor)).toEqual({ data: [], cursor: page.cursor, hay_mas: false });

    for (const id of [all[3], all[1], all[3]])
      await admin.call(updatePedido, { params: { id: id ?? '' }, body: { ...ADDRESS, instrucciones: `${Math.random()}` } });
    const next = await orders(page.cursor);
    expect(next.data.map(({ id }) => id)).toEqual([all[1], all[3]]);
    expect(next.data[0]?.data).toMatchObject({ cliente_nombre: 'Ana Ruiz', lineas: [expect.anything()] });
    expect((await orders(next.cursor)).data).toEqual([]);
  });

  it('changes are sorted by transaction number, not as text', async () => {
    const all = [(await world.pedido({})).id, (await world.pedido({})).id, (await world.pedido({})).id];
    for (const [i, xid] of ['9', '10', '100'].entries())
      await sql`UPDATE cambios SET xid = ${xid}::xid8 WHERE entidad_id = ${all[i]}`.execute(world.db);
    const seen: string[] = [];
    for (let page = await orders(undefined, admin, 1); ; page = await orders(page.cursor, admin, 1)) {
      seen.push(...page.data.map(({ id }) => id));
      if (!page.hay_mas) break;
    }
    expect(seen).toEqual(all);
  });

  it('changes that commit late are not missed by an earlier cursor', async () => {
    const [slow, quick] = [await world.pedido({}), await world.pedido({})];
    const { cursor } = await orders();
    const late = await world.db.startTransaction().execute();
    await sql`UPDATE pedidos SET instrucciones = 'tarde' WHERE id = ${slow.id}`.execute(late);
    await sql`UPDATE pedidos SET instrucciones = 'pronto' WHERE id = ${quick.id}`.execute(world.db);
    const before = await ordersNow(cursor);
    await late.commit().execute();
    const after = await orders(before.cursor);
    expect([...before.data, ...after.data].map(({ id }) => id).sort()).toEqual([slow.id, quick.id].sort());
  });

  it('changes include deletions for superadmins, and leave out orders of other resellers', async () => {
    const reseller = await world.as('revendedor');
    const mine = await world.pedido({ revendedor_id: reseller.user.id });
    await world.pedido({});
    const { cursor } = await orders();
    expect((await orders(undefined, reseller)).data.map(({ id }) => id)).toEqual([mine.id]);
    await admin.call(deletePedido, { params: { id: mine.id } });
    expect((await orders(cursor)).data).toEqual([{ id: mine.id, data: null }]);
  });

  it('changes also cover customers, and products with stock and packs', async () => {
    const pack = await world.pack();
    const products = async (desde?: string) => {
      await settled(world.db);
      return (await admin.call(cambiosProductos, { query: desde ? { desde } : {} })).body;
    };
    const first = await products();
    expect(first.data.map(({ id }) => id)).toEqual([pack.product_id]);
    await admin.call(ajustarStock, { params: { id: pack.product_id }, body: { unidades: 5, nota: 'Llegan' } });
    const second = await products(first.cursor);
    expect(second.data).toMatchObject([{ data: { stock: 1005, packs_activos: 1 } }]);
    await world.db.updateTable('product_packs').set({ is_active: false }).execute();
    expect((await products(second.cursor)).data).toMatchObject([{ data: { packs_activos: 0 } }]);

    const people = async (desde?: string) => {
      await settled(world.db);
      return (await admin.call(cambiosClientes, { query: desde ? { desde } : {} })).body;
    };
    const { cursor } = await people();
    await world.db.updateTable('product_packs').set({ is_active: true }).execute();
    await admin.call(createPedido, { body: { ...ADDRESS, pack_id: pack.id } });
    expect((await people(cursor)).data).toMatchObject([{ data: { cliente_nombre: 'Ana Ruiz', pedidos: 1 } }]);
  });

  it('changes start again after a restore, and earlier cursors are refused', async () => {
    await world.pedido({});
    const { cursor } = await orders();
    await transact(world.db, rebuildChanges);
    const old = await admin.call(cambiosPedidos, { query: { desde: cursor } });
    expect([old.status, old.body.code]).toEqual([410, 'cursor_expired']);
    expect((await orders()).data).toHaveLength(1);
    const [mark] = Buffer.from((await orders()).cursor, 'base64url')
      .toString()
      .split('.');
    const cursorWith = (xid: string, id: string) => Buffer.from(`${mark}.${xid}.${id}`).toString('base64url');
    for (const desde of ['nada', 'a.b', cursorWith('9'.repeat(20), 'y'), cursorWith('0', '-'.repeat(36))])
      expect((await admin.call(cambiosPedidos, { query: { desde } })).status).toBe(422);
  });
});

it('an order is found by its exact reference in another program', async () => {
  const { id } = await world.pedido({ referencia_externa: 'WEB-1' });
  await world.pedido({ referencia_externa: 'WEB-11' });
  const find = (referencia_externa: string, who = admin) => who.call(listPedidos, { query: { referencia_externa } });
  expect((await find('WEB-1')).body.data.map((row) => row.id)).toEqual([id]);
  expect((await find('WEB')).body.data).toEqual([]);
  expect((await find('WEB\0')).status).toBe(422);
  expect((await find('WEB-1', await world.as('transportista'))).status).toBe(403);
});

it('an order is found by its exact number', async () => {
  const { id, numero_orden } = await world.pedido({});
  await world.pedido({});
  const find = async (numero: string) => (await admin.call(listPedidos, { query: { numero_orden: numero } })).body.data;
  expect((await find(numero_orden)).map((row) => row.id)).toEqual([id]);
  expect(await find(numero_orden.slice(0, -1))).toEqual([]);
});

describe('a move to another server', () => {
  const other = async () => '00000000-0000-4000-8000-000000000001';

  it('a move to another server lists every order again and refuses older cursors', async () => {
    const { id } = await world.pedido({});
    await followServer(world.db, renumberEvents);
    const { cursor } = await orders();
    // Transaction numbers of the former server are ahead of this server's.
    await sql`UPDATE cambios SET xid = '999999999999' WHERE tipo <> 'servidor'`.execute(world.db);
    expect((await orders()).data).toEqual([]);
    expect(await followServer(world.db, renumberEvents)).toBe(true);
    expect((await orders()).data.map((change) => change.id)).toContain(id);
    expect(await orders(cursor)).toMatchObject({ code: 'cursor_expired', message: expect.stringContaining('cambiado de servidor') });
    expect(await followServer(world.db, renumberEvents)).toBe(false);
  });

  it('a new server is recognised by its identity even if its transaction numbers are higher', async () => {
    await followServer(world.db, renumberEvents);
    expect(await followServer(world.db, renumberEvents, other)).toBe(true);
    expect(await followServer(world.db, renumberEvents, other)).toBe(false);
  });

  it('a move to another server renumbers events, so that events are listed again', async () => {
    await sql`INSERT INTO events (id, tipo, created_at, xid) VALUES (gen_random_uuid(), 'pedido.creado', now(), '999999999999')`.execute(
      world.db,
    );
    expect(await followServer(world.db, renumberEvents)).toBe(true);
    const { rows } = await sql<{ hidden: boolean }>`SELECT xid > pg_current_xact_id() AS hidden FROM events`.execute(world.db);
    expect(rows).toEqual([{ hidden: false }]);
  });
});
