import { beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { getHistorial, listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import { balance } from '../../../test/ledger.ts';
import { admin, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import { type Tx, transact } from '../../db/open.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';
import * as orders from './agreed.ts';

/* Orders at prices that were agreed elsewhere. */

worldForEachTest();

let pack: Awaited<ReturnType<typeof world.pack>>;
beforeEach(async () => {
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ iva: true, ivaDesde: '2026-01-01', cashOnDelivery: true, shippingPeninsula: 5 }) as never })
    .execute();
  pack = await world.pack({ product_id: (await world.product({ name: 'Miel', iva: '10' })).id, pack_quantity: 2, pack_price_cents: 1100 });
});

const ADDRESS = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013', cliente_pais: 'España' };
type Create = Parameters<typeof orders.createAgreed>;
const create = (agreed: Create[3], terms: Create[4] = {}, more: object = {}) =>
  transact(world.db, (tx) =>
    orders.createAgreed(
      tx,
      admin.user,
      { ...ADDRESS, envio: 0, lineas: agreed.map(() => ({ pack_id: pack.id, cantidad: 3 })), ...more } as Create[2],
      agreed,
      terms,
    ),
  );
const within = <T>(id: string, work: (tx: Tx, row: PedidoRow) => Promise<T>): Promise<T> =>
  transact(world.db, async (tx) => work(tx, await lockPedido(tx, SISTEMA, id)));
const lines = (id: string) =>
  world.db
    .selectFrom('pedidos_lineas')
    .select(['producto', 'cantidad', 'precio_unitario_cents', 'precio_total_cents', 'iva'])
    .where('pedido_id', '=', id)
    .orderBy('numero')
    .execute();
const stored = (id: string) => world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const steps = async (id: string) =>
  (await admin.call(getHistorial, { params: { id } })).body.data.map(({ accion, nota }) => [
    accion,
    nota?.replaceAll('\u00a0', ' ') ?? null,
  ]);
const stock = async () => (await balance(world.db, pack.product_id)).stock;

describe('an order at agreed prices', () => {
  it('has the agreed totals, the customer’s choices in its texts, and its own VAT unless told', async () => {
    const { id, iva_aviso } = await create([{ cents: 1000 }, { cents: 1600, texto: 'Grabado: Ana' }]);
    const [first, second] = await lines(id);
    expect(first).toMatchObject({ cantidad: 3, precio_unitario_cents: 333, precio_total_cents: 1000, iva: '10' });
    expect(second).toMatchObject({ precio_unitario_cents: 533, precio_total_cents: 1600, iva: '10' });
    expect(second?.producto).toBe(`${first?.producto} · Grabado: Ana`);
    expect(await stored(id)).toMatchObject({ precio_total_cents: 2600, iva_cobrado: null, recoge_at: null, tienda: null });
    expect([iva_aviso, await steps(id), await stock()]).toEqual([undefined, [['Pedido creado', null]], 1000 - 12]);
  });

  it('keeps its shop, when it is collected, and texts of two hundred characters', async () => {
    const recoge_at = '2026-05-01T10:00:00.000Z';
    const { id } = await create(
      [{ cents: 1000, texto: 'x'.repeat(300) }],
      { recoge_at, tienda: 'Miel de Ana' },
      { revendedor_id: reseller.user.id },
    );
    const row = await stored(id);
    expect([row.tienda, new Date(String(row.recoge_at)).toISOString(), row.revendedor_id]).toEqual([
      'Miel de Ana',
      recoge_at,
      reseller.user.id,
    ]);
    expect((await lines(id))[0]?.producto).toHaveLength(200);
  });
});

