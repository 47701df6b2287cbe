import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { createPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { ajustarStock, listMovimientos } from '../../contract/products/products.ts';
import { balance } from '../../test/ledger.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';

/* The stock ledger of a product, and manual adjustments of its stock. */

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

const adjust = (id: string, body: BodyIn<typeof ajustarStock>, who = admin) => who.call(ajustarStock, { params: { id }, body });
const ledger = (id: string, query: { page?: number; per_page?: number } = {}, who = admin) =>
  who.call(listMovimientos, { params: { id }, query });
const order = async (pack_id: string, cantidad: number) => {
  const { status, body } = await admin.call(createPedido, {
    body: { pack_id, cantidad, cliente_nombre: 'Clara', cliente_direccion: 'Calle Mayor 1' },
  });
  expect(status).toBe(201);
  return body.data;
};

describe('the ledger', () => {
  it('the stock ledger lists each movement with author, quantity, reason and order, newest first', async () => {
    const { id } = await world.product({ stock: 100 });
    const pack = await world.pack({ product_id: id, pack_quantity: 6 });
    const pedido = await order(pack.id, 2);
    await adjust(id, { unidades: -3, nota: 'Rotura' });
    await admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });

    const { status, body } = await ledger(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 4, current_page: 1, last_page: 1, stock: 97 });
    const who = admin.user.full_name;
    expect(body.data).toMatchObject([
      { unidades: 12, motivo: 'devolucion', pedido_id: pedido.id, numero_orden: pedido.numero_orden, actor_nombre: who },
      { unidades: -3, motivo: 'ajuste', nota: 'Rotura', pedido_id: null, numero_orden: null, actor_nombre: who },
      { unidades: -12, motivo: 'pedido', pedido_id: pedido.id, numero_orden: pedido.numero_orden, actor_nombre: who },
      { unidades: 100, motivo: 'inicial', pedido_id: null },
    ]);
    expect(body.data.reduce((sum, { unidades }) => sum + unidades, 0)).toBe(body.stock);
  });

  it('the stock ledger shows each movement of the product on exactly one page', async () => {
    const [first, second] = [await world.product({ stock: 5 }), await world.product({ stock: 9 })];
    for (let i = 1; i <= 6; i++) await adjust(first.id, { unidades: i, nota: `Entrada ${i}` });
    const pages = await Promise.all([1, 2, 3].map((page) => ledger(first.id, { page, per_page: 3 })));
    expect(pages.map(({ body }) => body.data.length)).toEqual([3, 3, 1]);
    expect(pages[0]?.body).toMatchObject({ total: 7, last_page: 3 });
    expect(new Set(pages.flatMap(({ body }) => body.data.map(({ id }) => id))).size).toBe(7);
    expect((await ledger(second.id)).body.data).toMatchObject([{ unidades: 9 }]);
  });
});

describe('the pace', () => {
  it('the pace of sales is the daily average of units ordered in thirty days, without returns and adjustments', async () => {
    const { id } = await world.product({ stock: 200 });
    const pack = await world.pack({ product_id: id, pack_quantity: 1 });
    await order(pack.id, 90);
    const returned = await order(pack.id, 30);
    await admin.call(setEstado, { params: { id: returned.id }, body: { estado: 'cancelado' } });
    await adjust(id, { unidades: -50, nota: 'Recuento' });
    // 90 units in 30 days, 60 left.
    expect((await ledger(id)).body).toMatchObject({ stock: 60, ritmo_diario: 3, dias_restantes: 20 });
  });

  it.each([
    [613, 449, { stock: 164, ritmo_diario: 14.97, dias_restantes: 10 }],
    [3, 1, { stock: 2, ritmo_diario: 0.03, dias_restantes: 66 }],
    [150, 120, { stock: 30, ritmo_diario: 4, dias_restantes: 7 }],
    [902, 900, { stock: 2, ritmo_diario: 30, dias_restantes: 0 }],
  ])('a stock of %i with %i ordered has whole days left at the displayed pace of sales', async (stock, taken, expected) => {
    const { id } = await world.product({ stock });
    await order((await world.pack({ product_id: id, pack_quantity: 1 })).id, taken);
    expect((await ledger(id)).body).toMatchObject(expected);
  });

  it('the pace of sales ignores orders older than thirty days', async () => {
    const { id } = await world.product({ stock: 100 });
    await order((await world.pack({ product_id: id })).id, 10);
    const days = (n: number) => new Date(Date.now() - n * 24 * 60 * 60 * 1000).toISOString();
    const age = (created_at: string) =>
      world.db.updateTable('stock_movements').set({ created_at }).where('motivo', '=', 'pedido').execute();
    await age(days(29));
    expect((await ledger(id)).body.dias_restantes).not.toBeNull();
    await age(days(31));
    expect((await ledger(id)).body).toMatchObject({ ritmo_diario: 0, dias_restantes: null });
  });

  it('the pace of sales without orders is zero and gives no days left', async () => {
    const { id } = await world.product({ stock: 10 });
    expect((await ledger(id)).body).toMatchObject({ ritmo_diario: 0, dias_restantes: null });
  });
});

