import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { buscarPersonas, exportarPersona } from '../../contract/privacidad/privacidad.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import * as api from '../../contract/tienda/tienda.ts';
import { shop, there, tiendaForEachTest, world } from '../../test/tienda-world.ts';
import { until } from '../../test/until.ts';
import { sign, wooLine, wooOrder } from '../../test/woo.ts';
import { JOBS_CHANNEL } from '../jobs/wake.ts';
import { searchHeldOrders } from './office/personal.ts';
import { queueForShops } from './order/send-back.ts';
import { changedOrders, isOff, publishedProducts, readRefunds } from './reading/woo/rest.ts';

tiendaForEachTest();

const from = (source: string) => ({ 'x-wc-webhook-source': source });
const FIRST = from('https://tienda.example/');
const SECOND = from('https://segunda.example/');
const noa = { ...wooOrder().shipping, first_name: 'Noa', last_name: 'Segunda' };
const sources = async () => (await shop.admin.call(api.listFuentes, {})).body.data;
const withKeys = () => shop.withKeys(there.url);

describe('two shops', () => {
  test('two shops with the same order number are two orders, once the second shop is confirmed', async () => {
    await shop.take(wooOrder(), FIRST);
    expect(await shop.take(wooOrder({ shipping: noa, date_modified_gmt: '2026-11-25T10:00:00' }), SECOND)).toMatchObject({ status: 200 });
    expect(await shop.orders()).toMatchObject([{ cliente_nombre: 'Mateo Ruiz' }]);
    expect(await shop.waiting()).toMatchObject([
      { cliente: 'Noa Segunda', tienda: 'segunda.example', motivo: expect.stringMatching(/que es de otra tienda: di de quién es/) },
    ]);
    const second = (await sources()).find(({ estado }) => estado === 'por_confirmar');
    await shop.admin.call(api.updateFuente, { params: { id: second?.id ?? '' }, body: { estado: 'activa', nombre: 'Outlet' } });
    await shop.read();
    expect((await shop.orders()).map(({ cliente_nombre }) => cliente_nombre).toSorted()).toEqual(['Mateo Ruiz', 'Noa Segunda']);
    expect(await shop.waiting()).toMatchObject([{ aviso: expect.stringMatching(/^Puede ser el mismo pedido que ORD-/) }]);
  });

  test('an address that is not a shop of the business is ignored once a person says so', async () => {
    await shop.take(wooOrder(), FIRST);
    await shop.take(wooOrder({ shipping: noa }), SECOND);
    const copy = (await sources()).find(({ estado }) => estado === 'por_confirmar');
    await shop.admin.call(api.updateFuente, { params: { id: copy?.id ?? '' }, body: { estado: 'ignorada' } });
    await shop.read();
    expect([await shop.waiting(), (await shop.orders()).length]).toEqual([[], 1]);
  });

  test('a shop that has moved to a new address stays the same shop', async () => {
    await shop.take(wooOrder(), FIRST);
    await shop.take(wooOrder({ status: 'cancelled', date_modified_gmt: '2026-11-25T10:00:00' }), SECOND);
    const [first, moved] = await sources();
    await shop.admin.call(api.updateFuente, { params: { id: moved?.id ?? '' }, body: { misma_que: first?.id ?? '' } });
    await shop.read();
    expect(await sources()).toMatchObject([{ origen: 'segunda.example' }]);
    expect(await shop.orders()).toMatchObject([{ estado: 'cancelado' }]);
  });

  test('orders in the plain form are not mixed up with those of WooCommerce, and not sent back to it', async () => {
    await withKeys();
    there.put(wooOrder());
    await shop.take(wooOrder());
    const body = { nombre: 'Quesos', conector: 'plano' as const, secreto: 'el secreto de los quesos' };
    expect((await shop.admin.call(api.createFuente, { body })).status).toBe(201);
    const plain = {
      id: 7271,
      situacion: 'pagado',
      cliente: { nombre: 'Berta', direccion: 'Calle 1', codigo_postal: '28001' },
      lineas: [{ sku: 'ACEITE-6', cantidad: 2, total: 90 }],
      total: 90,
      pago: { metodo: 'bizum' },
    };
    await shop.takePlain(plain, {}, body.secreto);
    const berta = (await shop.orders()).find(({ cliente_nombre }) => cliente_nombre === 'Berta');
    expect(berta).toMatchObject({ precio_total: 90, pagado: 90 });
    await shop.move(berta?.id, 'completado', { metodo_entrega: 'manual' });
    await queueForShops(world.db, world.config);
    expect([there.orders.get(7271)?.status, there.notes]).toEqual(['processing', []]);
  });

  test('a shop with its own secret is identified by the secret', async () => {
    const body = { nombre: 'Outlet', conector: 'woo' as const, secreto: 'otro secreto distinto' };
    expect((await shop.admin.call(api.createFuente, { body })).status).toBe(201);
    await shop.take(wooOrder(), FIRST);
    await shop.take(wooOrder({ shipping: noa }), SECOND, 'otro secreto distinto');
    expect(await shop.orders()).toHaveLength(2);
    expect((await sources()).map(({ nombre, origen }) => [nombre, origen]).toSorted()).toEqual([
      ['Outlet', null],
      ['tienda.example', 'tienda.example'],
    ]);
  });
});

