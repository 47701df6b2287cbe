import { beforeEach, describe, expect, it } from 'vitest';
import { getHistorial } from '../../../contract/pedidos/pedidos.ts';
import { admin, world, worldForEachTest } from '../../../test/roles-world.ts';
import { fillRates, listUntaxed, ordersWithoutRate, setSupply } from './rates.ts';

/* Lines without a VAT rate. */

worldForEachTest();

beforeEach(async () => {
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ iva: true, ivaDesde: '2026-01-01' }) as never })
    .execute();
});

type Given = Parameters<typeof world.pedido>[0];
const productOf = (name: string, iva: string | null = null) => world.product({ name, iva });
/** An order of this product, which has no rate unless said. */
async function sell(name: string, fields: Given = {}, iva: string | null = null) {
  const product = await productOf(name, iva);
  const { id } = await world.pedido({ ...fields, pack: await world.pack({ product_id: product.id }) });
  return { id, product_id: product.id };
}
const addLine = (pedido_id: string, numero: number, more: object) =>
  world.db
    .insertInto('pedidos_lineas')
    .values({
      pedido_id,
      numero,
      product_id: null,
      pack_id: null,
      producto: 'Libre',
      cantidad: 1,
      precio_unitario_cents: 100,
      precio_total_cents: 100,
      ...more,
    })
    .execute();
const untaxed = async (id?: string) => (await listUntaxed(world.db, id)).map(({ producto, pedidos }) => `${producto}: ${pedidos}`);
const ratesOf = async (pedido_id: string) =>
  (await world.db.selectFrom('pedidos_lineas').select('iva').where('pedido_id', '=', pedido_id).orderBy('numero').execute()).map(
    ({ iva }) => iva,
  );
const FRENCH = { cliente_pais: 'Francia', cliente_codigo_postal: '75001', cliente_nif: 'FR40303265045' };

describe('lines without a rate', () => {
  it.each<[string, Given, number, (string | null)?]>([
    ['of an open order', { estado: 'pendiente_pago' }, 1],
    ['of an order on its way', { estado: 'en_ruta' }, 1],
    ['of a delivered order', { estado: 'completado' }, 1],
    ['delivered on the first day', { estado: 'completado', fecha_completado: '2025-12-31T23:00:00Z' }, 1],
    ['delivered before the shop used VAT', { estado: 'completado', fecha_completado: '2025-12-31T22:59:59Z' }, 0],
    ['of a cancelled order', { estado: 'cancelado' }, 0],
    ['of a deleted order', { deleted_at: new Date().toISOString() }, 0],
    ['of an order with the VAT of its shop', { iva_cobrado: JSON.stringify([]) as never }, 0],
    ['for a cent', { precio_total_cents: 1 }, 1],
    ['for nothing', { precio_total_cents: 0 }, 0],
    ['of a product with a rate', {}, 0, '21'],
    ['to Barcelona', { cliente_codigo_postal: '08001' }, 1],
    ['to the Canary Islands', { cliente_codigo_postal: '35001' }, 0],
    ['to Ceuta', { cliente_codigo_postal: '51001' }, 0],
    ['to a person in France', { ...FRENCH, cliente_nif: null }, 1],
    ['to a company in France, with the VAT from here', FRENCH, 1],
    ['to a company in France, as a supply', { ...FRENCH, iva_regimen: 'intracomunitaria' }, 0],
    ['to Norway', { cliente_pais: 'Noruega', cliente_codigo_postal: '0150' }, 0],
  ])('count %s: %#', async (_, fields, count, iva) => {
    const { id } = await sell('Aceite', fields, iva);
    expect([await ordersWithoutRate(world.db), await untaxed()]).toEqual([count, count ? ['Aceite: 1'] : []]);
    expect(await untaxed(id)).toEqual(count ? ['Aceite: 1'] : []);
  });

  it('none count in a shop without VAT', async () => {
    await sell('Aceite');
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ iva: false }) as never })
      .execute();
    expect([await ordersWithoutRate(world.db), await untaxed()]).toEqual([0, []]);
  });

  it('are listed by product or text, in the order of the alphabet, with the number of their orders', async () => {
    const first = await sell('Ñora');
    const pack = await world.pack({ product_id: first.product_id });
    await world.pedido({ pack, cliente_codigo_postal: '08001' });
    await world.pedido({ pack, estado: 'completado' });
    const { id } = await sell('Ámbar');
    await addLine(id, 2, {});
    await addLine(id, 3, {});
    await sell('Oliva');
    await sell('Naranja');
    expect(await untaxed()).toEqual(['Ámbar: 1', 'Libre: 1', 'Naranja: 1', 'Ñora: 3', 'Oliva: 1']);
    expect(await untaxed(id)).toEqual(['Ámbar: 1', 'Libre: 1']);
    expect(await ordersWithoutRate(world.db)).toBe(6);
    const [amber, free] = await listUntaxed(world.db, id);
    expect([amber?.product_id, free?.product_id]).toEqual([expect.any(String), null]);
  });
});

