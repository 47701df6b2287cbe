import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { atencionStats } from '../../contract/stats/stats.ts';
import * as api from '../../contract/tienda/tienda.ts';
import { shop, there, tiendaForEachTest, world } from '../../test/tienda-world.ts';
import { wooLine, wooOrder } from '../../test/woo.ts';
import { deleteUnseen } from './office/review.ts';

tiendaForEachTest();

const unpaid = { date_paid_gmt: null, transaction_id: '', payment_method: 'bacs' };
const at = (minute: number) => ({ date_modified_gmt: `2026-11-23T08:${String(minute).padStart(2, '0')}:00` });
const from = (source: string) => ({ 'x-wc-webhook-source': source });
const gone = { 'x-wc-webhook-topic': 'order.deleted' };
const only = async () => (await shop.waiting())[0];
const make = async () => {
  await shop.admin.call(api.corregirTienda, { params: { id: (await only())?.id ?? '' }, body: { hacer: true } });
  await shop.read();
};
const withKeys = () => shop.withKeys(there.url);

describe('states that need a person’s decision', () => {
  test('an order paid and cancelled in the same second waits, and repeated messages change nothing', async () => {
    await shop.take(wooOrder({ ...at(0), status: 'cancelled', ...unpaid }));
    await shop.take(wooOrder(at(0)));
    await shop.take(wooOrder({ ...at(0), status: 'cancelled', ...unpaid }));
    expect(await only()).toMatchObject({ estado: 'por_revisar', en_duda: true, motivo: expect.stringContaining('cancelado') });
    await make();
    expect(await shop.orders()).toMatchObject([{ precio_total: 48.95 }]);
    expect(await shop.waiting()).toEqual([]);
  });

  test('an order cancelled in the shop and then paid in the same second waits, and can be created again', async () => {
    await shop.take(wooOrder({ ...at(0), status: 'on-hold', ...unpaid }));
    await shop.take(wooOrder({ ...at(1), status: 'cancelled', ...unpaid }));
    await shop.take(wooOrder({ ...at(1), payment_method: 'bacs' }));
    expect(await only()).toMatchObject({ cambios: [{ parte: 'estado' }], aplicable: true });
    await shop.admin.call(api.aplicarTienda, { params: { id: (await only())?.id ?? '' } });
    expect(await shop.orders()).toContainEqual(expect.objectContaining({ estado: 'pendiente', pagado: 48.95 }));
  });

  test.each([
    ['that the shop deleted before its first message came', [{ id: 7271 }, wooOrder(at(1))], gone],
    ['already completed in the shop', [wooOrder({ status: 'completed' })], {}],
    ['in a state of another plugin', [wooOrder({ status: 'en-el-taller' })], {}],
    ['refunded before it came', [wooOrder({ refunds: [{ id: 1, total: '-48.95' }] })], {}],
  ])('an order %s waits, and is created if a person decides so', async (_, messages, headers) => {
    for (const [i, message] of messages.entries()) await shop.take(message, i === 0 ? headers : {});
    expect(await only()).toMatchObject({ estado: 'por_revisar', en_duda: true, cliente: 'Mateo Ruiz' });
    expect(await shop.orders()).toEqual([]);
    await make();
    expect(await shop.orders()).toHaveLength(1);
  });

  test('a deletion before the first message of a shop that lacks one of its keys is kept for a person', async () => {
    await withKeys();
    await world.db.updateTable('tiendas').set({ clave: null }).execute();
    await shop.take({ id: 7271 }, gone);
    await shop.take(wooOrder(at(1)));
    expect(await only()).toMatchObject({ estado: 'por_revisar', en_duda: true });
  });

  test('an order restored from the bin is created without a decision', async () => {
    await withKeys();
    there.put(wooOrder({ status: 'trash' }));
    await shop.ask();
    await shop.read();
    there.put(wooOrder());
    await shop.take(wooOrder(), { 'x-wc-webhook-topic': 'order.restored' });
    await shop.ask();
    await shop.read();
    expect(await shop.orders()).toMatchObject([{ estado: 'pendiente', pagado: 48.95 }]);
  });
});

test('a product id of one shop is no answer for the same id in another shop', async () => {
  const line_items = [wooLine({ sku: '', product_id: 93 })];
  await shop.admin.call(api.emparejarTienda, { body: { clave: '#93', pack_id: shop.pack.id } });
  await shop.take(wooOrder({ line_items }), from('https://tienda.example/'));
  expect(await shop.orders()).toHaveLength(1);
  await shop.take(wooOrder({ line_items }), from('https://segunda.example/'));
  const { data } = (await shop.admin.call(api.listFuentes, {})).body;
  await shop.admin.call(api.updateFuente, { params: { id: data[1]?.id ?? '' }, body: { estado: 'activa' } });
  await shop.read();
  expect(await only()).toMatchObject({ estado: 'por_revisar', motivo: 'Falta decir qué pack es «Aceite 6 botellas»' });
});

