import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KEY_ACTION_NAMES, KEY_PURPOSES, type KeyAction } from '../../../contract/api-keys/fields.ts';
import { listCajas } from '../../../contract/caja/caja.ts';
import { listLiquidaciones } from '../../../contract/liquidaciones/liquidaciones.ts';
import { anotarPago, listPagos, listTodosPagos } from '../../../contract/payments/payments.ts';
import { checkImport, deshacerImport, importPedidos, listImports } from '../../../contract/pedidos/import.ts';
import { createPedido, duplicatePedido, patchPedido, setLineas, updatePedido } from '../../../contract/pedidos/pedidos.ts';
import { addDays, dayInMadrid } from '../../../test/day.ts';
import { endpoints } from '../../../test/endpoints.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

let world: World;
let admin: Person;
let pack: Awaited<ReturnType<World['pack']>>;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  pack = await world.pack({ pack_price_cents: 1000 });
});

const ADDRESS = { cliente_nombre: 'Ana Ruiz', cliente_direccion: 'Calle Mayor 1' };
const CARD = { metodo: 'tarjeta', referencia: 'pi_1', fecha: '2026-11-20' } as const;
const make = (who: Pick<Person, 'call'>, more: object) =>
  who.call(createPedido, { body: { ...ADDRESS, pack_id: pack.id, cantidad: 2, ...more } as never });
