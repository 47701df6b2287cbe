import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listDevoluciones, pedirResto } from '../../../contract/devoluciones/devoluciones.ts';
import { importPedidos } from '../../../contract/pedidos/import.ts';
import {
  assignTransportista,
  createPedido,
  deletePedido,
  duplicatePedido,
  getPedido,
  type Pedido,
  restorePedido,
  setEstado,
  setLineas,
  updatePedido,
} from '../../../contract/pedidos/pedidos.ts';
import { listProducts, updateProduct } from '../../../contract/products/products.ts';
import { getUser } from '../../../contract/session/session.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { listEvents } from '../../../contract/webhooks/events.ts';
import { settled } from '../../../test/settled.ts';
import { vatShop } from '../../../test/vat.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

let world: World;
let admin: Person;
let pack: Awaited<ReturnType<World['pack']>>;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ admin, pack } = await vatShop(world));
});

const use = (iva: boolean) => admin.call(updateSettings, { body: { iva } });
const ADDRESS = { cliente_nombre: 'Ana Ruiz', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013' };
const make = async (more: object, who = admin) => {
  const { status, body } = await who.call(createPedido, { body: { ...ADDRESS, ...more } });
  expect(status, JSON.stringify(body)).toBe(201);
  return read(body.data.id, who);
};
const read = async (id: string, who = admin) => (await who.call(getPedido, { params: { id } })).body.data as Pedido;
const rates = ({ lineas = [] }: Pedido) => lineas.map(({ iva }) => iva);
const setRate = (iva: '21' | '4' | null, product_id = pack.product_id) =>
  admin.call(updateProduct, { params: { id: product_id }, body: { iva } });
const lines = (pedido: Pedido, lineas: object[], who = admin) =>
  who.call(setLineas, { params: { id: pedido.id }, body: { lineas: lineas as never } });

describe('an order', () => {
  it('an order shows base and VAT by rate, which add up to its total', async () => {
    const bread = await world.pack({ product_id: (await world.product({ iva: '4' })).id, pack_price_cents: 3120 });
    const lineas = [{ pack_id: pack.id, cantidad: 2 }, { pack_id: bread.id }];
    const order = await make({ lineas, envio: 5, descuento: 1.7 });
    expect(rates(order)).toEqual(['10', '4']);
    expect(order.iva).toEqual([
      { tipo: '10', base: 21.24, cuota: 2.12, total: 23.36 },
      { tipo: '4', base: 31.87, cuota: 1.27, total: 33.14 },
    ]);
    expect(order.precio_total).toBe(56.5);
  });

  it('an order shows no VAT while the shop does not use VAT', async () => {
    await use(false);
    const order = await make({ pack_id: pack.id });
    expect(order).not.toHaveProperty('iva');
    expect(order.lineas?.[0]).not.toHaveProperty('iva');
    expect((await admin.call(listProducts)).body.data[0]).not.toHaveProperty('iva');
    expect((await admin.call(getUser)).body.user).not.toHaveProperty('iva');
    // The line keeps its rate, although the answer hides the rate.
    await use(true);
    expect(rates(await read(order.id))).toEqual(['10']);
  });

  it('an order to the Canary Islands is an exempt export until the address changes', async () => {
    const order = await make({ pack_id: pack.id, cliente_codigo_postal: '35001' });
    expect(order.iva).toEqual([{ tipo: 'exportacion', base: 11, cuota: 0, total: 11 }]);
    await admin.call(updatePedido, { params: { id: order.id }, body: ADDRESS });
    expect((await read(order.id)).iva).toEqual([{ tipo: '10', base: 10, cuota: 1, total: 11 }]);
  });

  it('an order includes its VAT in events only for programs that see prices', async () => {
    const whole = ['evento:read', 'pedido:read'];
    const [with_prices, without] = [await world.program([...whole, 'pedido:prices']), await world.program(whole)];
    await make({ pack_id: pack.id });
    await settled(world.db);
    const events = async (who: Pick<Person, 'call'>) => (await who.call(listEvents, { query: {} })).body.data;
    expect(await events(with_prices)).toMatchObject([
      { data: { pedido: { iva: [{ tipo: '10', base: 10, cuota: 1 }], lineas: [{ iva: '10' }] } } },
    ]);
    expect(JSON.stringify(await events(without))).not.toContain('"iva"');
  });

  it('an order shows its VAT to its reseller, and never to a carrier', async () => {
    const reseller = await world.as('revendedor');
    const carrier = await world.as('transportista');
    const order = await make({ pack_id: pack.id, revendedor_id: reseller.user.id });
    expect((await read(order.id, reseller)).iva).toHaveLength(1);
    await admin.call(assignTransportista, { params: { id: order.id }, body: { transportista_id: carrier.user.id } });
    expect((await carrier.call(getPedido, { params: { id: order.id } })).text).not.toContain('iva');
    expect([(await carrier.call(getUser)).body.user.iva, (await reseller.call(getUser)).body.user.iva]).toEqual([undefined, true]);
  });
});

describe('a line', () => {
  it('a line keeps its rate when its product changes, while copies and added units get today’s rate', async () => {
    const order = await make({ pack_id: pack.id });
    await setRate('21');
    expect(rates(await read(order.id))).toEqual(['10']);
    const copy = (await admin.call(duplicatePedido, { params: { id: order.id } })).body.data;
    expect(rates(await read(copy.id))).toEqual(['21']);
    const { body } = await lines(order, [{ numero: 1, cantidad: 3 }]);
    expect(body.data.lineas?.map(({ cantidad, iva }) => [cantidad, iva])).toEqual([
      [1, '10'],
      [2, '21'],
    ]);
    await admin.call(deletePedido, { params: { id: copy.id } });
    await admin.call(restorePedido, { params: { id: copy.id } });
    expect(rates(await read(copy.id))).toEqual(['21']);
  });

  it('a line without a rate gets its product’s rate when its quantity grows', async () => {
    await setRate(null);
    const order = await make({ pack_id: pack.id });
    expect([rates(order), order.iva?.[0]?.tipo]).toEqual([[null], 'sin_tipo']);
    await setRate('4');
    expect(rates((await lines(order, [{ numero: 1, cantidad: 1 }])).body.data)).toEqual([null]);
    expect(rates((await lines(order, [{ numero: 1, cantidad: 2 }])).body.data)).toEqual(['4']);
  });

  it('a line without a pack has the rate given by the superadmin, and keeps the rate', async () => {
    const custom = { producto: 'Cesta', precio_unitario: 12.1 };
    const order = await make({ lineas: [{ ...custom, iva: '21' }, { pack_id: pack.id }] });
    expect(rates(order)).toEqual(['21', '10']);
    // Older forms send a line without its rate.
    const kept = await lines(order, [{ numero: 1, ...custom, cantidad: 1 }, { numero: 2 }]);
    expect(rates(kept.body.data)).toEqual(['21', '10']);
    const changed = await lines(order, [{ numero: 1, ...custom, cantidad: 1, iva: null }, { numero: 2 }]);
    expect(rates(changed.body.data)).toEqual([null, '10']);
    const answer = await lines(order, [{ numero: 1, iva: '4' }, { numero: 2 }]);
    expect(rates(answer.body.data)).toEqual(['4', '10']);
    const copy = (await admin.call(duplicatePedido, { params: { id: order.id } })).body.data;
    expect(rates(await read(copy.id))).toEqual(['4', '10']);
  });

  it('a line of a pack accepts only its product’s rate, from any caller', async () => {
    const reseller = await world.as('revendedor');
    for (const who of [admin, reseller, await world.program(['pedido:create', 'pedido:read', 'pedido:prices'])]) {
      const body = { ...ADDRESS, lineas: [{ pack_id: pack.id, iva: '4' as const }] };
      const { status, body: answer } = await who.call(createPedido, { body });
      expect([status, answer.errors]).toEqual([422, { 'lineas.0.iva': ['El tipo de IVA de un pack es el de su producto'] }]);
    }
    const custom = await make({
      lineas: [{ producto: 'Cesta', precio_unitario: 5, iva: '21' }],
      estado: 'pendiente_pago',
      revendedor_id: reseller.user.id,
    });
    expect((await lines(custom, [{ numero: 1, iva: '4' }], reseller)).status).toBe(422);
    expect(rates(await read(custom.id))).toEqual(['21']);
  });

  it('a line of an imported sheet has its product’s rate', async () => {
    await admin.call(importPedidos, {
      body: {
        filas: [
          { ...ADDRESS, pack_id: pack.id },
          { ...ADDRESS, lineas: [{ pack_id: pack.id }] },
        ],
      },
    });
    const stored = await world.db.selectFrom('pedidos_lineas').select('iva').execute();
    expect(stored.map(({ iva }) => iva)).toEqual(['10', '10']);
  });

  it('a line of undelivered goods keeps its rate in the order for the rest', async () => {
    await admin.call(updateSettings, { body: { partialDeliveries: true } });
    const order = await make({ pack_id: pack.id, cantidad: 3 });
    await setRate('21');
    const no_entregado = [{ numero: 1, cantidad: 1, motivo: 'falta' as const }];
    const params = { id: order.id };
    await admin.call(setEstado, { params, body: { estado: 'completado', metodo_entrega: 'manual', no_entregado } });
    const left = (await admin.call(listDevoluciones, { params })).body.data[0]?.id ?? '';
    const rest = (await admin.call(pedirResto, { params: { id: left } })).body.data;
    expect((await read(rest.id)).iva).toEqual([{ tipo: '10', base: 10, cuota: 1, total: 11 }]);
  });
});
