import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { addShop, shop, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { wooLine, wooOrder } from '../../../test/woo.ts';
import { encrypt } from '../../kit/secrets.ts';
import type { WebOrder } from '../reading/order.ts';
import { readWoo } from '../reading/woo/read.ts';
import { readReceived } from './process.ts';

/* What becomes of a stored message: an order, a change of one, or something that waits for a person. */

tiendaForEachTest();
const SINCE = { created_at: '2026-11-20T10:00:00Z' };

let own: string;
beforeEach(async () => {
  own = await addShop('Propia', SINCE);
});
const content = (fields: object = {}) => readWoo(wooOrder(fields as Record<string, unknown>)) as WebOrder;
const stored = (order: WebOrder, more: object = {}) => ({
  tienda_id: own,
  externo_id: '7271',
  numero: 'W-1',
  modificado_at: '2026-11-20T10:00:00Z',
  situacion: order.situacion ?? null,
  contenido: JSON.stringify(order),
  ...more,
});
const receive = (fields: object = {}, more: object = {}) =>
  world.db
    .insertInto('tienda_pedidos')
    .values(stored(content(fields), more))
    .execute();
/** Stores a later message of the order, and reads it. */
async function later(fields: object = {}, more: object = {}) {
  const order = content(fields);
  const values = { situacion: order.situacion ?? null, contenido: JSON.stringify(order), estado: 'recibido' as const, ...more };
  await world.db.updateTable('tienda_pedidos').set(values).where('externo_id', '=', '7271').execute();
  await shop.read();
}
const rowOf = () =>
  world.db
    .selectFrom('tienda_pedidos')
    .select(['estado', 'motivo', 'aviso', 'leida', 'pregunta', 'cambios', 'contenido', 'pedido_id', 'acordado'])
    .where('externo_id', '=', '7271')
    .where('tienda_id', '=', own)
    .executeTakeFirstOrThrow();
const sentences = async () =>
  (await world.db.selectFrom('notifications').select('texto').where('tipo', '=', 'tienda_por_revisar').orderBy('created_at').execute()).map(
    ({ texto }) => texto,
  );
const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ');
/** Brings the order into an estado, and sets other fields of it. */
type Become = { estado?: string; [name: string]: unknown };
async function become({ estado, ...values }: Become) {
  if (estado) await shop.move((await rowOf()).pedido_id, estado);
  if (Object.keys(values).length) await world.db.updateTable('pedidos').set(values).execute();
}
const reasons = async () =>
  (await world.db.selectFrom('pedidos_historial').select('nota').where('estado_nuevo', '=', 'cancelado').execute()).map(({ nota }) => nota);

const ASKED = 'y sin sus claves no se le puede preguntar';
describe('a first message', () => {
  test('makes an order that is agreed to as it is, and keeps nothing else', async () => {
    await receive();
    await shop.read();
    expect(await rowOf()).toEqual({
      estado: 'creado',
      motivo: null,
      aviso: null,
      leida: 'pagado',
      pregunta: null,
      cambios: [],
      contenido: null,
      pedido_id: expect.any(String),
      acordado: expect.objectContaining({ estado: 'pagado', importe: [495, 0, 4895], pago: ['pagado', false] }),
    });
    expect([(await shop.orders()).length, await sentences()]).toEqual([1, []]);
  });

  const GONE = '2026-11-20T12:00:00Z';
  test.each<[string, object, object, object, string]>([
    ['waits for its payment', { status: 'pending' }, {}, {}, 'La tienda todavía espera el pago'],
    ['is cancelled', { status: 'cancelled' }, {}, {}, 'En la tienda está cancelado'],
    ['is refunded', { status: 'refunded' }, {}, {}, 'En la tienda está reembolsado'],
    ['was erased', {}, { olvidado_at: GONE }, {}, 'Sus datos se borraron: lo que la tienda ha enviado después no se guarda'],
    ['has no content', {}, { contenido: null }, {}, 'Borrado en la tienda'],
    ['has no content, with a reason', {}, { contenido: null, motivo: 'Descartado' }, {}, 'Descartado'],
    ['is of a shop that is not ours', {}, {}, { estado: 'ignorada' }, 'Esa tienda no es tuya'],
  ])('makes no order if it %s', async (_, fields, more, ofShop, motivo) => {
    await world.db
      .updateTable('tiendas')
      .set({ conector: 'woo', ...ofShop })
      .execute();
    await receive(fields, more);
    await shop.read();
    expect(await rowOf()).toMatchObject({ estado: 'ignorado', motivo, contenido: null, pregunta: null, leida: content(fields).situacion });
    expect([await shop.orders(), await sentences()]).toEqual([[], []]);
  });

  test.each<[string, object, object, string]>([
    ['is finished', { status: 'completed' }, {}, 'La tienda ya lo da por terminado: descártalo si ya se ha entregado'],
    ['is deleted', {}, { situacion: 'borrado' }, 'La tienda lo ha borrado: descártalo si no hay que entregarlo'],
    ['was deleted', {}, { leida: 'borrado' }, 'La tienda lo había borrado y lo vuelve a enviar: di si hay que hacerlo'],
    [
      'is deleted as a message says',
      {},
      { pregunta: 'borrado' },
      `La tienda dice que lo ha borrado, ${ASKED}: descártalo si no hay que entregarlo`,
    ],
    [
      'is restored as a message says',
      {},
      { pregunta: 'recuperado' },
      `La tienda dice que lo ha recuperado, ${ASKED}: di si hay que hacerlo`,
    ],
  ])('waits for a person if it %s, and is told', async (_, fields, more, motivo) => {
    await receive(fields, more);
    await shop.read();
    const { leida = null, pregunta = null } = more as { leida?: string; pregunta?: string };
    expect(await rowOf()).toMatchObject({ estado: 'por_revisar', motivo, leida, pregunta, contenido: { externo_id: '7271' } });
    expect([await shop.orders(), await sentences()]).toEqual([[], [`Pedido W-1 de «Propia»: ${motivo}`]]);
    await world.db.updateTable('tienda_pedidos').set({ estado: 'recibido' }).execute();
    await shop.read();
    expect(await sentences()).toHaveLength(1);
    if (pregunta === 'borrado') return;
    await world.db.updateTable('tienda_pedidos').set({ estado: 'recibido', correcciones: '{"hacer":true}' }).execute();
    await shop.read();
    expect([await shop.orders(), await rowOf()]).toMatchObject([[{ pagado: more && 'situacion' in more ? 0 : 48.95 }], { pregunta: null }]);
  });

  test('waits with its shop, and is not told by itself', async () => {
    await world.db.updateTable('tiendas').set({ estado: 'por_confirmar' }).execute();
    await receive();
    await shop.read();
    expect(await rowOf()).toMatchObject({
      estado: 'por_revisar',
      motivo: 'Lo envía «Propia» a la dirección común, que es de otra tienda: di de quién es',
      contenido: { externo_id: '7271' },
    });
    expect(await sentences()).toEqual([]);
  });

  test('about which a shop with keys is asked is not read before', async () => {
    await shop.take(wooOrder({ id: 1, number: '1' }));
    await world.db.updateTable('tiendas').set({ url: 'https://a.es', clave: 'ck', clave_secreta: 'cs' }).where('id', '=', own).execute();
    await receive({}, { pregunta: 'recuperado' });
    await shop.read();
    expect(await rowOf()).toMatchObject({ estado: 'recibido', pregunta: 'recuperado' });
  });

  test.each<[string, boolean, object, boolean]>([
    ['that charges VAT', false, {}, true],
    ['that charges none', false, { total_tax: '0' }, false],
    ['that says nothing of VAT', false, { total_tax: '' }, false],
    ['that has charged VAT, and none now', true, { total_tax: '0' }, true],
  ])('is of a shop %s', async (_, con_iva, fields, after) => {
    const other = await addShop('Otra', SINCE);
    await world.db.updateTable('tiendas').set({ con_iva }).where('id', '=', own).execute();
    await receive(fields);
    await shop.read();
    const shops = await world.db.selectFrom('tiendas').select(['id', 'con_iva', 'iva_avisado']).execute();
    expect(shops.find(({ id }) => id === own)).toMatchObject({ con_iva: after, iva_avisado: false });
    expect(shops.find(({ id }) => id === other)).toMatchObject({ con_iva: false, iva_avisado: false });
  });

  test('that costs nothing to send is told only if it goes abroad', async () => {
    const free = { shipping_total: '0', shipping_tax: '0', total: '44.00' };
    const to = (country: string) => ({ shipping: { ...wooOrder().shipping, country, state: '' } });
    for (const [n, fields] of [free, { ...free, ...to('FR') }, to('FR')].entries()) await receive(fields, { externo_id: `${n}` });
    await shop.read();
    const rows = await world.db.selectFrom('tienda_pedidos').select('aviso').orderBy('externo_id').execute();
    expect(rows.map(({ aviso }) => /envío a .* es de 0 €/.exec(aviso ?? '')?.[0])).toEqual([
      undefined,
      'envío a Francia es de 0 €',
      undefined,
    ]);
  });
});

describe('an order of another kind of shop with the same number', () => {
  test.each<[string, object, object, object, boolean]>([
    ['from before this program knew shops', {}, {}, {}, true],
    ['that has been heard of since', { acordado: '{}' }, {}, {}, false],
    [
      'that came to the common address before its shop was known',
      { acordado: '{}', recibido_at: '2026-11-20T09:00:00Z' },
      {},
      { comun: true },
      true,
    ],
    ['that came to the common address since', { acordado: '{}', recibido_at: '2026-11-20T11:00:00Z' }, {}, { comun: true }, false],
    ['that came to the common address of before', { acordado: '{}', recibido_at: '2026-11-20T09:00:00Z' }, {}, { comun: null }, false],
    ['of the same kind', {}, { conector: 'woo' }, {}, false],
    ['that has another number', { externo_id: '7272' }, {}, {}, false],
  ])('may be it: %s', async (_, more, ofOther, ofShop, isIt) => {
    const other = await addShop('Otra', { conector: 'plano', ...SINCE, ...ofOther });
    await world.db
      .updateTable('tiendas')
      .set({ conector: 'woo', ...ofShop })
      .where('id', '=', own)
      .execute();
    const { id, numero_orden } = await world.pedido({});
    await receive({}, { tienda_id: other, pedido_id: id, estado: 'creado', contenido: null, ...more });
    await receive();
    await shop.read();
    expect(await rowOf()).toMatchObject(
      isIt
        ? { estado: 'por_revisar', motivo: `Puede ser ${numero_orden}, que entró de «Otra» con este número: di si es ese, o hazlo` }
        : { estado: 'creado' },
    );
  });
});

describe('a later message', () => {
  const made = async (fields: object = {}) => {
    await receive(fields);
    await shop.read();
  };
  const first = async () => (await shop.orders())[0];

  test.each<[string, object, object, string | undefined]>([
    ['that it is cancelled', { status: 'cancelled' }, {}, 'La tienda lo ha cancelado, pero ya había salido'],
    ['that it is refunded', { status: 'refunded' }, {}, 'La tienda lo ha reembolsado, pero ya había salido'],
    ['that it is cancelled, again', { status: 'cancelled' }, { leida: 'cancelado' }, undefined],
    ['that it waits for its payment again', { status: 'pending' }, {}, 'En la tienda vuelve a esperar el pago'],
    ['that it still waits for its payment', { status: 'pending' }, { leida: 'por_pagar' }, undefined],
    ['of an unknown state', { status: 'taller' }, {}, 'No se conoce el estado «taller» de la tienda'],
    ['of an unknown state, after another', { status: 'taller' }, { leida: null }, undefined],
    ['that nothing has changed', {}, {}, undefined],
  ])('is told of an order that has left: %s', async (_, fields, more, sentence) => {
    await made();
    await become({ estado: 'en_ruta' });
    await later(fields, more);
    const { aviso, leida, contenido } = await rowOf();
    expect((aviso ?? '').split('. ').filter((text) => !text.startsWith('La tienda ha devuelto'))).toEqual([sentence ?? '']);
    expect([leida, contenido, (await first())?.estado]).toEqual([content(fields).situacion ?? null, null, 'en_ruta']);
    expect((await sentences()).at(-1)).toBe(aviso ? `Pedido W-1 de «Propia»: ${aviso}` : undefined);
  });

  test('that ends an order cancels it with its reason, and no gone one', async () => {
    await made();
    await later({ status: 'cancelled' });
    expect([(await first())?.estado, await reasons()]).toEqual(['cancelado', ['En la tienda está cancelado']]);
    await later({ status: 'refunded' });
    await later({ status: 'pending' });
    expect([await reasons(), (await rowOf()).aviso]).toEqual([['En la tienda está cancelado'], null]);
  });

  test('without content cancels what the shop has deleted, and leaves the rest', async () => {
    await made();
    await later({}, { contenido: null });
    expect([(await first())?.estado, (await rowOf()).estado]).toEqual(['pendiente', 'creado']);
    await later({}, { contenido: null, situacion: 'borrado' });
    expect([await reasons(), await rowOf()]).toMatchObject([
      ['En la tienda está borrado'],
      { estado: 'creado', leida: 'borrado', aviso: null },
    ]);
  });

  test('that a message calls deleted is told, and keeps what waits', async () => {
    await made();
    const note = { customer_note: 'Timbre' };
    await later(note);
    expect(await rowOf()).toMatchObject({ cambios: ['instrucciones'], contenido: { instrucciones: 'Timbre' } });
    await later(note, { pregunta: 'borrado' });
    expect(await rowOf()).toMatchObject({
      estado: 'creado',
      cambios: ['instrucciones'],
      contenido: { instrucciones: 'Timbre' },
      pregunta: 'borrado',
      aviso: `La tienda dice que lo ha borrado, ${ASKED}: si es así, cancélalo. En la tienda ha cambiado la nota del cliente`,
    });
    expect((await first())?.estado).toBe('pendiente');
  });

  const LOST = 'Sus datos se borraron o bloquearon: los que la tienda ha vuelto a enviar no se guardan';
  const BACK = 'La tienda lo ha retomado, y sus datos se borraron o bloquearon: no se ha hecho nada';
  const GONE = '2026-11-20T12:00:00Z';
  test.each<[string, Become, object, object, string | null, string[]]>([
    ['made anonymous', { anonimizado_at: GONE }, { customer_note: 'Timbre' }, {}, LOST, []],
    ['blocked', { bloqueado_at: GONE }, { customer_note: 'Timbre' }, {}, LOST, []],
    ['blocked and cancelled', { bloqueado_at: GONE, estado: 'cancelado' }, {}, { leida: 'cancelado' }, BACK, []],
    ['cancelled, and still waits there', { estado: 'cancelado' }, { status: 'pending' }, { leida: 'cancelado' }, null, []],
    [
      'cancelled, and restored as a message says',
      { estado: 'cancelado' },
      {},
      { leida: 'cancelado', pregunta: 'recuperado' },
      `La tienda dice que lo ha recuperado, ${ASKED}. En la tienda ha cambiado el estado`,
      ['estado'],
    ],
    ['cancelled here, and finished there', { estado: 'cancelado' }, { status: 'completed' }, { leida: 'cancelado' }, null, []],
    ['cancelled here', { estado: 'cancelado' }, {}, {}, null, []],
    ['deleted here', { deleted_at: GONE }, {}, {}, null, []],
    ['as it was', {}, { customer_note: 'Timbre' }, {}, 'En la tienda ha cambiado la nota del cliente', ['instrucciones']],
  ])('about an order that is %s', async (_, ofOrder, fields, more, aviso, cambios) => {
    await made();
    await become(ofOrder);
    await later(fields, more);
    expect(await rowOf()).toMatchObject({ estado: 'creado', aviso, cambios });
    expect(await world.db.selectFrom('pedidos').select('id').execute()).toHaveLength(1);
  });

  test('that ends an order shows no change beside, and a change is shown until the shop takes it back', async () => {
    await made();
    await become({ estado: 'en_ruta' });
    await later({ customer_note: 'Timbre' });
    await later({ customer_note: 'Timbre', status: 'completed' });
    expect((await rowOf()).cambios).toEqual(['instrucciones']);
    await later({ customer_note: 'Timbre', status: 'cancelled' });
    expect(await rowOf()).toMatchObject({ cambios: [], contenido: null });
  });
});

describe('VAT that differs from what the shop charged', () => {
  const aviso = async () => plain((await rowOf()).aviso)?.split('. De esta')[0];
  /** A shop that tells its VAT, but not by rates. */
  const plainOrder = (cuota_cents: number | undefined, pais = 'España') => {
    const { impuestos: _, cuota_cents: __, ...order } = content();
    return { ...order, ...(cuota_cents !== undefined && { cuota_cents }), cliente: { ...order.cliente, cliente_pais: pais } };
  };
  const OURS = 'aquí salen 4,45 €: compruébalo antes de facturar';
  test.each<[string, number | undefined, object, string | undefined]>([
    ['by three cents of one line', 442, {}, undefined],
    ['by three cents more', 448, {}, undefined],
    ['by four cents', 441, {}, `La tienda cobró 4,41 € de IVA y ${OURS}`],
    ['by four cents more', 449, {}, `La tienda cobró 4,49 € de IVA y ${OURS}`],
    ['and is not said', undefined, {}, undefined],
    ['of a shop of which it is known', 440, { iva_avisado: true }, undefined],
  ])('is told: %s', async (_, cuota, ofShop, sentence) => {
    await shop.settings({ iva: true });
    await world.db.updateTable('products').set({ iva: '10' }).execute();
    await world.db
      .updateTable('tiendas')
      .set({ conector: 'woo', ...ofShop })
      .execute();
    await world.db
      .insertInto('tienda_pedidos')
      .values(stored(plainOrder(cuota) as WebOrder))
      .execute();
    await shop.read();
    expect(await aviso()).toBe(sentence);
    const { iva_avisado } = await world.db.selectFrom('tiendas').select('iva_avisado').executeTakeFirstOrThrow();
    expect(iva_avisado).toBe(!!sentence || 'iva_avisado' in ofShop);
  });

  test.each<[string, object, object, boolean]>([
    ['a business without VAT', { iva: false }, { iva: '10' }, false],
    ['a product without rate', { iva: true }, { iva: null }, false],
    ['a product with its rate', { iva: true }, { iva: '10' }, true],
  ])('is told to %s: %s', async (_, settings, product, isTold) => {
    await shop.settings(settings);
    await world.db.updateTable('products').set(product).execute();
    await world.db
      .insertInto('tienda_pedidos')
      .values(stored(plainOrder(100) as WebOrder))
      .execute();
    await shop.read();
    expect(/cobró 1,00 € de IVA/.test((await aviso()) ?? '')).toBe(isTold);
  });
});

test('orders are read oldest first, and one that cannot be read keeps no other', async () => {
  const [b, a] = ['22222222-0000-4000-8000-000000000000', '11111111-0000-4000-8000-000000000000'];
  const at = (recibido_at: string, externo_id: string, more: object = {}) => ({ recibido_at, externo_id, numero: externo_id, ...more });
  const order = (n: number) => ({ id: n, number: `${n}` });
  await receive(order(3), at('2026-11-20T12:00:00Z', '3'));
  await receive(order(2), at('2026-11-20T11:00:00Z', '2', { id: b }));
  await receive(order(1), at('2026-11-20T11:00:00Z', '1', { id: a }));
  await receive(order(9), at('2026-11-20T10:00:00Z', '0', { contenido: '{}' }));
  await expect(readReceived(world.db, world.config)).rejects.toThrow();
  expect(
    (await shop.orders())
      .toSorted((x, y) => (String(x.numero_orden) < String(y.numero_orden) ? -1 : 1))
      .map((each) => each.referencia_externa),
  ).toEqual(['1', '2', '3']);
  expect(await world.db.selectFrom('tienda_pedidos').select('externo_id').where('estado', '=', 'recibido').execute()).toEqual([
    { externo_id: '0' },
  ]);
});

test('a change that cannot be made is told at an order that lives, and waits at one that does not', async () => {
  await receive();
  await shop.read();
  await become({ estado: 'cancelado' });
  await later({ line_items: [wooLine({ sku: 'NUEZ', name: 'Nueces' })] }, { leida: 'cancelado', cambios: ['importe'] });
  expect(await rowOf()).toMatchObject({
    estado: 'por_revisar',
    motivo: 'Falta decir qué pack es «Nueces»',
    leida: 'cancelado',
    cambios: ['importe'],
    contenido: { externo_id: '7271' },
  });
});

test('what version 0.3.0 stored encrypted is opened, and nothing else', async () => {
  const seal = (value: unknown) => encrypt(world.config.secretKey, JSON.stringify(value));
  const held = { estado: 'por_revisar' as const };
  await receive(
    {},
    { ...held, externo_id: '1', contenido: JSON.stringify(seal(content())), correcciones: JSON.stringify(seal({ hacer: true })) },
  );
  await receive({}, { ...held, externo_id: '2', correcciones: JSON.stringify(seal({ trato: 'pagado' })) });
  await receive({}, { ...held, externo_id: '3', contenido: JSON.stringify(seal(content())) });
  await receive({}, { ...held, externo_id: '4', correcciones: '{"hacer":true}' });
  const text = encrypt(world.config.secretKey, 'texto');
  await world.db
    .insertInto('tienda_mensajes')
    .values(['cifrado:order.updated', 'cifrado:', 'order.cifrado:'].map((tema) => ({ tema, resultado: 'ilegible', contenido: text })))
    .execute();
  const started = world.db.withPlugin({ transformQuery: ({ node }) => node, transformResult: async ({ result }) => result });
  for (const _ of [1, 2]) await readReceived(started, world.config);
  const rows = await world.db.selectFrom('tienda_pedidos').select(['contenido', 'correcciones']).orderBy('externo_id').execute();
  expect(rows.map(({ contenido, correcciones }) => [(contenido as unknown as WebOrder).externo_id, correcciones])).toEqual([
    ['7271', { hacer: true }],
    ['7271', { trato: 'pagado' }],
    ['7271', null],
    ['7271', { hacer: true }],
  ]);
  const messages = await world.db.selectFrom('tienda_mensajes').select(['tema', 'contenido']).orderBy(sql`tema NULLS FIRST`).execute();
  expect(messages).toEqual([
    { tema: null, contenido: 'texto' },
    { tema: 'order.cifrado:', contenido: text },
    { tema: 'order.updated', contenido: 'texto' },
  ]);
});