const key = (purpose: keyof typeof KEY_PURPOSES) => world.program(KEY_PURPOSES[purpose].acciones);
const orders = async () =>
  Number(
    (
      await world.db
        .selectFrom('pedidos')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

describe('an order paid elsewhere', () => {
  test('an order created as paid by a web shop’s key is pendiente, and its payment is booked', async () => {
    const shop = await key('tienda');
    const { status, body } = await make(shop, { pago: { ...CARD, importe: 20 } });
    expect([status, body.data]).toMatchObject([201, { estado: 'pendiente', precio_total: 20, pagado: 20, pendiente: 0 }]);
    const { data } = (await admin.call(listPagos, { params: { id: body.data.id } })).body;
    expect(data).toMatchObject([{ proveedor: 'tarjeta', referencia: 'pi_1', fecha: '2026-11-20', importe: 20, estado: 'pagado' }]);
  });

  test.each(['superadmin', 'key'])('an order paid elsewhere can be imported by a %s, together with rows to be collected', async (who) => {
    const maker = who === 'key' ? await key('tienda') : admin;
    const row = { ...ADDRESS, pack_id: pack.id };
    const filas = [row, { ...row, cliente_nombre: 'Eva', pago: CARD }];
    expect((await maker.call(importPedidos, { body: { filas, cobrar: true } })).status).toBe(201);
    const rows = await world.db
      .selectFrom('pedidos')
      .select(['cliente_nombre', 'estado', 'pendiente_cents'])
      .orderBy('cliente_nombre')
      .execute();
    expect(rows).toEqual([
      { cliente_nombre: 'Ana Ruiz', estado: 'pendiente_pago', pendiente_cents: 1000 },
      { cliente_nombre: 'Eva', estado: 'pendiente', pendiente_cents: 0 },
    ]);
  });

  test.each([
    ['more than the total', { pago: { ...CARD, importe: 20.01 } }, 'pago.importe'],
    ['nothing', { pago: { ...CARD, importe: 0 } }, 'pago.importe'],
    ['all of it and payment on delivery', { contra_reembolso: true, pago: { ...CARD, importe: 20 } }, 'pago'],
    ['a future day', { pago: { ...CARD, fecha: addDays(dayInMadrid(), 1) } }, 'pago.fecha'],
    ['payment on delivery', { contra_reembolso: true, pago: CARD }, 'pago'],
    ['1,000 € in cash', { cantidad: 100, pago: { metodo: 'efectivo' } }, 'pago.metodo'],
  ])('an order paid elsewhere with %s is refused, and no order is created', async (_, more, field) => {
    const { status, body } = await make(admin, more);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
    expect(await orders()).toBe(0);
  });

  test.each([
    ['pendiente', {}],
    ['pendiente_pago', { estado: 'pendiente_pago' }],
    ['pendiente', { contra_reembolso: true }],
  ])('an order of which a part is paid elsewhere is %s with %o, and the rest stays due', async (estado, more) => {
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ cashOnDelivery: true }) as never })
      .execute();
    const { status, body } = await make(admin, { pago: { ...CARD, importe: 7.5 }, ...more });
    expect([status, body.data]).toMatchObject([201, { estado, precio_total: 20, pagado: 7.5, pendiente: 12.5 }]);
    const { id } = body.data;
    expect((await admin.call(listPagos, { params: { id } })).body.data).toMatchObject([
      { referencia: 'pi_1', importe: 7.5, estado: 'pagado' },
    ]);
    const rest = (importe: number) => admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe, fecha: dayInMadrid() } });
    expect((await rest(12.51)).status).toBe(422);
    expect((await rest(12.5)).body.data).toMatchObject({ estado: 'pendiente', pagado: 20, pendiente: 0 });
    expect((await rest(1)).status).toBe(409);
  });

  test('a key without estados leaves an order that is paid in part unpaid, until the rest is paid', async () => {
    const { body } = await make(await world.program(['pedido:create', 'pedido:prices', 'pedido:create-paid']), {
      pago: { ...CARD, importe: 5 },
    });
    expect(body.data).toMatchObject({ estado: 'pendiente_pago', pagado: 5, pendiente: 15 });
  });

  test('a copy of an order that is paid in part has none of its payments', async () => {
    const { body } = await make(admin, { pago: { ...CARD, importe: 5 } });
    const copy = await admin.call(duplicatePedido, { params: { id: body.data.id } });
    expect(copy.body.data).toMatchObject({ pagado: 0, pendiente: 20 });
  });

  test('an import books parts as parts, refuses the row that pays too much, and is undone with its payments', async () => {
    const row = { ...ADDRESS, pack_id: pack.id };
    const filas = [row, { ...row, cliente_nombre: 'Eva', pago: { ...CARD, importe: 4 } }, { ...row, cliente_nombre: 'Luz', pago: CARD }];
    const wrong = [...filas, { ...row, cliente_nombre: 'Mia', pago: { ...CARD, importe: 10.01 } }];
    const body = { filas: wrong, cobrar: true };
    for (const refused of [await admin.call(checkImport, { body }), await admin.call(importPedidos, { body })]) {
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['filas.3.pago.importe']]);
    }
    expect((await admin.call(importPedidos, { body: { filas, cobrar: true } })).status).toBe(201);
    const stored = () =>
      world.db.selectFrom('pedidos').select(['estado', 'pagado_cents', 'pendiente_cents']).orderBy('cliente_nombre').execute();
    expect(await stored()).toEqual([
      { estado: 'pendiente_pago', pagado_cents: 0, pendiente_cents: 1000 },
      { estado: 'pendiente_pago', pagado_cents: 400, pendiente_cents: 600 },
      { estado: 'pendiente', pagado_cents: 1000, pendiente_cents: 0 },
    ]);
    const [made] = (await admin.call(listImports)).body.data;
    expect((await admin.call(deshacerImport, { params: { id: made?.id ?? '' } })).status).toBe(200);
    expect((await stored()).map(({ pagado_cents }) => pagado_cents)).toEqual([0, 0, 0]);
    const payments = await world.db.selectFrom('pagos').select('estado').execute();
    expect(payments.map(({ estado }) => estado)).toEqual(['anulado', 'anulado']);
  });

  test('an order paid elsewhere for 0 € is pendiente without a payment', async () => {
    const { body } = await make(admin, { descuento: 20, pago: CARD });
    expect(body.data).toMatchObject({ estado: 'pendiente', precio_total: 0, pagado: 0 });
  });

  test('an order paid elsewhere needs the permission `pedido:create-paid`', async () => {
    const without = await world.program(KEY_ACTION_NAMES.filter((name) => name !== 'pedido:create-paid'));
    const seller = await world.as('revendedor');
    for (const who of [without, seller]) {
      const { status, body } = await make(who, { pago: CARD });
      expect([status, body.permission]).toEqual([403, 'pedido:create-paid']);
      const filas = [{ ...ADDRESS, pack_id: pack.id, pago: CARD }];
      expect((await who.call(importPedidos, { body: { filas } })).status).toBe(403);
    }
    expect(await orders()).toBe(0);
  });

  test('an order paid elsewhere sent twice with one Idempotency-Key is created and paid once', async () => {
    const shop = await key('tienda');
    const headers = { 'idempotency-key': 'web-10482' };
    const body = { ...ADDRESS, pack_id: pack.id, pago: CARD };
    const replies = await Promise.all([1, 2].map(() => shop.call(createPedido, { body, headers } as never)));
    expect(replies.map(({ body }) => (body as { data?: { id: string } }).data?.id).filter(Boolean).length).toBeGreaterThan(0);
    expect(await orders()).toBe(1);
    expect(await world.db.selectFrom('pagos').select('importe_cents').execute()).toEqual([{ importe_cents: 1000 }]);
  });
});

