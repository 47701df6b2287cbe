import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { anotarPago } from '../../contract/payments/payments.ts';
import { listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { adminStats, atencionStats, porCobrarStats } from '../../contract/stats/stats.ts';
import { dayInMadrid } from '../../test/day.ts';
import { createWorld, everyRole, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const LOLA = { cliente_nombre: 'Bar Lola', cliente_telefono: '600000001', revendedor_id: null };
const ANA = { ...LOLA, cliente_nombre: 'Ana', cliente_telefono: '600000002' };
const done = (days: number, precio_total_cents: number, who = LOLA) =>
  world.pedido({ estado: 'completado', fecha_completado: ago(days), precio_total_cents, ...who });

it('money to collect is grouped by customer and age, and matches lists and dashboard', async () => {
  const { superadmin: admin, revendedor, transportista } = await everyRole(world);
  await done(2, 1000);
  const { id } = await done(20, 2000);
  await done(40, 4000, ANA);
  await world.pedido({ estado: 'pendiente_pago', precio_total_cents: 8000, ...ANA });
  await world.pedido({ estado: 'cancelado', precio_total_cents: 99_900 });
  await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 5, fecha: dayInMadrid() } });
  const { body } = await admin.call(porCobrarStats);
  expect(body).toMatchObject({ pedidos: 4, entregado_7: 10, entregado_30: 15, entregado_mas: 40, por_entregar: 80, total: 145 });
  expect(body.data.map(({ nombre, pedidos, total, por_entregar }) => [nombre, pedidos, total, por_entregar])).toEqual([
    ['Ana', 2, 120, 80],
    ['Bar Lola', 2, 25, 0],
  ]);
  const atencion = (await admin.call(atencionStats)).body.data;
  expect([atencion.porCobrar, atencion.porCobrarImporte, atencion.sinPagar]).toEqual([4, 145, 1]);
  expect((await admin.call(listPedidos, { query: { pagado: 'falta' } })).body.total).toBe(4);
  // Each figure matches the list that it links to.
  const dayOf = (days: number) => ago(days).slice(0, 10);
  for (const [completado_desde, completado_hasta, amount] of [
    [dayOf(7), undefined, 10],
    [dayOf(30), dayOf(8), 15],
    [undefined, dayOf(31), 40],
  ] as const) {
    const query = { pagado: 'falta' as const, estado: 'completado', completado_desde, completado_hasta };
    const listed = (await admin.call(listPedidos, { query })).body.data as Pedido[];
    expect(listed.reduce((sum, { pendiente }) => sum + pendiente, 0)).toBe(amount);
  }
  // The dashboard leaves out the order that waits for its payment, which is no income yet.
  expect((await admin.call(adminStats, { query: {} })).body.data).toMatchObject({ ingresos: 70, porCobrar: 65 });
  for (const who of [revendedor, transportista]) expect((await who.call(porCobrarStats)).status).toBe(403);
  await sql`UPDATE pedidos SET deleted_at = now()`.execute(world.db);
  expect((await admin.call(porCobrarStats)).body).toMatchObject({ pedidos: 0, total: 0, data: [] });
});
