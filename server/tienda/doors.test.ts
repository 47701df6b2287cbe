import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import * as api from '../../contract/tienda/tienda.ts';
import { shop, there, tiendaForEachTest, world } from '../../test/tienda-world.ts';
import { sign, wooOrder } from '../../test/woo.ts';
import { openWooShop } from '../../test/woo-shop.ts';
import { startJobs } from '../jobs/runner.ts';
import { tiendaFeature } from './tienda.feature.ts';

/* Who signed is the shop; what no signature covers is asked, or waits (decision 112). */

tiendaForEachTest();

const from = (source: string) => ({ 'x-wc-webhook-source': source });
const topic = (name: string) => ({ 'x-wc-webhook-topic': `order.${name}` });
const at = (minute: number) => ({ date_modified_gmt: `2026-11-23T08:${String(minute).padStart(2, '0')}:00` });
const FIRST = from('https://tienda.example/');
const sources = async () => (await shop.admin.call(api.listFuentes, {})).body.data;
const notices = async () =>
  (await world.db.selectFrom('notifications').select('texto').where('tipo', '=', 'tienda_por_revisar').execute()).map(({ texto }) => texto);
const states = async () => (await shop.orders()).map(({ estado, pagado }) => [estado, pagado]);

/** Adds a shop with a secret of its own; returns how it sends to a door, its own unless said. */
async function anotherShop(nombre = 'Outlet', secreto = 'otro secreto distinto') {
  await shop.admin.call(api.createFuente, { body: { nombre, conector: 'woo', secreto } });
  const own = (await sources()).find((source) => source.nombre === nombre);
  return async (order: object, headers: Record<string, string> = {}, door = own?.puerta ?? '') => {
    const body = JSON.stringify(order);
    const sent = await shop.post(body, { 'x-wc-webhook-signature': sign(body, secreto), ...headers }, door);
    await shop.read();
    return sent.status;
  };
}

describe('a shop’s door', () => {
  test('takes what its secret signed, and nothing else', async () => {
    await shop.take(wooOrder(), FIRST);
    const send = await anotherShop();
    const [common] = await sources();
    expect(await send(wooOrder({ id: 8, number: '8' }))).toBe(200);
    expect(await send(wooOrder({ id: 9, number: '9' }), {}, common?.puerta)).toBe(400);
    expect(await send(wooOrder({ id: 9, number: '9' }), {}, '/api/tienda/00000000-0000-4000-8000-000000000000')).toBe(404);
    expect(await shop.orders()).toMatchObject([{ tienda: 'Outlet' }, { tienda: 'tienda.example' }]);
  });

  test('the secret of the common address signs at the door of its shop, and at no other', async () => {
    await shop.take(wooOrder(), FIRST);
    await anotherShop();
    const body = JSON.stringify(wooOrder({ id: 9, number: '9' }));
    const statuses = new Map<string, number>();
    for (const { nombre, puerta } of await sources())
      statuses.set(nombre, (await shop.post(body, { 'x-wc-webhook-signature': sign(body) }, puerta)).status);
    await shop.read();
    expect([...statuses]).toEqual([
      ['tienda.example', 200],
      ['Outlet', 400],
    ]);
    expect((await shop.orders()).map(({ tienda }) => tienda)).toEqual(['tienda.example', 'tienda.example']);
  });

  test.each([
    ['cancels', { status: 'cancelled', ...at(9) }],
    ['pays', { ...at(9) }],
  ])('no name in a header %s another shop’s order', async (_, change) => {
    await shop.take(wooOrder({ status: 'on-hold', payment_method: 'bacs' }), FIRST);
    const send = await anotherShop();
    for (const door of [undefined, api.receiveTienda.path]) await send(wooOrder(change), FIRST, door);
    expect((await states()).filter(([estado]) => estado === 'pendiente_pago')).toEqual([['pendiente_pago', 0]]);
  });

  test('a secret of another shop is refused', async () => {
    await anotherShop();
    const body = { nombre: 'Copia', conector: 'plano' as const };
    for (const secreto of ['otro secreto distinto', 'un secreto de la tienda'])
      expect(await shop.admin.call(api.createFuente, { body: { ...body, secreto } })).toMatchObject({ status: 422 });
  });

  test('a shop that has moved to its own door may no longer use the common one', async () => {
    await shop.take(wooOrder(), FIRST);
    const [own] = await sources();
    await shop.admin.call(api.updateFuente, { params: { id: own?.id ?? '' }, body: { secreto: 'el secreto suyo y nuevo' } });
    const body = JSON.stringify(wooOrder(at(1)));
    await shop.post(body, { 'x-wc-webhook-signature': sign(body, 'el secreto suyo y nuevo') }, own?.puerta);
    expect(await sources()).toMatchObject([{ comun: false }]);
    await shop.take(wooOrder({ id: 8, number: '8' }), FIRST);
    expect(await shop.waiting()).toMatchObject([{ numero: '8', motivo: expect.stringMatching(/a la dirección común/) }]);
  });

  test('a new address of the REST API drops the old secret key', async () => {
    await shop.withKeys(there.url);
    const [own] = await sources();
    await shop.admin.call(api.updateFuente, { params: { id: own?.id ?? '' }, body: { url: 'https://otra.example' } });
    expect(await sources()).toMatchObject([{ con_api: false }]);
  });
});

