import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { shop, there, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { wooLine, wooOrder } from '../../../test/woo.ts';
import { encrypt } from '../../kit/secrets.ts';
import type { WebOrder } from '../reading/order.ts';
import { readWoo } from '../reading/woo/read.ts';

/* What a shop with keys is asked, and what its answers change. */

tiendaForEachTest();

let own: string;
let other: string;
beforeEach(async () => {
  own = await addShop('Propia');
  other = await addShop('Otra', { clave: null });
});
const addShop = async (nombre: string, more: object = {}) => {
  const keys = { url: there.url, clave: 'ck', clave_secreta: encrypt(world.config.secretKey, 'cs') };
  const values = { conector: 'woo', nombre, created_at: '2026-11-20T10:00:00Z', ...keys, ...more };
  return (await world.db.insertInto('tiendas').values(values).returning('id').executeTakeFirstOrThrow()).id;
};
const content = (fields: object = {}) => readWoo(wooOrder(fields as Record<string, unknown>)) as WebOrder;
const hold = (externo_id: string, more: object = {}) => {
  const row = { tienda_id: own, externo_id, numero: externo_id, modificado_at: '2026-11-20T10:00:00Z', estado: 'por_revisar' as const };
  return world.db
    .insertInto('tienda_pedidos')
    .values({ ...row, situacion: 'pagado', contenido: JSON.stringify(content()), ...more })
    .execute();
};
const rows = () =>
  world.db
    .selectFrom('tienda_pedidos')
    .select(['externo_id', 'estado', 'situacion', 'pregunta', 'contenido'])
    .orderBy('externo_id')
    .execute();
const shopNow = (id = own) => world.db.selectFrom('tiendas').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const sentences = async () =>
  (await world.db.selectFrom('notifications').select('texto').where('tipo', '=', 'tienda_por_revisar').orderBy('created_at').execute()).map(
    ({ texto }) => texto,
  );
/** Ids of the orders that the shop was asked for one by one, because it lists none of them. */
const asked = () => there.calls.flatMap(({ path }) => /^orders\/(\d+)$/.exec(path)?.[1] ?? []);
/** Since when the shop was asked for changed orders. */
const since = () => there.calls.flatMap(({ query }) => query.modified_after ?? []);

describe('a round', () => {
  test('is written at the shop, wakes the job that reads, and is shown', async () => {
    await world.db.updateTable('tiendas').set({ sondeo_error: 'x', rescatados: 2 }).execute();
    there.put(wooOrder());
    const { jobs, topics } = await shop.wakes(shop.ask);
    expect([jobs.includes('tienda'), topics.includes('tienda')]).toEqual([true, true]);
    expect(await shopNow()).toMatchObject({ sondeo_at: expect.any(String), sondeo_error: null, rescatados: 3, webhook_apagado: false });
    expect(await shopNow(other)).toMatchObject({ sondeo_at: null, sondeo_error: 'x', rescatados: 2 });
    expect(await sentences()).toEqual(['La tienda «Propia» no había enviado 1 pedido: ya están aquí']);
  });

  test('is not made while shops are off, nor of a kind that is not asked', async () => {
    await world.db.updateTable('tiendas').set({ conector: 'plano' }).execute();
    await shop.ask();
    await world.db.updateTable('tiendas').set({ conector: 'woo' }).execute();
    await shop.settings({ storeActive: false });
    await shop.ask();
    expect([there.calls, await shopNow()]).toMatchObject([[], { sondeo_at: null, sondeo_error: null }]);
  });

  test('tells orders that were not sent, once an hour', async () => {
    const counts: number[] = [];
    for (const [n, seconds] of [0, 3570, 3630].entries()) {
      await sql`UPDATE topes SET desde = now() - ${seconds} * interval '1 second'`.execute(world.db);
      for (const id of [10 * n + 1, 10 * n + 2]) there.put(wooOrder({ id, number: `${id}` }));
      await shop.ask();
      counts.push((await sentences()).length);
    }
    await shop.ask();
    expect([counts, await sentences(), (await shopNow()).rescatados]).toEqual([
      [1, 1, 2],
      Array(2).fill('La tienda «Propia» no había enviado 2 pedidos: ya están aquí'),
      6,
    ]);
  });

  test('tells webhooks that the shop has switched off, each time that it did', async () => {
    const hook = (status: string) => there.hooks([{ id: 5, status, delivery_url: 'https://x.es/api/tienda/1' }]);
    const counts: unknown[] = [];
    for (const status of ['active', 'disabled', 'disabled', 'active', 'disabled']) {
      hook(status);
      await shop.ask();
      counts.push([(await shopNow()).webhook_apagado, (await sentences()).length]);
    }
    expect(counts).toEqual([
      [false, 0],
      [true, 1],
      [true, 1],
      [false, 1],
      [true, 2],
    ]);
    expect((await sentences())[0]).toMatch(/^La tienda «Propia» ha apagado su webhook: /);
  });

  test('without an answer is shown with its reason, and told once a day', async () => {
    there.breaks(500);
    const counts: number[] = [];
    for (const seconds of [0, 86_370, 86_430]) {
      await sql`UPDATE topes SET desde = now() - ${seconds} * interval '1 second'`.execute(world.db);
      const { topics } = await shop.wakes(shop.ask);
      counts.push((await sentences()).length);
      expect(topics).toContain('tienda');
    }
    expect([counts, (await sentences())[0]]).toEqual([
      [1, 1, 2],
      'No se puede preguntar a la tienda «Propia»: La tienda ha respondido 500',
    ]);
    expect([(await shopNow()).sondeo_error, (await shopNow(other)).sondeo_error]).toEqual(['La tienda ha respondido 500', null]);
  });
});

describe('orders of which the shop is asked', () => {
  test.each<[string, object, object | undefined, boolean]>([
    ['that wait', {}, undefined, true],
    ['that wait, in an unknown state', { situacion: null }, undefined, true],
    ['that are discarded', { estado: 'ignorado' }, undefined, false],
    ['that are not read yet', { estado: 'recibido' }, undefined, false],
    ['that are open here', { estado: 'creado' }, { estado: 'pendiente' }, true],
    ['that are on the road', { estado: 'creado' }, { estado: 'en_ruta' }, true],
    ['that are delivered', { estado: 'creado' }, { estado: 'completado' }, false],
    ['that are cancelled', { estado: 'creado' }, { estado: 'cancelado' }, false],
    ['that are deleted here', { estado: 'creado' }, { deleted_at: '2026-11-20T10:00:00Z' }, false],
    ['that are deleted there', { situacion: 'borrado' }, undefined, false],
    ['that a message calls deleted', { pregunta: 'borrado', estado: 'recibido' }, { estado: 'completado' }, true],
    ['that a message calls restored', { pregunta: 'recuperado', situacion: 'borrado', estado: 'ignorado' }, undefined, true],
    ['of another shop', { tienda_id: 'other' }, undefined, false],
  ])('are those %s: %s', async (_, more, pedido, isAsked) => {
    const pedido_id = pedido ? (await world.pedido(pedido)).id : null;
    await hold('7', { ...more, pedido_id, ...('tienda_id' in more && { tienda_id: other }) });
    await hold('8', { pregunta: 'reembolsos', tienda_id: other });
    await shop.ask();
    expect(asked()).toEqual(isAsked ? ['7'] : []);
    const [row, kept] = await rows();
    expect([row?.situacion === 'borrado' && row.estado !== 'por_revisar', row?.pregunta, kept?.pregunta]).toEqual([
      isAsked || ('situacion' in more && more.situacion === 'borrado' && false),
      null,
      'reembolsos',
    ]);
  });

  test('are asked for by fifty, those with a question first', async () => {
    for (let n = 1; n <= 51; n += 1) await hold(`${n}`, n === 51 ? { pregunta: 'recuperado', recibido_at: '2026-11-21T10:00:00Z' } : {});
    await shop.ask();
    const lists = there.calls.filter(({ path }) => path === 'orders').flatMap(({ query }) => query.include?.split(',').length ?? []);
    expect([asked().length, asked()[0], lists]).toEqual([51, '51', [50, 50, 1, 1]]);
  });

  test('change as the shop has them', async () => {
    for (const id of ['1', '2', '3']) await hold(id, { estado: 'por_revisar', modificado_at: '2026-11-20T09:00:00Z' });
    const old = { date_modified_gmt: '2026-11-20T09:13:02' };
    there.put(wooOrder({ id: 1, status: 'cancelled', ...old }));
    there.put({ ...wooOrder({ id: 2, ...old }), total: 'doce' });
    await world.db.updateTable('tiendas').set({ sondeo_hasta: '2026-11-22T10:00:00Z' }).execute();
    await shop.ask();
    expect((await rows()).map(({ estado, situacion }) => [estado, situacion])).toEqual([
      ['recibido', 'cancelado'],
      ['por_revisar', 'pagado'],
      ['recibido', 'borrado'],
    ]);
  });
});

describe('refunds of which the shop is asked', () => {
  test('come with their goods, the oldest fifty at once', async () => {
    for (let n = 1; n <= 51; n += 1)
      await hold(`${n}`, { pregunta: 'reembolsos', estado: 'recibido', updated_at: `2026-11-20T10:00:${n % 60}Z`, situacion: 'borrado' });
    there.put(wooOrder({ id: 1, refunds: [{ amount: '44.00', line_items: [{ name: 'Miel', quantity: -2 }] }] }));
    await world.db.updateTable('tiendas').set({ sondeo_hasta: '2026-11-22T10:00:00Z' }).execute();
    await hold('99', { pregunta: 'reembolsos', tienda_id: other });
    await shop.ask();
    const found = await rows();
    const refunds = (id: string) =>
      (found.find(({ externo_id }) => externo_id === id)?.contenido as unknown as WebOrder | undefined)?.devoluciones;
    expect([refunds('1'), refunds('2')]).toEqual([[{ cents: 4400, de: '2 × Miel' }], undefined]);
    expect(found.filter(({ pregunta }) => pregunta).map(({ externo_id }) => externo_id)).toEqual(['51', '99']);
  });
});

describe('orders that have changed', () => {
  const CREATED = '2026-11-19T09:50:00';
  test.each<[string, object, string[], string]>([
    ['the day before the shop was connected', {}, [], CREATED],
    ['its last known change', {}, ['2026-11-21T10:00:00Z', '2026-11-20T10:00:00Z'], '2026-11-21T09:50:00'],
    ['the round before', { sondeo_hasta: '2026-11-22T10:00:00Z' }, ['2026-11-21T10:00:00Z'], '2026-11-22T09:50:00'],
  ])('are asked for since ten minutes before %s', async (_, fields, known, from) => {
    await world.db
      .updateTable('tiendas')
      .set({ conector: 'woo', ...fields })
      .execute();
    for (const [n, modificado_at] of known.entries()) await hold(`${n}`, { modificado_at, estado: 'ignorado' });
    await hold('9', { tienda_id: other, modificado_at: '2026-11-23T10:00:00Z' });
    await shop.ask();
    expect(since()).toEqual([from]);
    expect(new Date((await shopNow()).sondeo_hasta ?? '').getTime() - Date.parse(`${from}Z`)).toBe(600_000);
    expect((await shopNow(other)).sondeo_hasta).not.toBe((await shopNow()).sondeo_hasta === null);
  });

  test('are asked for since now at the latest', async () => {
    await world.db.updateTable('tiendas').set({ sondeo_hasta: '2100-01-01T00:00:00Z' }).execute();
    await shop.ask();
    expect(Math.abs(Date.parse(`${since()[0]}Z`) - (Date.now() - 600_000))).toBeLessThan(60_000);
  });

  test('move the time up to which the shop is known', async () => {
    await world.db.updateTable('tiendas').set({ sondeo_hasta: '2026-11-20T09:00:00Z' }).execute();
    there.put(wooOrder({ id: 1, date_modified_gmt: '2026-11-20T10:00:00' }));
    there.put(wooOrder({ id: 2, date_modified_gmt: '2026-11-20T08:55:00' }));
    await shop.ask();
    expect((await shopNow()).sondeo_hasta).toContain('2026-11-20T10:00:00');
    there.put(wooOrder({ id: 3, date_modified_gmt: new Date(Date.now() + 3_600_000).toISOString().slice(0, 19) }));
    await shop.ask();
    expect(Date.parse((await shopNow()).sondeo_hasta ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('are new only if no message had come, and wait there for nothing', async () => {
    await hold('1', { modificado_at: '2026-11-20T09:00:00Z', estado: 'ignorado' });
    await hold('2', { tienda_id: other, estado: 'ignorado' });
    const at = { date_modified_gmt: '2026-11-20T10:00:00' };
    there.put(wooOrder({ id: 1, ...at, line_items: [wooLine({ quantity: 2 })] }));
    there.put(wooOrder({ id: 2, ...at }));
    there.put(wooOrder({ id: 3, ...at, status: 'pending' }));
    there.put({ ...wooOrder({ id: 4, ...at }), total: 'doce' });
    there.put(wooOrder({ id: 5, ...at, status: 'trash', total: '0', line_items: [] }));
    await world.db.updateTable('tiendas').set({ sondeo_hasta: '2026-11-20T09:30:00Z' }).execute();
    await shop.ask();
    expect((await rows()).map(({ externo_id, estado }) => `${externo_id} ${estado}`)).toEqual(['1 recibido', '2 ignorado', '2 recibido']);
    expect((await shopNow()).rescatados).toBe(1);
    const messages = world.db.selectFrom('tienda_mensajes').select(['tema', 'resultado', 'contenido']);
    expect(await messages.execute()).toEqual([{ tema: 'sondeo', resultado: 'ilegible', contenido: expect.stringContaining('doce') }]);
  });

  test('that only wait for their payment are followed if they are known', async () => {
    await hold('3', { estado: 'ignorado', modificado_at: '2026-11-20T09:00:00Z' });
    there.put(wooOrder({ id: 3, status: 'pending', date_modified_gmt: '2026-11-20T10:00:00' }));
    await world.db.updateTable('tiendas').set({ sondeo_hasta: '2026-11-20T09:30:00Z' }).execute();
    await shop.ask();
    expect(await rows()).toMatchObject([{ estado: 'recibido', situacion: 'espera' }]);
  });
});
