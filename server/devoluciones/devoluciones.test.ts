import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anularDevolucion, createDevolucion, listDevoluciones } from '../../contract/devoluciones/devoluciones.ts';
import type { Destino } from '../../contract/devoluciones/fields.ts';
import { getAbierta, setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { getPago } from '../../contract/pagar/pagar.ts';
import { anotarPago, anularPago, listPagos } from '../../contract/payments/payments.ts';
import { getHistorial, getPedido, type Pedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { balance } from '../../test/ledger.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let reseller: Person;
let carrier: Person;
let product: string;
let id: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  [admin, reseller, carrier] = [await world.as('superadmin'), await world.as('revendedor'), await world.as('transportista')];
  const pack = await world.pack({ pack_quantity: 6, pack_price_cents: 1000 });
  product = pack.product_id;
  id = (await order(pack, 'completado')).id;
  await pay(30);
});

/** Creates an order of three packs. */
const order = (pack: Awaited<ReturnType<World['pack']>>, estado: 'completado' | 'en_ruta') =>
  world.pedido({ estado, pack, cantidad: 3, revendedor_id: reseller.user.id, transportista_id: carrier.user.id });
const pay = (importe: number) =>
  admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe, fecha: new Date().toISOString().slice(0, 10) } });
const line = (cantidad: number, destino: Destino = 'stock') => ({ numero: 1, cantidad, destino });
const giveBack = (lineas: ReturnType<typeof line>[], more: object = {}, who = admin) =>
  who.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'desistimiento', ...more } });
const read = async () => (await admin.call(getPedido, { params: { id } })).body.data as Pedido;
const list = async (who = admin) => (await who.call(listDevoluciones, { params: { id } })).body.data;
const annul = (devolucion: string, who = admin) =>
  who.call(anularDevolucion, { params: { id: devolucion }, body: { motivo: 'Era otro pedido' } });