describe('the common address', () => {
  test('one captured message under many names makes one shop that waits, one notice, and no order', async () => {
    await shop.take(wooOrder(), FIRST);
    for (let i = 0; i < 12; i += 1) await shop.take(wooOrder(), from(`https://copia-${i}.example`));
    expect(await sources()).toHaveLength(2);
    expect((await notices()).filter((texto) => /que es de otra tienda/.test(texto))).toHaveLength(1);
    expect(await shop.orders()).toHaveLength(1);
    const { data } = (await shop.admin.call(api.listIlegibles, { query: { per_page: 20 } })).body;
    expect(data.map(({ motivo }) => motivo)).toEqual(Array(11).fill(expect.stringMatching(/un tercer nombre/)));
  });

  test('is told about once a day', async () => {
    for (const n of [1, 2, 3]) {
      await sql`UPDATE tiendas SET oido_at = now() - interval '2 minutes'`.execute(world.db);
      await shop.take(wooOrder({ id: n, number: `${n}` }), FIRST);
    }
    expect((await notices()).filter((texto) => /envía a la dirección común/.test(texto))).toHaveLength(1);
  });

  test('a plain order with a number of before waits, and is that order once a person says so', async () => {
    await shop.take(wooOrder({ id: 9, number: '9' }));
    const plain = {
      id: 9,
      situacion: 'pagado',
      cliente: { nombre: 'Mateo Ruiz', direccion: 'Calle 1', codigo_postal: '28001' },
      lineas: [{ sku: 'ACEITE-6', cantidad: 1, total: 44 }],
      envio: 4.95,
      total: 48.95,
      pago: { metodo: 'bizum' },
    };
    await shop.takePlain(plain);
    const [row] = await shop.waiting();
    expect(row).toMatchObject({ estado: 'por_revisar', puede_ser: expect.stringMatching(/^ORD-/) });
    await shop.admin.call(api.corregirTienda, { params: { id: row?.id ?? '' }, body: { es_ese: true } });
    await shop.read();
    await shop.takePlain({ ...plain, situacion: 'cancelado', pago: null });
    expect(await states()).toEqual([['cancelado', 0]]);
  });
});

