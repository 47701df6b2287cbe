import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  anularDevolucion,
  createDevolucion,
  listDevoluciones,
  moverDevolucion,
  reembolsarDevolucion,
  retenerDevolucion,
} from '../../contract/devoluciones/devoluciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { getPago } from '../../contract/pagar/pagar.ts';
import { anotarPago, anularPago, listPagos, reembolsarSobra } from '../../contract/payments/payments.ts';
import {
  createPedido,
  deletePedido,
  getPedido,
  listPedidos,
  type Pedido,
  restorePedido,
  setEstado,
} from '../../contract/pedidos/pedidos.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';

/* A return owes its value until it is refunded, kept with a reason or moved to another order (decision 101). */

let world: World;
let admin: Person;
let pack: Awaited<ReturnType<World['pack']>>;
let id: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  pack = await world.pack({ product_id: (await world.product({ stock: 1000 })).id, pack_quantity: 6, pack_price_cents: 1250 });
  id = await delivered();
});

/** Delivers a paid order of two packs (25 €) and five euros of shipping. */
async function delivered(pagado = 30): Promise<string> {
  const id = await made(2, 5);
  if (pagado) await pay(id, pagado);
  const body = { estado: 'completado' as const, metodo_entrega: 'manual' as const };
  expect((await admin.call(setEstado, { params: { id }, body })).status).toBe(200);
  return id;
}
let customers = 0;
async function made(cantidad: number, envio: number, estado: 'pendiente' | 'pendiente_pago' = 'pendiente'): Promise<string> {
  const cliente = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_telefono: String(612_345_678 + ++customers) };
  const { status, text, body } = await admin.call(createPedido, { body: { ...cliente, pack_id: pack.id, cantidad, envio, estado } });
  expect(status, text).toBe(201);
  return body.data.id;
}
const pay = (pedido: string, importe: number) =>
  admin.call(anotarPago, { params: { id: pedido }, body: { metodo: 'bizum', importe, fecha: dayInMadrid() } });
const read = async (pedido = id) => (await admin.call(getPedido, { params: { id: pedido } })).body.data as Pedido;
const giveBack = async (cantidad: number, reembolso: number | null = null) => {
  const lineas = [{ numero: 1, cantidad, destino: 'stock' as const }];
  const made = await admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'desistimiento', reembolso } });
  expect(made.status, made.text).toBe(201);
  return made.body.data;
};
const refund = (devolucion: { id: string }, reembolso: number) =>
  admin.call(reembolsarDevolucion, { params: { id: devolucion.id }, body: { reembolso, referencia: null } });
const keep = (devolucion: { id: string }, importe: number, motivo = 'Gastos de envío') =>
  admin.call(retenerDevolucion, { params: { id: devolucion.id }, body: { importe, motivo } });
const move = (devolucion: { id: string }, numero_orden: string) =>
  admin.call(moverDevolucion, { params: { id: devolucion.id }, body: { numero_orden } });
const annul = (devolucion: { id: string }) => admin.call(anularDevolucion, { params: { id: devolucion.id }, body: { motivo: 'Error' } });
const agrees = async () => expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);

/** Euros that are owed back, as the order, the office's list and its count, and the customer's page say. */
async function owed() {
  const { por_reembolsar, payment_link } = await read();
  const listed = (await admin.call(listPedidos, { query: { devolucion: 'pendiente' } })).body.data.map((row) => row.id);
  const token = payment_link?.split('/').at(-1) ?? '';
  const page = (await admin.call(getPago, { params: { token } })).body.data;
  return {
    order: por_reembolsar,
    listed: listed.includes(id),
    count: (await admin.call(atencionStats)).body.data.devoluciones,
    page: page?.devoluciones.filter(({ hecha }) => !hecha).map(({ importe }) => importe),
  };
}
const nothing = { order: 0, listed: false, count: 0, page: [] };

