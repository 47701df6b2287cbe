import { beforeAll, expect, it } from 'vitest';
import { startPago } from '../../contract/pagar/pagar.ts';
import { anyEstado } from '../../test/builders.ts';
import { insideOf, REDSYS, redsysSays, STRIPE, stripeSays } from '../../test/paying.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ ...STRIPE, ...REDSYS, LOG_LEVEL: 'silent' });
  return world.close;
});

// A fixed seed, so that a failure can be reproduced.
let seed = 20261120;
const random = (below: number) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};
const shuffled = <T>(things: T[]) => {
  for (let i = things.length - 1; i > 0; i -= 1) {
    const j = random(i + 1);
    [things[i], things[j]] = [things[j] as T, things[i] as T];
  }
  return things;
};

type Order = { id: string; token: string; importe: number; redsys: string };
type Kind = 'genuine' | 'cancelled' | 'forged';
const STALE = Math.floor(Date.now() / 1000) - 3600;

it('shuffled, repeated and partly forged notifications pay each order at most once, and only by a genuine one', async () => {
  const nobody = world.nobody();
  const pack = await world.pack({ product_id: (await world.product({ stock: 9000 })).id });
  const orders = { genuine: [] as Order[], cancelled: [] as Order[], forged: [] as Order[] };
  for (let i = 0; i < 120; i += 1) {
    const kind: Kind = i % 12 === 0 ? 'cancelled' : i % 3 === 0 ? 'forged' : 'genuine';
    const importe = 1000 + i;
    const row = await world.pedido({ pack, estado: 'pendiente_pago', precio_total_cents: importe, revendedor_id: null });
    const { body } = await nobody.call(startPago, {
      params: { token: row.pago_token ?? '', proveedor: 'redsys' },
      body: { metodo: 'tarjeta' },
    });
    const redsys = insideOf(body.fields?.Ds_MerchantParameters).DS_MERCHANT_ORDER ?? '';
    orders[kind].push({ id: row.id, token: row.pago_token ?? '', importe, redsys });
    if (kind === 'cancelled')
      await world.db
        .updateTable('pedidos')
        .set({ estado: anyEstado('cancelado'), unidades_retenidas: 0 })
        .where('id', '=', row.id)
        .execute();
  }

  const truly = (o: Order, n: number) => [
    () =>
      stripeSays(nobody, {
        id: `evt_${o.id}`,
        session: `cs_${o.id}`,
        pedido: o.id,
        importe: o.importe,
        ...(n % 2 ? { type: 'checkout.session.async_payment_succeeded' } : {}),
      }),
    () => redsysSays(nobody, { order: o.redsys, importe: o.importe }),
  ];
  const falsely = (o: Order) => [
    () => stripeSays(nobody, { id: `forged_${o.id}`, pedido: o.id, importe: o.importe }, { secret: 'whsec_ladrona' }),
    () => stripeSays(nobody, { id: `stale_${o.id}`, pedido: o.id, importe: o.importe }, { timestamp: STALE }),
    () => stripeSays(nobody, { id: `cheap_${o.id}`, pedido: o.id, importe: 1 }),
    () => stripeSays(nobody, { id: `dollars_${o.id}`, pedido: o.id, importe: o.importe, moneda: 'usd' }),
    () => redsysSays(nobody, { order: o.redsys, importe: o.importe, secret: 'tq7HjrUOBfKmC576ILgskD5srU870gJ7' }),
    () => redsysSays(nobody, { order: o.redsys, importe: 1 }),
    () => redsysSays(nobody, { order: o.redsys, importe: o.importe, response: '0190' }),
  ];
  const pick = <T>(from: T[]) => from[random(from.length)] as T;
  const real = [...orders.genuine, ...orders.cancelled].map((o, n) => pick(truly(o, n)));
  const false_ = Array.from({ length: Math.ceil(real.length / 2) }, () => pick(falsely(pick([...orders.forged, ...orders.genuine]))));
  const sent = [...real, ...false_].flatMap((send) => Array.from({ length: 1 + random(5) }, () => send));
  while (sent.length < 500) sent.push(pick(sent.length % 3 ? real : false_));
  shuffled(sent);
  const statuses = new Map<number, number>();
  // Ten at a time, as in real traffic.
  for (let i = 0; i < sent.length; i += 10) {
    for (const { status } of await Promise.all(sent.slice(i, i + 10).map((send) => send())))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].sort()).toEqual([200, 400]);
  expect(sent.length).toBeGreaterThanOrEqual(500);

  const rows = await world.db.selectFrom('pedidos').select(['id', 'estado', 'unidades_retenidas']).execute();
  const estados = new Map(rows.map((row) => [row.id, row.estado]));
  const pagos = await world.db
    .selectFrom('pagos')
    .select(['pedido_id', 'estado', 'importe_cents'])
    .where('estado', 'not in', ['iniciado', 'rechazado'])
    .execute();
  const of = (o: Order) => pagos.filter((p) => p.pedido_id === o.id).map((p) => [p.estado, p.importe_cents]);
  for (const o of orders.genuine) expect([estados.get(o.id), of(o)]).toEqual(['pendiente', [['pagado', o.importe]]]);
  for (const o of orders.cancelled) expect([estados.get(o.id), of(o)]).toEqual(['cancelado', [['tardio', o.importe]]]);
  for (const o of orders.forged) expect([estados.get(o.id), of(o)]).toEqual(['pendiente_pago', []]);
  // One history entry per payment, whatever the number of notifications.
  const { steps } = await world.db
    .selectFrom('pedidos_historial')
    .select((eb) => eb.fn.countAll<number>().as('steps'))
    .where('accion', '=', 'Pagado')
    .executeTakeFirstOrThrow();
  expect(steps).toBe(orders.genuine.length);
});