describe('what the signature does not cover', () => {
  const captured = wooOrder();
  const statuses = ['processing', 'refunded', 'cancelled'];
  test.each(['deleted', 'restored', 'updated', 'created'].flatMap((name) => statuses.map((status) => [name, status] as const)))(
    'a captured message under the topic «%s» changes nothing of an order that is now %s',
    async (name, status) => {
      await shop.take(captured, topic('created'));
      await shop.take({ ...captured, ...at(1), status, customer_note: 'x' });
      const before = await states();
      await shop.take(captured, topic(name));
      expect(await states()).toEqual(before);
    },
  );

  test('a discarded order stays discarded when its message is sent again', async () => {
    await shop.take(wooOrder({ currency: 'USD' }));
    const [row] = await shop.waiting();
    await shop.admin.call(api.descartarTienda, { params: { id: row?.id ?? '' }, body: { motivo: 'De prueba' } });
    await shop.take(wooOrder({ currency: 'USD' }));
    expect(await shop.waiting()).toEqual([]);
  });

  test('an edit in the same second counts, and the message before it does not come back', async () => {
    await shop.take(captured);
    await shop.take({ ...captured, customer_note: 'Llamar antes' });
    expect(await shop.waiting()).toMatchObject([{ cambios: [{ parte: 'instrucciones' }] }]);
    await shop.take(captured);
    expect(await shop.waiting()).toMatchObject([{ cambios: [{ parte: 'instrucciones' }] }]);
  });

  test('an order dated ahead is followed by its next message', async () => {
    await shop.take(wooOrder({ date_modified_gmt: new Date(Date.now() + 20 * 3_600_000).toISOString().slice(0, 19) }));
    await shop.take(wooOrder({ status: 'cancelled', date_modified_gmt: new Date(Date.now() + 60_000).toISOString().slice(0, 19) }));
    expect(await shop.orders()).toMatchObject([{ estado: 'cancelado' }]);
  });
});

describe('a shop that is asked', () => {
  beforeEach(() => shop.withKeys(there.url));
  const asked = async () => {
    await shop.ask();
    await shop.read();
  };

  test('is asked as soon as the program starts', async () => {
    there.put(wooOrder({ date_modified_gmt: new Date().toISOString().slice(0, 19) }));
    const stop = await startJobs(world.open, tiendaFeature.jobs?.({ ...world.process, features: [] }) ?? [], world.process.log);
    await expect.poll(shop.orders).toMatchObject([{ referencia_externa: '7271' }]);
    await stop();
  });

  test('a deletion counts if the shop no longer has the order, and only then', async () => {
    for (const id of [1, 2, 3]) {
      there.put(wooOrder({ id, number: `${id}` }));
      await shop.take(wooOrder({ id, number: `${id}` }));
    }
    there.remove(1);
    there.put(wooOrder({ id: 2, number: '2', status: 'trash' }));
    for (const id of [1, 2, 3]) await shop.take({ id }, topic('deleted'));
    await asked();
    const found = (await shop.orders()).map(({ referencia_externa, estado }) => [referencia_externa, estado]);
    expect(found.toSorted()).toEqual([
      ['1', 'cancelado'],
      ['2', 'cancelado'],
      ['3', 'pendiente'],
    ]);
    expect(await shop.waiting()).toEqual([]);
  });

  test('an order that the shop deleted for good, without a message, is cancelled; one that has left is told', async () => {
    for (const id of [1, 2]) {
      there.put(wooOrder({ id, number: `${id}` }));
      await shop.take(wooOrder({ id, number: `${id}` }));
    }
    await shop.move((await shop.orders()).find(({ referencia_externa }) => referencia_externa === '2')?.id, 'en_ruta');
    there.remove(1);
    there.remove(2);
    await asked();
    expect((await shop.orders()).map(({ estado }) => estado).toSorted()).toEqual(['cancelado', 'en_ruta']);
    expect(await shop.waiting()).toMatchObject([{ aviso: 'La tienda lo ha borrado, pero ya había salido' }]);
  });

  test.each([
    ['a 404', 404, '<h1>no</h1>'],
    ['a 404 of another route', 404, '{"code":"rest_no_route"}'],
    ['HTML', 200, '<h1>mantenimiento</h1>'],
    ['an object', 200, '{}'],
    ['a redirection', 301, ''],
    ['null', 200, 'null'],
  ])('%s is an error that is told and stays told, and nothing counts as deleted', async (_, status, text) => {
    there.put(wooOrder());
    await shop.take(wooOrder());
    there.says(status, text);
    for (const _ of [1, 2]) await asked();
    expect(await sources()).toMatchObject([{ sondeo_error: expect.any(String), problema: expect.any(String), sondeo_at: null }]);
    expect(await states()).toEqual([['pendiente', 48.95]]);
  });

  test('one order dated ahead hides no other', async () => {
    there.put(wooOrder({ id: 1, number: '1', date_modified_gmt: new Date(Date.now() + 20 * 3_600_000).toISOString().slice(0, 19) }));
    await asked();
    there.put(wooOrder({ id: 2, number: '2', date_modified_gmt: new Date().toISOString().slice(0, 19) }));
    await asked();
    expect(await shop.orders()).toHaveLength(2);
  });

  test('a shop that answers nothing keeps no other from being asked', async () => {
    const other = await openWooShop();
    other.put(wooOrder({ id: 5, number: '5', date_modified_gmt: new Date().toISOString().slice(0, 19) }));
    await anotherShop();
    await sql`UPDATE tiendas SET url = ${other.url}, clave = 'ck', clave_secreta = (SELECT clave_secreta FROM tiendas WHERE comun)
      WHERE nombre = 'Outlet'`.execute(world.db);
    there.breaks(500);
    await asked();
    await other.close();
    expect(await shop.orders()).toMatchObject([{ referencia_externa: '5', tienda: 'Outlet' }]);
  });

  test('a discarded order does not return with any round', async () => {
    const order = wooOrder({ currency: 'USD', date_modified_gmt: new Date(Date.now() - 60_000).toISOString().slice(0, 19) });
    there.put(order);
    await asked();
    const [row] = await shop.waiting();
    await shop.admin.call(api.descartarTienda, { params: { id: row?.id ?? '' }, body: { motivo: 'De prueba' } });
    for (const _ of [1, 2, 3]) await asked();
    await shop.take(order, topic('restored'));
    await asked();
    expect(await shop.waiting()).toEqual([]);
  });
});

