import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { anotarPago, anularPago, listPagos } from '../../../contract/payments/payments.ts';
import { deshacerImport, importPedidos, listImports } from '../../../contract/pedidos/import.ts';
import { deletePedido, getPedido, listPedidos, restorePedido, updatePedido } from '../../../contract/pedidos/pedidos.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { balance } from '../../../test/ledger.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';
import { deleteOldImports } from './lote.ts';

let world: World;
let admin: Person;
let pack: { id: string; product_id: string };
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  pack = await world.pack({ pack_price_cents: 1000 });
  const filas = [1, 2, 3].map((n) => ({
    cliente_nombre: `Cliente ${n}`,
    cliente_direccion: `Calle Mayor ${n}`,
    cliente_telefono: `60011220${n}`,
    cliente_codigo_postal: '28013',
    cliente_ciudad: 'Madrid',
    pack_id: pack.id,
    ...(n === 1 && { pago: { metodo: 'tarjeta' as const, importe: 10 } }),
  }));
  expect((await admin.call(importPedidos, { body: { filas } as never })).status).toBe(201);
});

const orders = async () => (await admin.call(listPedidos, { query: { sort: 'numero_orden' } })).body.data;
const named = async (name: string) => (await orders()).find(({ cliente_nombre }) => cliente_nombre === name);
const imports = async () => (await admin.call(listImports, {})).body.data;
const undo = async () => admin.call(deshacerImport, { params: { id: (await imports())[0]?.id ?? '' } });

test('an import is undone whole: orders, units and the payments that it brought', async () => {
  const paid = await named('Cliente 1');
  expect(await imports()).toMatchObject([{ pedidos: 3, quien: admin.user.full_name }]);
  expect(await undo()).toMatchObject({ status: 200, body: { message: 'Importación deshecha: 3 pedidos eliminados' } });
  expect([await orders(), await imports()]).toEqual([[], []]);
  expect((await balance(world.db, pack.product_id)).stock).toBe(1000);
  expect((await admin.call(listPagos, { params: { id: paid?.id ?? '' } })).body.data).toMatchObject([{ estado: 'anulado' }]);
});

test('an order that was deleted by hand does not keep the others', async () => {
  await admin.call(deletePedido, { params: { id: (await orders())[1]?.id ?? '' } });
  expect(await undo()).toMatchObject({ body: { message: 'Importación deshecha: 2 pedidos eliminados' } });
});

test('an order that was deleted before the undo owes no money that never came, and is not restored unpaid', async () => {
  const paid = await named('Cliente 1');
  const params = { id: paid?.id ?? '' };
  await admin.call(deletePedido, { params });
  expect(await undo()).toMatchObject({ status: 200 });
  expect((await admin.call(listPagos, { params })).body.data).toMatchObject([{ estado: 'anulado' }]);
  expect((await admin.call(getPedido, { params })).body.data).toMatchObject({ pagado: 0, por_reembolsar: 0 });
  await deleteOldImports(world.db);
  expect(await admin.call(restorePedido, { params })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('de nuevo') },
  });
});

test('an unpaid order of an undone import is restored as it was, and once more after it has been paid', async () => {
  const params = { id: (await named('Cliente 2'))?.id ?? '' };
  await undo();
  expect((await admin.call(restorePedido, { params })).status).toBe(200);
  expect((await admin.call(anotarPago, { params, body: { metodo: 'bizum', importe: 5, fecha: dayInMadrid() } })).status).toBe(201);
  await admin.call(deletePedido, { params });
  expect((await admin.call(restorePedido, { params })).status).toBe(200);
});

test('an import of which an order was deleted, restored and joined to a web shop’s order is not undone', async () => {
  const { id = '', numero_orden } = (await named('Cliente 2')) ?? {};
  const params = { id };
  await admin.call(deletePedido, { params });
  await admin.call(restorePedido, { params });
  expect(await undo()).toMatchObject({ status: 409, body: { message: expect.stringContaining(String(numero_orden)) } });
  await world.db
    .updateTable('importaciones')
    .set({ versiones: sql`ARRAY(SELECT version FROM pedidos WHERE id = ANY (pedidos) ORDER BY id)` })
    .execute();
  const shop = await world.db.insertInto('tiendas').values({ conector: 'woo', nombre: 'Tienda' }).returning('id').executeTakeFirstOrThrow();
  const web = { externo_id: '7', numero: '7', modificado_at: '2026-11-20T09:00:00Z', estado: 'creado', pedido_id: id } as const;
  await world.db
    .insertInto('tienda_pedidos')
    .values({ ...web, tienda_id: shop.id })
    .execute();
  expect(await undo()).toMatchObject({ status: 409, body: { message: expect.stringContaining(String(numero_orden)) } });
  await world.db.deleteFrom('tienda_pedidos').execute();
  expect((await undo()).status).toBe(200);
});

