import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CON_INGRESO, EN_MANOS, ESTADO, ESTADOS, type Estado, type EstadoRow } from '../../contract/pedidos/estados.ts';
import { adminStats, revendedorStats, transportistaStats } from '../../contract/stats/stats.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';

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

type Range = { from?: string; to?: string };
const adminFigures = async (query: Range = {}) => (await admin.call(adminStats, { query })).body.data;
const ownFigures = async (person: Person, query: Range = {}) => (await person.call(revendedorStats, { query })).body.data;

const worth = (estados: readonly Estado[]) => estados.reduce((sum, estado) => sum + 2 ** ESTADOS.indexOf(estado), 0);
const count = (group: EstadoRow['group'], among: readonly Estado[] = ESTADOS) =>
  among.filter((estado) => ESTADO[estado].group === group).length;

/** Creates one order in each estado, worth 1, 2, 4, 8, … €, so that a sum reveals its orders. */
async function orderInEachEstado(fields: { revendedor_id?: string; fecha_pedido?: string } = {}) {
  const carrier = await world.user({ role: 'transportista' });
  const reseller = fields.revendedor_id ?? (await world.user({ role: 'revendedor' })).id;
  for (const [i, estado] of ESTADOS.entries()) {
    const carried = EN_MANOS.includes(estado) || estado === 'completado';
    await world.pedido({
      estado,
      precio_total_cents: 100 * 2 ** i,
      revendedor_id: reseller,
      transportista_id: carried ? carrier.id : null,
      ...fields,
    });
  }
}

describe('the figures of the business', () => {
  test('the figures of the business are zero without orders', async () => {
    expect(await adminFigures()).toEqual({
      totalPedidos: 0,
      revendedoresActivos: 0,
      transportistasActivos: 0,
      ingresos: 0,
      porCobrar: 0,
      conEmpresas: 0,
      estado: { pendientes: 0, enProceso: 0, completados: 0, cancelados: 0 },
    });
  });

  test('the figures of the business group the estados, and exclude unpaid and cancelled orders from income', async () => {
    await orderInEachEstado();
    expect(await adminFigures()).toMatchObject({
      totalPedidos: ESTADOS.length,
      ingresos: worth(CON_INGRESO),
      estado: {
        pendientes: count('pendiente'),
        enProceso: count('en_proceso'),
        completados: count('completado'),
        cancelados: count('cancelado'),
      },
    });
  });

  test('the figures of the business leave out deleted orders', async () => {
    await orderInEachEstado();
    await world.db
      .updateTable('pedidos')
      .set({ deleted_at: new Date().toISOString() })
      .where('estado', 'in', ['completado', 'pendiente'])
      .execute();
    const kept = ESTADOS.filter((estado) => estado !== 'completado' && estado !== 'pendiente');
    expect(await adminFigures()).toMatchObject({
      totalPedidos: kept.length,
      ingresos: worth(kept.filter((estado) => CON_INGRESO.includes(estado))),
      estado: {
        pendientes: count('pendiente', kept),
        enProceso: count('en_proceso', kept),
        completados: count('completado', kept),
        cancelados: count('cancelado', kept),
      },
    });
  });

  test('the figures of the business count active, existing people who have accepted their invitation, by role', async () => {
    for (const role of ['revendedor', 'revendedor', 'transportista'] as const) await world.user({ role });
    await world.user({ role: 'revendedor', is_active: false });
    await world.user({ role: 'revendedor', invited_at: new Date().toISOString() });
    await world.user({ role: 'transportista', deleted_at: new Date().toISOString() });
    expect(await adminFigures()).toMatchObject({ revendedoresActivos: 2, transportistasActivos: 1 });
  });

  test('the figures of the business are exact to the cent', async () => {
    for (const cents of [10, 20, 1999, 29]) await world.pedido({ precio_total_cents: cents });
    expect((await adminFigures()).ingresos).toBe(20.58);
  });
});

