import { describe, expect, test } from 'vitest';
import { updateSettings } from '../../../contract/settings/settings.ts';
import * as api from '../../../contract/tienda/tienda.ts';
import { addShop, shop, there, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { encrypt } from '../../kit/secrets.ts';
import { suggestionsFor } from './matches.ts';

/* What a shop's product is and how a way to pay pays, as people say once. */

tiendaForEachTest();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const hold = (tienda_id: string, externo_id: string) =>
  world.db
    .insertInto('tienda_pedidos')
    .values({ tienda_id, externo_id, numero: externo_id, modificado_at: '2026-11-20T10:00:00Z', estado: 'por_revisar', contenido: '{}' })
    .execute();
const waiting = async () =>
  (await world.db.selectFrom('tienda_pedidos').select('externo_id').where('estado', '=', 'por_revisar').execute()).map(
    ({ externo_id }) => externo_id,
  );
const sentences = async () =>
  (await world.db.selectFrom('audit_logs').select('description').where('entity_type', '=', 'tienda').orderBy('created_at').execute()).map(
    ({ description }) => description,
  );
const products = () =>
  world.db.selectFrom('tienda_productos').select(['clave', 'pack_id', 'sin_mercancia', 'tienda_id', 'nombre']).orderBy('clave').execute();
const errorOf = ({ text }: { text: string }) => Object.entries(JSON.parse(text).errors ?? {})[0]?.flat();

test.each([
  ['cashOnDelivery', []],
  ['iva', []],
  ['storeActive', []],
  ['partialDeliveries', ['1']],
])('what waits is read again after a change of the setting %s: %j are left', async (name, left) => {
  await hold(await addShop('Propia'), '1');
  const change = async () => {
    for (const value of [true, false]) await shop.admin.call(updateSettings, { body: { [name]: value } });
  };
  expect([(await shop.wakes(change)).jobs.includes('tienda'), await waiting()]).toEqual([left.length === 0, left]);
});

describe('packs that are suggested', () => {
  const pack = async (product: string, name: string, fields: object = {}, ofProduct: object = {}) => {
    const made = await world.pack({});
    await world.db
      .updateTable('products')
      .set({ name: product, ...ofProduct })
      .where('id', '=', made.product_id)
      .execute();
    await world.db
      .updateTable('product_packs')
      .set({ name, ...fields })
      .where('id', '=', made.id)
      .execute();
    return made.id;
  };
  const suggested = async (...lines: { clave: string; sku?: string; nombre: string }[]) => {
    const found = await suggestionsFor(world.db, lines);
    return lines.map((line) => found.get(line));
  };

  test('have the alias of the line’s SKU or key, else its name in one of four forms', async () => {
    const one = await pack('Miel', 'Tarro', { alias: 'MIEL-1' });
    const other = await pack('Queso', 'Curado', { alias: 'Q' });
    expect(
      await suggested(
        { clave: '#1', sku: 'miel-1', nombre: 'x' },
        { clave: 'MIEL-1', nombre: 'x' },
        { clave: 'MIEL-1', sku: 'otro', nombre: 'x' },
        { clave: '#1', nombre: 'TARRO' },
        { clave: '#1', nombre: 'miel' },
        { clave: '#1', nombre: 'Miel Tarro' },
        { clave: '#1', nombre: 'Miel – Tarro' },
        { clave: '#1', nombre: 'Miel Curado' },
        { clave: 'Q', nombre: 'Miel' },
      ),
    ).toEqual([one, one, undefined, one, one, one, one, undefined, other]);
    expect(await suggested()).toEqual([]);
  });

  test('are active, and the first by id of two', async () => {
    await pack('Té', 'a', { is_active: false });
    await pack('Pan', 'b', {}, { is_active: false });
    const [x, y] = [await pack('Sal', 'c'), await pack('Sal', 'd')];
    expect(await suggested({ clave: '#1', nombre: 'Té' }, { clave: '#1', nombre: 'Pan' }, { clave: '#1', nombre: 'Sal' })).toEqual([
      undefined,
      undefined,
      [x, y].toSorted()[0],
    ]);
  });
});

describe('what a product is', () => {
  const name = (body: object) => shop.admin.call(api.emparejarTienda, { body: body as never });
  test.each<[string, object, string, string]>([
    ['nothing', {}, 'pack_id', 'Selecciona un pack válido, o di que no es mercancía'],
    ['both', { pack_id: UNKNOWN, sin_mercancia: true }, 'pack_id', 'Selecciona un pack válido, o di que no es mercancía'],
    ['an unknown pack', { pack_id: UNKNOWN }, 'pack_id', 'Selecciona un pack válido'],
    ['of an unknown shop', { sin_mercancia: true, tienda_id: UNKNOWN }, 'tienda_id', 'Esa tienda no existe'],
  ])('is not %s', async (_, body, field, message) => {
    expect(errorOf(await name({ clave: 'NUEZ', ...body }))).toEqual([field, message]);
    expect([(await products()).map(({ clave }) => clave), await sentences()]).toEqual([['ACEITE-6'], []]);
  });

  test('is no pack that is not sold', async () => {
    await world.db.updateTable('product_packs').set({ is_active: false }).execute();
    expect((await name({ clave: 'NUEZ', pack_id: shop.pack.id })).status).toBe(422);
  });

  test('can be said again, for all shops and for one, and all that waits is read again', async () => {
    const tienda_id = await addShop('Propia');
    for (const [id, externo_id] of [tienda_id, await addShop('Otra')].entries()) await hold(externo_id, `${id}`);
    const { name: packName } = await world.db
      .selectFrom('product_packs')
      .select('name')
      .where('id', '=', shop.pack.id)
      .executeTakeFirstOrThrow();
    const { jobs } = await shop.wakes(() => name({ clave: 'NUEZ', pack_id: shop.pack.id }));
    expect([jobs, await waiting()]).toEqual([['tienda'], []]);
    await name({ clave: 'NUEZ', sin_mercancia: true, tienda_id });
    await name({ clave: 'NUEZ', sin_mercancia: true });
    await name({ clave: 'NUEZ', pack_id: shop.pack.id, tienda_id });
    const rows = (await products()).filter(({ clave }) => clave === 'NUEZ').map((row) => [row.tienda_id, row.pack_id, row.sin_mercancia]);
    expect(rows.toSorted((a) => (a[0] ? 1 : -1))).toEqual([
      [null, null, true],
      [tienda_id, shop.pack.id, false],
    ]);
    expect(await sentences()).toEqual(
      [packName, 'no es mercancía', 'no es mercancía', packName].map((what) => `Producto de la tienda «NUEZ»: ${what}`),
    );
  });

  test('is listed with its shop and pack, those without an answer first, by name', async () => {
    const tienda_id = await addShop('Propia');
    const { name: product } = await world.db.selectFrom('products').select('name').executeTakeFirstOrThrow();
    const [b, a] = ['22222222-0000-4000-8000-000000000000', '11111111-0000-4000-8000-000000000000'];
    await world.db
      .insertInto('tienda_productos')
      .values([
        { clave: 'z', nombre: 'Álamo', tienda_id },
        { clave: 'b', nombre: product, tienda_id },
        { clave: 'same', id: b, tienda_id },
        { clave: 'same', id: a, tienda_id: await addShop('Otra') },
        { clave: 'A', sin_mercancia: true },
      ])
      .execute();
    const list = async (query: object = {}) => (await shop.admin.call(api.listParejas, { query: query as never })).body;
    const { data, total } = await list();
    const expected = [
      ['z', 'Propia', null],
      ['b', 'Propia', shop.pack.id],
      ['same', 'Otra', null],
      ['same', 'Propia', null],
      ['A', null, null],
      ['ACEITE-6', null, null],
    ].toSorted();
    expect(data.map(({ clave, tienda, sugerido_id }) => [clave, tienda, sugerido_id]).toSorted()).toEqual(expected);
    expect(data.slice(-2).map(({ clave }) => clave)).toEqual(['A', 'ACEITE-6']);
    expect(data[0]?.clave).toBe('z');
    expect(data.filter(({ clave }) => clave === 'same').map(({ id }) => id)).toEqual([a, b]);
    expect(data.at(-1)).toMatchObject({ pack: expect.stringContaining(`${product} – `), sin_mercancia: false });
    expect([total, (await list({ ids: [a] })).data.length, (await list({ page: 2 })).data]).toEqual([6, 1, []]);
  });

  test('is asked again once its answer is deleted, and no other', async () => {
    const [row] = (await shop.admin.call(api.listParejas, { query: {} })).body.data;
    await world.db.insertInto('tienda_productos').values({ clave: 'NUEZ', sin_mercancia: true }).execute();
    const remove = async (id: string) => (await shop.admin.call(api.deletePareja, { params: { id } })).status;
    expect([await remove(row?.id ?? ''), await remove(row?.id ?? '')]).toEqual([200, 404]);
    expect([(await products()).map(({ clave }) => clave), await sentences()]).toEqual([
      ['NUEZ'],
      ['Producto de la tienda «ACEITE-6»: se preguntará otra vez'],
    ]);
  });
});

describe('products that a shop is asked for', () => {
  const keys = () => ({ url: there.url, clave: 'ck', clave_secreta: encrypt(world.config.secretKey, 'cs') });
  const fetch = async (id: string) => {
    const { status, body } = await shop.admin.call(api.traerProductos, { params: { id } });
    return [status, (body as { message?: string }).message];
  };
  test('are listed once, cut to their length, and counted', async () => {
    const id = await addShop('Propia', keys());
    expect(await fetch(id)).toEqual([200, '0 productos nuevos']);
    there.products.push({ id: 1, sku: `1${'a'.repeat(200)}`, name: `2${'b'.repeat(200)}` });
    expect(await fetch(id)).toEqual([200, '1 producto nuevo']);
    there.products.push({ id: 2, sku: 'Q', name: 'Queso' }, { id: 3, sku: 'Q', name: 'Queso curado' }, { id: 4, name: 'Miel' });
    expect(await fetch(id)).toEqual([200, '2 productos nuevos']);
    expect((await products()).map(({ clave, nombre, tienda_id }) => [clave, nombre, tienda_id]).toSorted()).toEqual(
      [
        ['ACEITE-6', null, null],
        [`1${'a'.repeat(199)}`, `2${'b'.repeat(199)}`, id],
        ['Q', 'Queso curado', id],
        ['#4', 'Miel', id],
      ].toSorted(),
    );
    expect(await sentences()).toEqual([0, 1, 2].map((n) => `Productos de «Propia» traídos: ${n} nuevos`));
  });

  test('are not, without keys, without an answer, of a kind that has none, and of an unknown shop', async () => {
    const [bare, plain, away] = [await addShop('a'), await addShop('b', { conector: 'plano', ...keys() }), await addShop('c', keys())];
    there.breaks(500);
    const MISSING = 'Faltan las claves de la API REST de esta tienda';
    expect([await fetch(bare), await fetch(plain), await fetch(away), (await fetch(UNKNOWN))[0]]).toEqual([
      [409, MISSING],
      [409, MISSING],
      [409, 'La tienda no ha respondido: La tienda ha respondido 500'],
      404,
    ]);
  });
});

describe('how a way to pay pays', () => {
  const setMethod = (tienda_id: string, clave: string, titulo: string, trato: 'pagado' | 'espera') =>
    shop.admin.call(api.setForma, { body: { tienda_id, clave, titulo, trato } });
  const listed = async () =>
    (await shop.admin.call(api.listFormas, {})).body.data.map(({ tienda, clave, titulo, trato }) =>
      [tienda, clave, titulo, trato].join(' '),
    );

  test('is said once a shop, and what waits there is read again', async () => {
    const [own, other] = [await addShop('Propia'), await addShop('Otra')];
    await hold(own, '1');
    await hold(other, '2');
    const { jobs } = await shop.wakes(() => setMethod(own, 'x', 'Vale', 'espera'));
    expect([jobs, await waiting()]).toEqual([['tienda'], ['2']]);
    await setMethod(own, 'x', 'Vales', 'pagado');
    await setMethod(other, 'x', '', 'espera');
    expect(await listed()).toEqual(['Otra x  espera', 'Propia x Vales pagado']);
    expect(await sentences()).toEqual([
      'Forma de pago «Vale» de «Propia»: espera',
      'Forma de pago «Vales» de «Propia»: pagado',
      'Forma de pago «x» de «Otra»: espera',
    ]);
    expect(errorOf(await setMethod(UNKNOWN, 'x', '', 'pagado'))).toEqual(['tienda_id', 'Esa tienda no existe']);
  });

  test('is listed by its title, and by id if two have one', async () => {
    const own = await addShop('Propia');
    const [b, a] = ['22222222-0000-4000-8000-000000000000', '11111111-0000-4000-8000-000000000000'];
    const row = (clave: string, titulo: string, more: object = {}) => ({
      tienda_id: own,
      clave,
      titulo,
      trato: 'pagado' as const,
      ...more,
    });
    await world.db
      .insertInto('tienda_formas')
      .values([row('1', 'Vale'), row('2', 'Cheque', { id: b }), row('3', 'Cheque', { id: a })])
      .execute();
    expect(await listed()).toEqual(['Propia 3 Cheque pagado', 'Propia 2 Cheque pagado', 'Propia 1 Vale pagado']);
  });

  test('is asked again once its answer is deleted, and no other', async () => {
    const own = await addShop('Propia');
    await setMethod(own, 'x', 'Vale', 'pagado');
    await setMethod(own, 'y', 'Cheque', 'pagado');
    const id = (await shop.admin.call(api.listFormas, {})).body.data.find(({ clave }) => clave === 'x')?.id ?? '';
    const remove = async () => (await shop.admin.call(api.deleteForma, { params: { id } })).status;
    expect([await remove(), await remove(), await listed()]).toEqual([200, 404, ['Propia y Cheque pagado']]);
    expect((await sentences()).at(-1)).toBe('Forma de pago «Vale» de la tienda: se preguntará otra vez');
  });
});
