import { beforeEach, describe, expect, test } from 'vitest';
import * as api from '../../../contract/tienda/tienda.ts';
import { addShop, shop, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { wooLine, wooOrder } from '../../../test/woo.ts';
import { transact } from '../../db/open.ts';
import type { WebOrder } from '../reading/order.ts';
import { readWoo } from '../reading/woo/read.ts';
import { deleteHeld, deleteHeldOf, heldAboutOrders, heldById, searchHeldOrders } from './personal.ts';
import { deleteUnseen } from './review.ts';

/* What waits for a person: how it is listed, corrected, let go of and erased. */

tiendaForEachTest();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let own: string;
beforeEach(async () => {
  own = await addShop('Propia');
});
const content = (fields: object = {}) => readWoo(wooOrder(fields as Record<string, unknown>)) as WebOrder;
let serial = 0;
/** Stores an order of the shop that waits, unless said otherwise; returns its id. */
const hold = async (fields: object = {}, more: object = {}) => {
  serial += 1;
  const order = content(fields);
  const row = {
    tienda_id: own,
    externo_id: `${serial}`,
    numero: 'W-1',
    modificado_at: '2026-11-20T10:00:00Z',
    estado: 'por_revisar' as const,
  };
  const values = { ...row, situacion: order.situacion ?? null, contenido: JSON.stringify(order), ...more };
  return (await world.db.insertInto('tienda_pedidos').values(values).returning('id').executeTakeFirstOrThrow()).id;
};
const rowOf = (id: string) => world.db.selectFrom('tienda_pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const sentences = async () =>
  (await world.db.selectFrom('audit_logs').select('description').where('entity_type', '=', 'tienda').orderBy('created_at').execute()).map(
    ({ description }) => description,
  );
const listed = async (query: object = {}) => (await shop.admin.call(api.listTienda, { query: query as never })).body;
const one = async (id: string) => (await listed({ ids: [id] })).data[0];

describe('the list of what waits', () => {
  test('has what is received, held or told, oldest first', async () => {
    const [b, a] = ['22222222-0000-4000-8000-000000000000', '11111111-0000-4000-8000-000000000000'];
    const at = (recibido_at: string) => ({ recibido_at: `2026-11-${recibido_at}T10:00:00Z` });
    const later = await hold({}, { estado: 'recibido', ...at('21') });
    await hold({}, { id: b, ...at('20') });
    await hold({}, { id: a, estado: 'creado', aviso: 'x', ...at('20') });
    for (const estado of ['creado', 'ignorado'] as const) await hold({}, { estado });
    const { data, total } = await listed();
    expect([data.map(({ id }) => id), total, (await listed({ page: 2 })).data]).toEqual([[a, b, later], 3, []]);
    expect((await listed({ ids: [b] })).data.map(({ id }) => id)).toEqual([b]);
  });

  test('shows an order with its lines, but for charges', async () => {
    const fields = {
      line_items: [
        wooLine(),
        { ...wooLine({ sku: 'NUEZ', name: 'Nueces', quantity: 2 }), meta_data: [{ key: 'Grabado', value: 'Ana' }] },
        wooLine({ sku: 'VALE' }),
      ],
      fee_lines: [{ name: 'Bolsa', total: '1', total_tax: '0.21' }],
    };
    await world.db.insertInto('tienda_productos').values({ clave: 'VALE', sin_mercancia: true }).execute();
    const product = await world.pack({});
    await world.db.updateTable('product_packs').set({ alias: 'NUEZ' }).where('id', '=', product.id).execute();
    const known = { texto: null, cantidad: 1, pack_id: null, sin_mercancia: false, sugerido_id: null };
    expect((await one(await hold(fields)))?.lineas).toEqual([
      { ...known, n: 0, clave: 'ACEITE-6', nombre: 'Aceite 6 botellas', pack_id: shop.pack.id },
      { ...known, n: 1, clave: 'NUEZ', nombre: 'Nueces', texto: 'Grabado: Ana', cantidad: 2, sugerido_id: product.id },
      { ...known, n: 2, clave: 'VALE', nombre: 'Aceite 6 botellas', sin_mercancia: true },
    ]);
  });

  test('shows an order whose content is gone without any', async () => {
    expect(await one(await hold({}, { contenido: null }))).toMatchObject({
      cliente: null,
      total: null,
      lineas: [],
      mensaje: [],
      cambios: [],
      aplicable: false,
      forma: null,
      recogida: null,
      en_duda: false,
      puede_ser: null,
      campos: {},
    });
  });

  test.each<[string, object, object, boolean]>([
    ['paid', {}, {}, false],
    ['finished', { status: 'completed' }, {}, true],
    ['finished, which a person wants', { status: 'completed' }, { correcciones: '{"hacer":true}' }, false],
    ['deleted', {}, { situacion: 'borrado' }, true],
    ['deleted before', {}, { leida: 'borrado' }, true],
    ['asked about', {}, { pregunta: 'recuperado' }, true],
  ])('says what its state alone keeps from being made: %s', async (_, fields, more, en_duda) => {
    expect(await one(await hold(fields, more))).toMatchObject({ en_duda });
  });

  test('says which order it may be', async () => {
    const other = await addShop('Otra', { conector: 'plano' });
    const { id, numero_orden } = await world.pedido({});
    await hold({}, { tienda_id: other, externo_id: '7', pedido_id: id, estado: 'creado' });
    expect(await one(await hold({}, { externo_id: '7' }))).toMatchObject({ puede_ser: numero_orden, en_duda: true });
    await world.db.deleteFrom('tienda_pedidos').where('tienda_id', '=', own).execute();
    const made = { externo_id: '7', aviso: 'x', pedido_id: (await world.pedido({})).id, estado: 'creado' };
    expect(await one(await hold({}, made))).toMatchObject({ puede_ser: null, en_duda: false });
  });

  test('names who it is for only while it waits, with an unknown way to pay and a pickup', async () => {
    const fields = {
      payment_method: 'x',
      payment_method_title: 'Vale',
      customer_note: 'Timbre',
      shipping_lines: [{ method_id: 'local_pickup', method_title: 'Obrador' }],
    };
    expect(await one(await hold(fields))).toMatchObject({
      cliente: 'Mateo Ruiz',
      total: 48.95,
      forma: { clave: 'x', titulo: 'Vale' },
      recogida: 'Obrador',
      campos: { cliente_nombre: 'Mateo Ruiz', instrucciones: 'Timbre' },
    });
    expect((await one(await hold(fields, { estado: 'recibido' })))?.campos).toEqual({});
  });

  test.each<[string, object, string[], boolean]>([
    ['before it leaves', {}, ['importe'], true],
    ['deleted', { deleted_at: '2026-11-20T10:00:00Z' }, ['importe'], false],
    ['deleted, of which the state has changed', { deleted_at: '2026-11-20T10:00:00Z' }, ['estado', 'pago'], true],
    ['delivered', { estado: 'completado' }, ['importe', 'pago'], false],
    ['delivered, of which the payment has changed', { estado: 'completado' }, ['pago'], true],
  ])(
    'says whether changes can be applied: of an order %s',
    async (_, { estado = 'pendiente', ...fields }: { estado?: string }, cambios, aplicable) => {
      const { id } = await world.pedido({ estado: estado as never });
      if (Object.keys(fields).length) await world.db.updateTable('pedidos').set(fields).where('id', '=', id).execute();
      const held = await hold({}, { estado: 'creado', aviso: 'x', pedido_id: id, cambios });
      const row = await one(held);
      expect([row?.aplicable, row?.cambios.map(({ parte }) => parte)]).toEqual([aplicable, cambios]);
      await world.db.updateTable('tienda_pedidos').set({ cambios: [] }).where('id', '=', held).execute();
      expect(await one(held)).toMatchObject({ aplicable: false, cambios: [] });
    },
  );
});

describe('a waiting order', () => {
  const retry = (id: string) => shop.admin.call(api.reintentarTienda, { params: { id } });
  const discard = (id: string, motivo?: string) =>
    shop.admin.call(api.descartarTienda, { params: { id }, ...(motivo && { body: { motivo } }) });

  test('is read again if a person wants so, and no other', async () => {
    const [id, other] = [await hold(), await hold()];
    expect((await shop.wakes(() => retry(id))).jobs).toEqual(['tienda']);
    expect([(await rowOf(id)).estado, (await rowOf(other)).estado, await sentences()]).toEqual([
      'recibido',
      'por_revisar',
      ['Pedido W-1 de la tienda: se lee otra vez'],
    ]);
    expect([(await retry(id)).status, (await retry(UNKNOWN)).status]).toEqual([409, 404]);
  });

  test.each<[string, object, string | undefined, object, string]>([
    ['an order', {}, undefined, { estado: 'ignorado', motivo: 'Descartado' }, 'Pedido W-1 de la tienda descartado'],
    ['an order for a reason', {}, 'De prueba', { motivo: 'Descartado: De prueba' }, 'Pedido W-1 de la tienda descartado: De prueba'],
    [
      'a notice',
      { estado: 'creado', aviso: 'x', motivo: 'y', acordado: '{"pago":["pagado",true]}' },
      undefined,
      { estado: 'creado', motivo: 'y', acordado: { estado: 'pagado', pago: ['pagado', true] } },
      'Cambio del pedido W-1 de la tienda visto',
    ],
    [
      'a notice whose content is gone',
      { estado: 'creado', aviso: 'x', contenido: null },
      undefined,
      { acordado: null },
      'Cambio del pedido W-1 de la tienda visto',
    ],
  ])('is let go of: %s', async (_, more, motivo, wanted, sentence) => {
    const other = await hold();
    const before = await rowOf(other);
    const id = await hold({}, { cambios: ['nif'], correcciones: '{}', pregunta: 'borrado', ...more });
    expect((await discard(id, motivo)).status).toBe(200);
    const empty = { aviso: null, cambios: [], contenido: null, correcciones: null, pregunta: null };
    expect(await rowOf(id)).toMatchObject({ ...empty, ...wanted });
    expect([await sentences(), await rowOf(other), (await discard(id)).status]).toEqual([[sentence], before, 409]);
  });

  test('that stands for an order here is made, once it is let go of', async () => {
    const id = await hold({}, { pedido_id: (await world.pedido({})).id });
    await discard(id);
    expect(await rowOf(id)).toMatchObject({ estado: 'creado', motivo: 'Descartado', acordado: null });
    expect((await discard(UNKNOWN)).status).toBe(404);
  });
});

describe('what nobody has looked at', () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  test('is gone after ninety days, and messages after thirty', async () => {
    const held = { correcciones: '{}', aviso: 'x', cambios: ['nif'] };
    const rows = {
      late: await hold({}, { ...held, recibido_at: ago(90.01) }),
      early: await hold({}, { ...held, recibido_at: ago(89.99) }),
      read: await hold({}, { ...held, recibido_at: ago(90.01), estado: 'recibido' }),
      made: await hold({}, { ...held, updated_at: ago(90.01), estado: 'creado' }),
      empty: await hold({}, { ...held, updated_at: ago(90.01), estado: 'creado', contenido: null }),
      recent: await hold({}, { ...held, updated_at: ago(89.99), recibido_at: ago(200), estado: 'creado' }),
    };
    const days = [30.01, 29.99];
    await world.db
      .insertInto('tienda_mensajes')
      .values(days.map((n) => ({ resultado: 'recibido', motivo: `${n}`, recibido_at: ago(n) })))
      .execute();
    await deleteUnseen(world.db);
    const after = await Promise.all(Object.values(rows).map(rowOf));
    expect(
      after.map(({ estado, motivo, contenido, aviso, cambios, correcciones }) => [
        estado,
        motivo,
        !!contenido,
        aviso,
        cambios,
        !!correcciones,
      ]),
    ).toEqual([
      ['ignorado', 'Nadie lo ha mirado en 90 días', false, 'x', ['nif'], false],
      ['por_revisar', null, true, 'x', ['nif'], true],
      ['recibido', null, true, 'x', ['nif'], true],
      ['creado', null, false, null, [], false],
      ['creado', null, false, 'x', ['nif'], true],
      ['creado', null, true, 'x', ['nif'], true],
    ]);
    expect(await world.db.selectFrom('tienda_mensajes').select('motivo').execute()).toEqual([{ motivo: '29.99' }]);
  });
});

describe('the person of what waits', () => {
  const names = async (search: string) =>
    (await searchHeldOrders(world.db, search)).map(({ numero, ilegible }) => numero || ilegible).toSorted();
  const message = (contenido: string | null) =>
    world.db.insertInto('tienda_mensajes').values({ resultado: 'ilegible', contenido }).returning('id').executeTakeFirstOrThrow();

  test('is found by all words, or by five figures of a telephone', async () => {
    await hold({}, { numero: 'A' });
    await hold({}, { numero: 'B', contenido: null, correcciones: JSON.stringify({ campos: { cliente_nombre: 'Zoe Higo' } }) });
    await hold({}, { numero: 'C', contenido: null });
    await message('De Zoe Parra, 6.0.0.1.1');
    await message(null);
    expect([await names('mateo ruiz'), await names('mateo zoe'), await names('zoe'), await names('  ')]).toEqual([
      ['A'],
      [],
      [true, 'B'].toSorted(),
      [],
    ]);
    expect([await names('60011'), await names('600 11 22'), await names('0011')]).toEqual([['A', true].toSorted(), ['A'], []]);
  });

  test('is shown with what the message says', async () => {
    const id = await hold();
    const { id: unread } = await message('texto');
    const gone = await hold({}, { contenido: null, correcciones: '{}' });
    expect(await heldById(world.db, id)).toMatchObject({
      id,
      numero: 'W-1',
      cliente: 'Mateo Ruiz',
      telefono: '600 11 22 33',
      lugar: 'València, Valencia',
      pedido_id: null,
      ilegible: false,
      datos: { 'Estado en la tienda': 'processing' },
    });
    expect(await heldById(world.db, unread)).toMatchObject({
      cliente: null,
      lugar: '',
      numero: '',
      ilegible: true,
      datos: { Mensaje: 'texto' },
    });
    expect(await heldById(world.db, gone)).toMatchObject({ cliente: null, telefono: null, lugar: '', datos: {} });
    expect(await heldById(world.db, UNKNOWN)).toBeUndefined();
  });

  test('is that of an order, or has its telephone', async () => {
    const pedido = await world.pedido({});
    const of = await hold({ billing: {}, shipping: { first_name: 'x', address_1: 'y' } }, { numero: 'of', pedido_id: pedido.id });
    const phone = await hold({}, { numero: 'phone' });
    const about = async (cliente_telefono: string | null, id = UNKNOWN) =>
      (await heldAboutOrders(world.db, [{ id, cliente_telefono }])).map((row) => row.id).toSorted();
    expect([await about(null, pedido.id), await about('+34 600112233'), await about(null)]).toEqual([[of], [phone], []]);
    expect([await about('112233'), await about('12233'), await about('000000000')]).toEqual([[], [], []]);
  });

  test('is erased with what waits, and each row has the state that is left', async () => {
    const pedido_id = (await world.pedido({})).id;
    const all = { correcciones: '{}', acordado: '{}', cambios: ['nif'], aviso: 'x', motivo: 'y' };
    const ids = [
      await hold({}, all),
      await hold({}, { ...all, estado: 'recibido' }),
      await hold({}, { ...all, estado: 'ignorado' }),
      await hold({}, { ...all, estado: 'por_revisar', pedido_id }),
    ];
    const { id: read } = await message('texto');
    const { id: other } = await message('otro');
    const kept = await hold({}, all);
    const before = await rowOf(kept);
    await deleteHeld(
      world.db,
      [...ids, read].map((id) => ({ id })),
    );
    const rows = await Promise.all(ids.map(rowOf));
    expect(rows.map(({ estado, motivo, olvidado_at }) => [estado, motivo, !!olvidado_at])).toEqual([
      ['ignorado', 'Datos borrados', true],
      ['ignorado', 'Datos borrados', true],
      ['ignorado', 'y', true],
      ['creado', 'Datos borrados', false],
    ]);
    const none = { contenido: null, correcciones: null, acordado: null, cambios: [], aviso: null };
    for (const row of rows) expect(row).toMatchObject(none);
    const messages = await world.db.selectFrom('tienda_mensajes').select(['id', 'contenido']).execute();
    expect(messages.toSorted((a, b) => (a.id === read ? -1 : b.id === read ? 1 : 0))).toEqual([
      { id: read, contenido: null },
      { id: other, contenido: 'otro' },
    ]);
    expect(await rowOf(kept)).toEqual(before);
  });

  test('is erased with the orders', async () => {
    const pedido_id = (await world.pedido({})).id;
    const [of, kept] = [await hold({}, { pedido_id, estado: 'creado', aviso: 'x' }), await hold()];
    await transact(world.db, (tx) => deleteHeldOf(tx, [pedido_id]));
    expect([(await rowOf(of)).contenido, (await rowOf(kept)).contenido]).toEqual([null, expect.anything()]);
  });
});