describe('a return', () => {
  it('a return brings units back to the stock or writes them off, and records the refund', async () => {
    const { stock } = await balance(world.db, product);
    const { status, body } = await giveBack([line(1), line(1, 'baja')], { nota: 'Caja rota', reembolso: 12.5, referencia: 'TRF 1' });
    expect([status, body.message]).toEqual([201, 'Devolución registrada']);
    expect(await balance(world.db, product)).toEqual({ stock: stock + 6, ledger: stock + 6 });
    expect(await read()).toMatchObject({
      ...{ estado: 'completado', cantidad: 3, precio_total: 30, version: 2 },
      ...{ cantidad_devuelta: 2, reembolsado: 12.5, unidades_retenidas: 12 },
    });
    const shown = [
      {
        ...{ motivo: 'desistimiento', nota: 'Caja rota', reembolso: 12.5, referencia: 'TRF 1', actor_nombre: admin.user.full_name },
        lineas: [
          { numero: 1, cantidad: 1, destino: 'baja' },
          { numero: 1, cantidad: 1, destino: 'stock' },
        ],
      },
    ];
    expect(await list()).toMatchObject(shown);
    expect(await list(reseller)).toMatchObject(shown);
  });

  it('a return notifies the reseller and is in the history without an amount', async () => {
    await giveBack([line(2)], { reembolso: 20 });
    const { numero_orden, producto } = await read();
    const notices = (await reseller.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'devolucion');
    expect(notices).toMatchObject([{ texto: expect.stringContaining(numero_orden) }]);
    const [step] = (await reseller.call(getHistorial, { params: { id } })).body.data;
    expect(step).toMatchObject({ accion: 'Devolución registrada', nota: `2 × ${producto} (vuelve al stock)` });
  });

  it('returns cover at most the delivered quantity', async () => {
    expect((await giveBack([line(3), line(1, 'baja')])).body.errors).toEqual({ 'lineas.1.cantidad': ['Ya se ha devuelto todo'] });
    await giveBack([line(2)]);
    expect((await giveBack([line(2, 'baja')])).body.errors).toEqual({ 'lineas.0.cantidad': ['Solo quedan 1 por devolver'] });
    expect((await giveBack([{ ...line(1), numero: 2 }])).body.errors).toEqual({ 'lineas.0.numero': ['Esa línea no está en el pedido'] });
    expect((await read()).cantidad_devuelta).toBe(2);
  });

  it('returns refund at most the paid amount', async () => {
    await giveBack([line(1)], { reembolso: 25 });
    expect((await giveBack([line(1)], { reembolso: 5.01 })).body.errors).toEqual({
      reembolso: ['De lo pagado quedan 5,00\u00a0€ por reembolsar'],
    });
    expect((await giveBack([line(1)], { reembolso: 5 })).status).toBe(201);
  });

  it('a return of an unpaid order refunds nothing, but reduces the amount due', async () => {
    id = (await order(await world.pack({ pack_price_cents: 1000 }), 'completado')).id;
    expect((await read()).pendiente).toBe(30);
    expect((await giveBack([line(1)], { reembolso: 10 })).body.errors).toEqual({ reembolso: ['No queda nada pagado que reembolsar'] });
    await giveBack([line(1)]);
    expect((await read()).pendiente).toBe(20);
    expect((await pay(20.01)).body.errors).toEqual({ importe: ['Como máximo lo que falta por pagar: 20,00\u00a0€'] });
    await pay(15);
    await giveBack([line(2, 'baja')], { reembolso: 15 });
    expect(await read()).toMatchObject({ pendiente: 0, pagado: 15, reembolsado: 15 });
  });

  it('a return of all goods leaves nothing due for an unpaid order, not even shipping', async () => {
    const { pago_token } = await order(await world.pack({ pack_price_cents: 1000 }), 'completado').then((made) => {
      id = made.id;
      return made;
    });
    await world.db.updateTable('pedidos').set({ envio_cents: 500, precio_total_cents: 3500 }).where('id', '=', id).execute();
    const { data } = (await giveBack([line(3)])).body;
    const page = async () => (await world.nobody().call(getPago, { params: { token: pago_token ?? '' } })).body.data;
    expect([(await read()).pendiente, (await page()).por_pagar]).toEqual([0, false]);
    await annul(data.id);
    expect((await page()).pendiente).toBe(35);
  });

  it('a refunded payment can be annulled only after its return is annulled', async () => {
    const { data } = (await giveBack([line(1)], { reembolso: 10 })).body;
    const [pago] = (await admin.call(listPagos, { params: { id } })).body.data;
    const annulPago = () => admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: 'Error' } });
    const { status, body } = await annulPago();
    expect([status, body.message]).toEqual([409, 'Se ha reembolsado 10,00\u00a0€ de este pedido: anula antes la devolución']);
    await annul(data.id);
    expect((await annulPago()).status).toBe(200);
  });

  it('a return requires the current version of a delivered order', async () => {
    const { id: open } = await order(await world.pack(), 'en_ruta');
    const body = { lineas: [line(1)], motivo: 'otro' as const };
    const early = await admin.call(createDevolucion, { params: { id: open }, body });
    expect([early.status, early.body.message]).toEqual([409, 'Solo se devuelve lo que se ha entregado: el pedido no está completado']);
    await giveBack([line(1)]);
    expect((await giveBack([line(1)], { version: 1 })).status).toBe(409);
    await world.db.updateTable('pedidos').set({ bloqueado_at: '2026-11-01T00:00:00.000Z' }).where('id', '=', id).execute();
    expect((await giveBack([line(1)])).body.message).toMatch(/^Los datos del cliente están bloqueados: este pedido no se puede devolver/);
  });

  it('a return has at least one line, and each line once per destination', async () => {
    expect((await giveBack([])).body.errors).toEqual({ lineas: ['Indica qué se devuelve'] });
    expect((await giveBack([line(1), line(1)])).body.errors).toEqual({ lineas: ['Cada línea, una vez por destino'] });
  });

  it('the refund of a return is shown to the customer until the return is annulled', async () => {
    const token = (await world.db.selectFrom('pedidos').select('pago_token').where('id', '=', id).executeTakeFirstOrThrow()).pago_token;
    const refunds = async () => (await world.nobody().call(getPago, { params: { token: token ?? '' } })).body.data.devoluciones;
    const { data } = (await giveBack([line(1)], { reembolso: 10 })).body;
    expect(await refunds()).toMatchObject([{ importe: 10, hecha: true }]);
    await annul(data.id);
    expect(await refunds()).toEqual([]);
  });

  it('a return can be annulled only once, which restores stock and order', async () => {
    const before = await balance(world.db, product);
    const { data } = (await giveBack([line(2), line(1, 'baja')], { reembolso: 30 })).body;
    expect((await annul(data.id)).body.data).toMatchObject({ anulada_motivo: 'Era otro pedido' });
    expect(await balance(world.db, product)).toEqual(before);
    expect(await read()).toMatchObject({ cantidad_devuelta: 0, reembolsado: 0, unidades_retenidas: 18 });
    expect((await annul(data.id)).status).toBe(409);
    expect((await giveBack([line(3)])).status).toBe(201);
  });

  it('a return cannot be annulled once its units are sold', async () => {
    const { data } = (await giveBack([line(1)])).body;
    await world.db.updateTable('products').set({ stock: 5 }).where('id', '=', product).execute();
    const { status, body } = await annul(data.id);
    expect([status, body.message]).toEqual([422, expect.stringMatching(/^Stock insuficiente/)]);
    expect((await read()).cantidad_devuelta).toBe(1);
  });

  it('a return reduces the margin of the reseller until annulled, but not the fee of the carrier', async () => {
    await admin.call(setGanancia, { params: { id: reseller.user.id }, body: { margen: { tipo: 'porcentaje', valor: 3.35 } } });
    const tarifas = [{ zona: 'peninsula' as const, entrega: 4, intento: 1 }];
    await admin.call(setGanancia, { params: { id: carrier.user.id }, body: { tarifas } });
    id = (await order(await world.pack({ pack_price_cents: 1000 }), 'en_ruta')).id;
    await carrier.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
    const earned = async (who: Person) => (await who.call(getAbierta)).body.personas[0]?.total;
    expect([await earned(reseller), await earned(carrier)]).toEqual([1.01, 4]);
    const { data: first } = (await giveBack([line(1)])).body;
    expect(await earned(reseller)).toBe(0.67);
    await giveBack([line(1)]);
    await giveBack([line(1, 'baja')]);
    expect(await earned(reseller)).toBe(0);
    await annul(first.id);
    expect([await earned(reseller), await earned(carrier)]).toEqual([0.34, 4]);
  });

  it('superadmins register returns, which only superadmins and the order’s reseller can read', async () => {
    const other = await world.as(await world.user({ role: 'revendedor' }));
    expect((await giveBack([line(1)], {}, reseller)).status).toBe(403);
    expect((await other.call(listDevoluciones, { params: { id } })).status).toBe(404);
    expect((await carrier.call(listDevoluciones, { params: { id } })).status).toBe(403);
    const { data } = (await giveBack([line(1)], { reembolso: 7 })).body;
    expect((await annul(data.id, reseller)).status).toBe(403);
    // Carriers see neither returns nor money.
    const carried = (await carrier.call(getPedido, { params: { id } })).text;
    expect(carried).not.toMatch(/reembolsa|reembolso_|devuelt/);
  });
});

