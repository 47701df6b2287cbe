import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assignTransportista, listPedidos, setEstado } from '../../contract/pedidos/pedidos.ts';
import * as api from '../../contract/tienda/tienda.ts';
import { sign, WOO_SECRET, wooLine, wooOrder } from '../../test/woo.ts';
import { openWooShop, type WooShop } from '../../test/woo-shop.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { encrypt } from '../kit/secrets.ts';
import { deleteUnseen } from './office/review.ts';
import { readReceived } from './order/process.ts';
import { queueForShops } from './order/send-back.ts';

let world: World;
let shop: WooShop;
let admin: Person;
let pack: { id: string; product_id: string };
beforeAll(async () => {
  [world, shop] = [await createWorld({ WEBHOOKS_PRIVATE: '1' }), await openWooShop()];
  return async () => {
    await world.close();
    await shop.close();
  };
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  pack = await world.pack({ pack_price_cents: 5000 });
  await settings({ storeActive: true, cashOnDelivery: true, secrets: { storeSecret: encrypt(world.config.secretKey, WOO_SECRET) } });
  await world.db.insertInto('tienda_productos').values({ clave: 'ACEITE-6', pack_id: pack.id }).execute();
});

const settings = (data: object) => sql`UPDATE settings SET data = data || ${JSON.stringify(data)}::jsonb`.execute(world.db);

