import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { getPago } from '../../../contract/pagar/pagar.ts';
import { anotarPago, anularPago, devolverPago, listPagos, reembolsarSobra } from '../../../contract/payments/payments.ts';
import { createPedido, getPedido, listPedidos, type Pedido, setEstado, setLineas } from '../../../contract/pedidos/pedidos.ts';
import { atencionStats } from '../../../contract/stats/stats.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';
import { recountAccounts } from '../../cuadre/run.ts';
import { onSnapshot } from '../../db/open.ts';

/* Money paid beyond the total (decision 086), and orders of 0 €. */

let world: World;
let admin: Person;
let pack: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  pack = (await world.pack({ pack_price_cents: 1000 })).id;
});

const cliente = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013' };
const pay = (id: string, importe: number, metodo: 'bizum' | 'efectivo' = 'bizum') =>
  admin.call(anotarPago, { params: { id }, body: { metodo, importe, fecha: dayInMadrid() } });
const read = async (id: string) => (await admin.call(getPedido, { params: { id } })).body.data as Pedido;
const cut = async (id: string, cantidad: number, more: object = {}) =>
  admin.call(setLineas, { params: { id }, body: { lineas: [{ numero: 1, cantidad }], ...more } });
const refund = (id: string, importe: number, who = admin) =>
  who.call(reembolsarSobra, { params: { id }, body: { importe, referencia: 'TR-9' } });
/** Returns the refunds on the customer's page as [euros, made]. */
const promised = async ({ payment_link }: Pedido) => {
  const { data } = (await world.nobody().call(getPago, { params: { token: payment_link?.split('/').at(-1) ?? '' } })).body;
  return data.devoluciones.map(({ importe, hecha }) => [importe, hecha]);
};
const listed = async () => (await admin.call(listPedidos, { query: { devolucion: 'pendiente' } })).body.data.map(({ id }) => id);

/** Creates an order of two packs, paid in two payments and then cut to one pack, so overpaid by 10 €; returns its id. */
async function overpaid() {
  const made = await admin.call(createPedido, { body: { ...cliente, lineas: [{ pack_id: pack, cantidad: 2 }] } });
  const { id } = made.body.data;
  await pay(id, 13, 'efectivo');
  await pay(id, 7);
  expect((await cut(id, 1)).status).toBe(200);
  return id;
}

describe('money paid beyond the total', () => {
  it('money paid beyond the total is shown as a refund due to office and customer', async () => {
    const id = await overpaid();
    const pedido = await read(id);
    expect(pedido).toMatchObject({ precio_total: 10, pagado: 20, pendiente: 0, por_reembolsar: 10 });
    expect([await listed(), (await admin.call(atencionStats)).body.data.devoluciones]).toEqual([[id], 1]);
    expect(await promised(pedido)).toEqual([[10, false]]);
    const notices = (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'devolucion_pendiente');
    expect(notices).toEqual([expect.objectContaining({ texto: expect.stringContaining('se ha pagado más'), enlace: `/pedidos/${id}` })]);
  });

  it('money paid beyond the total can be refunded in parts, but never beyond the amount owed', async () => {
    const id = await overpaid();
    expect((await refund(id, 4)).status).toBe(200);
    expect(await read(id)).toMatchObject({ pagado: 16, por_reembolsar: 6 });
    const more = await refund(id, 6.01);
    expect([more.status, more.body.errors?.importe?.[0]?.replaceAll('\u00a0', ' ')]).toEqual([422, 'Como máximo lo que sobra: 6,00 €']);
    const both = await Promise.all([refund(id, 6), refund(id, 6)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const pedido = await read(id);
    expect(pedido).toMatchObject({ pagado: 10, pendiente: 0, por_reembolsar: 0 });
    expect(await promised(pedido)).toEqual(
      expect.arrayContaining([
        [7, true],
        [3, true],
      ]),
    );
    expect(await listed()).toEqual([]);
    expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
  });

  it('money paid beyond the total can be refunded by the office only', async () => {
    const id = await overpaid();
    for (const role of ['revendedor', 'transportista'] as const) expect((await refund(id, 4, await world.as(role))).status).toBe(403);
  });

  it('no refund is due once an overpaid order costs as much again', async () => {
    const id = await overpaid();
    await cut(id, 2);
    expect(await read(id)).toMatchObject({ pagado: 20, por_reembolsar: 0, pendiente: 0 });
  });

  it('cancelling an overpaid order makes due only the money not yet refunded', async () => {
    const id = await overpaid();
    await refund(id, 8);
    await admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } });
    const pedido = await read(id);
    expect(pedido).toMatchObject({ pagado: 0, por_reembolsar: 0 });
    const pagos = (await admin.call(listPagos, { params: { id } })).body.data;
    expect(pagos.map(({ estado, importe, devuelto }) => [estado, importe - devuelto])).toEqual([
      ['devuelto', 0],
      ['devolucion_pendiente', 12],
    ]);
    expect(await promised(pedido)).toEqual(expect.arrayContaining([[12, false]]));
    await admin.call(devolverPago, { params: { id: pagos[1]?.id ?? '' }, body: {} });
    expect((await promised(pedido)).reduce((sum, [importe]) => sum + Number(importe), 0)).toBe(20);
    expect(await listed()).toEqual([]);
  });

  it('a payment with a refunded excess cannot be annulled', async () => {
    const id = await overpaid();
    await refund(id, 4);
    const [last] = (await admin.call(listPagos, { params: { id } })).body.data;
    const annulled = await admin.call(anularPago, { params: { id: last?.id ?? '' }, body: { motivo: 'No era' } });
    expect([annulled.status, annulled.body.message.replaceAll('\u00a0', ' ')]).toEqual([
      409,
      'De este pago ya se han reembolsado 4,00 €: no se puede anular',
    ]);
  });
});

describe('an order of 0 €', () => {
  it('an order of 0 € starts as pendiente, and its page asks for no payment', async () => {
    const { body } = await admin.call(createPedido, {
      body: { ...cliente, lineas: [{ pack_id: pack, cantidad: 1 }], descuento: 10, estado: 'pendiente_pago' },
    });
    expect(body.data).toMatchObject({ estado: 'pendiente', precio_total: 0, pendiente: 0 });
    const token = body.payment_link?.split('/').at(-1) ?? '';
    const { data } = (await world.nobody().call(getPago, { params: { token } })).body;
    expect(data).toMatchObject({ por_pagar: false, transferencia: null });
  });

  it('an order stops waiting for payment once a discount covers the whole price', async () => {
    const made = await admin.call(createPedido, {
      body: { ...cliente, lineas: [{ pack_id: pack, cantidad: 1 }], estado: 'pendiente_pago' },
    });
    const { id } = made.body.data;
    expect((await cut(id, 1, { descuento: 10 })).body.data).toMatchObject({ estado: 'pendiente', pendiente: 0 });
    expect((await admin.call(listPagos, { params: { id } })).body.data).toEqual([]);
  });

  it('an order stops waiting for payment once part payments cover its reduced total', async () => {
    const made = await admin.call(createPedido, {
      body: { ...cliente, lineas: [{ pack_id: pack, cantidad: 2 }], estado: 'pendiente_pago' },
    });
    const { id } = made.body.data;
    await pay(id, 10);
    expect((await cut(id, 1)).body.data).toMatchObject({ estado: 'pendiente', pagado: 10, pendiente: 0 });
  });
});
