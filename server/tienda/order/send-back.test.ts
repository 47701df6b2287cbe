import { beforeEach, describe, expect, test } from 'vitest';
import { shop, there, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { wooOrder } from '../../../test/woo.ts';
import { encrypt } from '../../kit/secrets.ts';
import { queueForShops } from './send-back.ts';

/* Which orders are told to their shop, and what the shop leaves unchanged. */

tiendaForEachTest();

let own: string;
beforeEach(async () => {
  const keys = { url: there.url, clave: 'ck', clave_secreta: encrypt(world.config.secretKey, 'cs') };
  const row = { conector: 'woo', nombre: 'Propia', ...keys };
  own = (await world.db.insertInto('tiendas').values(row).returning('id').executeTakeFirstOrThrow()).id;
  there.put(wooOrder());
});
const made = async (pedido: object, more: object = {}) => {
  const { id: pedido_id } = await world.pedido(pedido);
  const row = { tienda_id: own, externo_id: '7271', numero: 'W-1', modificado_at: '2026-11-20T10:00:00Z', estado: 'creado' as const };
  const values = { ...row, situacion: 'pagado' as const, pedido_id, ...more };
  return { ...(await world.db.insertInto('tienda_pedidos').values(values).returning('id').executeTakeFirstOrThrow()), pedido_id };
};
const send = () => queueForShops(world.db, world.config);
const written = () => there.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const rowOf = (id: string) => world.db.selectFrom('tienda_pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('an order is told to its shop', () => {
  test.each<[string, object, object, boolean]>([
    ['once it is on the road', { estado: 'en_ruta' }, {}, true],
    ['not before a carrier has it', { estado: 'pendiente' }, {}, false],
    ['again if it is taken back', { estado: 'pendiente' }, { dicho: 'en_ruta ' }, true],
    [
      'with its tracking number',
      { estado: 'completado', numero_seguimiento: 'PQ1', metodo_entrega: 'correos' },
      { dicho: 'completado ' },
      true,
    ],
    ['not twice', { estado: 'en_ruta' }, { dicho: 'en_ruta ' }, false],
    ['not while a message waits', { estado: 'en_ruta' }, { estado: 'por_revisar' }, false],
  ])('%s', async (_, pedido, more, isTold) => {
    const { id } = await made(pedido, more);
    for (const _ of [1, 2]) await send();
    expect(written()).toEqual(isTold ? ['POST orders/7271/notes', 'PUT orders/7271'] : []);
    if (isTold) expect((await rowOf(id)).dicho).toMatch(/^(en_ruta |pendiente |completado PQ1)$/);
  });

  test('not while shops are off, without keys, or of another kind', async () => {
    await made({ estado: 'en_ruta' });
    await shop.settings({ storeActive: false });
    await send();
    await shop.settings({ storeActive: true });
    await world.db.updateTable('tiendas').set({ clave: null }).execute();
    await send();
    expect(there.calls).toEqual([]);
    await world.db.updateTable('tiendas').set({ clave: 'ck', conector: 'plano' }).execute();
    await send();
    expect(there.calls).toEqual([]);
  });

  test('not if its shop has lost its keys since', async () => {
    await made({ estado: 'en_ruta' });
    there.breaks(500);
    await send();
    there.breaks(0);
    await world.db.updateTable('tiendas').set({ clave: null }).execute();
    await world.db.updateTable('outbox').set({ due_at: '2026-01-01T00:00:00Z' }).execute();
    await send();
    expect([written(), await world.db.selectFrom('outbox').select('error').where('failed_at', 'is not', null).execute()]).toEqual([[], []]);
  });

  test.each<[string, string, string, string | undefined]>([
    ['delivered', 'completado', 'pagado', 'completed'],
    ['cancelled', 'cancelado', 'pagado', 'cancelled'],
    ['on the road', 'en_ruta', 'pagado', undefined],
    ['delivered, and finished there', 'completado', 'terminado', undefined],
    ['delivered, and unpaid there', 'completado', 'espera', undefined],
    ['delivered, and to be paid there', 'completado', 'por_pagar', 'completed'],
    ['cancelled on both sides', 'cancelado', 'cancelado', undefined],
  ])('with a state of the shop only where there is one: %s', async (_, estado, situacion, status) => {
    await made({ estado }, { situacion });
    await send();
    expect(there.calls.find(({ method }) => method === 'PUT')?.body.status).toBe(status);
  });
});

