import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { addShopRow, shop, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { transact } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';
import type { WebOrder } from '../reading/order.ts';
import type { WebShop } from '../shop.ts';
import { claimRestored, logMessage, markDeleted, questionDeletion, storeMessage, storeUnreadable } from './store.ts';

/* Which message of a shop changes the row of its order, and what the row has then. */

tiendaForEachTest();

const KEYS = { url: 'https://t.example', clave: 'ck', clave_secreta: 'cs' };
let own: WebShop;
beforeEach(async () => {
  own = await addShopRow('Propia');
});

const second = (n: number) => `2026-11-20T10:00:0${n}.000Z`;
const ORDER: WebOrder = {
  externo_id: '7',
  numero: 'W-7',
  modificado: second(5),
  situacion: 'pagado',
  estado: 'processing',
  moneda: 'EUR',
  cliente: {
    cliente_nombre: 'Ana',
    cliente_telefono: null,
    cliente_direccion: 'Sol 1',
    cliente_direccion2: null,
    cliente_codigo_postal: null,
    cliente_ciudad: null,
    cliente_provincia: null,
    cliente_pais: null,
  },
  instrucciones: null,
  lineas: [],
  envio_cents: 0,
  descuento_cents: 0,
  total_cents: 1000,
  contra_reembolso: false,
  pago: null,
  devuelto_cents: 0,
};
const noted = (instrucciones: string, fields: Partial<WebOrder> = {}) => ({ instrucciones, ...fields });
const store = (fields: Partial<WebOrder> = {}, asked = false, to = own) =>
  transact(world.db, (tx) => storeMessage(tx, to, { ...ORDER, ...fields }, asked));
const rowOf = (id = own.id, externo_id = '7') =>
  world.db.selectFrom('tienda_pedidos').selectAll().where('tienda_id', '=', id).where('externo_id', '=', externo_id).executeTakeFirst();
const set = (values: object) => world.db.updateTable('tienda_pedidos').set(values).where('tienda_id', '=', own.id).execute();
/** The same order of another shop, and another order of the shop; returns what checks that neither has changed. */
async function others(fields: Partial<WebOrder> = {}) {
  const other = await addShopRow('Otra');
  await store(fields, false, other);
  await store({ ...fields, externo_id: '8' });
  const both = async () => [await rowOf(other.id), await rowOf(own.id, '8')];
  const before = await both();
  return async () => expect(await both()).toEqual(before);
}
/** Makes an order here of the row. */
async function made(fields: object = {}) {
  const { id } = await world.pedido({ estado: 'pendiente' });
  if (Object.keys(fields).length) await world.db.updateTable('pedidos').set(fields).where('id', '=', id).execute();
  await set({ pedido_id: id, estado: 'creado', leida: 'pagado' });
  return id;
}
describe('a second message counts', () => {
  const UNKNOWN = { situacion: undefined };
  test.each<[string, Partial<WebOrder>, Partial<WebOrder>, boolean]>([
    ['later, of an earlier state', {}, { situacion: 'por_pagar', modificado: second(6) }, true],
    ['earlier, of a later state', {}, { situacion: 'cancelado', modificado: second(4) }, false],
    ['of the same time, of a later state', {}, { situacion: 'terminado' }, true],
    ['of the same time and state, of other content', {}, noted('x'), true],
    ['of the same time, of an earlier state', {}, { situacion: 'por_pagar' }, false],
    ['that is the first one again', {}, {}, false],
    ['of the same time, of an unknown state after a paid one', {}, UNKNOWN, true],
    ['of the same time, of an unknown state after a finished one', { situacion: 'terminado' }, UNKNOWN, false],
    ['of the same time, paid after an unknown state', UNKNOWN, {}, true],
    ['of the same time, unpaid after an unknown state', UNKNOWN, { situacion: 'por_pagar' }, false],
    ['without time, of a later state', {}, { situacion: 'terminado', modificado: undefined }, true],
    ['without time, of the same state', {}, noted('x', { modificado: undefined }), true],
    ['without time, of an earlier state', {}, { situacion: 'por_pagar', modificado: undefined }, false],
  ])('%s', async (_, first, next, counts) => {
    expect(await store(first)).toBe(true);
    await set({ estado: 'creado' });
    expect(await store(next)).toBe(counts);
    expect((await rowOf())?.estado).toBe(counts ? 'recibido' : 'creado');
  });

  test.each<[string, Partial<WebOrder>, boolean]>([
    ['of the same time, of another state', { situacion: 'por_pagar' }, true],
    ['of the same time and state', noted('x'), false],
    ['later, of the same state', noted('x', { modificado: second(6) }), true],
    ['earlier, of another state', { situacion: 'cancelado', modificado: second(4) }, false],
    ['that is known', {}, false],
  ])('as the answer of a shop that is asked: %s', async (_, next, counts) => {
    await store();
    expect(await store(next, true)).toBe(counts);
  });

  test('as an answer only once, if it is dated ahead', async () => {
    const ahead = { modificado: '2100-01-01T00:00:00.000Z' };
    expect([await store(ahead, true), await store(ahead, true)]).toEqual([true, false]);
    expect(Date.parse((await rowOf())?.modificado_at ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
  });

  test('and changes the row of its own order alone', async () => {
    await store();
    const areSame = await others();
    await set({ leida: 'pagado', pregunta: 'borrado' });
    expect(await store(noted('x', { modificado: second(6), situacion: 'terminado', numero: 'W-8' }))).toBe(true);
    expect(await rowOf()).toMatchObject({
      numero: 'W-8',
      situacion: 'terminado',
      contenido: { instrucciones: 'x' },
      modificado_at: expect.stringContaining('10:00:06'),
      leida: 'pagado',
      pregunta: null,
      vistos: [expect.any(String), expect.any(String)],
    });
    await world.db.updateTable('tienda_pedidos').set({ leida: null, pregunta: null }).where('externo_id', '=', '8').execute();
    await areSame();
  });

  test('without time it leaves the time of the one before', async () => {
    await store();
    await store({ situacion: 'terminado', modificado: undefined });
    expect((await rowOf())?.modificado_at).toContain('10:00:05');
  });

  test('of a first message without time, its arrival is the time', async () => {
    await store({ modificado: undefined });
    expect(Date.now() - Date.parse((await rowOf())?.modificado_at ?? '')).toBeLessThan(60_000);
  });

  test.each<[string, boolean, boolean, string | null]>([
    ['an answer about an order that is not made', true, false, null],
    ['an answer about an order that is made', true, true, 'pagado'],
    ['a message about an order that is not made', false, false, 'pagado'],
  ])('what was read before stands after %s: %s', async (_, asked, isMade, leida) => {
    await store();
    if (isMade) await made();
    await set({ leida: 'pagado' });
    await store({ situacion: 'terminado', modificado: second(6) }, asked);
    expect((await rowOf())?.leida).toBe(leida);
  });

  test('and the last twenty are remembered', async () => {
    await store();
    const first = (await rowOf())?.vistos[0];
    for (let n = 0; n < 19; n += 1) await store(noted(`${n}`));
    expect((await rowOf())?.vistos).toHaveLength(20);
    expect((await rowOf())?.vistos[0]).toBe(first);
    await store(noted('19'));
    expect((await rowOf())?.vistos).toHaveLength(20);
    expect((await rowOf())?.vistos).not.toContain(first);
  });

  test('and is remembered as earlier versions did, so that none of theirs counts again', async () => {
    await store();
    expect((await rowOf())?.vistos).toEqual(['ixg_crfp3m2Wdyxic3YPkd']);
  });

  test('and a number is kept to two hundred letters', async () => {
    await store({ numero: `1${'a'.repeat(200)}` });
    expect((await rowOf())?.numero).toBe(`1${'a'.repeat(199)}`);
  });
});

describe('an order cancelled and paid in the same second', () => {
  const paid = { situacion: 'pagado', estado: 'processing' } as const;
  test.each<[string, Partial<WebOrder>, Partial<WebOrder>, boolean]>([
    ['is in doubt', { situacion: 'cancelado' }, paid, true],
    ['is in doubt if the payment has no time', { situacion: 'cancelado' }, { ...paid, modificado: undefined }, true],
    ['is cancelled if it was paid a second before', { situacion: 'cancelado' }, { ...paid, modificado: second(4) }, false],
    ['is refunded if it was refunded', { situacion: 'reembolsado' }, paid, false],
    ['is cancelled if it only waits for its payment', { situacion: 'cancelado' }, { situacion: 'por_pagar' }, false],
  ])('%s', async (_, first, next, isDoubtful) => {
    await store(first);
    await set({ estado: 'ignorado' });
    const areSame = await others(first);
    expect(await store(next)).toBe(isDoubtful);
    const row = await rowOf();
    expect([row?.estado, row?.situacion]).toEqual(isDoubtful ? ['recibido', null] : ['ignorado', first.situacion]);
    if (isDoubtful) expect(row?.contenido).toMatchObject({ estado: 'processing, y en el mismo momento cancelado' });
    await areSame();
  });

  test('is cancelled if the payment was known before', async () => {
    for (const fields of [paid, { situacion: 'cancelado' }] as const) await store(fields);
    expect([await store(paid), (await rowOf())?.situacion]).toEqual([false, 'cancelado']);
  });

  test('is not in doubt again after either message is repeated', async () => {
    await store({ situacion: 'cancelado' });
    await store(paid);
    const before = await rowOf();
    expect([await store(paid), await store({ situacion: 'cancelado' })]).toEqual([false, false]);
    expect(await rowOf()).toEqual(before);
  });
});

describe('refunds of an order', () => {
  test.each<[string, boolean, number, boolean, boolean, string | null]>([
    ['that are new are asked for', true, 501, false, true, 'reembolsos'],
    ['that are known are not', true, 500, false, true, null],
    ['that the shop tells when asked are not', true, 501, true, true, null],
    ['that is not made are not', false, 501, false, true, null],
    ['of a shop without keys are not', true, 501, false, false, null],
  ])('%s', async (_, isMade, devuelto_cents, asked, withKeys, pregunta) => {
    if (withKeys) Object.assign(own, KEYS);
    await store();
    const row = await rowOf();
    const pedido_id = isMade ? await made() : (await world.pedido({})).id;
    await world.db
      .insertInto('reembolsos')
      .values({ pedido_id, importe_cents: 500, tienda_pedido_id: row?.id ?? '' })
      .execute();
    const woken = async () => (await shop.wakes(() => store({ devuelto_cents, modificado: second(6) }, asked))).jobs;
    expect(await woken()).toEqual(pregunta ? ['sondeo'] : []);
    expect((await rowOf())?.pregunta).toBe(pregunta);
    expect(await woken()).toEqual([]);
  });
});

describe('an erased person does not come back', () => {
  const GONE = '2026-11-20T12:00:00Z';
  test.each<[string, () => Promise<unknown>, string]>([
    ['of an order that was erased before it was made', () => set({ olvidado_at: GONE }), ''],
    ['of an order that was made anonymous', () => made({ anonimizado_at: GONE }), ''],
    ['of an order that was blocked', () => made({ bloqueado_at: GONE }), ''],
    ['but another does', () => made(), 'Ana'],
  ])('%s', async (_, erase, name) => {
    await store({ situacion: 'cancelado' });
    await erase();
    await store(noted('x', { situacion: 'cancelado', modificado: second(6) }));
    expect((await rowOf())?.contenido).toMatchObject({ cliente: { cliente_nombre: name } });
    await transact(world.db, (tx) => claimRestored(tx, own, { ...ORDER, ...noted('y') }));
    expect((await rowOf())?.contenido).toMatchObject({ cliente: { cliente_nombre: name }, instrucciones: name ? 'y' : null });
  });
});

describe('a message that an order is deleted', () => {
  const question = () => transact(world.db, (tx) => questionDeletion(tx, own, { externo_id: '7', borrado: true }));
  test('before its order is kept by a shop without keys, once', async () => {
    expect([await question(), await question()]).toEqual([true, false]);
    expect(await rowOf()).toMatchObject({
      numero: '7',
      situacion: 'borrado',
      leida: 'borrado',
      estado: 'ignorado',
      motivo: 'Borrado en la tienda',
      pregunta: null,
    });
  });

  test('before its order is nothing to a shop with keys', async () => {
    Object.assign(own, KEYS);
    expect([await question(), await rowOf()]).toEqual([false, undefined]);
  });

  test.each<[string, object, boolean]>([
    ['of a made order is a question', { estado: 'creado' }, true],
    ['of an order in an unknown state is a question', { situacion: null, estado: 'por_revisar' }, true],
    ['of a deleted order is none', { situacion: 'borrado', estado: 'creado' }, false],
    ['of an ignored order is none', { estado: 'ignorado' }, false],
  ])('%s', async (_, values, isQuestion) => {
    await store();
    await set(values);
    const areSame = await others();
    expect(await question()).toBe(isQuestion);
    expect(await rowOf()).toMatchObject(isQuestion ? { pregunta: 'borrado', estado: 'recibido' } : { pregunta: null, ...values });
    await areSame();
  });

  test('lets a shop with keys be asked at once, and no other', async () => {
    await store();
    expect((await shop.wakes(question)).jobs).toEqual([]);
    Object.assign(own, KEYS);
    expect((await shop.wakes(question)).jobs).toEqual(['sondeo']);
  });
});

describe('a message that an order is restored', () => {
  const claim = () => transact(world.db, (tx) => claimRestored(tx, own, { ...ORDER, ...noted('claimed') }));
  test('without its order is nothing', async () => expect(await claim()).toBe(false));

  test.each([
    ['cancelado', true],
    ['reembolsado', true],
    ['borrado', true],
    ['pagado', false],
  ] as const)('counts for an order that is %s: %s', async (situacion, counts) => {
    await store({ situacion: situacion === 'borrado' ? 'cancelado' : situacion });
    await set({ situacion, estado: 'ignorado' });
    const areSame = await others({ situacion: 'cancelado' });
    expect(await claim()).toBe(counts);
    expect(await rowOf()).toMatchObject(
      counts
        ? { pregunta: 'recuperado', estado: 'recibido', contenido: { instrucciones: 'claimed' } }
        : { pregunta: null, estado: 'ignorado', contenido: { instrucciones: null } },
    );
    await areSame();
  });

  test('lets a shop with keys be asked at once, and changes nothing of what it said', async () => {
    await store({ situacion: 'cancelado' });
    Object.assign(own, KEYS);
    expect((await shop.wakes(claim)).jobs).toEqual(['sondeo']);
    await set({ situacion: 'pagado' });
    expect((await shop.wakes(claim)).jobs).toEqual([]);
    await set({ situacion: 'cancelado' });
    expect(await rowOf()).toMatchObject({ pregunta: 'recuperado', contenido: { instrucciones: null } });
  });
});

test.each<[string, object, object]>([
  ['made', { estado: 'creado', pregunta: 'borrado' }, { estado: 'recibido', situacion: 'borrado' }],
  ['ignored', { estado: 'ignorado' }, { estado: 'ignorado', situacion: 'borrado' }],
  ['in an unknown state', { estado: 'por_revisar', situacion: null }, { estado: 'recibido', situacion: 'borrado' }],
  ['deleted, and asked about', { estado: 'creado', situacion: 'borrado', pregunta: 'recuperado' }, { estado: 'recibido' }],
  ['deleted', { estado: 'creado', situacion: 'borrado' }, { estado: 'creado' }],
])('an order that the shop does not have any more is read again if it is %s', async (_, values, wanted) => {
  await store();
  await set(values);
  const areSame = await others();
  await transact(world.db, (tx) => markDeleted(tx, own, '7'));
  expect(await rowOf()).toMatchObject({ pregunta: null, ...wanted });
  await areSame();
});

describe('what cannot be read', () => {
  const unreadable = (text: string, topic: string, to = own) =>
    transact(world.db, (tx) => storeUnreadable(tx, to, { text, topic, error: invalid('pedido', 'No se entiende') }));
  const listed = () =>
    world.db.selectFrom('tienda_mensajes').select(['tienda_id', 'tema', 'externo_id', 'resultado', 'motivo', 'contenido']).execute();
  const sentences = () => world.db.selectFrom('notifications').select('texto').execute();
  const SAID = { received: false, motivo: 'No se entiende' };

  test('is kept each time, without what a database cannot hold, and told once', async () => {
    for (const _ of [1, 2]) expect(await unreadable('a\u0000b\ud800', 'order.updated')).toEqual(SAID);
    const row = { tienda_id: own.id, tema: 'order.updated', externo_id: null, resultado: 'ilegible', motivo: 'No se entiende' };
    expect(await listed()).toEqual(Array(2).fill({ ...row, contenido: 'ab\ufffd' }));
    expect(await sentences()).toEqual([
      { texto: 'La tienda «Propia» ha enviado un mensaje que no se puede leer: está entero en «Tienda en línea»' },
    ]);
  });

  test('is told again after an hour', async () => {
    const counts: number[] = [];
    for (const seconds of [0, 3570, 3630]) {
      await sql`UPDATE topes SET desde = now() - ${seconds} * interval '1 second'`.execute(world.db);
      await unreadable('a', 'order.updated');
      counts.push((await sentences()).length);
    }
    expect(counts).toEqual([1, 1, 2]);
  });

  test('is kept once of each shop that answered it', async () => {
    const other = await addShopRow('Otra');
    await transact(world.db, (tx) => logMessage(tx, own, { tema: 'x', resultado: 'recibido', externo_id: '1' }));
    expect([await unreadable('a', 'sondeo'), await unreadable('a', 'sondeo')]).toEqual([SAID, { received: false }]);
    expect([await unreadable('a', 'sondeo', other), await unreadable('b', 'sondeo')]).toEqual([SAID, SAID]);
    expect(await listed()).toHaveLength(4);
    await world.db.updateTable('tienda_mensajes').set({ resultado: 'anterior' }).execute();
    expect(await unreadable('a', 'sondeo')).toEqual(SAID);
  });

  test('has a topic of at most sixty letters, or none', async () => {
    for (const tema of [`1${'a'.repeat(60)}`, '']) await transact(world.db, (tx) => logMessage(tx, own, { tema, resultado: 'recibido' }));
    expect((await listed()).map(({ tema }) => tema).toSorted()).toEqual([`1${'a'.repeat(59)}`, null]);
  });
});
