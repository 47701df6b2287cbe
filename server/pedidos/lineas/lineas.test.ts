import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anotarPago } from '../../../contract/payments/payments.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { balance } from '../../../test/ledger.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

let world: World;
let reseller: Person;
let admin: Person;
let carrier: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  reseller = await world.as('revendedor');
  admin = await world.as('superadmin');
  carrier = await world.as('transportista');
});

const customer = { cliente_nombre: 'Íñigo Muñoz', cliente_direccion: 'Calle Ávila 3' };

/** Creates a product with one pack of `units` units at `cents`; returns both ids. */
async function sold(name: string, { units = 1, cents = 1000, stock = 100 } = {}) {
  const product = await world.product({ name, stock, min_stock: 0 });
  const pack = await world.pack({ product_id: product.id, name: 'Caja', pack_quantity: units, pack_price_cents: cents });
  return { product: product.id, pack: pack.id };
}
const create = (body: object, who: Person = reseller) => who.call(api.createPedido, { body: { ...customer, ...body } });
const read = async (id: string, who: Person = admin) => (await who.call(api.getPedido, { params: { id } })).body.data;
const stockOf = async (product: string) => (await balance(world.db, product)).stock;

describe('an order of several lines', () => {
  it('an order of several lines summarises its lines in its own fields and takes the units from each product', async () => {
    const oil = await sold('Aceite', { units: 6, cents: 3050 });
    const honey = await sold('Miel', { cents: 799 });
    const { status, body } = await create({
      lineas: [{ pack_id: oil.pack, cantidad: 2 }, { pack_id: honey.pack, cantidad: 3 }, { pack_id: honey.pack }],
    });
    expect([status, body.message]).toEqual([201, 'Pedido creado correctamente']);
    expect(body.data).toMatchObject({
      producto: 'Aceite – Caja y 2 más',
      cantidad: 6,
      precio_total: 92.96,
      unidades_retenidas: 16,
      pack_id: null,
    });
    expect((await read(body.data.id, reseller)).lineas).toMatchObject([
      { numero: 1, producto: 'Aceite – Caja', cantidad: 2, precio_unitario: 30.5, precio_total: 61, unidades: 12, pack_id: oil.pack },
      { numero: 2, producto: 'Miel – Caja', cantidad: 3, precio_unitario: 7.99, precio_total: 23.97, unidades: 3 },
      { numero: 3, producto: 'Miel – Caja', cantidad: 1, precio_total: 7.99, unidades: 1 },
    ]);
    expect([await balance(world.db, oil.product), await balance(world.db, honey.product)]).toEqual([
      { stock: 88, ledger: 88 },
      { stock: 96, ledger: 96 },
    ]);
  });

  it('an order of several lines takes all its units from the stock or none', async () => {
    const oil = await sold('Aceite');
    const honey = await sold('Miel', { units: 6, stock: 20 });
    const { status, body } = await create({ lineas: [{ pack_id: oil.pack }, { pack_id: honey.pack, cantidad: 4 }] });
    expect([status, body.errors]).toEqual([422, { 'lineas.1.cantidad': ['Stock insuficiente de Miel: quedan 3 packs'] }]);
    expect([await stockOf(oil.product), await stockOf(honey.product)]).toEqual([100, 20]);
    expect((await admin.call(api.listPedidos)).body.total).toBe(0);
  });

  it('an order that asks for more than the stock of a product, in two lines, is refused', async () => {
    const oil = await sold('Aceite', { stock: 10 });
    const { status, body } = await create({
      lineas: [
        { pack_id: oil.pack, cantidad: 6 },
        { pack_id: oil.pack, cantidad: 5 },
      ],
    });
    expect([status, body.message]).toEqual([422, 'Stock insuficiente de Aceite: quedan 10 unidades']);
  });

  it('an order of several lines reports each error at the line concerned', async () => {
    const oil = await sold('Aceite');
    const withdrawn = await world.pack({ is_active: false });
    const errors = async (lineas: object[], more = {}) => (await create({ lineas, ...more })).body.errors;
    expect(await errors([{ pack_id: oil.pack }, { pack_id: withdrawn.id }])).toEqual({ 'lineas.1.pack_id': ['Selecciona un pack válido'] });
    expect(await errors([{ pack_id: oil.pack, cantidad: 0 }])).toHaveProperty(['lineas.0.cantidad']);
    expect(await errors([])).toEqual({ lineas: ['Añade al menos una línea'] });
    expect(await errors(Array.from({ length: 51 }, () => ({ pack_id: oil.pack })))).toEqual({
      lineas: ['Un pedido tiene como máximo 50 líneas'],
    });
    expect(await errors([{ pack_id: oil.pack }], { pack_id: oil.pack })).toEqual({ lineas: ['Envía las líneas o un solo pack, no ambos'] });
    expect(await errors([{ producto: 'Cesta', precio_total: 1 }])).toEqual({ 'lineas.0.pack_id': ['Selecciona un pack válido'] });
  });

  it('an order sent with `pack_id` and `cantidad` has one line', async () => {
    const oil = await sold('Aceite', { units: 2 });
    const { data } = (await create({ pack_id: oil.pack, cantidad: 3 })).body;
    expect(data).toMatchObject({ producto: 'Aceite – Caja', cantidad: 3, precio_unitario: 10, pack_id: oil.pack });
    expect((await read(data.id)).lineas).toMatchObject([{ numero: 1, cantidad: 3, unidades: 6, precio_total: 30 }]);
  });

  it('an order of several lines can have a superadmin’s lines with free text and price', async () => {
    const oil = await sold('Aceite');
    const { data } = (await create({ lineas: [{ pack_id: oil.pack }, { producto: 'Grabado', cantidad: 2, precio_unitario: 4.5 }] }, admin))
      .body;
    expect(data).toMatchObject({ precio_total: 19, unidades_retenidas: 1 });
    expect((await read(data.id)).lineas?.[1]).toMatchObject({ producto: 'Grabado', pack_id: null, precio_total: 9, unidades: 0 });
  });

  it('an order of several lines shows a carrier products and quantities, but no price', async () => {
    const [oil, honey] = [await sold('Aceite'), await sold('Miel')];
    const { id } = (await create({ lineas: [{ pack_id: oil.pack }, { pack_id: honey.pack, cantidad: 2 }] }, admin)).body.data;
    expect((await read(id, carrier)).lineas).toEqual([
      { numero: 1, producto: 'Aceite – Caja', cantidad: 1 },
      { numero: 2, producto: 'Miel – Caja', cantidad: 2 },
    ]);
  });

  it('an order of several lines is found by any of its products', async () => {
    const [oil, honey] = [await sold('Aceite'), await sold('Miel')];
    const { id } = (await create({ lineas: [{ pack_id: oil.pack }, { pack_id: honey.pack }] })).body.data;
    const found = async (search: string) => (await admin.call(api.listPedidos, { query: { search } })).body.data.map((row) => row.id);
    expect(await found('miel')).toEqual([id]);
    const { version } = await read(id);
    await reseller.call(api.setLineas, { params: { id }, body: { lineas: [{ numero: 1 }], version } });
    expect(await found('miel')).toEqual([]);
    expect(await found('aceite')).toEqual([id]);
  });

  it('a list of orders includes the lines of each order on request', async () => {
    const oil = await sold('Aceite');
    await create({ pack_id: oil.pack });
    const [plain] = (await admin.call(api.listPedidos)).body.data;
    const [whole] = (await admin.call(api.listPedidos, { query: { con: 'lineas' } })).body.data;
    expect([plain?.lineas, whole?.lineas?.length]).toEqual([undefined, 1]);
  });

  it('an order of several lines returns all units when cancelled or deleted, and takes them again when restored', async () => {
    const [oil, honey] = [await sold('Aceite'), await sold('Miel', { units: 5 })];
    const lineas = [{ pack_id: oil.pack }, { pack_id: honey.pack, cantidad: 2 }];
    const stocks = async () => [await stockOf(oil.product), await stockOf(honey.product)];
    const first = (await create({ lineas })).body.data;
    expect(await stocks()).toEqual([99, 90]);
    await admin.call(api.deletePedido, { params: { id: first.id } });
    expect(await stocks()).toEqual([100, 100]);
    await admin.call(api.restorePedido, { params: { id: first.id } });
    expect(await stocks()).toEqual([99, 90]);
    await reseller.call(api.setEstado, { params: { id: first.id }, body: { estado: 'cancelado', motivo: 'Ya no' } });
    expect(await stocks()).toEqual([100, 100]);
  });

  it('an order of several lines is duplicated line by line at today’s prices', async () => {
    const oil = await sold('Aceite', { cents: 1000 });
    const { id } = (
      await create({ lineas: [{ pack_id: oil.pack }, { producto: 'Grabado', precio_total: 3 }], envio: 4, descuento: 1 }, admin)
    ).body.data;
    await world.db.updateTable('product_packs').set({ pack_price_cents: 1200 }).where('id', '=', oil.pack).execute();
    const { data } = (await admin.call(api.duplicatePedido, { params: { id } })).body;
    expect(data).toMatchObject({ producto: 'Aceite – Caja y 1 más', precio_total: 18, envio: 4, descuento: 1 });
  });
});

