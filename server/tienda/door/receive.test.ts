import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { receiveTienda } from '../../../contract/tienda/tienda.ts';
import { addShop, shop, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { sign, WOO_SECRET, wooOrder } from '../../../test/woo.ts';
import { encrypt } from '../../kit/secrets.ts';
import { shopFigures } from '../office/shops.ts';

/* Whose a signed message is, what is kept of it, and what the office is told. */

tiendaForEachTest();

const OWN = 'un secreto de la propia';
const seal = (secret: string) => encrypt(world.config.secretKey, secret);
const from = (source: string) => ({ 'x-wc-webhook-source': source });
const send = async (order: object, { secret = WOO_SECRET, door = receiveTienda.path as string, headers = {} } = {}) => {
  const body = JSON.stringify(order);
  const { status, text } = await shop.post(body, { 'x-wc-webhook-signature': sign(body, secret), ...headers }, door);
  return status === 200 ? JSON.parse(text) : status;
};
const door = (id: string) => `/api/tienda/${id}`;
const shops = () => world.db.selectFrom('tiendas').select(['nombre', 'origen', 'estado', 'comun']).orderBy('created_at').execute();
const messages = () =>
  world.db.selectFrom('tienda_mensajes').select(['tema', 'externo_id', 'resultado', 'motivo']).orderBy('recibido_at').execute();
const sentences = () => world.db.selectFrom('notifications').select(['texto', 'enlace', 'role']).orderBy('created_at').execute();
const numbers = async () =>
  (
    await world.db
      .selectFrom('tienda_pedidos as t')
      .innerJoin('tiendas as s', 's.id', 't.tienda_id')
      .select(['t.numero', 's.nombre'])
      .orderBy('t.numero')
      .execute()
  ).map(({ numero, nombre }) => `${numero} ${nombre}`);

describe('a message', () => {
  test('is kept with its topic and what came of it, and its order is read at once', async () => {
    const topic = (name: string) => ({ headers: { 'x-wc-webhook-topic': name } });
    const sent: unknown[] = [];
    const { jobs } = await shop.wakes(async () => void sent.push(await send(wooOrder(), topic('order.created'))));
    expect(jobs).toEqual(['tienda']);
    sent.push(await send(wooOrder(), topic('order.updated')), await send(wooOrder()));
    sent.push(await send({ id: 1, status: 'x', total: 'doce' }, topic('order.updated')));
    expect(sent).toEqual([
      ...Array(3).fill({ received: true }),
      { received: false, motivo: 'Lo que ha enviado la tienda no es un pedido de WooCommerce' },
    ]);
    expect(await messages()).toMatchObject([
      { tema: 'order.created', externo_id: '7271', resultado: 'recibido', motivo: null },
      { tema: 'order.updated', externo_id: '7271', resultado: 'anterior' },
      { tema: null, externo_id: '7271', resultado: 'anterior' },
      { tema: 'order.updated', externo_id: null, resultado: 'ilegible' },
    ]);
  });

  test('that an ended order is restored counts by its topic alone', async () => {
    await send(wooOrder({ status: 'cancelled' }));
    const restored = { headers: { 'x-wc-webhook-topic': 'order.restored' } };
    await send(wooOrder({ status: 'cancelled' }));
    await send(wooOrder({ status: 'cancelled' }), restored);
    expect((await messages()).map(({ resultado }) => resultado)).toEqual(['recibido', 'anterior', 'recibido']);
  });

  test('that is no JSON, or empty, cannot be read', async () => {
    for (const body of ['{', ''])
      expect((await shop.post(body, { 'x-wc-webhook-signature': sign(body) })).text).toContain('no es un pedido de WooCommerce');
  });

  test('that only tries the address is answered, and kept nowhere', async () => {
    const { text } = await shop.post('webhook_id=12', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([JSON.parse(text), await shops(), await messages()]).toEqual([{ received: false }, [], []]);
  });

  test('without a signature, or with one of another length, is refused', async () => {
    expect([(await shop.post('{}', {})).status, (await shop.post('{}', { 'x-wc-webhook-signature': 'corta' })).status]).toEqual([400, 400]);
    expect(await shops()).toEqual([]);
  });

  test('of a shop that is not ours is nothing', async () => {
    const id = await addShop('Ajena', { estado: 'ignorada', secreto: seal(OWN) });
    expect(await send(wooOrder(), { secret: OWN, door: door(id) })).toEqual({ received: false });
    const heard = await world.db.selectFrom('tiendas').select('oido_at').executeTakeFirst();
    expect([await messages(), heard?.oido_at]).toEqual([[], null]);
  });

  test('in the form of another kind of shop is refused at a shop’s door', async () => {
    const [woo, plano] = [await addShop('Woo', { secreto: seal(OWN) }), await addShop('Plana', { conector: 'plano', secreto: seal('p') })];
    expect(await send(wooOrder(), { secret: 'p', door: door(plano) })).toBe(400);
    const body = JSON.stringify(wooOrder());
    expect((await shop.post(body, { 'x-enruta-signature': sign(body, OWN) }, door(woo))).status).toBe(400);
    expect((await shop.post(body, { 'x-enruta-signature': sign(body, OWN) })).status).toBe(400);
  });
});

describe('a wrong signature', () => {
  const SENTENCE = 'a la tienda en línea con una firma que no vale: comprueba el secreto de sus webhooks';
  test.each<[string, Record<string, string>, string]>([
    ['its address', from('HTTPS://Copia.Example/a//'), `de «copia.example/a» ${SENTENCE}`],
    ['a hundred letters of its address', from(`x${'a'.repeat(100)}`), `de «x${'a'.repeat(99)}» ${SENTENCE}`],
    ['no address', {}, SENTENCE],
  ])('is told with %s', async (_, headers, sentence) => {
    expect(await send(wooOrder(), { secret: 'otro', headers })).toBe(400);
    expect(await sentences()).toEqual([{ texto: `Llegan mensajes ${sentence}`, enlace: '/tienda', role: 'superadmin' }]);
  });

  test('is told with the name of the door’s shop, once, and counted', async () => {
    const id = await addShop('Propia', { secreto: seal(OWN) });
    expect((await shopFigures(world.db)).rechazados).toBe(0);
    for (const _ of [1, 2]) expect(await send(wooOrder(), { secret: 'otro', door: door(id), headers: from('x.example') })).toBe(400);
    expect((await sentences()).map(({ texto }) => texto)).toEqual([`Llegan mensajes de «Propia» ${SENTENCE}`]);
    expect((await shopFigures(world.db)).rechazados).toBe(2);
  });
});

/** How often the office has been told `begins` after each of these times since the first. */
async function toldAfter(begins: string, minutes: number, act: () => Promise<unknown>) {
  const counts: number[] = [];
  for (const seconds of [0, minutes * 60 - 30, minutes * 60 + 30]) {
    await sql`UPDATE topes SET desde = now() - ${seconds} * interval '1 second'`.execute(world.db);
    await sql`UPDATE tiendas SET oido_at = now() - interval '2 minutes'`.execute(world.db);
    await act();
    counts.push((await sentences()).filter(({ texto }) => texto.startsWith(begins)).length);
  }
  return counts;
}

test('a wrong signature is told again after an hour, and counted for a day', async () => {
  const forged = () => send(wooOrder(), { secret: 'otro' });
  expect(await toldAfter('Llegan mensajes', 60, forged)).toEqual([1, 1, 2]);
  const refused = async (seconds: number) => {
    await sql`UPDATE topes SET desde = now() - ${seconds} * interval '1 second'`.execute(world.db);
    await forged();
    return (await shopFigures(world.db)).rechazados;
  };
  expect([await refused(86_370), await refused(86_430)]).toEqual([4, 1]);
});

describe('the common address', () => {
  test('is told again after a day', async () => {
    expect(await toldAfter('La tienda «WooCommerce» envía', 1440, () => send(wooOrder()))).toEqual([1, 1, 2]);
  });

  test('makes a shop of the first message, with its kind’s name or its address', async () => {
    expect((await shop.wakes(() => send(wooOrder()))).topics).toContain('tienda');
    const body = JSON.stringify({ id: 'a' });
    await shop.post(body, { 'x-enruta-signature': sign(body), 'x-enruta-source': `https://x${'a'.repeat(200)}/` });
    expect(await shops()).toEqual([
      { nombre: 'WooCommerce', origen: null, estado: 'activa', comun: true },
      { nombre: `x${'a'.repeat(79)}`, origen: `x${'a'.repeat(199)}`, estado: 'activa', comun: true },
    ]);
  });

  test('gives the shop its address with the first message that names one, and no other shop', async () => {
    await addShop('Otra', { comun: false });
    await send(wooOrder());
    await send(wooOrder({ id: 8, number: '8' }), { headers: from('https://tienda.example/') });
    await send(wooOrder({ id: 9, number: '9' }));
    expect((await shops()).map(({ nombre, origen }) => [nombre, origen])).toEqual([
      ['Otra', null],
      ['WooCommerce', 'tienda.example'],
    ]);
    expect(await numbers()).toEqual(['7271 WooCommerce', '8 WooCommerce', '9 WooCommerce']);
  });

  test('lets a second name wait, with its later messages, and takes no third', async () => {
    await addShop('Plana', { conector: 'plano', estado: 'por_confirmar', origen: 'b.example' });
    for (const [id, source] of ['a', 'b', 'b', 'c'].entries())
      await send(wooOrder({ id: 10 + id, number: `${10 + id}` }), { headers: from(`${source}.example`) });
    expect(await numbers()).toEqual(['10 a.example', '11 b.example', '12 b.example']);
    expect((await shops()).slice(1)).toEqual([
      { nombre: 'a.example', origen: 'a.example', estado: 'activa', comun: true },
      { nombre: 'b.example', origen: 'b.example', estado: 'por_confirmar', comun: false },
    ]);
    expect((await messages()).at(-1)).toMatchObject({
      resultado: 'ilegible',
      motivo: 'Llega a la dirección común con un tercer nombre: di antes de quién es la tienda que espera',
    });
    expect((await sentences()).map(({ texto }) => texto)).toContain(
      'Llegan pedidos de «b.example» a la dirección común, que es de otra tienda: di de quién son',
    );
  });

  test.each<[string, object, boolean]>([
    ['has moved', { comun: null }, true],
    ['was added beside it', { comun: false }, false],
  ])('lets a message wait if the only shop %s: %s', async (_, fields, waits) => {
    await addShop('Propia', fields);
    await send(wooOrder(), { headers: from('a.example') });
    expect((await shops())[1]).toMatchObject({ estado: waits ? 'por_confirmar' : 'activa', comun: !waits });
  });
});

describe('a message that its secret signs for a shop', () => {
  const OTHER = 'Lo firma «Propia» y dice que viene de «b.example», que es otra tienda';
  test.each<[string, object, Record<string, string>, string | null]>([
    ['and names another shop is only kept', { origen: 'b.example' }, from('https://b.example'), OTHER],
    ['and names another kind of shop is taken', { origen: 'b.example', conector: 'plano' }, from('b.example'), null],
    ['and names its own address is taken', { origen: 'b.example' }, from('a.example'), null],
    ['and names an unknown address is taken', { origen: 'b.example' }, from('c.example'), null],
    ['and names nothing is taken', { origen: null }, {}, null],
  ])('%s', async (_, other, headers, motivo) => {
    await addShop('Otra', { ...other, secreto: seal('el de la otra') });
    await addShop('Propia', { origen: 'a.example', secreto: seal(OWN) });
    expect(await send(wooOrder(), { secret: OWN, headers })).toEqual(motivo ? { received: false, motivo } : { received: true });
    expect(await numbers()).toEqual(motivo ? [] : ['7271 Propia']);
  });

  test('is taken at the shop’s own door, whatever it names', async () => {
    await addShop('Otra', { origen: 'b.example' });
    const id = await addShop('Propia', { origen: 'a.example', secreto: seal(OWN) });
    expect(await send(wooOrder(), { secret: OWN, door: door(id), headers: from('b.example') })).toEqual({ received: true });
  });
});

describe('the time at which a shop was heard', () => {
  const NOW = Date.parse('2026-11-20T12:00:00.000Z');
  const ago = (ms: number) => new Date(NOW - ms).toISOString();
  test.each<[string, object, boolean]>([
    ['is written the first time', {}, true],
    ['is written after more than a minute', { oido_at: ago(60_001) }, true],
    ['is left within the minute', { oido_at: ago(60_000) }, false],
    ['is written after orders that the shop had not sent', { oido_at: ago(0), rescatados: 1 }, true],
  ])('%s', async (_, fields, isWritten) => {
    const id = await addShop('Propia', { secreto: seal(OWN), ...fields });
    await addShop('Otra', { oido_at: ago(90_000), rescatados: 2 });
    const row = () => world.db.selectFrom('tiendas').select(['nombre', 'oido_at', 'rescatados']).orderBy('created_at').execute();
    const before = await row();
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    expect(await send(wooOrder(), { secret: OWN, door: door(id) })).toEqual({ received: true });
    vi.useRealTimers();
    const [own, other] = await row();
    expect([own?.oido_at !== before[0]?.oido_at, own?.rescatados, other]).toEqual([isWritten, 0, before[1]]);
  });

  const COMMON = 'La tienda «Propia» envía a la dirección común: pon en ella su propia dirección y su secreto («Tiendas»)';
  test.each<[string, boolean, string, boolean | null, string[]]>([
    ['its secret at its own door ends the common address', true, OWN, null, []],
    ['its secret at the common address is told', false, OWN, true, [COMMON]],
    ['the common secret at its own door is told', true, WOO_SECRET, true, [COMMON]],
  ])('%s', async (_, isDoor, secret, comun, notices) => {
    const id = await addShop('Propia', { comun: true, secreto: seal(OWN), oido_at: new Date(Date.now() - 90_000).toISOString() });
    expect(await send(wooOrder(), { secret, ...(isDoor && { door: door(id) }) })).toEqual({ received: true });
    expect([(await shops())[0]?.comun, (await sentences()).map(({ texto }) => texto)]).toEqual([comun, notices]);
  });

  test('its own secret at its own door ends the common address within the minute too', async () => {
    const id = await addShop('Propia', { comun: true, secreto: seal(OWN), oido_at: new Date().toISOString() });
    await send(wooOrder(), { secret: OWN, door: door(id) });
    expect((await shops())[0]?.comun).toBeNull();
  });

  test('a shop that never used the common address keeps that', async () => {
    const id = await addShop('Propia', { comun: false, secreto: seal(OWN) });
    await send(wooOrder(), { secret: OWN, door: door(id) });
    expect([(await shops())[0]?.comun, await sentences()]).toEqual([false, []]);
  });
});