describe('what is sent back to the shop', () => {
  beforeEach(async () => {
    await withKeys();
    there.put(wooOrder());
    await shop.take(wooOrder());
  });
  const id = async () => (await shop.orders())[0]?.id;

  test.each(['cancelled', 'refunded', 'failed'])('a final state of the shop is never overwritten: %s', async (status) => {
    there.put(wooOrder({ status }));
    await shop.move(await id(), 'completado', { metodo_entrega: 'manual' });
    await queueForShops(world.db, world.config);
    expect(there.orders.get(7271)?.status).toBe(status);
    expect(await shop.waiting()).toMatchObject([{ aviso: expect.stringMatching(/no se ha cambiado/) }]);
  });

  test('a state that came from the shop is not echoed', async () => {
    there.put(wooOrder({ status: 'refunded' }));
    await shop.take(wooOrder({ status: 'refunded', date_modified_gmt: '2026-11-25T10:00:00' }));
    await queueForShops(world.db, world.config);
    expect(there.orders.get(7271)?.status).toBe('refunded');
    expect(await shop.waiting()).toEqual([]);
  });

  test('a refund made here is noted in the shop only once', async () => {
    await shop.move(await id(), 'cancelado');
    const [payment] = await shop.payments(await id());
    await shop.admin.request('POST', `/api/pagos/${payment?.id}/devuelto`, { body: { nota: null } });
    for (const _ of [1, 2]) await queueForShops(world.db, world.config);
    expect(there.orders.get(7271)).toMatchObject({ status: 'cancelled', refunds: [{ total: '-48.95' }] });
  });

  test('a delivery that is taken back is told at the order, because the shop stays completed', async () => {
    await shop.move(await id(), 'completado', { metodo_entrega: 'manual' });
    await queueForShops(world.db, world.config);
    const undone = await shop.admin.request('POST', `/api/pedidos/${await id()}/deshacer`, {
      body: { paso: 'deshacer_entrega', motivo: 'Era de otro' },
    });
    expect(undone.status, undone.text).toBe(200);
    await queueForShops(world.db, world.config);
    expect([there.orders.get(7271)?.status, (await shop.waiting())[0]?.aviso]).toEqual([
      'completed',
      'Aquí se ha deshecho y en la tienda sigue completado: cámbialo allí',
    ]);
  });

  test('a message that the shop refuses is sent again, and its note is not doubled', async () => {
    await shop.move(await id(), 'completado', { metodo_entrega: 'manual' });
    there.breaks(500);
    await queueForShops(world.db, world.config);
    there.breaks(0);
    await world.db.updateTable('outbox').set({ due_at: '2026-01-01T00:00:00Z' }).execute();
    await queueForShops(world.db, world.config);
    expect([there.orders.get(7271)?.status, there.notes.length]).toEqual(['completed', 1]);
  });
});

