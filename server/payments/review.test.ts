import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { startPago } from '../../contract/pagar/pagar.ts';
import { listPagos, listPagosPorRevisar, resolverPago } from '../../contract/payments/payments.ts';
import * as pedidos from '../../contract/pedidos/pedidos.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { insideOf, REDSYS, redsysSays, STRIPE, stripeSays } from '../../test/paying.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld({ ...STRIPE, ...REDSYS, LOG_LEVEL: 'silent' });
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ smtpHost: 'smtp.enruta.test', companyEmail: 'hola@enruta.test' }) as never })
    .execute();
});

const IMPORTE = 4321;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const unpaid = () => world.pedido({ estado: 'pendiente_pago', precio_total_cents: IMPORTE });
const waiting = async () => (await admin.call(listPagosPorRevisar)).body.data;
const figure = async () => (await admin.call(atencionStats)).body.data.pagosPorRevisar;
const resolve = (id: string, body: BodyIn<typeof resolverPago>) => admin.call(resolverPago, { params: { id }, body });
const firstWaiting = async () => {
  const [pago] = await waiting();
  if (!pago) throw new Error('Nothing waits to be reviewed');
  return pago;
};

it('a payment that does not match an order is listed for review, and notified by bell and mail', async () => {
  const pedido = await unpaid();
  await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: 4000 });
  await stripeSays(world.nobody(), { id: 'evt_2', pedido: pedido.id, importe: IMPORTE, moneda: 'usd' });
  await redsysSays(world.nobody(), { order: '0000NUNCA', importe: 990 });
  await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: 4000 });

  expect(
    (await waiting()).map(({ causa, importe, moneda, proveedor_nombre, referencia }) => [
      causa,
      importe,
      moneda,
      proveedor_nombre,
      referencia,
    ]),
  ).toEqual([
    ['importe', 40, 'EUR', 'Stripe', 'cs_evt_1'],
    ['moneda', 43.21, 'USD', 'Stripe', 'cs_evt_2'],
    ['desconocido', 9.9, 'EUR', 'Redsys', '0000NUNCA'],
  ]);
  const { numero_orden, cliente_nombre, id } = pedido;
  expect((await waiting()).map((pago) => pago.pedido)).toEqual([
    { id, numero_orden, cliente_nombre, pendiente: 43.21 },
    { id, numero_orden, cliente_nombre, pendiente: 43.21 },
    null,
  ]);
  expect(await figure()).toBe(3);
  const { body } = await admin.call(listNotifications);
  expect(new Set(body.data.map(({ tipo, enlace }) => `${tipo} ${enlace}`))).toEqual(new Set(['pago_por_revisar /pagos-por-revisar']));
  expect(body.data).toHaveLength(3);
  const mails = await world.db.selectFrom('outbox').select('recipient').execute();
  expect(mails.map(({ recipient }) => recipient)).toEqual(Array.from({ length: 3 }, () => admin.user.email));
});

it('a payment of less than the amount due can be booked on its order, which still owes the rest', async () => {
  const pedido = await unpaid();
  await stripeSays(world.nobody(), { id: 'evt_1', pedido: pedido.id, importe: 4000 });
  const { id } = await firstWaiting();
  expect((await resolve(id, { resolucion: 'pagado', motivo: 'Descuento mal aplicado' })).status).toBe(200);
  expect([await waiting(), await figure()]).toEqual([[], 0]);
  const { data } = (await admin.call(pedidos.getPedido, { params: { id: pedido.id } })).body;
  expect(data).toMatchObject({ estado: 'pendiente_pago', pagado: 40 });
  expect((await admin.call(listPagos, { params: { id: pedido.id } })).body.data).toMatchObject([
    { proveedor: 'stripe', estado: 'pagado', importe: 40, referencia: 'cs_evt_1' },
  ]);
  // The customer then pays the rest.
  await stripeSays(world.nobody(), { id: 'evt_2', pedido: pedido.id, importe: 321 });
  expect((await admin.call(pedidos.getPedido, { params: { id: pedido.id } })).body.data).toMatchObject({
    estado: 'pendiente',
    pagado: 43.21,
  });
});