describe('rates filled in', () => {
  const steps = async (id: string) => (await admin.call(getHistorial, { params: { id } })).body.data.map(({ accion }) => accion);

  it('are given to products and to texts, and lines that have one keep it', async () => {
    const { id, product_id } = await sell('Aceite');
    const other = await sell('Vino');
    await addLine(id, 2, {});
    await addLine(id, 3, { iva: '4' });
    await addLine(id, 4, { product_id: other.product_id, producto: 'Libre' });
    await addLine(id, 5, { producto: 'Otra cosa' });
    const tipos = [
      { product_id, producto: 'Vino', iva: '10' as const },
      { product_id: null, producto: 'Libre', iva: '21' as const },
      { product_id: null, producto: null, iva: '0' as const },
    ];
    expect(await fillRates(world.db, admin.user, { tipos })).toEqual({ lineas: 2, sin_tipo: ['Otra cosa', 'Vino'] });
    expect(await ratesOf(id)).toEqual(['10', '21', '4', null, null]);
    expect([await ratesOf(other.id), await steps(id), await steps(other.id)]).toEqual([[null], ['Tipo de IVA puesto'], []]);
    const products = await world.db.selectFrom('products').select(['name', 'iva']).orderBy('name').execute();
    expect(products).toEqual([
      { name: 'Aceite', iva: '10' },
      { name: 'Vino', iva: null },
    ]);
    expect(await fillRates(world.db, admin.user, {})).toEqual({ lineas: 0, sin_tipo: ['Otra cosa', 'Vino'] });
    expect(await steps(id)).toHaveLength(1);
  });

  it('may be those of one order alone', async () => {
    const first = await sell('Aceite');
    const second = await world.pedido({ pack: await world.pack({ product_id: first.product_id }) });
    const third = await sell('Vino');
    await world.db.updateTable('products').set({ iva: '10' }).where('id', '=', first.product_id).execute();
    expect(await fillRates(world.db, admin.user, { pedido_id: first.id })).toEqual({ lineas: 1, sin_tipo: [] });
    expect([await ratesOf(first.id), await ratesOf(second.id)]).toEqual([['10'], [null]]);
    expect(await fillRates(world.db, admin.user, { pedido_id: third.id })).toEqual({ lineas: 0, sin_tipo: ['Vino'] });
    await expect(fillRates(world.db, admin.user, { pedido_id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 });
    expect(await fillRates(world.db, admin.user, {})).toEqual({ lineas: 1, sin_tipo: ['Vino'] });
  });

  it('name at most twenty products that have none', async () => {
    const { id } = await sell('Aceite');
    for (let n = 2; n <= 21; n += 1) await addLine(id, n, { producto: `Libre ${String(n).padStart(2, '0')}` });
    const { sin_tipo } = await fillRates(world.db, admin.user, { pedido_id: id });
    expect([sin_tipo.length, sin_tipo[0], sin_tipo.at(-1)]).toEqual([20, 'Aceite', 'Libre 20']);
  });
});

describe('an intra-Community supply', () => {
  it.each<[string, Given, boolean, string | null, string, string]>([
    ['set', FRENCH, true, 'intracomunitaria', 'El pedido va sin IVA, como entrega intracomunitaria', 'Entrega intracomunitaria, sin IVA'],
    ['taken back', { ...FRENCH, iva_regimen: 'intracomunitaria' }, false, null, 'El pedido lleva el IVA de aquí', 'Con el IVA de aquí'],
    [
      'taken back after the delivery',
      { ...FRENCH, estado: 'completado', iva_regimen: 'intracomunitaria' },
      false,
      'ue',
      'El pedido lleva el IVA de aquí',
      'Con el IVA de aquí',
    ],
  ])('is %s', async (_, fields, es, regimen, sentence, accion) => {
    const { id, version } = await world.pedido(fields);
    expect(await setSupply(world.db, admin.user, { pedido_id: id, es })).toBe(sentence);
    const row = await world.db.selectFrom('pedidos').select(['iva_regimen', 'version']).where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toEqual({ iva_regimen: regimen, version: version + 1 });
    expect((await admin.call(getHistorial, { params: { id } })).body.data.map((step) => step.accion)).toEqual([accion]);
  });

  it.each([{}, { ...FRENCH, cliente_nif: null }, { ...FRENCH, cliente_pais: 'Alemania' }])(
    'needs the number of another state: %j',
    async (fields) => {
      const { id } = await world.pedido(fields);
      await expect(setSupply(world.db, admin.user, { pedido_id: id, es: true })).rejects.toMatchObject({
        status: 422,
        body: { errors: { pedido_id: expect.anything() } },
      });
    },
  );
});
