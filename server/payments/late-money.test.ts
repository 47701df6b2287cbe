import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { devolverPago, listPagos } from '../../contract/payments/payments.ts';
import * as pedidos from '../../contract/pedidos/pedidos.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { STRIPE, stripeSays } from '../../test/paying.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ ...STRIPE, LOG_LEVEL: 'silent' });
  return world.close;
});
beforeEach(() => world.reset());

const IMPORTE = 4321;
const unpaid = () => world.pedido({ estado: 'pendiente_pago', precio_total_cents: IMPORTE });
const estadoOf = async (id: string) =>
  (await world.db.selectFrom('pedidos').select('estado').where('id', '=', id).executeTakeFirstOrThrow()).estado;
const pagos = (id: string) =>
  world.db
    .selectFrom('pagos')
    .select(['proveedor', 'estado', 'importe_cents', 'externo_id'])
    .where('pedido_id', '=', id)
    .orderBy('created_at')
    .execute();
const textsOf = async () => {
  const { body } = await (await world.as('superadmin')).call(listNotifications);
  return body.data.map((n) => [n.tipo, n.texto, n.enlace]);
};

describe('money to refund', () => {
  it('a payment for a cancelled order is recorded as late and notified, and the order stays cancelled', async () => {
    const admin = await world.as('superadmin');
    const pedido = await unpaid();
    await admin.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });
    expect((await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: IMPORTE })).status).toBe(200);
    await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: IMPORTE });
    expect(await estadoOf(pedido.id)).toBe('cancelado');
    expect(await pagos(pedido.id)).toMatchObject([{ estado: 'tardio', importe_cents: IMPORTE }]);
    const texto = `Pago tardío: el pedido ${pedido.numero_orden} (${pedido.cliente_nombre}) está cancelado y hay que reembolsar el dinero`;
    expect(await textsOf()).toEqual([['pago_tardio', texto, `/pedidos/${pedido.id}`]]);
  });

  it('a payment for a deleted order is recorded as late', async () => {
    const admin = await world.as('superadmin');
    const pedido = await unpaid();
    await admin.call(pedidos.deletePedido, { params: { id: pedido.id } });
    await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: IMPORTE });
    expect(await estadoOf(pedido.id)).toBe('pendiente_pago');
    expect(await pagos(pedido.id)).toMatchObject([{ estado: 'tardio' }]);
    expect((await textsOf()).map(([tipo]) => tipo)).toEqual(['pago_tardio']);
  });

  it('a second payment of a paid order is recorded as duplicate', async () => {
    const pedido = await unpaid();
    await world.as('superadmin');
    await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: IMPORTE });
    await stripeSays(world.nobody(), { id: 'evt_2', pedido: pedido.id, importe: IMPORTE });
    expect((await pagos(pedido.id)).map((p) => p.estado)).toEqual(['pagado', 'duplicado']);
    expect((await textsOf())[0]?.[1]).toContain('Pago duplicado');
  });

  it('cancelling a paid order makes a refund due until a superadmin marks it as made', async () => {
    const admin = await world.as('superadmin');
    const pedido = await unpaid();
    await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: IMPORTE });
    await admin.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });
    expect((await textsOf())[0]).toEqual([
      'devolucion_pendiente',
      `Reembolso pendiente: el pedido ${pedido.numero_orden} (${pedido.cliente_nombre}) estaba pagado y se ha cancelado`,
      `/pedidos/${pedido.id}`,
    ]);
    const { body } = await admin.call(listPagos, { params: { id: pedido.id } });
    expect(body.data).toMatchObject([
      { proveedor: 'stripe', proveedor_nombre: 'Stripe', estado: 'devolucion_pendiente', importe: 43.21, nota: null },
    ]);
    const params = { id: body.data[0]?.id ?? '' };
    expect((await admin.call(devolverPago, { params, body: { nota: 'Devuelto en Stripe' } })).status).toBe(200);
    expect((await admin.call(devolverPago, { params, body: {} })).status).toBe(409);
    expect((await admin.call(listPagos, { params: { id: pedido.id } })).body.data).toMatchObject([
      { estado: 'devuelto', nota: 'Devuelto en Stripe' },
    ]);
    // A repeated notification changes nothing: the payment stays refunded.
    await stripeSays(world.nobody(), { id: 'evt_2', session: 'cs_evt_1', pedido: pedido.id, importe: IMPORTE });
    expect((await pagos(pedido.id)).map((p) => p.estado)).toEqual(['devuelto']);
  });

  it('no refund is due for a cancelled unpaid order or for an active paid order', async () => {
    const admin = await world.as('superadmin');
    const [never, paid] = [await unpaid(), await unpaid()];
    await admin.call(pedidos.setEstado, { params: { id: never.id }, body: { estado: 'cancelado' } });
    expect(await textsOf()).toEqual([]);
    await stripeSays(world.nobody(), { id: 'evt_1', pedido: paid.id, importe: IMPORTE });
    const { body } = await admin.call(listPagos, { params: { id: paid.id } });
    expect((await admin.call(devolverPago, { params: { id: body.data[0]?.id ?? '' }, body: {} })).status).toBe(409);
  });
});

