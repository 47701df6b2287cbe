import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entregarCaja, listCajas } from '../../contract/caja/caja.ts';
import {
  anularDevolucion,
  createDevolucion,
  type Devolucion,
  listDevoluciones,
  pedirResto,
  reembolsarDevolucion,
  retenerDevolucion,
} from '../../contract/devoluciones/devoluciones.ts';
import { type MotivoParte, menosPorCobrar, type Parte } from '../../contract/devoluciones/fields.ts';
import { getAbierta, setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { anotarPago, anularPago, devolverPago, listPagos } from '../../contract/payments/payments.ts';
import {
  createPedido,
  getHistorial,
  getPedido,
  listPedidos,
  type Pedido,
  type PedidoTransportista,
  setEstado,
} from '../../contract/pedidos/pedidos.ts';
import { getUser } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../test/day.ts';
import { balance } from '../../test/ledger.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot, transact } from '../db/open.ts';
import { makeStatements } from '../ganancias/statements.ts';
import { listRefunds } from '../pedidos/pagos/pagos.ts';

let world: World;
let admin: Person;
let reseller: Person;
let carrier: Person;
let packs: Awaited<ReturnType<World['pack']>>[];
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, revendedor: reseller, transportista: carrier } = await everyRole(world));
  const stocked = async () => (await world.product({ stock: 100_000 })).id;
  packs = [
    await world.pack({ product_id: await stocked(), pack_quantity: 6, pack_price_cents: 1000 }),
    await world.pack({ product_id: await stocked(), pack_quantity: 1, pack_price_cents: 333 }),
  ];
  await offer(true);
});

const offer = (partialDeliveries: boolean) =>
  admin.call(updateSettings, { body: { partialDeliveries, cashOnDelivery: true, shippingPeninsula: 5 } });
type Made = { cantidades: number[]; descuento?: number; contra_reembolso?: boolean; pagado?: number };

let customers = 0;
/** Creates an order on its way for a new customer, with one line per quantity and five euros of shipping. */
async function onItsWay({ cantidades, descuento = 0, contra_reembolso = false, pagado = 0 }: Made): Promise<string> {
  const lineas = cantidades.map((cantidad, i) => ({ pack_id: packs[i]?.id ?? null, cantidad }));
  customers += 1;
  const cliente_telefono = String(612_345_678 + customers);
  const cliente = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_telefono, cliente_codigo_postal: '28013' };
  const made = await admin.call(createPedido, {
    body: { ...cliente, lineas, envio: 5, descuento, contra_reembolso, revendedor_id: reseller.user.id },
  });
  expect(made.status).toBe(201);
  const { id } = made.body.data;
  if (pagado) await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: pagado, fecha: dayInMadrid() } });
  await carrier.call(autoAsignar, { params: { id } });
  await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
  return id;
}

const part = (numero: number, cantidad: number, motivo: MotivoParte): Parte => ({ numero, cantidad, motivo });
const deliver = (id: string, no_entregado: Parte[], more: object = {}, who = carrier) =>
  who.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual', no_entregado, ...more } });
const read = async (id: string) => (await admin.call(getPedido, { params: { id } })).body.data as Pedido;
const carried = async (id: string) => (await carrier.call(getPedido, { params: { id } })).body.data as PedidoTransportista;
const [returnOf, earned] = [
  async (id: string) => (await admin.call(listDevoluciones, { params: { id } })).body.data.at(-1) ?? expect.fail('no return'),
  async (who: Person) => (await who.call(getAbierta)).body.personas[0]?.total ?? 0,
];
const refundOf =
  ({ id }: Devolucion) =>
  (reembolso: number, referencia: string | null = null) =>
    admin.call(reembolsarDevolucion, { params: { id }, body: { reembolso, referencia } });
/** Returns the refunds that the customer's page shows. */
const promised = async (id: string) => (await listRefunds(world.db, { id })).map(({ importe, hecha }) => ({ importe, hecha }));
const agrees = async () => expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
const stockOf = async (i: number) => (await balance(world.db, packs[i]?.product_id ?? '')).stock;

