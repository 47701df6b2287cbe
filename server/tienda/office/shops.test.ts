import { describe, expect, test } from 'vitest';
import * as api from '../../../contract/tienda/tienda.ts';
import { addShop, shop, there, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { WOO_SECRET, wooOrder } from '../../../test/woo.ts';
import { decrypt, encrypt } from '../../kit/secrets.ts';
import { listWebShops } from '../shop.ts';
import { shopChecks, shopFigures } from './shops.ts';

/* Web shops as the office lists, changes and joins them. */

tiendaForEachTest();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const SECRET = 'un secreto de dieciséis';
const seal = (text: string) => encrypt(world.config.secretKey, text);
const addOrder = async (tienda_id: string, externo_id: string, more: object = {}) =>
  (
    await world.db
      .insertInto('tienda_pedidos')
      .values({ tienda_id, externo_id, numero: externo_id, modificado_at: '2026-11-20T10:00:00Z', ...more })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const listed = async () => (await shop.admin.call(api.listFuentes, {})).body.data;
const update = (id: string, body: object) => shop.admin.call(api.updateFuente, { params: { id }, body: body as never });
const sentences = async () =>
  (await world.db.selectFrom('audit_logs').select('description').where('entity_type', '=', 'tienda').orderBy('created_at').execute()).map(
    ({ description }) => description,
  );
const rowOf = (id: string) => world.db.selectFrom('tiendas').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const KEYS = () => ({ url: there.url, clave: 'ck', clave_secreta: seal('cs') });

describe('the list of shops', () => {
  test('has the oldest first, by id if they are of one moment', async () => {
    const [b, a] = ['22222222-0000-4000-8000-000000000000', '11111111-0000-4000-8000-000000000000'];
    await addShop('nueva', { created_at: '2026-11-21T10:00:00Z' });
    await addShop('b', { id: b, created_at: '2026-11-20T10:00:00Z' });
    await addShop('a', { id: a, created_at: '2026-11-20T10:00:00Z' });
    const wanted = ['a', 'b', 'nueva'];
    expect((await listed()).map(({ nombre }) => nombre)).toEqual(wanted);
    expect((await listWebShops(world.db)).map(({ nombre }) => nombre)).toEqual(wanted);
    await world.db.updateTable('tiendas').set({ created_at: '2026-11-22T10:00:00Z' }).where('nombre', '=', 'a').execute();
    expect((await shopChecks(world.db)).map(({ nombre }) => nombre)).toEqual(['b', 'nueva', 'a']);
  });

  test.each<[string, object, boolean]>([
    ['all of them', {}, true],
    ['no address', { url: null }, false],
    ['no key', { clave: null }, false],
    ['no secret key', { clave_secreta: null }, false],
    ['a shop that is not active', { estado: 'ignorada' }, false],
  ])('says whether a shop can be asked: %s', async (_, fields, con_api) => {
    await addShop('Propia', { ...KEYS(), ...fields });
    expect(await listed()).toMatchObject([{ con_api }]);
  });

  test.each<[boolean | null, boolean]>([
    [true, true],
    [false, false],
    [null, false],
  ])('says whether a shop may use the common address: %s', async (comun, may) => {
    await addShop('Propia', { comun });
    expect(await listed()).toMatchObject([{ comun: may }]);
  });

  test('counts the orders of each shop, and tells its door and secret', async () => {
    const [one, two] = [await addShop('una', { created_at: '2026-11-20T10:00:00Z' }), await addShop('dos', { secreto: seal(SECRET) })];
    for (const externo_id of ['1', '2']) await addOrder(two, externo_id);
    expect(await listed()).toMatchObject([
      { id: one, pedidos: 0, secreto_propio: false, puerta: `/api/tienda/${one}` },
      { id: two, pedidos: 2, secreto_propio: true, puerta: `/api/tienda/${two}` },
    ]);
  });

  test('says that no shop can send while shops are off, but for those that are not ours', async () => {
    await addShop('una', { secreto: seal(SECRET), created_at: '2026-11-20T10:00:00Z' });
    await addShop('ajena', { estado: 'ignorada' });
    const problems = async () => (await listed()).map(({ problema }) => problema);
    expect(await problems()).toEqual([null, null]);
    await shop.settings({ storeActive: false });
    expect(await problems()).toEqual(['no puede enviar nada: enciende las tiendas en línea en Configuración', null]);
    expect(await shopChecks(world.db)).toEqual([{ nombre: 'una', problema: null }]);
  });
});

describe('secrets', () => {
  const create = (secreto?: string) =>
    shop.admin.call(api.createFuente, { body: { nombre: 'Nueva', conector: 'woo', ...(secreto && { secreto }) } as never });
  const errorOf = ({ text }: { text: string }) => Object.values(JSON.parse(text).errors ?? {}).flat()[0];

  test('a new shop needs one of its own, and is told', async () => {
    expect(errorOf(await create())).toBe('Otra tienda necesita su propio secreto, de 16 caracteres o más');
    await addShop('Otra', { secreto: seal(SECRET) });
    await addShop('sin secreto');
    expect(errorOf(await create(SECRET))).toBe('Ese secreto ya es de «Otra»: cada tienda necesita el suyo');
    expect(errorOf(await create(WOO_SECRET))).toBe('Ese secreto ya es de «la dirección común»: cada tienda necesita el suyo');
    expect(await sentences()).toEqual([]);
    const { topics } = await shop.wakes(() => create('otro secreto distinto'));
    expect([topics.includes('tienda'), await sentences()]).toEqual([true, ['Tienda «Nueva» añadida']]);
  });

  test('a shop keeps its own, and takes no other’s', async () => {
    const id = await addShop('Propia', { secreto: seal(SECRET) });
    await addShop('Otra', { secreto: seal('otro secreto distinto') });
    expect((await update(id, { secreto: SECRET })).status).toBe(200);
    expect(errorOf(await update(id, { secreto: 'otro secreto distinto' }))).toContain('«Otra»');
  });
});

describe('a changed shop', () => {
  test('has what was sent, and nothing else is changed', async () => {
    const id = await addShop('Propia', { ...KEYS(), secreto: seal(SECRET) });
    const other = await addShop('Otra', KEYS());
    const before = [await rowOf(id), await rowOf(other)];
    expect((await update(id, {})).status).toBe(200);
    expect([await rowOf(id), await sentences()]).toEqual([before[0], []]);
    await update(id, { clave_api: 'ck2' });
    expect(await rowOf(id)).toEqual({ ...before[0], clave: 'ck2' });
    await update(id, { clave_api: '' });
    expect(await rowOf(id)).toEqual({ ...before[0], clave: null });
    await update(id, { clave_secreta: 'cs2', secreto: 'otro secreto distinto' });
    const { secreto, clave_secreta } = await rowOf(id);
    expect([secreto, clave_secreta].map((sealed) => decrypt(world.config.secretKey, sealed ?? ''))).toEqual([
      'otro secreto distinto',
      'cs2',
    ]);
    expect(await rowOf(other)).toEqual(before[1]);
    expect(await sentences()).toEqual(Array(3).fill('Tienda «Propia» cambiada'));
    expect((await update(UNKNOWN, { nombre: 'x' })).status).toBe(404);
  });

  test.each<[string, object, string | null, string | null]>([
    ['another address drops the secret key', { url: 'https://b.es' }, 'https://b.es', null],
    ['another address with a key has that key', { url: 'https://b.es', clave_secreta: 'nueva' }, 'https://b.es', 'nueva'],
    ['no address drops the secret key', { url: '' }, null, null],
    ['the same address keeps the secret key', { url: 'https://a.es' }, 'https://a.es', 'cs'],
    ['no word about the address keeps the secret key', { nombre: 'x' }, 'https://a.es', 'cs'],
  ])('%s', async (_, body, url, key) => {
    const id = await addShop('Propia', { url: 'https://a.es', clave: 'ck', clave_secreta: seal('cs') });
    await update(id, body);
    const row = await rowOf(id);
    expect([row.url, row.clave_secreta && decrypt(world.config.secretKey, row.clave_secreta)]).toEqual([url, key]);
  });

  test('without an address before and after keeps its secret key', async () => {
    const id = await addShop('Propia', { clave_secreta: seal('cs') });
    await update(id, { url: '' });
    expect((await rowOf(id)).clave_secreta).not.toBeNull();
  });

  test.each<[string, object, string[]]>([
    ['confirmed, has its waiting orders read again', { estado: 'activa' }, ['recibido', 'por_revisar']],
    ['that stays as it is, has not', { estado: 'por_confirmar' }, ['por_revisar', 'por_revisar']],
    ['renamed, has not', { nombre: 'Nueva' }, ['por_revisar', 'por_revisar']],
  ])('%s', async (_, body, estados) => {
    const stored = await addShop('Propia', { estado: 'por_confirmar' });
    const other = await addShop('Otra');
    const held = { estado: 'por_revisar', contenido: '{}' };
    const ids = [await addOrder(stored, '1', held), await addOrder(other, '1', held)];
    const done = await addOrder(stored, '2', { estado: 'creado', contenido: '{}' });
    const empty = await addOrder(stored, '3', { estado: 'por_revisar' });
    if ('estado' in body && body.estado === 'por_confirmar')
      await world.db.updateTable('tiendas').set({ estado: 'activa' }).where('id', '=', stored).execute();
    const sent = 'estado' in body ? { estado: 'activa' } : body;
    const { jobs } = await shop.wakes(() => update(stored, sent));
    const estadoOf = async (id: string) =>
      (await world.db.selectFrom('tienda_pedidos').select('estado').where('id', '=', id).executeTakeFirst())?.estado;
    expect(await Promise.all([...ids, done, empty].map(estadoOf))).toEqual([...estados, 'creado', 'por_revisar']);
    expect(jobs).toEqual(['tienda']);
  });

  test('renames its orders with it, and only then', async () => {
    await shop.take(wooOrder());
    const [own] = await listed();
    for (const set of [{ nombre: 'WooCommerce', clave_api: 'ck' }, { clave_api: 'ck2' }]) {
      await update(own?.id ?? '', set);
      expect(await shop.orders()).toMatchObject([{ tienda: 'WooCommerce' }]);
    }
    await update(own?.id ?? '', { nombre: 'Quesos' });
    expect(await shop.orders()).toMatchObject([{ tienda: 'Quesos' }]);
    expect((await sentences()).at(-1)).toBe('Tienda «Quesos» cambiada');
  });
});

describe('a shop that is another one’s new address', () => {
  const held = (contenido: string, seconds: number, more: object = {}) => ({
    contenido: JSON.stringify({ contenido }),
    situacion: 'pagado',
    modificado_at: `2026-11-20T10:00:0${seconds}Z`,
    estado: 'por_revisar',
    ...more,
  });
  const orders = async () =>
    (
      await world.db
        .selectFrom('tienda_pedidos as t')
        .innerJoin('tiendas as s', 's.id', 't.tienda_id')
        .select(['s.nombre', 't.externo_id', 't.contenido', 't.estado', 't.situacion'])
        .orderBy('s.nombre')
        .orderBy('t.externo_id')
        .execute()
    ).map(({ nombre, externo_id, contenido, estado, situacion }) =>
      [nombre, externo_id, (contenido as { contenido?: string } | null)?.contenido, estado, situacion].join(' '),
    );

  test('gives it its orders, of which the newer message counts, its messages and its address', async () => {
    const main = await addShop('Propia', { origen: 'a.es' });
    const [moved, third] = [
      await addShop('b.es', { origen: 'b.es', estado: 'por_confirmar' }),
      await addShop('Tercera', { origen: 'c.es' }),
    ];
    for (const externo_id of ['1', '2', '3', '4']) await addOrder(main, externo_id, held('old', 5, { estado: 'creado' }));
    await addOrder(moved, '1', held('newer', 6, { situacion: 'cancelado' }));
    await addOrder(moved, '2', held('same', 5));
    await addOrder(moved, '3', held('older', 4));
    await addOrder(moved, '4', { ...held('', 6), contenido: null });
    await addOrder(moved, '5', held('own', 4));
    for (const externo_id of ['1', '5']) await addOrder(third, externo_id, held('third', 1));
    await world.db
      .insertInto('tienda_mensajes')
      .values([moved, third].map((tienda_id) => ({ tienda_id, resultado: 'recibido' })))
      .execute();
    expect((await update(moved, { misma_que: main })).status).toBe(200);
    expect(await orders()).toEqual([
      'Propia 1 newer recibido cancelado',
      'Propia 2 same recibido pagado',
      'Propia 3 old creado pagado',
      'Propia 4 old creado pagado',
      'Propia 5 own recibido pagado',
      'Tercera 1 third por_revisar pagado',
      'Tercera 5 third por_revisar pagado',
    ]);
    const messages = await world.db.selectFrom('tienda_mensajes').select('tienda_id').execute();
    expect(messages.map(({ tienda_id }) => tienda_id).toSorted()).toEqual([main, third].toSorted());
    expect((await listed()).map(({ nombre, origen }) => [nombre, origen])).toEqual([
      ['Propia', 'b.es'],
      ['Tercera', 'c.es'],
    ]);
    expect(await sentences()).toEqual(['«b.es» es la nueva dirección de la tienda «Propia»']);
  });

  test('keeps orders that it has made, and is refused', async () => {
    const [main, moved] = [await addShop('Propia'), await addShop('b.es')];
    const { id } = await world.pedido({});
    await addOrder(moved, '1', { pedido_id: id, estado: 'creado' });
    await addOrder(main, '2', { pedido_id: (await world.pedido({})).id, estado: 'creado' });
    expect(await update(moved, { misma_que: main })).toMatchObject({ status: 409 });
    expect((await listed()).length).toBe(2);
    expect((await update(main, { misma_que: moved })).status).toBe(409);
    await world.db.deleteFrom('tienda_pedidos').where('tienda_id', '=', moved).execute();
    expect((await update(moved, { misma_que: main })).status).toBe(200);
  });

  test('is not itself, an unknown one or one of another kind', async () => {
    const [moved, plain] = [await addShop('b.es'), await addShop('Plana', { conector: 'plano' })];
    for (const misma_que of [moved, plain, UNKNOWN])
      expect(await update(moved, { misma_que })).toMatchObject({
        status: 422,
        text: expect.stringContaining('Elige la tienda que ha cambiado de dirección'),
      });
  });
});

describe('the webhooks of a shop', () => {
  const switchOn = (id: string) => shop.admin.call(api.encenderWebhooks, { params: { id } });
  const hook = (id: number) => ({ id, status: 'disabled', delivery_url: 'https://x.es/api/tienda/1' });
  test.each([
    [1, '1 webhook encendido'],
    [2, '2 webhooks encendidos'],
  ])('are switched on: %i', async (n, message) => {
    const id = await addShop('Propia', { ...KEYS(), webhook_apagado: true });
    const other = await addShop('Otra', { webhook_apagado: true });
    there.hooks([1, 2].slice(0, n).map(hook));
    expect((await switchOn(id)).body).toMatchObject({ message });
    expect([(await rowOf(id)).webhook_apagado, (await rowOf(other)).webhook_apagado]).toEqual([false, true]);
    expect(await sentences()).toEqual([`Webhooks de «Propia» encendidos: ${n}`]);
  });

  test('are not, without keys, without an answer, and of a kind that has none', async () => {
    const MISSING = 'Faltan las claves de la API REST de esta tienda: enciende el webhook en WooCommerce';
    const [bare, plain, away] = [await addShop('a'), await addShop('b', { conector: 'plano', ...KEYS() }), await addShop('c', KEYS())];
    there.breaks(500);
    for (const [id, message] of [
      [bare, MISSING],
      [plain, MISSING],
      [away, 'La tienda no ha respondido: La tienda ha respondido 500'],
    ] as const)
      expect(await switchOn(id)).toMatchObject({ status: 409, body: { message } });
    expect((await switchOn(UNKNOWN)).status).toBe(404);
    expect(await sentences()).toEqual([]);
  });
});

describe('messages that nobody has read', () => {
  const addMessage = async (more: object) =>
    (
      await world.db
        .insertInto('tienda_mensajes')
        .values({ resultado: 'ilegible', contenido: 'x', recibido_at: '2026-11-20T10:00:00Z', ...more })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const list = async (query: object = {}) => (await shop.admin.call(api.listIlegibles, { query: query as never })).body;
  test('are listed, oldest first, cut to a length, and page by page', async () => {
    const [b, a] = ['22222222-0000-4000-8000-000000000000', '11111111-0000-4000-8000-000000000000'];
    const tienda_id = await addShop('Propia');
    await addMessage({ tienda_id, tema: 'new', recibido_at: '2026-11-21T10:00:00Z', contenido: `1${'a'.repeat(20_000)}` });
    await addMessage({ id: b, tema: 'b', contenido: null });
    await addMessage({ id: a, tema: 'a' });
    await addMessage({ tema: 'seen', visto_at: '2026-11-20T10:00:00Z' });
    await addMessage({ tema: 'read', resultado: 'recibido' });
    const { data, total } = await list();
    expect([total, data.map(({ tema, tienda, contenido }) => [tema, tienda, contenido])]).toEqual([
      3,
      [
        ['a', null, 'x'],
        ['b', null, ''],
        ['new', 'Propia', `1${'a'.repeat(19_999)}`],
      ],
    ]);
    expect((await list({ per_page: 20, page: 2 })).data).toEqual([]);
    expect((await list({ ids: [a] })).data).toMatchObject([{ id: a }]);
    expect((await shopFigures(world.db)).ilegibles).toBe(3);
  });

  test('are gone with their content once seen, each by itself', async () => {
    const [id, other, read] = [await addMessage({}), await addMessage({}), await addMessage({ resultado: 'recibido' })];
    const see = async (each: string) => (await shop.admin.call(api.verIlegible, { params: { id: each } })).status;
    expect([await see(id), await see(read), await see(UNKNOWN)]).toEqual([200, 404, 404]);
    const rows = await world.db.selectFrom('tienda_mensajes').select(['id', 'contenido', 'visto_at']).execute();
    expect(rows.filter(({ contenido, visto_at }) => contenido === null || visto_at).map((row) => row.id)).toEqual([id]);
    expect(rows.find((row) => row.id === other)?.contenido).toBe('x');
    expect(await sentences()).toEqual(['Mensaje ilegible de la tienda visto']);
  });
});

test('the figures of the shops leave out what is not known, and count what waits', async () => {
  const none = { rechazados: 0, ilegibles: 0, por_revisar: 0, webhooks_apagados: 0 };
  expect(await shopFigures(world.db)).toEqual(none);
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  const id = await addShop('a', { oido_at: ago(7200), webhook_apagado: true });
  await addShop('b', { oido_at: ago(3600) });
  await addOrder(id, '1', { estado: 'por_revisar', recibido_at: ago(7200) });
  await addOrder(id, '2', { estado: 'creado', aviso: 'x', recibido_at: ago(1800) });
  await addOrder(id, '3', { estado: 'creado', recibido_at: ago(7200) });
  const topes = ['tienda_rechazados', 'tienda_firma'].map((clase) => ({ clase, clave: id, veces: 3, desde: ago(80_000) }));
  await world.db.insertInto('topes').values(topes).execute();
  await world.db
    .insertInto('topes')
    .values({ clase: 'tienda_rechazados', clave: UNKNOWN, veces: 9, desde: ago(90_000) })
    .execute();
  await world.db
    .insertInto('tienda_mensajes')
    .values([{ resultado: 'ilegible' }, { resultado: 'ilegible', visto_at: ago(1) }, { resultado: 'recibido' }])
    .execute();
  const { ultimo_mensaje_segundos = 0, ultimo_pedido_segundos = 0, ...counts } = await shopFigures(world.db);
  expect(counts).toEqual({ rechazados: 3, ilegibles: 1, por_revisar: 2, webhooks_apagados: 1 });
  expect([Math.floor(ultimo_mensaje_segundos / 600), Math.floor(ultimo_pedido_segundos / 600)]).toEqual([6, 3]);
});