it('a carrier is notified of an available order, without its payment', async () => {
  const carrier = await world.as('transportista');
  const pedido = await unpaid();
  await stripeSays(world.nobody(), { id: 'evt_1', session: 'cs_secreto', pedido: pedido.id, importe: IMPORTE });
  const seen = await Promise.all([
    carrier.call(listNotifications),
    carrier.call(pedidos.getPedido, { params: { id: pedido.id } }),
    carrier.call(listPagos, { params: { id: pedido.id } }),
  ]);
  expect(seen.map((reply) => reply.status)).toEqual([200, 200, 403]);
  const text = seen.map((reply) => reply.text).join('');
  expect(text).toContain('pedido_disponible');
  expect(text).not.toMatch(/43[.,]21|4321|cs_secreto|pago_token|pagar\//);
});

describe('the list of refunds due', () => {
  const waiting = async () => (await (await world.as('superadmin')).call(atencionStats)).body.data.devoluciones;
  const listed = async () => {
    const { body } = await (await world.as('superadmin')).call(pedidos.listPedidos, { query: { devolucion: 'pendiente' } });
    return [body.total, body.data.map(({ numero_orden }) => numero_orden).sort()] as const;
  };

  it('the list of refunds due has orders with late or duplicate payments, and cancelled paid orders', async () => {
    const admin = await world.as('superadmin');
    const [late, twice, cancelled, deleted, paid] = [await unpaid(), await unpaid(), await unpaid(), await unpaid(), await unpaid()];
    expect([await waiting(), await listed()]).toEqual([0, [0, []]]);
    await admin.call(pedidos.setEstado, { params: { id: late.id }, body: { estado: 'cancelado' } });
    await admin.call(pedidos.deletePedido, { params: { id: deleted.id } });
    let n = 0;
    for (const { id } of [late, twice, twice, twice, cancelled, deleted, paid])
      await stripeSays(world.nobody(), { id: `evt_${++n}`, pedido: id, importe: IMPORTE });
    await admin.call(pedidos.setEstado, { params: { id: cancelled.id }, body: { estado: 'cancelado' } });
    const owed = [late, twice, cancelled, deleted].map(({ numero_orden }) => numero_orden).sort();
    expect([await waiting(), await listed()]).toEqual([4, [4, owed]]);

    // The order stays listed until both duplicates are refunded.
    const { body } = await admin.call(listPagos, { params: { id: twice.id } });
    const doubles = body.data.filter(({ estado }) => estado === 'duplicado');
    expect(doubles).toHaveLength(2);
    await admin.call(devolverPago, { params: { id: doubles[0]?.id ?? '' }, body: {} });
    expect(await waiting()).toBe(4);
    await admin.call(devolverPago, { params: { id: doubles[1]?.id ?? '' }, body: {} });
    expect([await waiting(), await listed()]).toEqual([3, [3, owed.filter((number) => number !== twice.numero_orden)]]);
  });

  it('the list of refunds due is for superadmins only', async () => {
    for (const role of ['revendedor', 'transportista'] as const) {
      const { status } = await (await world.as(role)).call(pedidos.listPedidos, { query: { devolucion: 'pendiente' } });
      expect(status, role).toBe(403);
    }
  });
});