async function post(body: string, headers: Record<string, string>) {
  const { statusCode, body: text } = await world.app.inject({
    method: 'POST',
    url: api.receiveTienda.path,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: statusCode, text };
}
const deliver = (order: object, headers: Record<string, string> = {}) => {
  const body = JSON.stringify(order);
  return post(body, { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-signature': sign(body), ...headers });
};
const read = () => readReceived(world.db, world.config);
async function take(order: object) {
  const { status, text } = await deliver(order);
  expect(status, text).toBe(200);
  await read();
}
const orders = async () =>
  (await admin.call(listPedidos, { query: { con: 'lineas' } as never })).body.data as never as Record<string, unknown>[];
const waiting = async () => (await admin.call(api.listTienda, { query: {} })).body.data;

/** Assigns the order to a carrier and changes its estado. */
async function move(estado: string, more = {}) {
  const [{ id } = { id: '' }] = await orders();
  const carrier = await world.user({ role: 'transportista' });
  await admin.call(assignTransportista, { params: { id: String(id) }, body: { transportista_id: carrier.id } });
  const { status, text } = await admin.request('POST', setEstado.path.replace(':id', String(id)), { body: { estado, ...more } });
  expect(status, text).toBe(200);
}

describe('a message from the shop', () => {
  test('a message from the shop becomes an order with the shop’s address, amounts and payment', async () => {
    await take(wooOrder({ customer_note: 'Llamar antes' }));
    expect(await orders()).toMatchObject([
      {
        cliente_nombre: 'Mateo Ruiz',
        cliente_telefono: '600 11 22 33',
        cliente_direccion: 'Calle Destino 9',
        cliente_direccion2: '2º B · Taller Ruiz',
        cliente_codigo_postal: '46001',
        cliente_ciudad: 'València',
        cliente_provincia: 'Valencia',
        cliente_pais: 'España',
        instrucciones: 'Llamar antes',
        referencia_externa: '7271',
        estado: 'pendiente',
        precio_total: 48.95,
        envio: 4.95,
        pagado: 48.95,
        contra_reembolso: false,
      },
    ]);
    expect(await waiting()).toEqual([]);
  });

  test('an order that goes abroad for 0 € gets a notice', async () => {
    const shipping = {
      first_name: 'Ana',
      last_name: 'Ruiz',
      address_1: 'Rue 1',
      city: 'Paris',
      postcode: '75001',
      country: 'FR',
      state: '',
    };
    await take(wooOrder({ shipping, shipping_total: '0.00', shipping_tax: '0.00', total: '44.00' }));
    expect(await waiting()).toMatchObject([{ aviso: 'El envío a Francia es de 0 € en la tienda' }]);
  });

  test('a message with «cod» becomes an order paid on delivery, with the fee as a separate line', async () => {
    const fee_lines = [{ name: 'Contra reembolso', total: '2.00', total_tax: '0.42' }];
    await take(wooOrder({ payment_method: 'cod', transaction_id: '', total: '51.37', fee_lines }));
    expect(await orders()).toMatchObject([{ contra_reembolso: true, estado: 'pendiente', precio_total: 51.37, pagado: 0, num_lineas: 2 }]);
  });

  test('a message with «on-hold» becomes an unpaid order, which is paid once the shop reports the payment', async () => {
    await take(wooOrder({ status: 'on-hold', payment_method: 'bacs' }));
    expect(await orders()).toMatchObject([{ estado: 'pendiente_pago', pagado: 0 }]);
    await take(wooOrder({ status: 'processing', payment_method: 'bacs', date_modified_gmt: '2026-11-21T10:00:00' }));
    expect(await orders()).toMatchObject([{ estado: 'pendiente', pagado: 48.95 }]);
  });

  test('an order of the shop keeps the shop’s discount and a cent of rounding', async () => {
    await take(wooOrder({ discount_total: '4.00', discount_tax: '0.40', total: '44.56' }));
    expect(await orders()).toMatchObject([{ descuento: 4.4, precio_total: 44.56, pagado: 44.56 }]);
  });

  test.each(['_billing_nif', 'nif', 'vat_number'])('a message from the shop brings the customer’s NIF in the field «%s»', async (key) => {
    await settings({ iva: true });
    await take(
      wooOrder({
        meta_data: [
          { id: 1, key: 'other', value: ['x'] },
          { id: 2, key, value: ' 12345678Z ' },
        ],
      }),
    );
    expect(await orders()).toMatchObject([{ cliente_nif: '12345678Z' }]);
    expect(await waiting()).toEqual([]);
  });

  test('a message with a wrong NIF becomes an order without NIF, with a notice for the office', async () => {
    await settings({ iva: true });
    await take(wooOrder({ meta_data: [{ key: 'nif', value: '12345678A' }] }));
    expect(await orders()).toMatchObject([{ cliente_nif: null, estado: 'pendiente' }]);
    expect(await waiting()).toMatchObject([{ aviso: 'El NIF que trae de la tienda no es válido: pídeselo al cliente' }]);
  });

  test('an order of the shop has the VAT rates of its products, and for a fee the rate that the shop charged', async () => {
    await settings({ iva: true });
    await world.db.updateTable('products').set({ iva: '10' }).where('id', '=', pack.product_id).execute();
    const fee_lines = [{ name: 'Contra reembolso', total: '2.00', total_tax: '0.42' }];
    await take(wooOrder({ payment_method: 'cod', transaction_id: '', total: '51.37', fee_lines }));
    expect(await orders()).toMatchObject([{ lineas: [{ iva: '10' }, { iva: '21' }] }]);
  });

  test.each(['pending', 'checkout-draft', 'cancelled', 'failed', 'refunded'])('a message with «%s» creates no order', async (status) => {
    await take(wooOrder({ status }));
    expect(await orders()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test('a message is refused without a right signature, and while the shop is off', async () => {
    expect((await deliver(wooOrder(), { 'x-wc-webhook-signature': sign('otro') })).status).toBe(400);
    expect((await post(JSON.stringify(wooOrder()), {})).status).toBe(400);
    await settings({ storeActive: false });
    expect((await deliver(wooOrder())).status).toBe(404);
    await read();
    await settings({ storeActive: true });
    expect(await orders()).toEqual([]);
  });

  test('the unsigned ping of a new webhook is accepted', async () => {
    expect(await post('webhook_id=12', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({ status: 200 });
  });

  test('messages about one order create one order, even if repeated, out of order and concurrent', async () => {
    const later = wooOrder({ date_modified_gmt: '2026-11-22T08:00:00', customer_note: 'La última' });
    const messages = [wooOrder(), later, wooOrder(), later, wooOrder()];
    expect((await Promise.all(messages.map((order) => deliver(order)))).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await Promise.all([read(), read(), read()]);
    await take(wooOrder());
    expect(await orders()).toHaveLength(1);
    expect(await orders()).toMatchObject([{ pagado: 48.95 }]);
  });

  test('sixty orders of the shop, sent repeatedly in random order, create one order each', async () => {
    const messages = Array.from({ length: 60 }, (_, i) => i).flatMap((i) =>
      Array.from({ length: 1 + (i % 3) }, () => wooOrder({ id: 9000 + i, number: `${9000 + i}` })),
    );
    const shuffled = messages.map((order, i) => ({ order, at: (i * 7919) % messages.length })).toSorted((a, b) => a.at - b.at);
    for (let i = 0; i < shuffled.length; i += 10) {
      await Promise.all([...shuffled.slice(i, i + 10).map(({ order }) => deliver(order)), read()]);
    }
    await Promise.all([read(), read()]);
    const [sums] = await world.db
      .selectFrom('pedidos')
      .select([sql<string>`count(*)`.as('n'), sql<string>`sum(precio_total_cents)`.as('total'), sql<string>`sum(pagado_cents)`.as('paid')])
      .execute();
    expect(sums).toEqual({ n: 60, total: 60 * 4895, paid: 60 * 4895 });
  });

  test('a message can have the plain form, with the signature in a separate header', async () => {
    const body = JSON.stringify({
      id: 'A-1',
      situacion: 'pagado',
      cliente: { nombre: 'Ana', direccion: 'Calle 1', codigo_postal: '28001' },
      lineas: [{ sku: 'ACEITE-6', cantidad: 2, total: 90 }],
      total: 90,
      pago: { metodo: 'bizum', referencia: 'B-77' },
    });
    expect(await post(body, { 'x-enruta-signature': sign(body) })).toMatchObject({ status: 200 });
    await read();
    expect(await orders()).toMatchObject([{ cliente_nombre: 'Ana', precio_total: 90, pagado: 90, cantidad: 2 }]);
    expect(await post('{"id":1}', { 'x-enruta-signature': sign('{"id":1}') })).toMatchObject({
      status: 200,
      text: expect.stringContaining('El pedido de la tienda no se entiende'),
    });
  });
});

describe('an order that waits for a person', () => {
  test('an order with an unknown product is shown whole, and is created once a pack is assigned', async () => {
    await take(
      wooOrder({ line_items: [wooLine(), wooLine({ sku: 'NUEZ', name: 'Nueces', subtotal: '10', subtotal_tax: '1' })], total: '59.95' }),
    );
    expect(await orders()).toEqual([]);
    const [row] = await waiting();
    expect(row).toMatchObject({ numero: '7271', cliente: 'Mateo Ruiz', total: 59.95, motivo: 'Falta decir qué pack es «Nueces»' });
    expect(row?.lineas.map(({ clave, pack_id }) => [clave, pack_id])).toEqual([
      ['ACEITE-6', pack.id],
      ['NUEZ', null],
    ]);
    const other = await world.pack();
    expect((await admin.call(api.emparejarTienda, { body: { clave: 'NUEZ', pack_id: other.id } })).status).toBe(200);
    await read();
    expect(await orders()).toMatchObject([{ precio_total: 59.95, pagado: 59.95, num_lineas: 2 }]);
    expect(await waiting()).toEqual([]);
  });

  test.each([
    ['missing stock', { line_items: [wooLine({ quantity: 900, subtotal: '40', subtotal_tax: '4' })] }, /^Stock insuficiente/],
    ['a missing address', { shipping: {}, billing: {} }, /./],
    ['a foreign currency', { currency: 'USD' }, /^Está en USD/],
    ['a sum that does not add up', { total: '60.00' }, /^Las cuentas de la tienda no cuadran/],
    ['a fraction of a piece', { line_items: [wooLine({ quantity: 1.5 })] }, /no es un número entero/],
    ['an unknown state', { status: 'preparando' }, /^No se conoce el estado «preparando»/],
    ['a finished state in the shop', { status: 'completed' }, /^La tienda ya lo da por terminado/],
  ])('an order that waits for a person names the reason: %s', async (_, fields, says) => {
    await take(wooOrder(fields));
    expect(await orders()).toEqual([]);
    expect(await waiting()).toMatchObject([{ estado: 'por_revisar', motivo: expect.stringMatching(says) }]);
  });

  test('an order that waits for a person can be processed again, or discarded with its contents', async () => {
    await take(wooOrder({ currency: 'USD' }));
    const [{ id } = { id: '' }] = await waiting();
    expect((await admin.call(api.reintentarTienda, { params: { id } })).status).toBe(200);
    await read();
    expect(await waiting()).toHaveLength(1);
    expect((await admin.call(api.descartarTienda, { params: { id } })).status).toBe(200);
    expect(await waiting()).toEqual([]);
    expect((await admin.call(api.descartarTienda, { params: { id } })).status).toBe(409);
    expect(await world.db.selectFrom('tienda_pedidos').select('contenido').execute()).toEqual([{ contenido: null }]);
  });

  test('an order that waits for a person is shown to superadmins only', async () => {
    for (const role of ['revendedor', 'transportista'] as const) {
      expect((await (await world.as(role)).call(api.listTienda, { query: {} })).status).toBe(403);
    }
  });

  test('an order that waits for a person is discarded after ninety days, because of its customer data', async () => {
    await take(wooOrder({ currency: 'USD' }));
    await world.db.updateTable('tienda_pedidos').set({ recibido_at: '2026-01-01T00:00:00Z' }).execute();
    await deleteUnseen(world.db);
    expect(await waiting()).toEqual([]);
  });
});

describe('a change in the shop', () => {
  const LATER = { date_modified_gmt: '2026-11-23T08:00:00' };
  test('a cancellation in the shop cancels an order that has not left yet', async () => {
    await take(wooOrder());
    await take(wooOrder({ ...LATER, status: 'cancelled' }));
    expect(await orders()).toMatchObject([{ estado: 'cancelado' }]);
    expect(await waiting()).toEqual([]);
  });

  test('a cancellation in the shop is shown instead of applied once the order has left', async () => {
    await take(wooOrder());
    await move('en_ruta');
    await take(wooOrder({ ...LATER, status: 'cancelled' }));
    expect(await orders()).toMatchObject([{ estado: 'en_ruta' }]);
    expect(await waiting()).toMatchObject([{ aviso: 'La tienda lo ha cancelado, pero ya había salido' }]);
  });

  test('a change of the address in the shop is shown with its kind, and not applied', async () => {
    await take(wooOrder());
    await take(wooOrder({ ...LATER, shipping: { ...wooOrder().shipping, address_1: 'Otra 3' } }));
    expect(await orders()).toMatchObject([{ cliente_direccion: 'Calle Destino 9' }]);
    expect(await waiting()).toMatchObject([
      { aviso: 'En la tienda ha cambiado el cliente o su dirección', numero_orden: expect.any(String) },
    ]);
  });

  test('a refund that the shop made before the order came in is shown', async () => {
    await take(wooOrder({ refunds: [{ id: 1, total: '-8.95' }] }));
    expect(await waiting()).toMatchObject([
      { aviso: expect.stringMatching(/^La tienda ha devuelto 8,95\s€, que se han descontado del pedido/) },
    ]);
  });

  test('a change in the shop that alters nothing relevant is not shown', async () => {
    await take(wooOrder());
    await take(wooOrder({ ...LATER, meta_data: [{ key: '_x', value: '1' }] }));
    expect(await waiting()).toEqual([]);
  });
});

test('the estado and tracking number of an order are sent to the shop once', async () => {
  shop.clear();
  shop.put(wooOrder());
  await take(wooOrder());
  const keys = { url: shop.url, clave: 'ck_1', clave_secreta: encrypt(world.config.secretKey, 'cs_1') };
  await world.db.updateTable('tiendas').set(keys).execute();
  await queueForShops(world.db, world.config);
  expect(shop.calls).toEqual([]);
  await move('completado', { metodo_entrega: 'correos', numero_seguimiento: 'PQ1' });
  await queueForShops(world.db, world.config);
  await queueForShops(world.db, world.config);
  expect(shop.orders.get(7271)).toMatchObject({
    status: 'completed',
    meta_data: [{ value: 'completado' }, { key: '_enruta_seguimiento', value: 'PQ1' }, { key: '_enruta_dicho' }],
  });
  expect(shop.notes).toEqual([expect.stringMatching(/^Enruta ORD-\d+: Completado · Seguimiento PQ1$/)]);
});