it('a payment without an order is booked on the order that the superadmin names, up to the amount due', async () => {
  const pedido = await unpaid();
  await stripeSays(world.nobody(), { id: 'evt_1', pedido: UNKNOWN, importe: 5000, moneda: 'usd' });
  const { id } = await firstWaiting();
  const motivo = 'Es de este cliente';
  const numero_orden = pedido.numero_orden;
  expect((await resolve(id, { resolucion: 'pagado', motivo })).body).toMatchObject({
    errors: { numero_orden: ['Indica de qué pedido es'] },
  });
  expect((await resolve(id, { resolucion: 'pagado', motivo, numero_orden: 'ORD-1999000001' })).body).toMatchObject({
    errors: { numero_orden: ['Ningún pedido tiene ese número'] },
  });
  expect((await resolve(id, { resolucion: 'pagado', motivo, numero_orden })).body).toMatchObject({
    errors: { importe: ['Indica cuántos euros son'] },
  });
  expect((await resolve(id, { resolucion: 'pagado', motivo, numero_orden, importe: 50 })).body).toMatchObject({
    errors: { importe: ['Como máximo lo que falta por pagar: 43,21\u00a0€'] },
  });
  expect((await resolve(id, { resolucion: 'pagado', motivo, numero_orden, importe: 43.21 })).status).toBe(200);
  expect((await admin.call(pedidos.getPedido, { params: { id: pedido.id } })).body.data).toMatchObject({
    estado: 'pendiente',
    pagado: 43.21,
  });
});

it('a refund stays listed for review until made, and each decision is audited with its reason', async () => {
  await redsysSays(world.nobody(), { order: '0000NUNCA', importe: 990 });
  const { id } = await firstWaiting();
  expect((await resolve(id, { resolucion: 'devolver', motivo: ' ' })).body).toMatchObject({ errors: { motivo: ['Indica el motivo'] } });
  await resolve(id, { resolucion: 'devolver', motivo: 'No es nuestro' });
  expect([await waiting(), await figure()]).toMatchObject([[{ resolucion: 'devolver', motivo: 'No es nuestro' }], 1]);
  expect((await resolve(id, { resolucion: 'devuelto', motivo: 'Hecho en el banco' })).status).toBe(200);
  expect((await resolve(id, { resolucion: 'visto', motivo: 'Otra vez' })).status).toBe(409);
  expect([await waiting(), await figure()]).toEqual([[], 0]);
  const log = await world.db
    .selectFrom('audit_logs')
    .select(['actor_user_id', 'description', 'despues'])
    .where('entity_type', '=', 'pago')
    .execute();
  expect(log).toMatchObject([
    {
      actor_user_id: admin.user.id,
      description: 'Pago 0000NUNCA de Redsys revisado: hay que devolverlo',
      despues: { motivo: 'No es nuestro' },
    },
    { description: 'Pago 0000NUNCA de Redsys revisado: devuelto' },
  ]);
});

it('only one of two concurrent decisions about a payment is saved', async () => {
  await redsysSays(world.nobody(), { order: '0000NUNCA', importe: 990 });
  const { id } = await firstWaiting();
  const both = await Promise.all(['a', 'b'].map((motivo) => resolve(id, { resolucion: 'visto', motivo })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

it('a payment begun for one order and booked on another leaves the first unchanged', async () => {
  const [first, second] = [await unpaid(), await unpaid()];
  const { body } = await world.nobody().call(startPago, {
    params: { token: first.pago_token ?? '', proveedor: 'redsys' },
    body: { metodo: 'tarjeta' },
  });
  const order = insideOf(body.fields?.Ds_MerchantParameters).DS_MERCHANT_ORDER ?? '';
  await redsysSays(world.nobody(), { order, importe: 1000 });
  const { id } = await firstWaiting();
  await resolve(id, { resolucion: 'pagado', motivo: 'Pagó el otro', numero_orden: second.numero_orden });
  const paid = async ({ id }: { id: string }) => (await admin.call(pedidos.getPedido, { params: { id } })).body.data;
  expect([await paid(first), await paid(second)]).toMatchObject([{ pagado: 0 }, { pagado: 10 }]);
});