describe('changing the lines', () => {
  const change = (id: string, body: { lineas: object[]; envio?: number; descuento?: number; version?: number }, who = reseller) =>
    who.call(api.setLineas, { params: { id }, body: { version: 1, ...body } });

  it('changing the lines moves only the difference in stock, and charges today’s price only for added units', async () => {
    const [oil, honey, cheese] = [await sold('Aceite', { units: 2 }), await sold('Miel'), await sold('Queso', { cents: 500 })];
    const { id } = (await create({ lineas: [{ pack_id: oil.pack, cantidad: 2 }, { pack_id: honey.pack }] })).body.data;
    await world.db.updateTable('product_packs').set({ pack_price_cents: 9900 }).where('id', '=', oil.pack).execute();
    const { status, body } = await change(id, {
      lineas: [
        { numero: 1, cantidad: 3 },
        { pack_id: cheese.pack, cantidad: 2 },
      ],
    });
    expect([status, body.message]).toEqual([200, 'Pedido actualizado: el total es 129,00\u00a0€']);
    expect(body.data).toMatchObject({ version: 2, precio_total: 129, unidades_retenidas: 8, producto: 'Aceite – Caja y 2 más' });
    expect(body.data?.lineas).toMatchObject([
      { numero: 1, cantidad: 2, precio_unitario: 10 },
      { numero: 2, cantidad: 1, precio_unitario: 99 },
      { numero: 3, cantidad: 2, precio_unitario: 5 },
    ]);
    expect([await stockOf(oil.product), await stockOf(honey.product), await stockOf(cheese.product)]).toEqual([94, 100, 98]);
    const [entry] = (await admin.call(api.getHistorial, { params: { id } })).body.data;
    expect(entry).toMatchObject({ accion: 'Líneas cambiadas', nota: '2 × Aceite – Caja; 1 × Aceite – Caja; 2 × Queso – Caja' });
  });

  it('changing the lines cannot add units of a pack that is no longer sold', async () => {
    const oil = await sold('Aceite');
    const { id } = (await create({ pack_id: oil.pack, cantidad: 2 })).body.data;
    await world.db.updateTable('product_packs').set({ is_active: false }).where('id', '=', oil.pack).execute();
    for (const who of [reseller, admin]) {
      const { status, body } = await change(id, { lineas: [{ numero: 1, cantidad: 3 }] }, who);
      expect([status, body.errors]).toEqual([422, { 'lineas.0.cantidad': ['Aceite – Caja ya no se vende: como máximo 2'] }]);
    }
    expect((await change(id, { lineas: [{ numero: 1, cantidad: 1 }] })).body.data).toMatchObject({ precio_total: 10 });
  });

  it('added packs of a new size become a separate line, even at the same price', async () => {
    const oil = await sold('Aceite', { units: 2 });
    const { id } = (await create({ pack_id: oil.pack })).body.data;
    await world.db.updateTable('product_packs').set({ pack_quantity: 1 }).where('id', '=', oil.pack).execute();
    const { body } = await change(id, { lineas: [{ numero: 1, cantidad: 4 }] });
    expect(body.data?.lineas).toMatchObject([
      { cantidad: 1, unidades: 2 },
      { cantidad: 3, unidades: 3 },
    ]);
    expect(body.data).toMatchObject({ precio_total: 40, unidades_retenidas: 5 });
  });

  it('changing the lines is refused to every role if a line is named twice', async () => {
    const oil = await sold('Aceite');
    const { id } = (await create({ pack_id: oil.pack })).body.data;
    for (const who of [reseller, admin]) {
      const { status, body } = await change(id, { lineas: [{ numero: 1 }, { numero: 1 }] }, who);
      expect([status, body.errors]).toEqual([422, { 'lineas.1.numero': ['Esa línea está dos veces'] }]);
    }
  });

  it('changing the lines is allowed only to superadmins once a discount was agreed', async () => {
    const oil = await sold('Aceite', { cents: 11110 });
    const { id } = (
      await create({ pack_id: oil.pack, cantidad: 3, descuento: 100, revendedor_id: reseller.user.id, estado: 'pendiente_pago' }, admin)
    ).body.data;
    const { status, body } = await change(id, { lineas: [{ numero: 1, cantidad: 1 }] });
    expect([status, body.message]).toEqual([409, 'Este pedido tiene un descuento acordado: pide el cambio a un administrador']);
    expect((await change(id, { lineas: [{ numero: 1, cantidad: 1 }] }, admin)).body.data).toMatchObject({ precio_total: 11.1 });
  });

  it('changing the lines changes nothing if the stock is insufficient', async () => {
    const [oil, honey] = [await sold('Aceite'), await sold('Miel', { stock: 1 })];
    const { id } = (await create({ pack_id: oil.pack, cantidad: 5 })).body.data;
    const { status, body } = await change(id, {
      lineas: [
        { numero: 1, cantidad: 1 },
        { pack_id: honey.pack, cantidad: 2 },
      ],
    });
    expect([status, body.errors]).toEqual([422, { 'lineas.1.cantidad': ['Stock insuficiente de Miel: queda 1 pack'] }]);
    expect([await stockOf(oil.product), (await read(id)).cantidad]).toEqual([95, 5]);
  });

  it('changing the lines of a paid order reports the amount due or overpaid', async () => {
    const oil = await sold('Aceite');
    const { id } = (await create({ pack_id: oil.pack, cantidad: 2 }, admin)).body.data;
    await admin.call(anotarPago, {
      params: { id },
      body: { metodo: 'efectivo', importe: 20, fecha: new Date().toISOString().slice(0, 10) },
    });
    const { version } = await read(id);
    const more = (await change(id, { lineas: [{ numero: 1, cantidad: 3 }], version }, admin)).body;
    expect(more.message).toBe('Pedido actualizado: el total es 30,00\u00a0€; pagados 20,00\u00a0€, faltan 10,00\u00a0€');
    const less = (await change(id, { lineas: [{ numero: 1, cantidad: 1 }], version: more.data?.version }, admin)).body;
    expect(less.message).toBe('Pedido actualizado: el total es 10,00\u00a0€; pagados 20,00\u00a0€, sobran 10,00\u00a0€');
  });

  it('only superadmins can change or remove a line without pack', async () => {
    const oil = await sold('Aceite');
    const free = { producto: 'Grabado', cantidad: 3, precio_total: 10 };
    const { id } = (
      await create({ lineas: [{ pack_id: oil.pack }, free], revendedor_id: reseller.user.id, estado: 'pendiente_pago' }, admin)
    ).body.data;
    const more = await change(id, { lineas: [{ numero: 2, cantidad: 4 }] });
    expect(more.body.errors).toEqual({ 'lineas.0.cantidad': ['Esta línea solo la cambia un administrador'] });
    const without = await change(id, { lineas: [{ numero: 1 }] });
    expect(without.body.errors).toEqual({ lineas: ['«Grabado» solo lo quita un administrador'] });
    const { body } = await change(id, {
      lineas: [
        { numero: 2, cantidad: 3 },
        { numero: 1, cantidad: 2 },
      ],
    });
    expect(body.data?.lineas).toMatchObject([
      { numero: 1, producto: 'Grabado', cantidad: 3, precio_total: 10, pack_id: null },
      { numero: 2, cantidad: 2, precio_total: 20 },
    ]);
  });

  it('changing the lines of an order waiting for payment cannot lower the total below the amount paid', async () => {
    const oil = await sold('Aceite');
    const { id } = (await create({ pack_id: oil.pack, cantidad: 3 })).body.data;
    await admin.call(anotarPago, {
      params: { id },
      body: { metodo: 'efectivo', importe: 20, fecha: new Date().toISOString().slice(0, 10) },
    });
    const { version } = await read(id);
    const { status, body } = await change(id, { lineas: [{ numero: 1, cantidad: 1 }], version }, admin);
    expect([status, body.message]).toEqual([422, 'Ya se han pagado 20,00\u00a0€: el total no puede ser menos']);
  });

  it('changing the lines is refused once a carrier has the order, and to a reseller once the order is paid', async () => {
    const oil = await sold('Aceite');
    const lineas = [{ numero: 1, cantidad: 2 }];
    const { id } = (await create({ pack_id: oil.pack })).body.data;
    await admin.call(api.setEstado, { params: { id }, body: { estado: 'pendiente', referencia: 'x' } });
    const { version } = await read(id);
    expect((await change(id, { lineas, version })).body.message).toBe('El pedido ya está pagado: pide el cambio a un administrador');
    await admin.call(api.assignTransportista, { params: { id }, body: { transportista_id: carrier.user.id, version } });
    const { status, body } = await change(id, { lineas, version: (await read(id)).version }, admin);
    expect([status, body.message]).toEqual([409, 'Los productos solo se pueden cambiar mientras el pedido está sin pagar o pendiente']);
  });

  it('changing the lines is refused without permission or for stale data', async () => {
    const oil = await sold('Aceite');
    const { id } = (await create({ pack_id: oil.pack })).body.data;
    const lineas = [{ numero: 1, cantidad: 2 }];
    const other = await world.as(await world.user({ role: 'revendedor' }));
    expect((await change(id, { lineas }, other)).status).toBe(404);
    expect((await change(id, { lineas }, carrier)).status).toBe(403);
    expect((await change(id, { lineas, envio: 0 })).status).toBe(403);
    expect((await change(id, { lineas, version: 7 })).body.code).toBe('version');
    expect((await change(id, { lineas: [{ numero: 2 }] })).body.errors).toEqual({
      'lineas.0.numero': ['Esa línea ya no está en el pedido'],
    });
  });
});