const third = { cliente_nombre: 'Cliente 3', cliente_direccion: 'Calle Mayor 3' };
test.each([
  ['edited', (id: string) => admin.call(updatePedido, { params: { id }, body: { ...third, instrucciones: 'Llamar' } })],
  ['paid', (id: string) => admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 5, fecha: dayInMadrid() } })],
])('an import of which an order has been %s is not undone, and the order is named', async (_, act) => {
  const order = await named('Cliente 3');
  const acted = await act(order?.id ?? '');
  expect(acted.status, JSON.stringify(acted.body)).toBeLessThan(300);
  const { status, body } = await undo();
  expect([status, body]).toMatchObject([409, { message: expect.stringContaining(`ya ha cambiado ${order?.numero_orden}`) }]);
  expect(await orders()).toHaveLength(3);
});

test.each(['pagado', 'devolucion_pendiente', 'anulado'] as const)(
  'money that came since (%s) keeps an import, although the order is as it was',
  async (estado) => {
    const order = await named('Cliente 1');
    const pago = { pedido_id: order?.id ?? '', proveedor: 'bizum', referencia: '', importe_cents: 500, estado } as const;
    const { version } = await world.db.selectFrom('pedidos').select('version').where('id', '=', pago.pedido_id).executeTakeFirstOrThrow();
    await world.db.insertInto('pagos').values(pago).execute();
    const after = await world.db.selectFrom('pedidos').select('version').where('id', '=', pago.pedido_id).executeTakeFirstOrThrow();
    expect(after.version).toBe(version);
    const { status, body } = await undo();
    expect([status, body]).toMatchObject([409, { message: expect.stringContaining(`ya ha cambiado ${order?.numero_orden}`) }]);
    const pagos = (await admin.call(listPagos, { params: { id: pago.pedido_id } })).body.data;
    expect(pagos.map((found) => [found.importe, found.estado]).sort()).toEqual([
      [10, 'pagado'],
      [5, estado],
    ]);
  },
);

test('a payment of the import that was annulled by hand stays annulled for its own reason', async () => {
  const order = await named('Cliente 1');
  const [pago] = (await admin.call(listPagos, { params: { id: order?.id ?? '' } })).body.data;
  const reason = 'El banco lo devolvió';
  expect((await admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: reason } })).status).toBe(200);
  await world.db
    .updateTable('importaciones')
    .set({
      versiones: sql`(SELECT array_agg(p.version ORDER BY o.n)
    FROM unnest(pedidos) WITH ORDINALITY o(id, n) JOIN pedidos p ON p.id = o.id)`,
    })
    .execute();
  expect((await undo()).status).toBe(200);
  const rows = await world.db.selectFrom('pagos').select(['estado', 'nota']).execute();
  expect(rows).toEqual([{ estado: 'anulado', nota: reason }]);
});

test.each([
  [10, ''],
  [11, ' y 1 más'],
  [12, ' y 2 más'],
])('of %i changed orders of an import ten are named%s', async (count, more) => {
  const filas = Array.from({ length: count }, (_, n) => ({
    cliente_nombre: `Otro ${n}`,
    cliente_direccion: 'Calle Mayor 1',
    cliente_codigo_postal: '28013',
    pack_id: pack.id,
  }));
  await world.db.deleteFrom('importaciones').execute();
  expect((await admin.call(importPedidos, { body: { filas } as never })).status).toBe(201);
  await world.db.updateTable('pedidos').set({ version: sql`version + 1` }).where('cliente_nombre', 'like', 'Otro %').execute();
  const { status, body } = await undo();
  expect(status).toBe(409);
  expect(body.message.match(/ORD-\d+/g)).toHaveLength(10);
  expect(body.message).toMatch(new RegExp(`\\d${more}\\. Elimina`));
});

test('of two who undo an import at once, one is refused', async () => {
  const [{ id } = { id: '' }] = await imports();
  const answers = await Promise.all([1, 2].map(() => admin.call(deshacerImport, { params: { id } })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('an import is deleted from the list after its days', async () => {
  await world.db.updateTable('importaciones').set({ created_at: '2026-01-01T00:00:00Z' }).execute();
  expect([await imports(), (await admin.call(deshacerImport, { params: { id: pack.id } })).status]).toEqual([[], 409]);
  await deleteOldImports(world.db);
  expect(await world.db.selectFrom('importaciones').select('id').execute()).toEqual([]);
});