describe('a range consists of days in Madrid, first and last included', () => {
  // A day with a clock change has 23 or 25 hours, so its start and end fall on different UTC hours.
  test.each([
    ['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['2026-07-14', '2026-07-15', '2026-07-16', '2026-07-14T22:00:00.000Z', '2026-07-15T22:00:00.000Z'],
  ])('a range consists of days in Madrid around %s, %s and %s', async (before, day, after, starts, ends) => {
    const justBefore = (instant: string) => new Date(Date.parse(instant) - 1).toISOString();
    // 1, 2, 4 and 8 €: last instant of the day before, first and last of the day, first of the day after.
    for (const [i, fecha_pedido] of [justBefore(starts), starts, justBefore(ends), ends].entries()) {
      await world.pedido({ fecha_pedido, precio_total_cents: 100 * 2 ** i });
    }
    const income = async (range: Range) => (await adminFigures(range)).ingresos;
    expect(await income({ from: day, to: day })).toBe(2 + 4);
    expect(await income({ from: before, to: before })).toBe(1);
    expect(await income({ from: after, to: after })).toBe(8);
    expect(await income({ from: before, to: day })).toBe(1 + 2 + 4);
    expect(await income({ from: day })).toBe(2 + 4 + 8);
    expect(await income({ to: day })).toBe(1 + 2 + 4);
    expect(await income({})).toBe(15);
    expect(await income({ from: after, to: before })).toBe(0);
  });
});

describe('a reseller’s figures', () => {
  test('a reseller’s figures cover the reseller’s own orders, by estado', async () => {
    const [mine, other] = [await world.as('revendedor'), await world.as(await world.user({ role: 'revendedor' }))];
    await orderInEachEstado({ revendedor_id: mine.user.id });
    await world.pedido({ revendedor_id: other.user.id, precio_total_cents: 99_900 });
    await world.pedido({ revendedor_id: null });

    expect(await ownFigures(mine)).toEqual({
      totalPedidos: ESTADOS.length,
      ingresos: worth(CON_INGRESO),
      estado: {
        pendiente_pago: 1,
        pendiente: count('pendiente') - 1,
        asignado: count('en_proceso'),
        completado: count('completado'),
        cancelado: count('cancelado'),
      },
    });
    expect(await ownFigures(other)).toMatchObject({ totalPedidos: 1, ingresos: 999 });
  });

  test('a reseller’s figures count only the orders of the range', async () => {
    const mine = await world.as('revendedor');
    await orderInEachEstado({ revendedor_id: mine.user.id, fecha_pedido: '2026-01-31T12:00:00.000Z' });
    await world.pedido({ revendedor_id: mine.user.id, fecha_pedido: '2026-02-01T12:00:00.000Z', precio_total_cents: 700 });
    expect(await ownFigures(mine, { from: '2026-02-01', to: '2026-02-28' })).toMatchObject({ totalPedidos: 1, ingresos: 7 });
    expect((await ownFigures(mine, { to: '2026-01-31' })).totalPedidos).toBe(ESTADOS.length);
  });
});

describe('a request for figures', () => {
  test.each([
    ['from=2026-02-30', 'Fecha no válida'],
    ['from=hoy', 'Fecha no válida'],
    ['to=', 'Fecha no válida'],
    ['to=2026-1-1', 'Fecha no válida'],
    ['to=0001-01-01', 'Fecha no válida'],
    ['from=2026-01-01T00:00:00Z', 'Fecha no válida'],
    ['from=2026-01-01&from=2026-01-02', 'Fecha no válida'],
    ['from=%00', 'Fecha no válida'],
    ['revendedor_id=1', 'Campo desconocido: revendedor_id'],
  ])('a request for figures with ?%s is refused', async (query, message) => {
    const reseller = await world.as('revendedor');
    for (const reply of [
      await admin.request('GET', `/api/stats/admin?${query}`),
      await reseller.request('GET', `/api/stats/revendedor?${query}`),
    ]) {
      expect([reply.status, reply.body]).toMatchObject([422, { message }]);
    }
  });

  test('a request for figures of another role is forbidden', async () => {
    const people = await everyRole(world);
    const endpoints = { superadmin: adminStats, revendedor: revendedorStats, transportista: transportistaStats };
    for (const [role, person] of Object.entries(people)) {
      for (const [of, endpoint] of Object.entries(endpoints)) {
        expect((await person.call(endpoint)).status, `${role} asking for ${of}`).toBe(role === of ? 200 : 403);
      }
    }
  });
});