describe('a polled shop', () => {
  test('orders without a message are fetched once, and a disabled webhook is noticed and can be switched on', async () => {
    await withKeys();
    await shop.take(wooOrder());
    for (const n of [1, 2, 3]) there.put(wooOrder({ id: 8000 + n, number: `${8000 + n}`, date_modified_gmt: `2026-11-20T09:1${n}:30` }));
    there.hooks([{ id: 5, status: 'disabled', delivery_url: 'https://enruta.example/api/tienda/pedidos' }]);
    const woken: string[] = [];
    const stop = await world.open.listen(
      JOBS_CHANNEL,
      (name) => void woken.push(name),
      () => {},
    );
    await shop.ask();
    await until(
      () => woken.includes('tienda'),
      () => 'the job that reads the orders was not woken',
    );
    await stop();
    await shop.read();
    expect(await shop.orders()).toHaveLength(4);
    expect(await sources()).toMatchObject([{ rescatados: 3, webhook_apagado: true, sondeo_error: null }]);
    await shop.ask();
    await shop.read();
    expect([(await shop.orders()).length, (await sources())[0]?.rescatados]).toEqual([4, 3]);
    await shop.admin.call(api.encenderWebhooks, { params: { id: (await sources())[0]?.id ?? '' } });
    expect(there.hooksNow()).toMatchObject([{ status: 'active' }]);
  });

  test('polling does not bring back a discarded order', async () => {
    await withKeys();
    there.put(wooOrder({ currency: 'USD' }));
    await shop.ask();
    await shop.read();
    const [row] = await shop.waiting();
    await shop.admin.call(api.descartarTienda, { params: { id: row?.id ?? '' }, body: { motivo: 'De prueba' } });
    await shop.ask();
    await shop.read();
    expect(await shop.waiting()).toEqual([]);
  });

  test('nothing on a further page is left out: orders, refunds, products, webhooks', async () => {
    const rest = { url: there.url, key: 'ck', secret: 'cs', anywhere: true };
    for (let id = 1; id <= 2051; id += 1) {
      there.put({ id, date_modified_gmt: '2026-11-20T09:10:30', refunds: id === 7 ? Array(51).fill({ amount: '1.00' }) : [] });
      there.products.push({ id, name: `Queso ${id}`, sku: `Q${id}` });
    }
    const others = Array.from({ length: 60 }, (_, id) => ({ id, status: 'active', delivery_url: 'https://other.example/hook' }));
    there.hooks([...others, { id: 99, status: 'disabled', delivery_url: 'https://enruta.example/api/tienda/pedidos' }]);
    const seen = new Set<unknown>();
    for await (const page of changedOrders(rest, '2026-11-20T00:00:00')) for (const order of page) seen.add((order as { id: number }).id);
    expect([seen.size, (await publishedProducts(rest)).length, (await readRefunds(rest, '7')).length, await isOff(rest)]).toEqual([
      2051,
      2051,
      51,
      true,
    ]);
  });

  test('a shop that does not answer is shown with the reason', async () => {
    await withKeys();
    await shop.take(wooOrder());
    there.breaks(401);
    await shop.ask();
    expect(await sources()).toMatchObject([{ sondeo_error: 'La tienda ha respondido 401' }]);
  });
});