describe('a partial delivery', () => {
  it('a partial delivery has refused and missing goods on their way back, and writes off damaged goods', async () => {
    const id = await onItsWay({ cantidades: [3, 4] });
    const before = [await stockOf(0), await stockOf(1)];
    const { status } = await deliver(id, [part(1, 1, 'rechazado'), part(1, 1, 'danado'), part(2, 2, 'falta')]);
    expect([status, await stockOf(0), await stockOf(1)]).toEqual([200, ...before]);
    expect(await read(id)).toMatchObject({ estado: 'completado', entrega_parcial: true, cantidad_devuelta: 4, unidades_retenidas: 22 });
    expect(await returnOf(id)).toMatchObject({
      motivo: 'entrega_parcial',
      lineas: [
        { numero: 1, destino: 'baja', parte: 'danado' },
        { numero: 1, destino: 'camino', parte: 'rechazado' },
        { numero: 2, cantidad: 2, parte: 'falta' },
      ],
    });
    const [step] = (await reseller.call(getHistorial, { params: { id } })).body.data;
    expect(step).toMatchObject({
      accion: 'Entregado',
      nota: expect.stringMatching(/^No entregado: 1 × .* \(no lo quiere\); 1 × .* \(está dañado\)/),
    });
  });

  it('a partial delivery collects less at the door, and the carrier sees only the share of each line', async () => {
    const id = await onItsWay({ cantidades: [3, 4], contra_reembolso: true, descuento: 1.5 });
    const seen = await carried(id);
    expect(seen.por_cobrar).toBe(46.82);
    const partes = [part(1, 1, 'rechazado'), part(2, 3, 'danado')];
    const less = menosPorCobrar(seen.lineas ?? [], partes);
    expect(less).toBe(19.3);
    expect(Object.keys(seen.lineas?.[0] ?? {}).sort()).toEqual(['cantidad', 'numero', 'por_cobrar', 'producto']);
    expect((await deliver(id, partes, { cobrado: 46.82, cobrado_metodo: 'efectivo' })).status).toBe(422);
    expect((await deliver(id, partes, { cobrado: 27.52, cobrado_metodo: 'efectivo' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ pagado: 27.52, pendiente: 0, por_reembolsar: 0 });
    expect((await carrier.call(listCajas)).body.data).toMatchObject([{ esperado: 27.52 }]);
    for (const more of [{}, { contra_reembolso: true, pagado: 48.32 }]) {
      const paid = await carried(await onItsWay({ cantidades: [3, 4], ...more }));
      expect(paid.lineas?.every((line) => !('por_cobrar' in line))).toBe(true);
    }
  });

  it.each([
    [55, 0],
    [52, 3],
    [50, 5],
    [49.99, 5.01],
  ])('an order of 50 € and 5 € of shipping is delivered and returned in parts with a discount of %d €', async (descuento, total) => {
    const id = await onItsWay({ cantidades: [5], descuento, pagado: total });
    expect(await read(id)).toMatchObject({ precio_total: total, pendiente: 0 });
    expect((await deliver(id, [part(1, 1, 'rechazado')])).status).toBe(200);
    for (const cantidad of [1, 2, 1]) {
      const lineas = [{ numero: 1, cantidad, destino: 'stock' as const }];
      const made = await admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'otro' } });
      expect(made.status, made.text).toBe(201);
    }
    expect(await read(id)).toMatchObject({ cantidad_devuelta: 5, pendiente: 0 });
    await agrees();
  });

  it('a partial delivery owes the customer the price of undelivered goods until the refund is noted', async () => {
    const id = await onItsWay({ cantidades: [3], pagado: 35 });
    await deliver(id, [part(1, 1, 'rechazado')]);
    const owed = async () => [(await read(id)).por_reembolsar, (await admin.call(atencionStats)).body.data.devoluciones];
    expect(await owed()).toEqual([10, 1]);
    const notices = (await admin.call(listNotifications)).body.data.find(({ tipo }) => tipo === 'devolucion_pendiente');
    expect(notices?.texto).toMatch(/^Reembolso pendiente\. Entrega parcial/);
    const devolucion = await returnOf(id);
    const refund = (reembolso: number, who = admin) =>
      who.call(reembolsarDevolucion, { params: { id: devolucion.id }, body: { reembolso, referencia: 'TRF 1' } });
    expect((await refund(10, reseller)).status).toBe(403);
    expect((await refund(35.01)).status).toBe(422);
    expect((await refund(10)).body.data).toMatchObject({ reembolso: 10, referencia: 'TRF 1' });
    expect([await owed(), (await refund(5)).status]).toEqual([[0, 0], 409]);
  });

  it('a partial delivery is refunded in several steps, but never beyond the amount owed', async () => {
    const id = await onItsWay({ cantidades: [3], pagado: 35 });
    await deliver(id, [part(1, 2, 'rechazado')]);
    const refund = refundOf(await returnOf(id));
    expect([(await refund(20.01)).status, (await refund(0)).status]).toEqual([422, 422]);
    expect((await refund(15, 'TRF 1')).status).toBe(200);
    expect(await read(id)).toMatchObject({ por_reembolsar: 5, reembolsado: 15 });
    expect((await refund(5.01)).status).toBe(422);
    expect((await refund(5, 'TRF 2')).body.data).toMatchObject({ reembolso: 20, referencia: 'TRF 1, TRF 2' });
    expect(await read(id)).toMatchObject({ por_reembolsar: 0, reembolsado: 20, pendiente: 0 });
    expect(await promised(id)).toEqual([{ importe: 20, hecha: true }]);
    await agrees();
  });

  it('a partial delivery is refunded once from concurrent requests', async () => {
    const id = await onItsWay({ cantidades: [3], pagado: 35 });
    await deliver(id, [part(1, 2, 'rechazado')]);
    const refund = refundOf(await returnOf(id));
    const both = await Promise.all([refund(20), refund(20)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await read(id)).toMatchObject({ por_reembolsar: 0, reembolsado: 20 });
  });

  const giveBack = (id: string, reembolso: number | null) =>
    admin.call(createDevolucion, {
      params: { id },
      body: { lineas: [{ numero: 1, cantidad: 1, destino: 'stock' }], motivo: 'otro', reembolso },
    });

  it('an exchange after a refunded partial delivery owes its value until the shop keeps it', async () => {
    const id = await onItsWay({ cantidades: [4], pagado: 45 });
    await deliver(id, [part(1, 2, 'rechazado')]);
    expect((await refundOf(await returnOf(id))(20)).status).toBe(200);
    const exchange = await giveBack(id, null);
    expect(exchange.status).toBe(201);
    expect(await read(id)).toMatchObject({ por_reembolsar: 10, reembolsado: 20 });
    const params = { id: exchange.body.data.id };
    expect((await admin.call(retenerDevolucion, { params, body: { importe: 10, motivo: 'Cambio por otro' } })).status).toBe(200);
    expect(await read(id)).toMatchObject({ por_reembolsar: 0, reembolsado: 20, pendiente: 0 });
    expect((await admin.call(listPedidos, { query: { devolucion: 'pendiente' } })).body.data).toEqual([]);
    expect((await admin.call(atencionStats)).body.data.devoluciones).toBe(0);
    expect((await promised(id)).filter(({ hecha }) => !hecha)).toEqual([]);
    await agrees();
  });

  it('a partial delivery owes the same after an ordinary return is refunded, up to the remaining payments', async () => {
    const id = await onItsWay({ cantidades: [4], pagado: 45 });
    await deliver(id, [part(1, 2, 'rechazado')]);
    expect((await giveBack(id, 12)).status).toBe(201);
    expect((await read(id)).por_reembolsar).toBe(20);
    expect((await giveBack(id, 28)).status).toBe(201);
    expect((await read(id)).por_reembolsar).toBe(5);
    expect((await refundOf(await returnOf(id))(5)).status).toBe(200);
    expect(await read(id)).toMatchObject({ por_reembolsar: 0, reembolsado: 45 });
    await agrees();
  });
  it('a partial delivery earns the reseller less margin and the carrier the whole fee', async () => {
    await admin.call(setGanancia, { params: { id: reseller.user.id }, body: { margen: { tipo: 'porcentaje', valor: 10 } } });
    const tarifas = [{ zona: 'peninsula' as const, entrega: 4, intento: 1 }];
    await admin.call(setGanancia, { params: { id: carrier.user.id }, body: { tarifas } });
    await deliver(await onItsWay({ cantidades: [3] }), [part(1, 1, 'falta')]);
    expect([await earned(reseller), await earned(carrier)]).toEqual([2, 4]);
  });

  it('a partial delivery needs at least one delivered unit, and parts of lines that are in the order', async () => {
    const id = await onItsWay({ cantidades: [2, 1] });
    const refusal = async (...partes: Parte[]) => {
      const { status, body } = await deliver(id, partes);
      return [status, (body as { message: string }).message];
    };
    const all = await refusal(part(1, 2, 'falta'), part(2, 1, 'danado'));
    expect(all).toEqual([422, 'Si no se entrega nada, registra un intento fallido']);
    expect(await refusal(part(1, 2, 'falta'), part(1, 1, 'danado'))).toEqual([422, 'No puede faltar más de lo que se pidió']);
    expect(await refusal(part(3, 1, 'falta'))).toEqual([422, 'Esa línea ya no está en el pedido']);
    expect(await refusal(part(1, 1, 'falta'), part(1, 1, 'falta'))).toEqual([422, 'Cada línea, una vez por motivo']);
    expect(await read(id)).toMatchObject({ estado: 'en_ruta', cantidad_devuelta: 0 });
    const failed = { estado: 'asignado' as const, motivo: 'No había nadie', no_entregado: [part(1, 1, 'falta')] };
    expect((await carrier.call(setEstado, { params: { id }, body: failed })).status).toBe(422);
  });

  it('a partial delivery is refused and hidden while its setting is off', async () => {
    const id = await onItsWay({ cantidades: [3], contra_reembolso: true });
    expect((await carrier.call(getUser)).body.user.partes).toBe(true);
    await offer(false);
    expect((await carrier.call(getUser)).body.user.partes).toBeUndefined();
    expect((await carried(id)).lineas?.[0]).not.toHaveProperty('por_cobrar');
    expect((await deliver(id, [part(1, 1, 'falta')], { cobrado: 25, cobrado_metodo: 'efectivo' })).status).toBe(422);
    expect((await deliver(id, [], { cobrado: 35, cobrado_metodo: 'efectivo' })).status).toBe(200);
  });

  it('a partial delivery registered by mistake can be annulled, which restores stock and amounts', async () => {
    const id = await onItsWay({ cantidades: [3], pagado: 35 });
    const before = await stockOf(0);
    await deliver(id, [part(1, 2, 'rechazado')]);
    await admin.call(anularDevolucion, { params: { id: (await returnOf(id)).id }, body: { motivo: 'Se entregó todo' } });
    expect(await stockOf(0)).toBe(before);
    expect(await read(id)).toMatchObject({ entrega_parcial: false, cantidad_devuelta: 0, por_reembolsar: 0 });
  });
});

