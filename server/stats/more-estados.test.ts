import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { getPago } from '../../contract/pagar/pagar.ts';
import type { Estado } from '../../contract/pedidos/estados.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { adminStats, atencionStats, hoyStats, revendedorStats, serieStats } from '../../contract/stats/stats.ts';
import { importWithMoreEstados, MORE, restoreEstados } from '../../test/more-estados.ts';

/* The program with two more estados in their table, and their CHECK, reads orders in them rightly. */

const EACH = ['pendiente', 'asignado', 'completado', 'cancelado', ...Object.keys(MORE)] as Estado[];
const load = async () => ({ ...(await import('../../test/world.ts')), ...(await import('../../contract/pedidos/estados.ts')) });
let program: Awaited<ReturnType<typeof load>>;
let world: Awaited<ReturnType<(typeof program)['createWorld']>>;

beforeAll(async () => {
  program = await importWithMoreEstados(load);
  world = await program.createWorld();
  await sql`ALTER TABLE pedidos DROP CONSTRAINT pedidos_estado_check,
    ADD CONSTRAINT pedidos_estado_check CHECK (${sql.raw(program.ESTADO_SQL.pedidos_estado_check)})`.execute(world.db);
  return async () => {
    await world.close();
    restoreEstados();
  };
});

test('lists, dashboards and the customer’s page read an order in each estado as its row says', async () => {
  const [admin, reseller] = [await world.as('superadmin'), await world.as('revendedor')];
  const past = { fecha_pedido: '2026-05-02T10:00:00Z', fecha_estimada: '2026-05-04T10:00:00Z' };
  const tokens = new Map<string, string>();
  for (const [i, estado] of EACH.entries()) {
    const order = await world.pedido({ ...past, estado, revendedor_id: reseller.user.id, precio_total_cents: 100 * 2 ** i });
    tokens.set(estado, order.pago_token ?? '');
  }
  const income = EACH.reduce((sum, estado, i) => sum + (program.CON_INGRESO.includes(estado) ? 2 ** i : 0), 0);
  expect(income).toBe(1 + 2 + 4 + 16);

  const ofList = async (query: object) => (await admin.call(listPedidos, { query })).body.data.map(({ estado }) => estado).toSorted();
  expect(await ofList({ estado: 'en_espera' })).toEqual(['en_espera']);
  expect(await ofList({ estado: 'devuelto,en_espera' })).toEqual(['devuelto', 'en_espera']);
  expect(await ofList({ sort: 'estado' })).toEqual(EACH.toSorted());
  expect(await ofList({ atrasado: 'si' })).toEqual(['asignado', 'pendiente']);
  expect(await ofList({ hoy: 'toca' })).toEqual(['asignado', 'pendiente']);

  const { data } = (await admin.call(adminStats)).body;
  expect(data).toMatchObject({
    totalPedidos: 6,
    ingresos: income,
    estado: { pendientes: 2, enProceso: 1, completados: 1, cancelados: 2 },
  });
  const own = (await reseller.call(revendedorStats)).body.data;
  expect(own).toMatchObject({
    totalPedidos: 6,
    ingresos: income,
    estado: { pendiente_pago: 0, pendiente: 2, asignado: 1, completado: 1, cancelado: 2 },
  });
  expect((await admin.call(serieStats, { query: { from: '2026-05-02', to: '2026-05-02' } })).body.data).toEqual([
    { dia: '2026-05-02', pedidos: 6, ingresos: income },
  ]);
  expect((await admin.call(atencionStats)).body.data).toMatchObject({ sinPagar: 0, atrasados: 2 });
  expect((await admin.call(hoyStats)).body.data.dia.reduce((sum, { toca }) => sum + toca, 0)).toBe(2);

  for (const [estado, token] of tokens) {
    const { status, body } = await world.nobody().call(getPago, { params: { token } });
    expect([estado, body.data?.estado ?? status]).toEqual([estado, estado === 'cancelado' ? body.data?.estado : estado]);
  }
});
