import { beforeEach, describe, expect, test } from 'vitest';
import * as api from '../../../contract/tienda/tienda.ts';
import { shop, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { wooLine, wooOrder } from '../../../test/woo.ts';
import type { WebOrder } from '../reading/order.ts';
import { readWoo } from '../reading/woo/read.ts';

/* Corrections of a waiting order, and changes of the shop that a person applies. */

tiendaForEachTest();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let own: string;
beforeEach(async () => {
  const shopRow = { conector: 'woo', nombre: 'Propia' };
  own = (await world.db.insertInto('tiendas').values(shopRow).returning('id').executeTakeFirstOrThrow()).id;
});
const content = (fields: object = {}) => readWoo(wooOrder(fields as Record<string, unknown>)) as WebOrder;
const hold = async (fields: object = {}, more: object = {}) => {
  const order = content(fields);
  const row = { tienda_id: own, externo_id: '7271', numero: 'W-1', modificado_at: '2026-11-20T10:00:00Z', estado: 'por_revisar' as const };
  const values = { ...row, situacion: order.situacion ?? null, contenido: JSON.stringify(order), ...more };
  return (await world.db.insertInto('tienda_pedidos').values(values).returning('id').executeTakeFirstOrThrow()).id;
};
const rowOf = (id: string) => world.db.selectFrom('tienda_pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const sentences = async () =>
  (await world.db.selectFrom('audit_logs').select('description').where('entity_type', '=', 'tienda').orderBy('created_at').execute()).map(
    ({ description }) => description,
  );
const correct = (id: string, body: object) => shop.admin.call(api.corregirTienda, { params: { id }, body: body as never });
const apply = (id: string) => shop.admin.call(api.aplicarTienda, { params: { id } });
const errorOf = ({ text }: { text: string }) => {
  const { errors, message } = JSON.parse(text);
  return Object.entries(errors ?? { message })[0]?.flat();
};

describe('a correction', () => {
  test('is added to those before, and the order is read again', async () => {
    const id = await hold({ line_items: [wooLine({ name: 'a' }), wooLine({ name: 'b' })] });
    const other = await hold({}, { externo_id: '8' });
    const { jobs } = await shop.wakes(() =>
      correct(id, { campos: { cliente_ciudad: 'Getafe' }, lineas: [{ n: 0, cantidad: 2 }], trato: 'pagado' }),
    );
    expect([jobs, await rowOf(id)]).toMatchObject([
      ['tienda'],
      {
        estado: 'recibido',
        correcciones: { campos: { cliente_ciudad: 'Getafe' }, lineas: [{ n: 0, nombre: 'a', cantidad: 2 }], trato: 'pagado' },
      },
    ]);
    await world.db.updateTable('tienda_pedidos').set({ estado: 'por_revisar' }).execute();
    await correct(id, { campos: { cliente_nombre: 'Ana' }, lineas: [{ n: 1, sin_mercancia: true }], entrega: 'recoge' });
    await world.db.updateTable('tienda_pedidos').set({ estado: 'por_revisar' }).execute();
    await correct(id, { lineas: [{ n: 0, pack_id: shop.pack.id }], hacer: true });
    expect((await rowOf(id)).correcciones).toEqual({
      campos: { cliente_ciudad: 'Getafe', cliente_nombre: 'Ana' },
      lineas: [
        { n: 1, nombre: 'b', sin_mercancia: true },
        { n: 0, nombre: 'a', cantidad: 2, pack_id: shop.pack.id },
      ],
      trato: 'pagado',
      entrega: 'recoge',
      hacer: true,
    });
    expect([await sentences(), await rowOf(other)]).toMatchObject([
      Array(3).fill('Pedido W-1 de la tienda corregido'),
      { estado: 'por_revisar', correcciones: null },
    ]);
  });

  test('of nothing has nothing', async () => {
    const id = await hold();
    await correct(id, {});
    expect((await rowOf(id)).correcciones).toEqual({ campos: {}, lineas: [] });
  });

  test.each<[string, object, number, unknown[]]>([
    ['an unknown line', { lineas: [{ n: 0 }, { n: 1 }] }, 422, ['lineas.1.n', 'Esa línea ya no está en el pedido']],
    ['an unknown pack', { lineas: [{ n: 0, pack_id: UNKNOWN }] }, 422, ['lineas.0.pack_id', 'Selecciona un pack válido']],
    ['the order of before, without one', { es_ese: true }, 409, ['message', 'Ese pedido ya no está']],
  ])('of %s is refused', async (_, body, status, error) => {
    const id = await hold();
    const reply = await correct(id, body);
    expect([reply.status, errorOf(reply)]).toEqual([status, error]);
    expect([await sentences(), (await rowOf(id)).estado]).toEqual([[], 'por_revisar']);
  });

  test.each([
    ['made', { estado: 'creado' }],
    ['erased', { contenido: null }],
  ])('of an order that is %s is refused', async (_, more) => {
    expect(errorOf(await correct(await hold({}, more), {}))).toEqual(['message', 'Ese pedido de la tienda ya no espera']);
  });

  test('that it is an order of before gives that to the shop, and the message is read as a later one', async () => {
    const plain = { conector: 'plano', nombre: 'Otra' };
    const { id: other } = await world.db.insertInto('tiendas').values(plain).returning('id').executeTakeFirstOrThrow();
    const pedido = await world.pedido({});
    const before = await hold({}, { tienda_id: other, numero: 'P-1', pedido_id: pedido.id, estado: 'creado', contenido: null });
    const kept = await hold({}, { tienda_id: other, externo_id: '8', estado: 'creado' });
    const id = await hold({ customer_note: 'Timbre' }, { vistos: ['a'] });
    const { jobs } = await shop.wakes(() => correct(id, { es_ese: true }));
    expect([jobs, await rowOf(before)]).toMatchObject([
      ['tienda'],
      {
        tienda_id: own,
        numero: 'W-1',
        situacion: 'pagado',
        vistos: ['a'],
        estado: 'recibido',
        pedido_id: pedido.id,
        contenido: { instrucciones: 'Timbre' },
      },
    ]);
    expect(await rowOf(kept)).toMatchObject({ tienda_id: other, estado: 'creado' });
    expect(await world.db.selectFrom('tienda_pedidos').select('id').where('id', '=', id).execute()).toEqual([]);
    expect(await sentences()).toEqual([`Pedido W-1 de la tienda: es ${pedido.numero_orden}`]);
  });
});

describe('changes of the shop that a person applies', () => {
  const made = async (cambios: string[], fields: object = {}) => {
    await shop.take(wooOrder());
    const { id, pedido_id } = await world.db.selectFrom('tienda_pedidos').select(['id', 'pedido_id']).executeTakeFirstOrThrow();
    const contenido = JSON.stringify(content(fields));
    const values = { cambios, contenido, aviso: 'x', pregunta: 'borrado', estado: 'creado' as const };
    await world.db.updateTable('tienda_pedidos').set(values).where('id', '=', id).execute();
    return { id, pedido_id: pedido_id ?? '' };
  };
  const { shipping } = wooOrder();
  const NEW = {
    shipping: { ...shipping, address_1: 'Calle Nueva 3' },
    customer_note: 'Timbre',
    meta_data: [{ key: 'nif', value: '12345678Z' }],
    line_items: [wooLine({ quantity: 2, subtotal: '80.00', subtotal_tax: '8.00' })],
    total: '92.95',
  };
  const WAS = { cliente_direccion: 'Calle Destino 9', cliente_nif: null, instrucciones: null, cantidad: 1, precio_total: 48.95 };

  test.each<[string[], object]>([
    [['direccion'], { ...WAS, cliente_direccion: 'Calle Nueva 3' }],
    [['nif'], { ...WAS, cliente_nif: '12345678Z' }],
    [['instrucciones'], { ...WAS, instrucciones: 'Timbre' }],
    [['productos'], { ...WAS, cantidad: 2, precio_total: 92.95 }],
    [['importe'], { ...WAS, cantidad: 2, precio_total: 92.95 }],
    [['pago'], WAS],
  ])('are those alone that are shown: %j', async (cambios, wanted) => {
    await shop.settings({ iva: true });
    const { id } = await made(cambios, NEW);
    expect((await apply(id)).status).toBe(200);
    expect(await shop.orders()).toMatchObject([wanted]);
    expect(await rowOf(id)).toMatchObject({
      cambios: [],
      aviso: null,
      contenido: null,
      pregunta: null,
      acordado: { nif: '12345678Z', importe: [495, 0, 9295], pago: ['pagado', cambios.includes('pago')] },
    });
    expect(await sentences()).toEqual(['Cambios del pedido W-1 de la tienda aplicados'.replace('W-1', '7271')]);
    expect((await apply(id)).status).toBe(409);
  });

  test('take out what the shop does not have any more', async () => {
    await shop.settings({ iva: true });
    const { id, pedido_id } = await made(['nif', 'instrucciones']);
    await world.db.updateTable('pedidos').set({ cliente_nif: '12345678Z', instrucciones: 'Timbre' }).where('id', '=', pedido_id).execute();
    expect((await apply(id)).status).toBe(200);
    expect(await shop.orders()).toMatchObject([{ cliente_nif: null, instrucciones: null }]);
  });

  test('are applied to the order of the message alone', async () => {
    await shop.take(wooOrder({ id: 8, number: '8' }));
    const before = await rowOf((await world.db.selectFrom('tienda_pedidos').select('id').executeTakeFirstOrThrow()).id);
    await world.db.deleteFrom('pagos').execute();
    const { id } = await hold({}, { cambios: ['instrucciones'] }).then(async (held) => ({ id: held }));
    expect((await apply(id)).status).toBe(409);
    expect(await rowOf(before.id)).toEqual(before);
  });

  test.each<[string, string[], object, number]>([
    ['an order that has left', ['direccion'], {}, 409],
    ['goods of an order that has left', ['importe'], {}, 409],
    ['the payment of an order that has left', ['pago'], {}, 200],
  ])('to %s', async (_, cambios, fields, status) => {
    const { id, pedido_id } = await made(cambios, fields);
    await shop.move(pedido_id, 'en_ruta');
    const reply = await apply(id);
    expect(reply.status).toBe(status);
    if (status === 409) expect(errorOf(reply)).toEqual(['message', 'El pedido ya ha salido: cámbialo tú y marca el aviso como visto']);
  });

  test.each<[string, string[], object, unknown[]]>([
    ['a NIF that is none', ['nif'], { meta_data: [{ key: 'nif', value: '1' }] }, ['cliente_nif']],
    [
      'an unknown product',
      ['productos'],
      { line_items: [wooLine({ sku: 'NUEZ', name: 'Nueces' })] },
      ['lineas', 'Falta decir qué pack es «Nueces»'],
    ],
    ['another currency', ['importe'], { currency: 'USD' }, ['moneda', 'Está en USD y aquí todo va en euros']],
  ])('are refused with their reason: %s', async (_, cambios, fields, error) => {
    await shop.settings({ iva: true });
    const { id } = await made(cambios, fields);
    const reply = await apply(id);
    expect([reply.status, errorOf(reply)?.slice(0, error.length)]).toEqual([422, error]);
    expect(await shop.orders()).toMatchObject([WAS]);
  });

  test.each<[string, object]>([
    ['no content', { contenido: null }],
    ['no order', { pedido_id: null }],
    ['no change', { cambios: [] }],
  ])('are nothing with %s', async (_, more) => {
    const { id } = await made(['nif']);
    await world.db.deleteFrom('pagos').execute();
    await world.db.updateTable('tienda_pedidos').set(more).where('id', '=', id).execute();
    expect(errorOf(await apply(id))).toEqual(['message', 'Ya no hay ningún cambio de la tienda que aplicar']);
    expect((await apply(UNKNOWN)).status).toBe(404);
  });
});
