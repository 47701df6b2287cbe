import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { balance } from '../../../test/ledger.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';
import { transact } from '../../db/open.ts';
import { renamePerson } from './pedidos.ts';

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

const customer = { cliente_nombre: 'Íñigo Muñoz', cliente_direccion: 'Calle Ávila 3' };

describe('an order created by a reseller', () => {
  it('an order created by a reseller has the reseller’s new name even if the name is being changed concurrently', async () => {
    const pack = await world.pack();
    let begun = () => {};
    const renaming = new Promise<void>((resolve) => (begun = resolve));
    const renamed = transact(world.db, async (tx) => {
      await tx.updateTable('users').set({ full_name: 'Eva Nueva' }).where('id', '=', reseller.user.id).execute();
      await renamePerson(tx, reseller.user.id, 'Eva Nueva');
      begun();
      const waiting = sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`;
      await expect.poll(async () => (await waiting.execute(tx)).rows).not.toEqual([]);
    });
    await renaming;
    const { id } = (await reseller.call(api.createPedido, { body: { ...customer, pack_id: pack.id } })).body.data;
    await renamed;
    expect((await admin.call(api.getPedido, { params: { id } })).body.data).toMatchObject({ revendedor_nombre: 'Eva Nueva' });
  });

  it('an order created by a reseller gets price, number, estado and seller from the server, whatever the body says', async () => {
    const pack = await world.pack({ pack_quantity: 6, pack_price_cents: 1999 });
    const other = await world.user({ role: 'revendedor' });
    const { status, body } = await reseller.call(api.createPedido, {
      body: {
        ...customer,
        pack_id: pack.id,
        cantidad: 3,
        precio_total: 0.01,
        precio_unitario: 0.01,
        estado: 'completado',
        numero_orden: 'MIO-1',
        revendedor_id: other.id,
        producto: 'Otra cosa',
        fecha_pedido: '2020-01-01',
      },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      precio_unitario: 19.99,
      precio_total: 59.97,
      estado: 'pendiente_pago',
      revendedor_id: reseller.user.id,
      transportista_id: null,
    });
    expect(body.data.numero_orden).toMatch(/^ORD-\d{4}000001$/);
    expect(body.data.producto).toContain(' – ');
    expect(body.data.fecha_pedido.slice(0, 4)).not.toBe('2020');
    expect(body.payment_link).toMatch(/\/pagar\/[\w-]{43}$/);
    expect(await balance(world.db, pack.product_id)).toEqual({ stock: 982, ledger: 982 });
  });

  it('an order that is created is told to webhooks, to screens and to the carriers who may take it, once', async () => {
    const pack = await world.pack();
    await world.db
      .insertInto('webhooks')
      .values({ url: 'https://erp.test', descripcion: null, secreto: 'x', eventos: ['pedido.creado'], api_key_id: null })
      .execute();
    const carrier = await world.as('transportista');
    const offers = async () => (await carrier.call(listNotifications)).body.data.map(({ tipo }) => tipo);
    const queued = async () => (await world.db.selectFrom('outbox').select('id').where('channel', '=', 'webhook').execute()).length;
    await reseller.call(api.createPedido, { body: { ...customer, pack_id: pack.id } });
    expect([await offers(), await queued()]).toEqual([[], 1]);
    await admin.call(api.createPedido, { body: { ...customer, pack_id: pack.id } });
    expect([await offers(), await queued()]).toEqual([['pedido_disponible'], 2]);
  });

  it('an order created by a reseller has trimmed texts, and null for empty optional texts', async () => {
    const pack = await world.pack();
    const { body } = await reseller.call(api.createPedido, {
      body: { cliente_nombre: '  Ana  ', cliente_direccion: ' Calle 1 ', cliente_ciudad: '   ', pack_id: pack.id, cantidad: 1 },
    });
    expect(body.data).toMatchObject({ cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_ciudad: null });
  });

  it('an order created by a reseller is refused if the stock is insufficient, and takes no stock', async () => {
    const product = await world.product({ stock: 5 });
    const pack = await world.pack({ product_id: product.id, pack_quantity: 2 });
    const { status, body } = await reseller.call(api.createPedido, { body: { ...customer, pack_id: pack.id, cantidad: 3 } });
    expect(status).toBe(422);
    expect(body.message).toBe('Stock insuficiente: quedan 2 packs');
    expect(body.errors).toHaveProperty('cantidad');
    expect(await balance(world.db, product.id)).toEqual({ stock: 5, ledger: 5 });
    expect((await reseller.call(api.listPedidos)).body.total).toBe(0);
  });

  it('orders created concurrently never take more than the stock', async () => {
    const product = await world.product({ stock: 7 });
    const pack = await world.pack({ product_id: product.id, pack_quantity: 2 });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => reseller.call(api.createPedido, { body: { ...customer, pack_id: pack.id, cantidad: 1 } })),
    );
    expect(replies.filter((r) => r.status === 201)).toHaveLength(3);
    expect(replies.filter((r) => r.status === 422)).toHaveLength(5);
    expect(await balance(world.db, product.id)).toEqual({ stock: 1, ledger: 1 });
    const numbers = (await reseller.call(api.listPedidos)).body.data.map((p) => p.numero_orden);
    expect(new Set(numbers).size).toBe(3);
  });

  it('an order created by a reseller needs an active pack of an active product', async () => {
    const off = await world.pack({ is_active: false });
    const dead = await world.pack({ product_id: (await world.product({ is_active: false })).id });
    for (const pack_id of [off.id, dead.id, crypto.randomUUID(), null]) {
      const { status, body } = await reseller.call(api.createPedido, { body: { ...customer, pack_id, cantidad: 1 } });
      expect(status).toBe(422);
      expect(body.message).toBe('Selecciona un pack válido');
    }
  });
});

describe('a repeated call', () => {
  it('a repeated call creates one order per Idempotency-Key, even concurrently', async () => {
    const pack = await world.pack();
    const body = { ...customer, pack_id: pack.id, cantidad: 1 };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const replies = await Promise.all([1, 2, 3].map(() => reseller.call(api.createPedido, { body, headers })));
    expect(new Set(replies.map((r) => r.body.data.id)).size).toBe(1);
    expect(new Set(replies.map((r) => r.text)).size).toBe(1);
    const again = await reseller.call(api.createPedido, { body: { ...body, cantidad: 2 }, headers });
    expect(again.status).toBe(422);
    expect((await reseller.call(api.listPedidos)).body.total).toBe(1);
  });

  it('the same Idempotency-Key of two people creates two orders', async () => {
    const pack = await world.pack();
    const body = { ...customer, pack_id: pack.id, cantidad: 1 };
    const headers = { 'idempotency-key': 'la misma-clave'.replace(' ', '-') };
    const other = await world.as(await world.user({ role: 'revendedor' }));
    const [mine, theirs] = [
      await reseller.call(api.createPedido, { body, headers }),
      await other.call(api.createPedido, { body, headers }),
    ];
    expect(mine.body.data.id).not.toBe(theirs.body.data.id);
  });
});

describe('an order created by a superadmin', () => {
  it('an order created by a superadmin is pendiente and belongs to the named reseller', async () => {
    const pack = await world.pack();
    const { status, body } = await admin.call(api.createPedido, {
      body: { ...customer, pack_id: pack.id, revendedor_id: reseller.user.id },
    });
    expect(status).toBe(201);
    // An order of the office can be delivered unpaid, but has a payment page.
    expect(body.data).toMatchObject({ estado: 'pendiente', cantidad: 1, revendedor_id: reseller.user.id, pagado: 0 });
    expect(body.payment_link).toMatch(/^\/pagar\/[\w-]{43}$/);
    expect((await reseller.call(api.getPedido, { params: { id: body.data.id } })).status).toBe(200);
  });

  it('a superadmin can create an order with any product, price and number', async () => {
    const { status, body } = await admin.call(api.createPedido, {
      body: { ...customer, producto: 'Cesta a medida', cantidad: 2, precio_unitario: '30.50', precio_total: 61, numero_orden: 'CESTA-1' },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ numero_orden: 'CESTA-1', precio_unitario: 30.5, precio_total: 61, producto: 'Cesta a medida' });
    const taken = await admin.call(api.createPedido, { body: { ...customer, producto: 'Otra', precio_total: 1, numero_orden: 'CESTA-1' } });
    expect(taken.status).toBe(422);
    expect(taken.body.errors).toHaveProperty('numero_orden');
  });

  it('a superadmin’s order is refused if the total is not the unit price times the quantity', async () => {
    const { status } = await admin.call(api.createPedido, {
      body: { ...customer, producto: 'Cesta', cantidad: 2, precio_unitario: 30, precio_total: 10 },
    });
    expect(status).toBe(422);
  });

  it('automatic order numbers skip numbers used by hand', async () => {
    const pack = await world.pack();
    const first = await admin.call(api.createPedido, { body: { ...customer, pack_id: pack.id } });
    const next = first.body.data.numero_orden.replace('000001', '000002');
    await admin.call(api.createPedido, { body: { ...customer, pack_id: pack.id, numero_orden: next } });
    const third = await admin.call(api.createPedido, { body: { ...customer, pack_id: pack.id } });
    expect(third.body.data.numero_orden).toBe(next.replace('000002', '000003'));
  });

  it('only one of several concurrent orders gets a requested number', async () => {
    const pack = await world.pack();
    const first = await admin.call(api.createPedido, { body: { ...customer, pack_id: pack.id } });
    const next = first.body.data.numero_orden.replace('000001', '000002');
    // Without a pack, because orders of one product would wait for the product's row.
    const body = { ...customer, producto: 'Cesta', precio_total: 20, numero_orden: next };
    const replies = await Promise.all([
      ...[1, 2, 3].map(() => admin.call(api.createPedido, { body })),
      reseller.call(api.createPedido, { body: { ...customer, pack_id: pack.id } }),
    ]);
    // The counter may use the number first; then all three requests are refused.
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, text }) => [status, JSON.parse(text).message])).toEqual(
      refused.map(() => [422, 'Ya existe un pedido con ese número']),
    );
    expect(replies.filter(({ body }) => body.data?.numero_orden === next)).toHaveLength(1);
    expect(replies[3]?.status).toBe(201);
  });

  it('order numbers continue with seven digits once the year has used up six digits', async () => {
    const pack = await world.pack();
    const order = async () => (await admin.call(api.createPedido, { body: { ...customer, pack_id: pack.id } })).body.data.numero_orden;
    const year = (await order()).slice(0, 8);
    await sql`SELECT setval(${`numeros_${year.slice(4)}`}, 999999)`.execute(world.db);
    expect([await order(), await order()]).toEqual([`${year}1000000`, `${year}1000001`]);
    expect((await admin.call(api.listPedidos, { query: { search: `${year}1000001` } })).body.total).toBe(1);
  });

  it('creating an order does not wait for a numbered order that is not yet committed', async () => {
    const order = () => admin.call(api.createPedido, { body: { ...customer, producto: 'Cesta', precio_total: 20 } });
    // Concurrent first orders of a year create its sequence together.
    const replies = await Promise.all([order(), order(), order(), order()]);
    expect(new Set(replies.map(({ body }) => body.data.numero_orden)).size).toBe(4);
    const [taken, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = transact(world.db, async (tx) => {
      await sql`SELECT siguiente_numero()`.execute(tx);
      taken.resolve();
      await over.promise;
    });
    await taken.promise;
    expect((await order()).status).toBe(201);
    over.resolve();
    await slow;
  });

  it('an order created by a superadmin is duplicated at today’s price', async () => {
    const pack = await world.pack({ pack_price_cents: 1000 });
    const { body } = await admin.call(api.createPedido, { body: { ...customer, pack_id: pack.id, cantidad: 2 } });
    await world.db.updateTable('product_packs').set({ pack_price_cents: 1500 }).where('id', '=', pack.id).execute();
    const copy = await admin.call(api.duplicatePedido, { params: { id: body.data.id } });
    expect(copy.status).toBe(201);
    expect(copy.body.data).toMatchObject({ cliente_nombre: 'Íñigo Muñoz', cantidad: 2, precio_total: 30, estado: 'pendiente' });
    expect(copy.body.data.numero_orden).not.toBe(body.data.numero_orden);
    expect((await balance(world.db, pack.product_id)).stock).toBe(1000 - 8);
  });
});

describe('bad input', () => {
  const bad: [string, unknown][] = [
    ['no body', undefined],
    ['an empty object', {}],
    ['a list', []],
    ['a blank name', { ...customer, cliente_nombre: '   ' }],
    ['a number as a name', { ...customer, cliente_nombre: 7 }],
    ['a NUL', { ...customer, cliente_nombre: 'a\u0000b' }],
    ['a lone surrogate', { ...customer, cliente_direccion: 'x\ud800' }],
    ['a negative quantity', { ...customer, cantidad: -1 }],
    ['a quantity of zero', { ...customer, cantidad: 0 }],
    ['a huge quantity', { ...customer, cantidad: 1e15 }],
    ['half a pack', { ...customer, cantidad: 1.5 }],
    ['a text as quantity', { ...customer, cantidad: '2' }],
    ['a name too long', { ...customer, cliente_nombre: 'a'.repeat(161) }],
    ['an unknown field', { ...customer, propina: 50 }],
    ['an unknown state', { ...customer, estado: 'regalado' }],
    ['a bad date', { ...customer, fecha_pedido: '2026-02-30' }],
    // PostgreSQL rejects year 0 and five-digit years in this format; 0001-01-01 is the day of the all-time totals.
    ...['0000-01-01T00:00:00Z', '0001-01-01T12:00:00Z', '9999-12-31T23:59:59-05:00'].flatMap((at): [string, unknown][] => [
      [`the order date ${at}`, { ...customer, fecha_pedido: at }],
      [`the promised date ${at}`, { ...customer, fecha_estimada: at }],
    ]),
  ];
  it.each(bad)('an order with bad input (%s) is refused in Spanish and changes nothing', async (_, body) => {
    const pack = await world.pack();
    const input =
      body && typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length
        ? { pack_id: pack.id, cantidad: 1, ...body }
        : body;
    for (const who of [reseller, admin]) {
      const reply = await who.request('POST', '/api/pedidos', { body: input });
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
      expect((reply.body as { message: string }).message).not.toMatch(/invalid|expected|required/i);
    }
    expect((await admin.call(api.listPedidos)).body.total).toBe(0);
    expect(await balance(world.db, pack.product_id)).toEqual({ stock: 1000, ledger: 1000 });
  });

  it('broken JSON, an oversized body and a wrong content type get 400, 413 and 415', async () => {
    expect((await reseller.request('POST', '/api/pedidos', { body: '{"a":' })).status).toBe(400);
    expect((await reseller.request('POST', '/api/pedidos', { body: { cliente_nombre: 'a'.repeat(70_000) } })).status).toBe(413);
    expect((await reseller.request('POST', '/api/pedidos', { body: 'hola', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });
});

describe('calcular-total', () => {
  it('calcular-total returns unit price and total in euros', async () => {
    const pack = await world.pack({ pack_price_cents: 333 });
    const { body } = await reseller.call(api.calcularTotal, { body: { pack_id: pack.id, cantidad: 3 } });
    expect(body.data).toMatchObject({ precio_unitario: 3.33, total: 9.99 });
  });
});