describe('what the shop leaves unchanged', () => {
  const sentences = () =>
    world.db.selectFrom('notifications').select(['texto', 'pedido_id']).where('tipo', '=', 'tienda_por_revisar').execute();
  test.each(['cancelado', 'reembolsado', 'borrado'])('is told of a delivered order that is %s there, once', async (situacion) => {
    const { id, pedido_id } = await made({ estado: 'completado' }, { situacion, aviso: 'Algo' });
    const other = await made({ estado: 'pendiente' }, { externo_id: '8' });
    const { topics } = await shop.wakes(send);
    const sentence = `Se ha entregado y en la tienda está ${situacion}: no se ha cambiado`;
    expect([topics.includes('tienda'), (await rowOf(id)).aviso, (await rowOf(other.id)).aviso]).toEqual([true, `Algo. ${sentence}`, null]);
    await world.db.updateTable('tienda_pedidos').set({ dicho: 'x' }).where('id', '=', id).execute();
    await send();
    expect([(await rowOf(id)).aviso, await sentences()]).toEqual([
      `Algo. ${sentence}`,
      [{ texto: `Pedido W-1 de la tienda: ${sentence}`, pedido_id }],
    ]);
  });

  test('is told with the changes that wait', async () => {
    const waits = 'En la tienda ha cambiado el NIF';
    const { id } = await made({ estado: 'completado' }, { situacion: 'cancelado', cambios: ['nif'], aviso: waits });
    await send();
    expect((await rowOf(id)).aviso).toBe(`Se ha entregado y en la tienda está cancelado: no se ha cambiado. ${waits}`);
  });

  test.each(['pagado', 'terminado'])('is nothing of an order that is %s there', async (situacion) => {
    const { id } = await made({ estado: 'completado' }, { situacion });
    await send();
    expect([(await rowOf(id)).aviso, await sentences()]).toEqual([null, []]);
  });

  test('is nothing of an order on the road, whatever the shop says', async () => {
    const { id } = await made({ estado: 'en_ruta' }, { situacion: 'cancelado' });
    await send();
    expect((await rowOf(id)).aviso).toBeNull();
  });
});

describe('money that was given back here', () => {
  const pay = (pedido_id: string, tienda_pedido_id: string, more: object) =>
    world.db
      .insertInto('pagos')
      .values({
        pedido_id,
        tienda_pedido_id,
        proveedor: 'bizum',
        referencia: `r${Math.random()}`,
        importe_cents: 1000,
        ...more,
      } as never)
      .execute();
  test.each<[string, object[], number, string | undefined]>([
    ['a part', [{ estado: 'devolucion_pendiente', devuelto_cents: 400 }], 0, '4.00'],
    ['all', [{ estado: 'devuelto', devuelto_cents: 0 }], 0, '10.00'],
    ['none of an annulled payment', [{ estado: 'anulado', devuelto_cents: 0 }], 0, undefined],
    ['what the shop knows in part', [{ estado: 'devuelto', devuelto_cents: 0 }], 400, '10.00'],
    ['what the shop knows', [{ estado: 'devuelto', devuelto_cents: 0 }], 1000, undefined],
  ])('is told to the shop: %s', async (_, payments, known, amount) => {
    const { id, pedido_id } = await made({ estado: 'pendiente', precio_total_cents: 1000 });
    for (const payment of payments) await pay(pedido_id, id, payment);
    if (known) {
      await world.db.insertInto('reembolsos').values({ pedido_id, importe_cents: known, tienda_pedido_id: id }).execute();
      there.put(wooOrder({ refunds: [] }));
    }
    for (const _ of [1, 2]) await send();
    const refunds = there.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/refunds')).map(({ body }) => body.amount);
    expect(refunds).toEqual(amount ? [amount] : []);
    const rows = await world.db.selectFrom('reembolsos').select(['importe_cents', 'externo_id']).orderBy('created_at').execute();
    expect(rows.reduce((sum, { importe_cents }) => sum + importe_cents, 0)).toBe(amount ? Number(amount) * 100 : known);
    expect(rows.some(({ externo_id }) => externo_id === '900')).toBe(!!amount);
  });
});