describe('goods and prices that a shop has changed', () => {
  type Replacing = Parameters<typeof orders.replaceAgreed>[3];
  const replace = (id: string, more: Partial<Replacing> = {}) =>
    within(id, (tx, row) =>
      orders.replaceAgreed(tx, SISTEMA, row, {
        lineas: [{ pack_id: pack.id, cantidad: 1, producto: null }],
        agreed: [{ cents: 900, texto: 'Roja' }],
        amounts: { envio_cents: 100, descuento_cents: 50 },
        nota: 'Cambiado en la tienda',
        ...more,
      }),
    );

  it('replace those of the order, and move its stock', async () => {
    const { id } = await create([{ cents: 3000 }]);
    const other = await create([{ cents: 3000 }]);
    expect(await stock()).toBe(988);
    await replace(id);
    expect(await stock()).toBe(992);
    expect(await lines(id)).toMatchObject([
      { cantidad: 1, precio_total_cents: 900, producto: expect.stringMatching(/ · Roja$/), iva: '10' },
    ]);
    expect(await lines(other.id)).toMatchObject([{ cantidad: 3, precio_total_cents: 3000 }]);
    expect(await stored(id)).toMatchObject({
      precio_total_cents: 950,
      envio_cents: 100,
      descuento_cents: 50,
      envio_fijado: true,
      iva_cobrado: null,
    });
    expect((await steps(id))[0]).toEqual(['Líneas cambiadas', 'Cambiado en la tienda']);
    expect((await admin.call(listPedidos, { query: { search: 'roja' } })).body.data.map((order) => order.id)).toEqual([id]);
    await replace(id, { lineas: [{ pack_id: pack.id, cantidad: 4, producto: null }] });
    const moves = await world.db
      .selectFrom('stock_movements')
      .select(['unidades', 'motivo'])
      .where('pedido_id', '=', id)
      .orderBy('created_at')
      .execute();
    expect(moves).toEqual([
      { unidades: -6, motivo: 'pedido' },
      { unidades: 4, motivo: 'devolucion' },
      { unidades: -6, motivo: 'pedido' },
    ]);
  });

  it('release an order that is paid by now, and owe what is paid too much', async () => {
    const { id } = await create([{ cents: 3000 }], {}, { estado: 'pendiente_pago' });
    await world.db
      .insertInto('pagos')
      .values({ pedido_id: id, proveedor: 'bizum', referencia: '', importe_cents: 1000, estado: 'pagado' })
      .execute();
    expect((await replace(id)).estado).toBe('pendiente');
    const due = (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'devolucion_pendiente');
    expect(due).toHaveLength(1);
  });

  it('stay below the limit of cash, if the order is paid on delivery', async () => {
    const { id } = await create([{ cents: 3000 }], {}, { contra_reembolso: true });
    const amounts = { envio_cents: 0, descuento_cents: 0 };
    await expect(replace(id, { agreed: [{ cents: 100_000 }], amounts })).rejects.toMatchObject({
      status: 422,
      body: { errors: { lineas: expect.anything() } },
    });
    expect((await replace(id, { agreed: [{ cents: 99_999 }], amounts })).precio_total_cents).toBe(99_999);
    const paid = await create([{ cents: 3000 }]);
    expect((await replace(paid.id, { agreed: [{ cents: 100_000 }], amounts })).precio_total_cents).toBe(100_000);
  });
});

describe('a refund made elsewhere', () => {
  const discount = (id: string, cents: number) => within(id, (tx, row) => orders.discountRefund(tx, SISTEMA, row, cents));

  it.each([
    [400, 2600, 400, '4,00 €'],
    [3000, 0, 3000, '30,00 €'],
    [3500, 0, 3000, '30,00 €'],
  ])('of %i cents leaves a total of %i', async (cents, total, descuento, words) => {
    const { id } = await create([{ cents: 3000 }]);
    const { precio_total_cents, descuento_cents } = await discount(id, cents);
    expect([precio_total_cents, descuento_cents]).toEqual([total, descuento]);
    expect((await steps(id))[0]).toEqual(['Descuento por reembolso', `Reembolsado en la tienda: ${words}`]);
  });

  it.each([0, -1])('of %i cents changes nothing', async (cents) => {
    const { id, version } = await create([{ cents: 3000 }]);
    expect((await discount(id, cents)).version).toBe(version);
    expect(await steps(id)).toHaveLength(1);
  });
});

it('a web shop that is renamed gives its orders its name', async () => {
  const make = async (externo_id: string) => {
    const { id } = await create([{ cents: 1000 }], { tienda: 'Antes' });
    const tienda = await world.db
      .insertInto('tiendas')
      .values({ conector: 'woo', nombre: 'Antes', origen: `https://${externo_id}.test` })
      .returning('id')
      .executeTakeFirstOrThrow();
    await world.db
      .insertInto('tienda_pedidos')
      .values({ tienda_id: tienda.id, externo_id, numero: externo_id, modificado_at: new Date().toISOString(), pedido_id: id })
      .execute();
    return { id, tienda: tienda.id };
  };
  const [renamed, other, manual] = [await make('a'), await make('b'), await create([{ cents: 1000 }], { tienda: 'Antes' })];
  await transact(world.db, (tx) => orders.renameShop(tx, renamed.tienda, 'Después'));
  const names = await Promise.all([renamed, other, manual].map(async ({ id }) => (await stored(id)).tienda));
  expect(names).toEqual(['Después', 'Antes', 'Antes']);
});