it('order, returns and stock agree after any mix of returns and annulments', async () => {
  const pack = await world.pack({ pack_quantity: 4 });
  const step = fc.oneof(
    fc.record({
      back: fc.array(fc.record({ cantidad: fc.integer({ min: 1, max: 3 }), destino: fc.constantFrom<Destino>('stock', 'baja') }), {
        maxLength: 2,
      }),
    }),
    fc.record({ annul: fc.nat(4) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      id = (await world.pedido({ estado: 'en_ruta', pack, cantidad: 5, transportista_id: carrier.user.id })).id;
      await carrier.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
      for (const change of steps) {
        if ('back' in change) await giveBack(change.back.map((each) => ({ numero: 1, ...each })));
        else {
          const made = (await list())[change.annul];
          if (made) await annul(made.id);
        }
      }
      const now = await read();
      const lines = (await list()).filter(({ anulada_at }) => !anulada_at).flatMap(({ lineas }) => lineas);
      const sum = (kept: typeof lines) => kept.reduce((all, { cantidad }) => all + cantidad, 0);
      expect(now.cantidad_devuelta).toBe(sum(lines));
      expect(now.unidades_retenidas).toBe(20 - 4 * sum(lines.filter(({ destino }) => destino === 'stock')));
      const { stock, ledger } = await balance(world.db, pack.product_id);
      expect(ledger).toBe(stock);
    }),
    { numRuns: 12 },
  );
});