describe('shipping and discount', () => {
  const RATES = { shippingPeninsula: 4.95, shippingBaleares: 9.9, shippingCanarias: 19.5, shippingCeutaMelilla: 15, shippingAbroad: 25 };

  const setRates = async () => {
    const { status } = await admin.call(updateSettings, { body: RATES });
    expect(status).toBe(200);
  };

  it('shipping follows the settings by address, and a reseller cannot set shipping or discount', async () => {
    await setRates();
    const oil = await sold('Aceite');
    for (const [cliente_codigo_postal, cliente_provincia, cliente_pais, envio] of [
      ['28001', 'Madrid', 'España', 4.95],
      ['07001', null, null, 9.9],
      ['35 001', null, 'España', 19.5],
      [null, 'Santa Cruz de Tenerife', 'España', 19.5],
      ['52001', 'Melilla', 'españa', 15],
      ['75001', null, 'Francia', 25],
      [null, null, null, 4.95],
    ] as const) {
      const address = { cliente_codigo_postal, cliente_provincia, cliente_pais };
      const asked = (await reseller.call(api.calcularTotal, { body: { pack_id: oil.pack, ...address } })).body.data;
      const { data } = (await create({ pack_id: oil.pack, ...address, envio: 0, descuento: 5 })).body;
      expect([asked.envio, asked.total, data.envio, data.descuento, data.precio_total], String(cliente_codigo_postal)).toEqual([
        envio,
        10 + envio,
        envio,
        0,
        10 + envio,
      ]);
    }
  });

  it('shipping and discount can be set by superadmins, and a given total already includes shipping', async () => {
    await setRates();
    const oil = await sold('Aceite');
    const { data } = (await create({ pack_id: oil.pack, envio: 2, descuento: 1.5 }, admin)).body;
    expect(data).toMatchObject({ envio: 2, descuento: 1.5, precio_total: 10.5 });
    expect((await create({ producto: 'Cesta', precio_total: 50 }, admin)).body.data).toMatchObject({ envio: 0, precio_total: 50 });
    const { status, body } = await create({ pack_id: oil.pack, envio: 0, descuento: 10.01 }, admin);
    expect([status, body.errors]).toEqual([422, { descuento: ['El descuento no puede superar el importe del pedido'] }]);
  });
});