test.each([true, false])('a shop’s own answer about a product beats the one for all shops, whichever came first: %s', async (isFirst) => {
  await shop.take(wooOrder({ status: 'pending' }));
  const [source] = (await shop.admin.call(api.listFuentes, {})).body.data;
  const own = await world.pack({ pack_price_cents: 900 });
  await world.db.deleteFrom('tienda_productos').execute();
  const answers = [
    { clave: 'ACEITE-6', pack_id: own.id, tienda_id: source?.id ?? null },
    { clave: 'ACEITE-6', pack_id: shop.pack.id },
  ];
  for (const body of isFirst ? answers : answers.toReversed()) await shop.admin.call(api.emparejarTienda, { body });
  await shop.take(wooOrder(at(1)));
  expect(await shop.orders()).toMatchObject([{ pack_id: own.id }]);
});

describe('shops that send nothing', () => {
  const problems = async () => (await shop.admin.call(api.listFuentes, {})).body.data.map(({ problema }) => problema);
  const figure = async () => (await shop.admin.call(atencionStats, {})).body.data.tiendas;

  test('orders that the shop has not sent are a problem of the shop until it sends again', async () => {
    await withKeys();
    await shop.take(wooOrder());
    expect([await problems(), await figure()]).toEqual([[null], 0]);
    for (const n of [1, 2, 3]) there.put(wooOrder({ id: 8000 + n, number: `${8000 + n}`, date_modified_gmt: `2026-11-20T09:1${n}:30` }));
    await shop.ask();
    expect(await problems()).toMatchObject([expect.stringMatching(/^no envía nada desde las \d\d:\d\d: 3 pedidos suyos/)]);
    expect(await figure()).toBe(1);
    await shop.take(wooOrder({ id: 8001, number: '8001', ...at(0) }));
    expect(await problems()).toEqual([null]);
  });

  test('a shop without keys that is silent for longer than usual has a problem', async () => {
    await shop.take(wooOrder());
    await sql`INSERT INTO tienda_mensajes (tienda_id, resultado, recibido_at)
      SELECT id, 'recibido', now() - n * interval '3 hours' FROM tiendas, generate_series(8, 30) n`.execute(world.db);
    await sql`DELETE FROM tienda_mensajes WHERE recibido_at > now() - interval '1 hour'`.execute(world.db);
    await sql`UPDATE tiendas SET oido_at = now() - interval '25 hours'`.execute(world.db);
    expect(await problems()).toMatchObject([expect.stringMatching(/^no envía nada desde el .* pon sus claves$/)]);
    await sql`UPDATE tiendas SET oido_at = now() - interval '20 hours'`.execute(world.db);
    expect(await problems()).toEqual([null]);
  });

  test('an unreadable order that is fetched twice from the shop is listed once', async () => {
    await withKeys();
    there.put({ ...wooOrder({ date_modified_gmt: new Date().toISOString().slice(0, 19) }), total: 'doce' });
    for (const _ of [1, 2]) await shop.ask();
    const { data } = (await shop.admin.call(api.listIlegibles, { query: {} })).body;
    expect(data).toMatchObject([{ contenido: expect.stringContaining('doce') }]);
    expect(data).toHaveLength(1);
  });
});

test('the notice of a refund names the goods, if the shop has keys', async () => {
  await withKeys();
  await shop.take(wooOrder());
  const refunds = [{ id: 1, total: '-44.00' }];
  there.put(wooOrder({ refunds: [{ amount: '44.00', total: '-44.00', line_items: [{ name: 'Aceite &amp; vinagre', quantity: -2 }] }] }));
  await shop.take(wooOrder({ ...at(0), refunds }));
  expect(await shop.waiting()).toMatchObject([{ estado: 'recibido' }]);
  await shop.ask();
  await shop.read();
  expect(await only()).toMatchObject({ aviso: expect.stringMatching(/^La tienda ha devuelto 44,00\s€ por 2 × Aceite & vinagre, /) });
});

test('messages are gone after thirty days, with their content', async () => {
  await shop.take({ code: 'nope' });
  await sql`UPDATE tienda_mensajes SET recibido_at = now() - interval '31 days'`.execute(world.db);
  await deleteUnseen(world.db);
  expect(await world.db.selectFrom('tienda_mensajes').select('id').execute()).toEqual([]);
});