describe('a field that a key may not write', () => {
  /** A value for each field that only some keys write. */
  const GUARDED: Record<string, unknown> = {
    estado: 'pendiente',
    numero_orden: 'WEB-1',
    precio_total: 5,
    precio_unitario: 5,
    producto: 'Cesta',
    envio: 1,
    descuento: 1,
    revendedor_id: crypto.randomUUID(),
    fecha_pedido: '2026-01-01',
  };
  const needing = (schema: unknown) => Object.keys(GUARDED).filter((name) => name in ((schema as { shape?: object })?.shape ?? {}));
  const cases = endpoints
    // Endpoints that create or change an order; elsewhere fields of the same name only select an order or a price.
    .filter(({ endpoint: { path, action } }) => path.startsWith('/api/pedidos') && action !== 'pedido:transition')
    .filter(({ endpoint: { action } }) => KEY_ACTION_NAMES.some((name) => name === action))
    .flatMap(({ endpoint, schemas }) =>
      needing(schemas.body).map((name) => [`${endpoint.method} ${endpoint.path}`, name, endpoint] as const),
    );

  test('the tests of fields that a key may not write cover every endpoint with such fields', () => {
    expect([...new Set(cases.map(([where]) => where))].sort()).toEqual([
      'POST /api/pedidos',
      'POST /api/pedidos/calcular-total',
      'POST /api/pedidos/importar',
      'POST /api/pedidos/importar/comprobar',
      'PUT /api/pedidos/:id/lineas',
    ]);
  });

  test.each(cases)('a field that a key may not write is refused by %s: «%s»', async (_, name, endpoint) => {
    const limited = await world.program(KEY_ACTION_NAMES.filter((action) => action !== 'pedido:create-free'));
    const order = await world.pedido({ pack });
    const body = {
      ...(endpoint.path.includes('importar') ? { filas: [{ ...ADDRESS, pack_id: pack.id }] } : {}),
      ...(endpoint.path.endsWith('lineas') ? { lineas: [{ numero: 1, cantidad: 3 }] } : {}),
      ...(endpoint.path === '/api/pedidos' ? { ...ADDRESS, pack_id: pack.id } : {}),
      ...(endpoint.path.endsWith('calcular-total') ? { pack_id: pack.id } : {}),
      [name]: GUARDED[name],
    };
    const before = await world.db.selectFrom('pedidos').selectAll().execute();
    const reply = await limited.call(endpoint, { params: { id: order.id }, body } as never);
    expect([reply.status, Object.keys((reply.body as { errors?: object }).errors ?? {})]).toEqual([422, [name]]);
    expect(await world.db.selectFrom('pedidos').selectAll().execute()).toEqual(before);
  });

  test('a field that a key may not write is refused in lines and edits too, but ignored in people’s requests', async () => {
    const limited = await world.program(
      KEY_ACTION_NAMES.filter((action) => action !== 'pedido:create-free' && action !== 'pedido:contact'),
    );
    const line = { pack_id: pack.id, cantidad: 1, precio_unitario: 3 };
    const made = await limited.call(createPedido, { body: { ...ADDRESS, lineas: [line] } });
    expect([made.status, Object.keys(made.body.errors ?? {})]).toEqual([422, ['lineas.0.precio_unitario']]);
    const { id } = await world.pedido({ pack });
    const lines = await limited.call(setLineas, { params: { id }, body: { lineas: [line] } });
    expect(Object.keys(lines.body.errors ?? {})).toEqual(['lineas.0.precio_unitario']);
    const edited = await limited.call(updatePedido, { params: { id }, body: { ...ADDRESS, cliente_telefono: '600 111 222' } as never });
    expect([edited.status, Object.keys(edited.body.errors ?? {})]).toEqual([422, ['cliente_telefono']]);
    expect((await make(await world.as('revendedor'), { precio_total: 1 })).body.data.precio_total).toBe(20);
  });
});