it('order, lines and movements stay consistent after any changes', async () => {
  const packs = [await sold('A', { units: 3, cents: 333, stock: 60 }), await sold('B', { cents: 1999, stock: 60 })];
  const line = fc.record({ pack: fc.constantFrom(0, 1), cantidad: fc.integer({ min: 1, max: 12 }), kept: fc.boolean() });
  const step = fc.record({
    lineas: fc.array(line, { minLength: 1, maxLength: 5 }),
    envio: fc.constantFrom(0, 3.33),
    descuento: fc.constantFrom(0, 1.11),
    after: fc.constantFrom('nothing', 'nothing', 'delete and restore'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      const { id } = (await create({ pack_id: packs[0]?.pack }, admin)).body.data;
      for (const { lineas, after, ...amounts } of steps) {
        const { version, lineas: before = [] } = await read(id);
        await admin.call(api.setLineas, {
          params: { id },
          body: {
            lineas: lineas.map(({ pack, cantidad, kept }, i) =>
              kept && before[i] ? { numero: i + 1, cantidad } : { pack_id: packs[pack]?.pack ?? '', cantidad },
            ),
            ...amounts,
            version,
          },
        });
        if (after === 'delete and restore') {
          await admin.call(api.deletePedido, { params: { id } });
          await admin.call(api.restorePedido, { params: { id } });
        }
        const now = await read(id);
        if (!('precio_total' in now) || !now.lineas) throw new Error('without prices');
        const cents = (euros: number) => Math.round(euros * 100);
        const total = now.lineas.reduce((sum, each) => sum + cents(each.precio_unitario) * each.cantidad, 0);
        expect(cents(now.precio_total)).toBe(total + cents(now.envio) - cents(now.descuento));
        expect(now.unidades_retenidas).toBe(now.lineas.reduce((sum, each) => sum + each.unidades, 0));
        for (const { product } of packs) {
          const held = await world.db
            .selectFrom('pedidos_lineas')
            .select((eb) => eb.fn.sum<number>('unidades').as('n'))
            .where('product_id', '=', product)
            .executeTakeFirstOrThrow();
          expect(await balance(world.db, product)).toEqual({ stock: 60 - Number(held.n ?? 0), ledger: 60 - Number(held.n ?? 0) });
        }
      }
      await admin.call(api.setEstado, { params: { id }, body: { estado: 'cancelado', motivo: 'Fin' } });
      await world.db.deleteFrom('pedidos_lineas').where('pedido_id', '=', id).execute();
      for (const { product } of packs) expect(await stockOf(product)).toBe(60);
    }),
    { numRuns: 12 },
  );
});
