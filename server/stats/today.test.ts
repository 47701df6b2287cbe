import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { listCajas } from '../../contract/caja/caja.ts';
import type { QueryIn } from '../../contract/kit/endpoint.ts';
import { deletePedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { adminStats, hoyStats } from '../../contract/stats/stats.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { openTienda } from '../../test/tienda.ts';
import { wooOrder } from '../../test/woo.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* «Hoy» of the office: each figure equals the list that it opens. */

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const hoy = async () => (await admin.call(hoyStats)).body.data;
const idsOf = async (query: QueryIn<typeof listPedidos>) =>
  (await admin.call(listPedidos, { query: { ...query, per_page: 100 } })).body.data.map(({ id }) => id).sort();
const at = (days: number) => `${addDays(dayInMadrid(), days)}T11:00:00Z`;

test('the day by carrier: what is due is promised for today or before, free to leave and not out yet', async () => {
  const [ana, luis] = [await world.user({ role: 'transportista' }), await world.user({ role: 'transportista' })];
  const carried = { estado: 'asignado', transportista_id: ana.id } as const;
  const leave = [
    await world.pedido({ ...carried, fecha_estimada: at(0) }),
    await world.pedido({ ...carried, fecha_estimada: at(-3) }),
    await world.pedido({ estado: 'en_proceso', transportista_id: luis.id, fecha_estimada: at(0) }),
    await world.pedido({ fecha_estimada: at(0) }),
  ];
  const out = await world.pedido({ ...carried, estado: 'en_ruta', fecha_estimada: at(4) });
  // Tomorrow, without a date, waiting for an answer, collected, with a company, not paid, delivered.
  await world.pedido({ ...carried, fecha_estimada: at(1) });
  await world.pedido({ ...carried, fecha_estimada: null });
  await world.pedido({ ...carried, fecha_estimada: at(-3), incidencia_at: at(-1) });
  await world.pedido({ fecha_estimada: at(0), recoge_at: at(-1) });
  await world.pedido({ fecha_estimada: at(0), en_empresa: 'Correos', en_empresa_at: at(-1) });
  await world.pedido({ fecha_estimada: at(0), estado: 'pendiente_pago' });
  await world.pedido({ ...carried, fecha_estimada: at(0), estado: 'completado' });

  const { dia } = await hoy();
  expect(dia.map(({ transportista_id, toca, calle, decidir }) => [transportista_id, toca, calle, decidir])).toEqual([
    [ana.id, 2, 1, 1],
    [luis.id, 1, 0, 0],
    ['sin', 1, 0, 0],
  ]);
  expect(await idsOf({ hoy: 'calle' })).toEqual([out.id]);
  expect(await idsOf({ hoy: 'toca' })).toEqual(leave.map(({ id }) => id).sort());
  for (const { transportista_id, toca } of dia) expect(await idsOf({ hoy: 'toca', transportista_id })).toHaveLength(toca);
});

test('the named orders come from the lists, and a refund says all that is owed', async () => {
  const waiting = await world.pedido({
    estado: 'asignado',
    transportista_id: (await world.user({ role: 'transportista' })).id,
    incidencia_at: at(-1),
  });
  const announced = await world.pedido({ estado: 'pendiente_pago', transferencia_avisada_at: at(-1) });
  const cancelled = await world.pedido({ estado: 'cancelado' });
  const pago = {
    estado: 'devolucion_pendiente',
    proveedor: 'manual',
    referencia: '',
    importe_cents: 4321,
    fecha: at(-2).slice(0, 10),
  } as const;
  await world.db
    .insertInto('pagos')
    .values({ pedido_id: cancelled.id, ...pago })
    .execute();
  const data = await hoy();
  expect(data.sinEntregar.map(({ id }) => id)).toEqual([waiting.id]);
  expect(data.sinEntregar.map(({ id }) => id)).toEqual(await idsOf({ incidencia: 'si' }));
  expect(data.transferencias.map(({ id }) => id)).toEqual([announced.id]);
  expect(data.transferencias.map(({ id }) => id)).toEqual(await idsOf({ transferencia: 'si' }));
  expect(data.reembolsos).toMatchObject([{ id: cancelled.id, por_reembolsar: 43.21 }]);
  expect(data.reembolsos.map(({ id }) => id)).toEqual(await idsOf({ devolucion: 'pendiente' }));
  expect(data.atencion).toMatchObject({ incidencias: 1, transferencias: 1, devoluciones: 1 });
});

test('cash, products and the month agree with their screens', async () => {
  const carrier = await world.user({ role: 'transportista' });
  const { id } = await world.pedido({ estado: 'completado', transportista_id: carrier.id, fecha_pedido: at(0), precio_total_cents: 5000 });
  const pago = { estado: 'pagado', proveedor: 'efectivo', referencia: '', fecha: at(-1).slice(0, 10) } as const;
  for (const importe_cents of [1000, 2500])
    await world.db
      .insertInto('pagos')
      .values({ pedido_id: id, transportista_id: carrier.id, caja_dia: at(-1).slice(0, 10), importe_cents, ...pago })
      .execute();
  await world.product({ name: 'Torta', stock: 1, min_stock: 5 });
  await world.product({ name: 'Queso', stock: 9, min_stock: 5 });
  const data = await hoy();
  const open = (await admin.call(listCajas)).body.data.filter(({ estado }) => estado !== 'confirmada');
  expect(data.cajas).toEqual(
    open.map(({ transportista_id, transportista_nombre, dia, esperado }) => ({
      transportista_id,
      nombre: transportista_nombre,
      dia,
      euros: esperado,
    })),
  );
  expect(data.cajas).toMatchObject([{ euros: 35 }]);
  expect(data.stock).toMatchObject([{ name: 'Torta', stock: 1 }]);
  expect(data.hoy).toBe(dayInMadrid());
  expect(data.mes.desde).toBe(`${dayInMadrid().slice(0, 7)}-01`);
  const { ingresos } = (await admin.call(adminStats, { query: { from: data.mes.desde, to: data.hoy } })).body.data;
  expect(data.mes.ingresos).toBe(ingresos);
  expect(ingresos).toBe(50);
});

test('the orders that came from web shops today count, without those of yesterday, deleted ones and other orders', async () => {
  const tienda = await openTienda(world);
  ({ admin } = tienda);
  await world.pedido({});
  for (const [id, name] of [
    [1, 'Ayer'],
    [2, 'Hoy'],
    [3, 'Borrado'],
  ] as const)
    await tienda.take(wooOrder({ id, number: `${id}`, shipping: { ...wooOrder().shipping, first_name: name } }));
  const idOf = new Map((await tienda.orders()).map(({ cliente_nombre, id }) => [String(cliente_nombre).split(' ')[0], String(id)]));
  expect((await hoy()).web).toBe(3);
  await world.db
    .updateTable('pedidos')
    .set({ created_at: sql<string>`(dia_negocio(now())::timestamp AT TIME ZONE 'Europe/Madrid') - interval '1 minute'` })
    .where('id', '=', idOf.get('Ayer') ?? '')
    .execute();
  expect((await hoy()).web).toBe(2);
  await admin.call(deletePedido, { params: { id: idOf.get('Borrado') ?? '' } });
  expect((await hoy()).web).toBe(1);
});

test('«Hoy» names two products, those of least stock, from the minimum on', async () => {
  for (const [name, stock] of [
    ['Bollo', 5],
    ['Arroz', 5],
    ['Café', 6],
    ['Dátil', 4],
  ] as const)
    await world.product({ name, stock, min_stock: 5 });
  const { stock } = await hoy();
  expect(stock.map(({ name }) => name)).toEqual(['Dátil', 'Arroz']);
});

test.each(['revendedor', 'transportista'] as const)('a %s cannot read «Hoy» of the office', async (role) => {
  expect((await (await world.as(role)).call(hoyStats)).status).toBe(403);
});