describe('an adjustment', () => {
  it('an adjustment of the stock changes the stock and is recorded in ledger and audit log with its reason', async () => {
    const { id } = await world.product({ stock: 10 });
    const { status, body } = await adjust(id, { unidades: 5, nota: '  Compra  ' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, stock: 15 });
    expect(await balance(world.db, id)).toEqual({ stock: 15, ledger: 15 });
    expect((await ledger(id)).body.data[0]).toMatchObject({ unidades: 5, motivo: 'ajuste', nota: 'Compra' });
    const audited = await world.db.selectFrom('audit_logs').selectAll().where('entity_id', '=', id).execute();
    expect(audited).toMatchObject([
      { entity_type: 'product', actor_user_id: admin.user.id, description: expect.stringContaining('Compra') },
    ]);
  });

  it('an adjustment of the stock can take the last unit, but no more', async () => {
    const { id } = await world.product({ stock: 4 });
    expect((await adjust(id, { unidades: -4, nota: 'Merma' })).body.data.stock).toBe(0);
    const { status, body } = await adjust(id, { unidades: -1, nota: 'Merma' });
    expect([status, body.message]).toEqual([422, 'Stock insuficiente: quedan 0 unidades']);
    expect(await balance(world.db, id)).toEqual({ stock: 0, ledger: 0 });
  });

  it.each<[string, unknown, string]>([
    ['no units', { unidades: 0, nota: 'Nada' }, 'unidades'],
    ['half a unit', { unidades: 1.5, nota: 'Medio' }, 'unidades'],
    ['more than a million', { unidades: 1_000_001, nota: 'Mucho' }, 'unidades'],
    ['text', { unidades: 'cinco', nota: 'Texto' }, 'unidades'],
    ['no reason', { unidades: 1 }, 'nota'],
    ['a blank reason', { unidades: 1, nota: '   ' }, 'nota'],
    ['an endless reason', { unidades: 1, nota: 'x'.repeat(201) }, 'nota'],
  ])('an adjustment of the stock with %s is refused under its field', async (_, body, field) => {
    const { id } = await world.product({ stock: 10 });
    const reply = await admin.request('POST', `/api/products/${id}/ajuste`, { body });
    expect([reply.status, Object.keys((reply.body as { errors: object }).errors)]).toEqual([422, [field]]);
    expect(await balance(world.db, id)).toEqual({ stock: 10, ledger: 10 });
  });

  it('many concurrent adjustments keep stock and ledger equal, and never negative', async () => {
    const { id } = await world.product({ stock: 10 });
    const other = await world.as(await world.user({ role: 'superadmin' }));
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, i) => adjust(id, { unidades: i % 4 ? -2 : 3, nota: 'Recuento' }, i % 2 ? admin : other)),
    );
    const done = replies.filter(({ status }) => status === 200);
    const { stock, ledger: sum } = await balance(world.db, id);
    expect(stock).toBe(sum);
    expect(stock).toBeGreaterThanOrEqual(0);
    expect(done).toHaveLength((await ledger(id)).body.total - 1);
    expect(replies.every(({ status }) => status === 200 || status === 422)).toBe(true);
  });
});

it('ledger and adjustments are for superadmins only, and an unknown product is not found', async () => {
  const { revendedor, transportista } = await everyRole(world);
  const { id } = await world.product({ stock: 10 });
  for (const who of [revendedor, transportista]) {
    expect((await ledger(id, {}, who)).status).toBe(403);
    expect((await adjust(id, { unidades: 1, nota: 'Mío' }, who)).status).toBe(403);
  }
  expect((await ledger(crypto.randomUUID())).status).toBe(404);
  expect((await adjust(crypto.randomUUID(), { unidades: 1, nota: 'Nada' })).status).toBe(404);
  expect(await balance(world.db, id)).toEqual({ stock: 10, ledger: 10 });
});