describe('messages that cannot be read', () => {
  test('a signed message that is no order is accepted, and listed whole until seen', async () => {
    const sent = await shop.take({ code: 'woocommerce_rest_cannot_view', message: 'Lo siento, no puedes ver este recurso.' });
    expect(sent).toMatchObject({ status: 200 });
    const list = async () => (await shop.admin.call(api.listIlegibles, { query: {} })).body.data;
    expect(await list()).toMatchObject([
      { motivo: expect.stringContaining('Lo siento'), contenido: expect.stringContaining('cannot_view') },
    ]);
    await shop.admin.call(api.verIlegible, { params: { id: (await list())[0]?.id ?? '' } });
    expect(await list()).toEqual([]);
  });

  test('wrong signatures are refused, with one notice for all', async () => {
    for (const _ of [1, 2, 3]) expect(await shop.take(wooOrder(), FIRST, 'un secreto equivocado')).toMatchObject({ status: 400 });
    const notices = await world.db.selectFrom('notifications').select('texto').where('tipo', '=', 'tienda_por_revisar').execute();
    expect(notices).toEqual([{ texto: expect.stringMatching(/«tienda.example».*firma que no vale/) }]);
  });

  test('a signature with something after its padding is refused', async () => {
    const body = JSON.stringify(wooOrder());
    expect(await shop.post(body, { 'x-wc-webhook-signature': `${sign(body)}AAAA` })).toMatchObject({ status: 400 });
  });

  test('lists that PHP writes as objects, invalid dates and escaped texts are read', async () => {
    const line = { ...wooLine(), meta_data: { 3: { key: 'Grabado', value: 'Feliz d&iacute;a' }, 4: { key: '_x', value: '1' } } };
    await shop.take(
      wooOrder({ date_modified_gmt: 'ayer', line_items: { 1: line }, shipping: { ...noa, last_name: 'O&#039;Brien' }, refunds: null }),
    );
    expect(await shop.orders()).toMatchObject([
      { cliente_nombre: "Noa O'Brien", producto: expect.stringMatching(/· Grabado: Feliz día$/) },
    ]);
  });
});

