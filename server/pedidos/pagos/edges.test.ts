import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { anotarPago, anularPago, listPagos } from '../../../contract/payments/payments.ts';
import { createPedido, setEstado, setLineas } from '../../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { createWorld, everyRole, type Person, type World } from '../../../test/world.ts';

/* A cent more and a cent less (test/faults.ts). */

let world: World;
let admin: Person;
let carrier: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, transportista: carrier } = await everyRole(world));
});

const notices = async (tipo: string) => (await admin.call(listNotifications)).body.data.filter((notice) => notice.tipo === tipo).length;

it('at the door a cent too much is refused, and a cent too little needs a reason, which the office gets', async () => {
  const fields = { estado: 'en_ruta', contra_reembolso: true, precio_total_cents: 3450, transportista_id: carrier.user.id } as const;
  const { id } = await world.pedido(fields);
  const collect = async (more: object) => {
    const body = { estado: 'completado', metodo_entrega: 'manual', ...more } as const;
    const { status, body: answer } = await carrier.call(setEstado, { params: { id }, body });
    return [status, Object.keys((answer as { errors?: object }).errors ?? {}).join()];
  };
  expect(await collect({ cobrado: 34.51, cobrado_metodo: 'efectivo' })).toEqual([422, 'cobrado']);
  expect(await collect({ cobrado: 34.49, cobrado_metodo: 'efectivo' })).toEqual([422, 'cobrado_motivo']);
  expect(await collect({ cobrado: 0.01, cobrado_motivo: 'No tenía más' })).toEqual([422, 'cobrado_metodo']);
  expect(await collect({ cobrado: 34.49, cobrado_metodo: 'efectivo', cobrado_motivo: 'Faltaba un céntimo' })).toEqual([200, '']);
  expect(await notices('diferencia_entrega')).toBe(1);
});

it('the orders on delivery of a customer stay below the legal limit of each day', async () => {
  await admin.call(updateSettings, { body: { cashOnDelivery: true } });
  const make = async (pack_price_cents: number, customer: number) => {
    const { id: pack_id } = await world.pack({ pack_price_cents });
    const who = { cliente_nombre: `Ana ${customer}`, cliente_direccion: 'Calle 1', cliente_telefono: `60000000${customer}` };
    return (await admin.call(createPedido, { body: { ...who, contra_reembolso: true, pack_id } })).status;
  };
  expect([await make(50_000, 1), await make(49_999, 1), await make(50_000, 2), await make(50_000, 2)]).toEqual([201, 201, 201, 422]);
  await sql`UPDATE pedidos SET fecha_pedido = fecha_pedido - interval '1 day'`.execute(world.db);
  expect(await make(50_000, 2)).toBe(201);
});

it('cash that was refunded whole does not count as paid in cash', async () => {
  const { id: pack_id } = await world.pack({ pack_price_cents: 40_000 });
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id };
  const raised = async (devuelto: number) => {
    const { id } = (await admin.call(createPedido, { body: { ...body, cliente_nombre: `Ana ${devuelto}` } })).body.data;
    await sql`INSERT INTO pagos (pedido_id, proveedor, estado, importe_cents, devuelto_cents, referencia)
      VALUES (${id}, 'efectivo', 'pagado', 1000, ${devuelto}::int, '')`.execute(world.db);
    return (await admin.call(setLineas, { params: { id }, body: { lineas: [{ numero: 1, cantidad: 3 }] } })).status;
  };
  expect([await raised(999), await raised(1000)]).toEqual([422, 200]);
});

it('a cent paid beyond the total is announced to the office', async () => {
  const { id: pack_id } = await world.pack({ pack_price_cents: 1000 });
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', lineas: [{ pack_id, cantidad: 2 }] };
  const { id } = (await admin.call(createPedido, { body })).body.data;
  const set = async (more: object) => {
    const lineas = [{ numero: 1, cantidad: 2 }];
    expect((await admin.call(setLineas, { params: { id }, body: { lineas, ...more } })).status).toBe(200);
  };
  await set({ envio: 1 });
  await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 21, fecha: dayInMadrid() } });
  expect(await notices('devolucion_pendiente')).toBe(0);
  await set({ descuento: 0.01 });
  expect(await notices('devolucion_pendiente')).toBe(1);
});

it('a payment that was only begun is in no list of payments', async () => {
  const { id } = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: 3000 });
  for (const estado of ['iniciado', 'pagado'] as const)
    await world.db
      .insertInto('pagos')
      .values({ pedido_id: id, proveedor: 'stripe', referencia: estado, importe_cents: 1000, estado })
      .execute();
  const { data } = (await admin.call(listPagos, { params: { id } })).body;
  expect(data.map(({ referencia }) => referencia)).toEqual(['pagado']);
});

it('a payment can be annulled while the others cover what was refunded, to the cent', async () => {
  const annul = async (importe: number, other: number) => {
    const { id } = await world.pedido({ precio_total_cents: 1000, estado: 'completado' });
    for (const amount of [importe, other])
      await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: amount, fecha: dayInMadrid() } });
    await sql`UPDATE pedidos SET reembolsado_cents = 500 WHERE id = ${id}`.execute(world.db);
    const pago = (await admin.call(listPagos, { params: { id } })).body.data.find((pago) => pago.importe === importe);
    return (await admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: 'No llegó' } })).status;
  };
  expect([await annul(5.01, 4.99), await annul(4.99, 5.01)]).toEqual([409, 200]);
  expect(await annul(5, 5)).toBe(200);
});