test('VAT that a shop spreads otherwise is told once a shop', async () => {
  await shop.settings({ iva: true });
  await world.db.updateTable('products').set({ iva: '10' }).execute();
  const send = await anotherShop();
  for (const id of [1, 2]) {
    await shop.take(wooOrder({ id, number: `a${id}` }), FIRST);
    await send(wooOrder({ id, number: `b${id}` }));
  }
  const sentences = (await shop.waiting()).map(({ numero, aviso }) => [numero, aviso]).filter(([, aviso]) => aviso?.includes('IVA'));
  const once = expect.stringMatching(/IVA.*\. De esta tienda no se vuelve a avisar$/);
  expect(sentences).toEqual([
    ['a1', once],
    ['b1', once],
  ]);
});

test('«Es de esta tienda» while messages arrive answers no 500, and loses none', async () => {
  await shop.take(wooOrder({ id: 1, number: '1' }), FIRST);
  const [main] = await sources();
  const send = (n: number) => {
    const body = JSON.stringify(wooOrder({ id: n, number: `${n}` }));
    return shop.post(body, { 'x-wc-webhook-signature': sign(body), ...from('https://otra.example/') });
  };
  await send(2);
  const moved = (await sources()).find(({ estado }) => estado === 'por_confirmar');
  const [joined, ...statuses] = await Promise.all([
    shop.admin.call(api.updateFuente, { params: { id: moved?.id ?? '' }, body: { misma_que: main?.id ?? '' } }),
    ...[3, 4, 5, 6, 7, 8].map(send),
  ]);
  expect([joined.status, ...new Set(statuses.map(({ status }) => status))]).toEqual([200, 200]);
  await shop.read();
  expect((await shop.orders()).length + (await shop.waiting()).length).toBe(8);
});

test('what the customer chose is in the note and told', async () => {
  const meta_data = [
    { key: 'Delivery Date', value: '24 December, 2026' },
    { key: '_delivery_time_frame', value: { time_from: '16:00', time_to: '18:00' } },
    { key: '_gift_message', value: 'Feliz cumpleaños' },
    { key: 'is_vat_exempt', value: 'no' },
  ];
  await shop.take(wooOrder({ meta_data, customer_note: 'Llamar' }));
  expect(await shop.orders()).toMatchObject([
    { instrucciones: 'Día de entrega: 24 December, 2026\nHora de entrega: 16:00, 18:00\nMensaje de regalo: Feliz cumpleaños\nLlamar' },
  ]);
  expect((await shop.waiting())[0]?.aviso).toMatch(/^El cliente ha elegido día de entrega: 24 December, 2026/);
});