describe('decisions of a person', () => {
  const firstWaiting = async () => (await shop.waiting())[0];
  test('an unknown payment method needs one answer, which is kept', async () => {
    const cod = { payment_method: 'wc_contrareembolso', payment_method_title: 'Contra reembolso', transaction_id: '' };
    await shop.take(wooOrder(cod));
    const row = await firstWaiting();
    expect(row).toMatchObject({ motivo: 'Falta decir cómo se paga «Contra reembolso»', forma: { clave: 'wc_contrareembolso' } });
    const { tienda_id = '', forma } = row ?? {};
    await shop.admin.call(api.setForma, {
      body: { tienda_id, clave: forma?.clave ?? '', titulo: forma?.titulo ?? '', trato: 'reembolso' },
    });
    await shop.read();
    await shop.take(wooOrder({ ...cod, id: 7272, number: '7272' }));
    expect(await shop.orders()).toMatchObject([
      { contra_reembolso: true, pagado: 0 },
      { contra_reembolso: true, pagado: 0 },
    ]);
  });

  test('an order that the customer collects waits for a decision', async () => {
    await shop.take(wooOrder({ shipping_lines: [{ method_id: 'local_pickup', method_title: 'Recogida en tienda', total: '0' }] }));
    const row = await firstWaiting();
    expect(row).toMatchObject({ recogida: 'Recogida en tienda', motivo: expect.stringMatching(/^El cliente lo recoge/) });
    await shop.admin.call(api.corregirTienda, { params: { id: row?.id ?? '' }, body: { entrega: 'recoge' } });
    await shop.read();
    expect(await shop.orders()).toMatchObject([
      { instrucciones: 'LO RECOGE EL CLIENTE: Recogida en tienda', situacion: { id: 'recoge', puede_salir: false } },
    ]);
    const offers = world.db.selectFrom('notifications').select('id').where('tipo', '=', 'pedido_disponible');
    expect(await offers.execute()).toEqual([]);
  });

  test('lines without a key are asked each time, and variations by their own ids', async () => {
    const typed = wooLine({ sku: '', product_id: 0, name: 'Jamón' });
    await shop.take(wooOrder({ line_items: [typed] }));
    const row = await firstWaiting();
    expect(row?.lineas).toMatchObject([{ clave: '', nombre: 'Jamón' }]);
    await shop.admin.call(api.corregirTienda, { params: { id: row?.id ?? '' }, body: { lineas: [{ n: 0, pack_id: shop.pack.id }] } });
    await shop.read();
    await shop.take(wooOrder({ id: 7272, number: '7272', line_items: [{ ...typed, name: 'Queso' }] }));
    await shop.take(wooOrder({ id: 7273, number: '7273', line_items: [wooLine({ sku: 'ACEITE-6', product_id: 9, variation_id: 91 })] }));
    expect((await shop.waiting()).map(({ lineas }) => lineas[0]?.clave)).toEqual(['', '#9/91']);
    expect(await shop.orders()).toHaveLength(1);
  });

  test('a gift card is no merchandise, once for all', async () => {
    await shop.take(wooOrder({ line_items: [wooLine({ sku: 'TARJETA', name: 'Tarjeta regalo' })] }));
    await shop.admin.call(api.emparejarTienda, { body: { clave: 'TARJETA', sin_mercancia: true } });
    await shop.read();
    expect(await shop.orders()).toMatchObject([{ producto: 'Tarjeta regalo', precio_total: 48.95, pagado: 48.95 }]);
    expect((await shop.admin.call(api.listParejas, { query: {} })).body.data).toContainEqual(
      expect.objectContaining({ clave: 'TARJETA', sin_mercancia: true }),
    );
  });

  test('a telephone that is too long is corrected, and the correction outlives the next message', async () => {
    const long = { ...wooOrder().shipping, phone: '600 11 22 33 (mañanas) ext. 1234 tardes' };
    await shop.take(wooOrder({ shipping: long, currency: 'USD' }));
    const row = await firstWaiting();
    await shop.admin.call(api.corregirTienda, { params: { id: row?.id ?? '' }, body: { campos: { cliente_telefono: '600112233' } } });
    await shop.take(wooOrder({ shipping: long, date_modified_gmt: '2026-11-25T10:00:00' }));
    expect(await shop.orders()).toMatchObject([{ cliente_telefono: '600112233' }]);
  });

  test('a field that nobody may correct is refused by its name', async () => {
    await shop.take(wooOrder({ currency: 'USD' }));
    const path = api.corregirTienda.path.replace(':id', (await firstWaiting())?.id ?? '');
    const { status, text } = await shop.admin.request('POST', path, { body: { campos: { estado: 'completado' } } });
    expect([status, JSON.parse(text).errors]).toEqual([422, { 'campos.estado': ['Campo desconocido: estado'] }]);
  });

  test('orders that wait for cash on delivery go on when it is switched on', async () => {
    await shop.settings({ cashOnDelivery: false });
    await shop.take(wooOrder({ payment_method: 'cod', transaction_id: '' }));
    expect(await shop.orders()).toEqual([]);
    await shop.admin.call(updateSettings, { body: { cashOnDelivery: true } });
    await shop.read();
    expect(await shop.orders()).toMatchObject([{ contra_reembolso: true }]);
  });

  test('a note that is too long is cut, with the rest in a comment', async () => {
    await shop.take(wooOrder({ customer_note: `${'a'.repeat(1200)}FIN` }));
    expect((await shop.orders())[0]?.instrucciones).toHaveLength(1000);
    const [comment] = await world.db.selectFrom('comentarios').select('texto').execute();
    expect(comment?.texto).toMatch(/FIN$/);
  });

  test('the person of a waiting order is found, exported and erased', async () => {
    await shop.take(wooOrder({ currency: 'USD' }));
    const search = async (query: string) => (await shop.admin.call(buscarPersonas, { query: { search: query } as never })).body.data;
    const [person] = await search('mateo ruiz');
    expect(await search('600112233')).toMatchObject([{ nombres: ['Mateo Ruiz'], coincide: ['Tienda en línea'] }]);
    const file = await shop.admin.request('GET', `${exportarPersona.path}?persona=${person?.pedido_id}`);
    expect(file.text).toContain('Calle Destino 9');
    const body = { persona: person?.pedido_id, motivo: 'Lo pide', confirmacion: 'ANONIMIZAR' };
    expect((await shop.admin.request('POST', '/api/privacidad/anonimizar', { body })).status).toBe(200);
    expect(await search('mateo ruiz')).toEqual([]);
    expect(await world.db.selectFrom('tienda_pedidos').select('contenido').execute()).toEqual([{ contenido: null }]);
  });

  test('erasing a customer erases the unreadable messages and waiting orders of the same telephone, and nobody else’s', async () => {
    const NEEDLE = 'Zarzamora';
    await shop.take(wooOrder());
    const [order] = await shop.orders();
    await shop.move(order?.id, 'completado', { metodo_entrega: 'manual' });
    await shop.take(wooOrder({ id: 7272, number: '7272', currency: 'USD', customer_note: NEEDLE }));
    await shop.take(wooOrder({ id: 'sin número', customer_note: NEEDLE }));
    const other = { ...wooOrder().shipping, first_name: 'Otra', phone: '677 00 00 01' };
    await shop.take(wooOrder({ id: 7274, number: '7274', currency: 'USD', billing: other, shipping: other, customer_note: NEEDLE }));
    const held = async () => (await searchHeldOrders(world.db, NEEDLE)).map(({ numero, ilegible }) => numero || ilegible);
    expect((await held()).toSorted()).toEqual(['7272', '7274', true]);
    const body = { persona: order?.id, motivo: 'Lo pide', confirmacion: 'ANONIMIZAR' };
    expect((await shop.admin.request('POST', '/api/privacidad/anonimizar', { body })).text).toContain('1 pedido anonimizado');
    expect(await held()).toEqual(['7274']);
  });

  test.each(['anonimizar', 'bloquear'] as const)(
    'after «%s» a later message of the shop brings nothing of the person back',
    async (act) => {
      const NEEDLES = /Zarzamora|Mateo|Ruiz|600 ?11 ?22 ?33|Calle Destino|lola@/;
      await shop.take(wooOrder());
      const [order] = await shop.orders();
      await shop.move(order?.id, 'completado', { metodo_entrega: 'manual' });
      const body = { persona: order?.id, motivo: 'Lo pide', ...(act === 'anonimizar' && { confirmacion: 'ANONIMIZAR' }) };
      expect((await shop.admin.request('POST', `/api/privacidad/${act}`, { body })).status).toBe(200);
      const later = { date_modified_gmt: '2026-11-20T11:00:00', customer_note: 'Zarzamora', status: 'completed' };
      await shop.take(wooOrder({ ...later, shipping: { ...wooOrder().shipping, address_1: 'Calle Zarzamora 1' } }));
      expect(JSON.stringify(await shop.orders())).not.toMatch(NEEDLES);
      expect((await searchHeldOrders(world.db, 'Zarzamora')).length).toBe(0);
      expect((await shop.admin.call(buscarPersonas, { query: { search: 'mateo ruiz' } as never })).body.data).toEqual([]);
      const written = [];
      for (const table of ['pedidos', 'pedidos_busqueda', 'pedidos_historial', 'notifications', 'audit_logs', 'tienda_pedidos', 'outbox'])
        written.push((await sql<{ t: string }>`SELECT to_jsonb(x)::text AS t FROM ${sql.table(table)} x`.execute(world.db)).rows);
      expect(written.flat().filter(({ t }) => NEEDLES.test(t))).toEqual([]);
    },
  );
});