describe('the order for the rest', () => {
  const rest = async (id: string, who = admin) => who.call(pedirResto, { params: { id: (await returnOf(id)).id } });

  const annul = async (id: string) =>
    admin.call(anularDevolucion, { params: { id: (await returnOf(id)).id }, body: { motivo: 'Se entregó todo' } });
  /** Creates a paid order delivered without two of its ten packs, and the cancelled order for the rest. */
  async function cancelledRest(): Promise<[id: string, rest: string]> {
    const id = await onItsWay({ cantidades: [10], pagado: 105 });
    await deliver(id, [part(1, 2, 'falta')]);
    const { data } = (await rest(id)).body;
    expect(data).toMatchObject({ pagado: 20, pendiente: 0 });
    await admin.call(setEstado, { params: { id: data.id }, body: { estado: 'cancelado' } });
    return [id, data.id];
  }

  it('the order for the rest has the agreed price and is paid with the pending refund', async () => {
    const id = await onItsWay({ cantidades: [3, 4], pagado: 46.82, descuento: 1.5 });
    const known = { referencia_externa: 'WEB-1', metadata: { tienda: 'web' } };
    await world.db.updateTable('pedidos').set(known).where('id', '=', id).execute();
    await deliver(id, [part(1, 1, 'falta'), part(2, 3, 'rechazado')]);
    await world.db.updateTable('product_packs').set({ pack_price_cents: 9900 }).execute();
    expect((await rest(id, reseller)).status).toBe(403);
    const { status, body } = await rest(id);
    expect([status, body.data.precio_total, body.data.pagado, body.data.pendiente]).toEqual([201, 19.3, 19.3, 0]);
    expect(body.data).toMatchObject({ referencia_externa: null, metadata: null });
    expect(body.data).toMatchObject({ estado: 'pendiente', envio: 0, cantidad: 4, revendedor_id: reseller.user.id, unidades_retenidas: 9 });
    const { numero_orden } = body.data;
    expect(await read(id)).toMatchObject({ por_reembolsar: 0, reembolsado: 19.3 });
    expect(await returnOf(id)).toMatchObject({ resto_pedido_id: body.data.id, referencia: `Pasa al pedido ${numero_orden}` });
    expect((await admin.call(listPagos, { params: { id: body.data.id } })).body.data).toMatchObject([{ importe: 19.3, estado: 'pagado' }]);
    expect((await rest(id)).status).toBe(409);
  });

  it('the order for the rest is paid on delivery if the first order was', async () => {
    const id = await onItsWay({ cantidades: [3], contra_reembolso: true });
    await deliver(id, [part(1, 1, 'falta')], { cobrado: 25, cobrado_metodo: 'efectivo' });
    expect((await rest(id)).body.data).toMatchObject({ contra_reembolso: true, por_cobrar: 10, pagado: 0 });
  });

  it('the order for the rest reaches no cash limit together with the order that it is the rest of', async () => {
    await world.db.updateTable('product_packs').set({ pack_price_cents: 49_000 }).execute();
    const id = await onItsWay({ cantidades: [2], contra_reembolso: true });
    await deliver(id, [part(1, 1, 'falta')], { cobrado: 495, cobrado_metodo: 'efectivo' });
    const { status, body } = await rest(id);
    expect([status, body.data?.por_cobrar], body.message).toEqual([201, 490]);
    const conjunta = async (of: string) => (await admin.call(listPagos, { params: { id: of } })).body.venta_conjunta;
    expect(await conjunta(body.data.id)).toBe(false);
    const row = await world.db
      .selectFrom('pedidos')
      .select(['venta_aparte', 'envio_fijado'])
      .where('id', '=', body.data.id)
      .executeTakeFirst();
    expect(row).toEqual({ venta_aparte: true, envio_fijado: true });
  });

  it('the order for the rest of an unpaid order has no payment, and of one paid in part only what was paid too much', async () => {
    for (const [pagado, moved] of [
      [0, 0],
      [25, 0],
      [29, 4],
    ] as const) {
      const id = await onItsWay({ cantidades: [3], pagado });
      await deliver(id, [part(1, 1, 'falta')]);
      const { data } = (await rest(id)).body;
      expect([data.precio_total, data.pagado]).toEqual([10, moved]);
      const pagos = (await admin.call(listPagos, { params: { id: data.id } })).body.data;
      expect(pagos.map(({ importe, referencia }) => [importe, referencia])).toEqual(
        moved ? [[moved, `Del pedido ${(await read(id)).numero_orden}`]] : [],
      );
      expect(await read(id)).toMatchObject({ reembolsado: moved, por_reembolsar: 0 });
      expect((await returnOf(id)).referencia).toBe(moved ? `Pasa al pedido ${data.numero_orden}` : null);
    }
    await agrees();
  });

  it('the order for the rest needs stock, and while open prevents annulling the partial delivery', async () => {
    const id = await onItsWay({ cantidades: [3], pagado: 35 });
    await deliver(id, [part(1, 1, 'danado')]);
    await world.db
      .updateTable('products')
      .set({ stock: 0 })
      .where('id', '=', packs[0]?.product_id ?? '')
      .execute();
    expect((await rest(id)).status).toBe(422);
    await world.db
      .updateTable('products')
      .set({ stock: 60 })
      .where('id', '=', packs[0]?.product_id ?? '')
      .execute();
    const made = await rest(id);
    expect((await annul(id)).status).toBe(409);
    await admin.call(setEstado, { params: { id: made.body.data.id }, body: { estado: 'cancelado' } });
    expect((await annul(id)).status).toBe(200);
  });

  it('annulling a partial delivery withdraws its payment from the cancelled order for the rest', async () => {
    const [id, made] = await cancelledRest();
    expect(await promised(made)).toEqual([{ importe: 20, hecha: false }]);
    expect((await annul(id)).status).toBe(200);
    expect(await read(id)).toMatchObject({ pagado: 105, reembolsado: 0, pendiente: 0, por_reembolsar: 0, entrega_parcial: false });
    expect([await promised(id), await promised(made)]).toEqual([[], []]);
    expect((await admin.call(listPagos, { params: { id: made } })).body.data).toMatchObject([{ importe: 20, estado: 'anulado' }]);
    expect((await admin.call(atencionStats)).body.data.devoluciones).toBe(0);
    await agrees();
  });

  it('a partial delivery cannot be annulled once its order for the rest is cancelled and refunded', async () => {
    const [id, made] = await cancelledRest();
    const [pago] = (await admin.call(listPagos, { params: { id: made } })).body.data;
    expect((await admin.call(devolverPago, { params: { id: pago?.id ?? '' }, body: { nota: 'TRF 1' } })).status).toBe(200);
    const { status, body } = await annul(id);
    expect([status, (body as { message: string }).message]).toEqual([
      409,
      expect.stringMatching(/^Los 20,00\s€ que pasaron al pedido ORD-\d+ ya se han reembolsado: no se puede anular$/),
    ]);
    expect(await read(id)).toMatchObject({ pagado: 105, reembolsado: 20, entrega_parcial: true });
    expect(await promised(made)).toEqual([{ importe: 20, hecha: true }]);
  });

  it('the payment moved to the order for the rest cannot be annulled', async () => {
    const id = await onItsWay({ cantidades: [3], pagado: 35 });
    await deliver(id, [part(1, 1, 'falta')]);
    const { data } = (await rest(id)).body;
    const [pago] = (await admin.call(listPagos, { params: { id: data.id } })).body.data;
    expect((await admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: 'Error' } })).status).toBe(409);
    expect((await read(data.id)).pagado).toBe(10);
  });

  it('the order for the rest is created only for a partial delivery, not for ordinary returns', async () => {
    const id = await onItsWay({ cantidades: [3], pagado: 35 });
    await deliver(id, []);
    await admin.call(createDevolucion, { params: { id }, body: { lineas: [{ numero: 1, cantidad: 1, destino: 'baja' }], motivo: 'otro' } });
    expect((await rest(id)).status).toBe(409);
  });
});