describe('the money of a return', () => {
  it('a return without a refund owes its value in every place until the refund is noted', async () => {
    const devolucion = await giveBack(1);
    expect(devolucion.por_reembolsar).toBe(12.5);
    expect(await owed()).toEqual({ order: 12.5, listed: true, count: 1, page: [12.5] });
    const notices = (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'devolucion_pendiente');
    expect(notices).toMatchObject([{ texto: expect.stringMatching(/^Reembolso pendiente: se ha devuelto mercancía/) }]);
    expect((await refund(devolucion, 12.51)).body.errors).toEqual({ reembolso: ['Quedan 12,50\u00a0€ por reembolsar'] });
    expect((await refund(devolucion, 10)).body.data).toMatchObject({ reembolso: 10, por_reembolsar: 2.5 });
    expect(await owed()).toEqual({ order: 2.5, listed: true, count: 1, page: [2.5] });
    expect((await refund(devolucion, 2.5)).status).toBe(200);
    expect(await owed()).toEqual(nothing);
    expect((await refund(devolucion, 0.01)).status).toBe(409);
    await agrees();
  });

  it('a whole return with a smaller refund owes the rest, which the shop keeps with a reason', async () => {
    const devolucion = await giveBack(2, 25);
    expect(await owed()).toEqual({ order: 5, listed: true, count: 1, page: [5] });
    expect((await keep(devolucion, 5.01)).status).toBe(422);
    expect((await admin.call(retenerDevolucion, { params: { id: devolucion.id }, body: { importe: 5, motivo: '' } })).status).toBe(422);
    expect((await keep(devolucion, 5)).body.data).toMatchObject({ retenido: 5, retenido_motivo: 'Gastos de envío', por_reembolsar: 0 });
    expect(await owed()).toEqual(nothing);
    const sold = await world.db.selectFrom('pedidos').select('devuelto_cents').where('id', '=', id).executeTakeFirst();
    expect(sold).toEqual({ devuelto_cents: 2500 });
    expect(await read()).toMatchObject({ pendiente: 0, reembolsado: 25 });
    await agrees();
    expect((await annul(devolucion)).status).toBe(200);
    expect(await read()).toMatchObject({ pendiente: 0, reembolsado: 0, por_reembolsar: 0 });
    await agrees();
  });

  it('a refund beyond the value is a discount, and reduces no other return’s refund', async () => {
    const first = await giveBack(1);
    const second = await giveBack(1, 17.5);
    // The second return completes the order, so the shipping goes with it.
    expect([second.de_mas, (await read()).por_reembolsar]).toEqual([0, 12.5]);
    await annul(second);
    expect((await giveBack(1, 20)).de_mas).toBe(2.5);
    expect((await refund(first, 10)).status).toBe(200);
    expect(await owed()).toEqual(nothing);
    await agrees();
    id = await delivered();
    expect((await giveBack(1, 15)).de_mas).toBe(2.5);
    expect(await owed()).toEqual(nothing);
    await agrees();
  });

  it('annulling a return leaves every euro in a place, whatever was refunded for the others', async () => {
    const first = await giveBack(1, 10);
    await giveBack(1, 20);
    expect((await annul(first)).status).toBe(200);
    // The shipping is sold again, but was refunded: a discount.
    expect((await admin.call(listDevoluciones, { params: { id } })).body.data).toMatchObject([{ reembolso: 20, de_mas: 7.5 }, {}]);
    expect(await owed()).toEqual(nothing);
    await agrees();
  });

  it('the money of a return pays another order as far as it reaches, and comes back only from a cancelled order', async () => {
    const other = await read(await made(1, 0, 'pendiente_pago'));
    const devolucion = await giveBack(2);
    expect((await move(devolucion, 'ORD-2020000001')).status).toBe(422);
    expect((await move(devolucion, (await read()).numero_orden)).status).toBe(422);
    expect((await move(devolucion, other.numero_orden.toLowerCase())).body.data).toMatchObject({ por_reembolsar: 17.5, reembolso: 12.5 });
    expect(await read(other.id)).toMatchObject({ estado: 'pendiente', pagado: 12.5, pendiente: 0 });
    expect((await move(devolucion, other.numero_orden)).status).toBe(409);
    expect(await owed()).toEqual({ order: 17.5, listed: true, count: 1, page: [17.5] });
    await agrees();
    const refused = await annul(devolucion);
    expect([refused.status, (refused.body as { message?: string }).message]).toEqual([
      409,
      `Su dinero paga el pedido ${other.numero_orden}: cancélalo antes`,
    ]);
    await admin.call(setEstado, { params: { id: other.id }, body: { estado: 'cancelado', motivo: 'Fin' } });
    expect((await annul(devolucion)).status).toBe(200);
    expect((await admin.call(listPagos, { params: { id: other.id } })).body.data).toMatchObject([{ estado: 'anulado' }]);
    expect(await read()).toMatchObject({ pagado: 30, reembolsado: 0, por_reembolsar: 0 });
    await agrees();
  });

  it('a return of an unpaid order owes no refund, neither before nor after the rest is paid', async () => {
    id = await delivered(0);
    const devolucion = await giveBack(1);
    expect(await read()).toMatchObject({ por_reembolsar: 0, pendiente: 17.5 });
    expect((await keep(devolucion, 2.5)).status).toBe(409);
    await pay(id, 17.5);
    expect(await read()).toMatchObject({ por_reembolsar: 0, pendiente: 0 });
    await agrees();
  });
});

describe('the money of a deleted order', () => {
  it.each(['pendiente', 'completado'] as const)(
    'a paid order deleted as %s owes its money in every place until it is refunded',
    async (estado) => {
      if (estado === 'pendiente') id = await made(2, 5);
      if (estado === 'pendiente') await pay(id, 30);
      expect((await admin.call(deletePedido, { params: { id } })).status).toBe(200);
      expect(await owed()).toMatchObject({ order: 30, listed: true, count: 1 });
      const notices = (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'devolucion_pendiente');
      expect(notices).toMatchObject([{ texto: expect.stringMatching(/estaba pagado y se ha eliminado$/) }]);
      await agrees();
      const noted = await admin.call(reembolsarSobra, { params: { id }, body: { importe: 25, referencia: null } });
      expect([noted.status, (await read()).por_reembolsar]).toEqual([200, 5]);
      expect((await admin.call(restorePedido, { params: { id } })).status).toBe(200);
      // The refunded money is due again.
      expect(await read()).toMatchObject({ pagado: 5, por_reembolsar: 0, pendiente: 25 });
      await agrees();
    },
  );

  it('a payment of a deleted order can be annulled as a mistake, and then nothing is owed', async () => {
    await admin.call(deletePedido, { params: { id } });
    const [pago] = (await admin.call(listPagos, { params: { id } })).body.data;
    expect((await admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: 'Error' } })).status).toBe(200);
    expect(await owed()).toMatchObject({ order: 0, listed: false, count: 0 });
    await agrees();
  });
});