describe('PATCH', () => {
  test('PATCH changes only the sent fields, and null empties a field', async () => {
    const fields = { cliente_telefono: '600111222', cliente_direccion2: '2º B', referencia_externa: 'web-1', metadata: { web_id: '1' } };
    const { id } = (await make(admin, fields)).body.data;
    const shop = await key('tienda');
    const first = await shop.call(patchPedido, { params: { id }, body: { cliente_direccion: 'Plaza Nueva 2' } as never });
    expect([first.status, first.body.data]).toMatchObject([
      200,
      { ...fields, cliente_nombre: 'Ana Ruiz', cliente_direccion: 'Plaza Nueva 2' },
    ]);
    const second = await shop.call(patchPedido, { params: { id }, body: { cliente_direccion2: null } as never });
    expect(second.body.data).toMatchObject({ cliente_direccion2: null, cliente_telefono: '600111222', cliente_direccion: 'Plaza Nueva 2' });
  });

  test('PATCH refuses invalid, stale and forbidden changes', async () => {
    const { id } = (await make(admin, {})).body.data;
    const shop = await key('tienda');
    const status = async (body: object) => (await shop.call(patchPedido, { params: { id }, body: body as never })).status;
    expect(await status({ cliente_nombre: '' })).toBe(422);
    expect(await status({ precio_total: 1 })).toBe(422);
    expect(await status({ cliente_nombre: 'Eva', version: 7 })).toBe(409);
    expect(await status({ fecha_estimada: '2027-01-01' })).toBe(422);
    const reader = await key('contabilidad');
    expect((await reader.call(patchPedido, { params: { id }, body: { cliente_nombre: 'Eva' } as never })).status).toBe(403);
    expect((await world.db.selectFrom('pedidos').select('cliente_nombre').executeTakeFirstOrThrow()).cliente_nombre).toBe('Ana Ruiz');
  });
});

describe('bookkeeping', () => {
  test('a bookkeeping key can read all payments, cash desks and settlements', async () => {
    const books = await key('contabilidad');
    const first = (await make(admin, { pago: CARD, referencia_externa: 'web-1' })).body.data;
    const read = async (query: object = {}) => (await books.call(listTodosPagos, { query })).body;
    // A concurrent transaction can hold back the newest rows.
    await expect.poll(async () => (await read()).data.length).toBe(1);
    const page = await read();
    expect(page.data).toMatchObject([{ pedido_id: first.id, numero_orden: first.numero_orden, referencia_externa: 'web-1', importe: 20 }]);
    const { id } = await world.pedido({ pack, estado: 'pendiente_pago' });
    await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 5, fecha: '2026-11-21' } });
    await expect.poll(async () => (await read({ desde: page.cursor })).data.length).toBe(1);
    const next = await read({ desde: page.cursor });
    expect(next.data).toMatchObject([{ pedido_id: id, proveedor: 'bizum', importe: 5 }]);
    expect((await read({ desde: next.cursor })).data).toEqual([]);
    expect((await books.call(listCajas)).status).toBe(200);
    expect((await books.call(listLiquidaciones)).status).toBe(200);
  });

  test('a bookkeeping key cannot write anything', async () => {
    const reader = await key('contabilidad');
    const { id } = await world.pedido({ pack, estado: 'pendiente_pago' });
    const may = new Set<string>(KEY_PURPOSES.contabilidad.acciones satisfies readonly KeyAction[]);
    // Calculations write nothing.
    const writing = endpoints
      .map(({ endpoint }) => endpoint)
      .filter(({ method, path, action }) => method !== 'GET' && !path.includes('/calcular-') && may.has(action));
    expect(writing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    const noted = await reader.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 5, fecha: '2026-11-21' } });
    expect(noted.status).toBe(403);
  });

  test('resellers, carriers and other keys cannot read the payments of all orders', async () => {
    for (const who of [await world.as('revendedor'), await world.as('transportista'), await key('tienda')])
      expect((await who.call(listTodosPagos, { query: {} })).status).toBe(403);
  });
});