/** Computes the cents of the undelivered parts exactly: their share of the discounted lines, never below 0, rounded half up. */
function worth(prices: number[], cantidades: number[], descuento: number, left: number[]): number {
  const all = BigInt(prices.reduce((sum, price, i) => sum + price * (cantidades[i] ?? 0), 0));
  const part = BigInt(prices.reduce((sum, price, i) => sum + price * (left[i] ?? 0), 0));
  const net = all > BigInt(descuento) ? all - BigInt(descuento) : 0n;
  return Number((2n * part * net + all) / (2n * all));
}

it('partial deliveries add up to the cent after any sequence of steps', { timeout: 180_000 }, async () => {
  await admin.call(setGanancia, { params: { id: reseller.user.id }, body: { margen: { tipo: 'porcentaje', valor: 7.35 } } });
  const tarifas = [{ zona: 'peninsula' as const, entrega: 4, intento: 1 }];
  await admin.call(setGanancia, { params: { id: carrier.user.id }, body: { tarifas } });
  const motivo = fc.constantFrom<MotivoParte>('rechazado', 'falta', 'danado');
  const line = fc.record({ cantidad: fc.integer({ min: 1, max: 7 }), left: fc.nat(7), motivo });
  const day = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 2 }),
    // Up to the whole order: goods and shipping.
    off: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(1)),
    pays: fc.constantFrom('before', 'part', 'door', 'never'),
    after: fc.array(fc.constantFrom('refund', 'half', 'rest', 'cancelRest', 'return', 'returnRefunded', 'annul', 'handOver', 'close'), {
      maxLength: 4,
    }),
    notes: fc.integer({ min: 1, max: 3 }),
  });
  let cash = 0;
  let handed = false;
  await fc.assert(
    fc.asyncProperty(day, async ({ lines, off, pays, after, notes }) => {
      const cantidades = lines.map(({ cantidad }) => cantidad);
      const left = lines.map((line) => Math.min(line.left, line.cantidad));
      const prices = [1000, 333];
      const before = cantidades.reduce((sum, cantidad, i) => sum + cantidad * (prices[i] ?? 0), 500);
      const descuento = Math.floor(before * off);
      const total = before - descuento;
      const isDoor = pays === 'door';
      const paid = pays === 'before' ? total : pays === 'part' ? Math.floor(total / 2) : 0;
      const id = await onItsWay({ cantidades, descuento: descuento / 100, contra_reembolso: isDoor, pagado: paid / 100 });
      const partes = lines.flatMap((line, i) => (left[i] ? [part(i + 1, left[i] ?? 0, line.motivo)] : []));
      const all = left.every((cantidad, i) => cantidad === cantidades[i]);
      const order = await carried(id);
      const less = menosPorCobrar(order.lineas ?? [], partes);
      const due = Math.round(((order.por_cobrar ?? 0) - less) * 100) / 100;
      const door = isDoor ? { cobrado: due, cobrado_metodo: 'efectivo' as const } : {};
      const done = await deliver(id, partes, door);
      expect(done.status).toBe(all ? 422 : 200);
      await agrees();
      if (all) return;
      const value = partes.length ? worth(prices, cantidades, descuento, left) : 0;
      if (isDoor) {
        expect(Math.round(less * 100)).toBe(value);
        cash += total - value;
      }
      const kept = isDoor ? total - value : paid;
      const now = await read(id);
      expect([now.pagado, now.pendiente, now.por_reembolsar].map((euros) => Math.round(euros * 100))).toEqual([
        kept,
        Math.max(0, total - value - kept),
        partes.length ? Math.max(0, kept - (total - value)) : 0,
      ]);
      for (const step of after) {
        const devolucion = (await admin.call(listDevoluciones, { params: { id } })).body.data.at(-1);
        const of = { params: { id: devolucion?.id ?? '' } };
        const { por_reembolsar } = await read(id);
        if (step === 'return' || step === 'returnRefunded')
          await admin.call(createDevolucion, {
            params: { id },
            body: { lineas: [{ numero: 1, cantidad: 1, destino: 'stock' }], motivo: 'otro', reembolso: step === 'return' ? null : 3.33 },
          });
        // Closes the month: later corrections go to the next statement.
        if (step === 'close')
          await transact(world.db, (tx) => makeStatements(tx, dayInMadrid().slice(0, 7), { id: admin.user.id, nombre: 'Ana' }));
        if (step === 'handOver' && cash && !handed) {
          handed = true;
          const handing = await carrier.call(entregarCaja, { body: { dia: dayInMadrid(), contado: cash / 100, motivo: null } });
          expect(handing.status).toBe(200);
        }
        if (devolucion && step === 'refund') await refundOf(devolucion)(por_reembolsar || 0.01);
        if (devolucion && step === 'half') await refundOf(devolucion)(Math.ceil(Math.round(por_reembolsar * 100) / 2) / 100);
        if (devolucion && step === 'rest') await admin.call(pedirResto, of);
        if (devolucion?.resto_pedido_id && step === 'cancelRest')
          await admin.call(setEstado, { params: { id: devolucion.resto_pedido_id }, body: { estado: 'cancelado' } });
        if (devolucion && step === 'annul') await admin.call(anularDevolucion, { ...of, body: { motivo: 'Error' } });
        await agrees();
      }
      for (let left = notes; left > 0; left--) {
        const { por_reembolsar } = await read(id);
        if (por_reembolsar === 0) break;
        let rest = Math.ceil(Math.round(por_reembolsar * 100) / left);
        for (const devolucion of (await admin.call(listDevoluciones, { params: { id } })).body.data) {
          const cents = Math.min(rest, Math.round(devolucion.por_reembolsar * 100));
          if (cents === 0) continue;
          rest -= cents;
          expect((await refundOf(devolucion)(cents / 100)).status).toBe(200);
        }
        expect(rest).toBe(0);
      }
      expect((await read(id)).por_reembolsar).toBe(0);
      await agrees();
    }),
    { numRuns: 40 },
  );
  const { rows } = { rows: (await carrier.call(listCajas)).body.data };
  expect(Math.round(rows.reduce((sum, { esperado }) => sum + esperado * 100, 0))).toBe(cash);
});
