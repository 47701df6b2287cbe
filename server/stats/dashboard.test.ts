import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { QueryIn } from '../../contract/kit/endpoint.ts';
import { CON_INGRESO, ESTADOS, GRUPO_ESTADOS } from '../../contract/pedidos/estados.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { adminStats, atencionStats, serieStats } from '../../contract/stats/stats.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { endSilence } from '../settings/settings.ts';

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

const serie = async (from: string, to: string) => (await admin.call(serieStats, { query: { from, to } })).body;
const atencion = async () => (await admin.call(atencionStats)).body.data;
const listed = async (query: QueryIn<typeof listPedidos>) => (await admin.call(listPedidos, { query })).body.total;

/** Returns the day `days` from today in the business's time zone. */
const dayFromNow = (days: number) => addDays(dayInMadrid(), days);

describe('the series', () => {
  test('the series has a point for every day, even without orders', async () => {
    await world.pedido({ fecha_pedido: '2026-05-02T10:00:00Z', precio_total_cents: 1010 });
    await world.pedido({ fecha_pedido: '2026-05-02T18:00:00Z', precio_total_cents: 20 });
    await world.pedido({ fecha_pedido: '2026-05-04T10:00:00Z', precio_total_cents: 500 });
    expect((await serie('2026-05-01', '2026-05-04')).data).toEqual([
      { dia: '2026-05-01', pedidos: 0, ingresos: 0 },
      { dia: '2026-05-02', pedidos: 2, ingresos: 10.3 },
      { dia: '2026-05-03', pedidos: 0, ingresos: 0 },
      { dia: '2026-05-04', pedidos: 1, ingresos: 5 },
    ]);
  });

  test('the series counts every order, but no income of unpaid or cancelled orders', async () => {
    for (const [i, estado] of ESTADOS.entries()) {
      await world.pedido({ estado, fecha_pedido: '2026-05-02T10:00:00Z', precio_total_cents: 100 * 2 ** i });
    }
    const ingresos = CON_INGRESO.reduce((sum, estado) => sum + 2 ** ESTADOS.indexOf(estado), 0);
    expect((await serie('2026-05-02', '2026-05-02')).data).toEqual([{ dia: '2026-05-02', pedidos: ESTADOS.length, ingresos }]);
  });

  test('the series leaves out deleted orders', async () => {
    await world.pedido({ fecha_pedido: '2026-05-02T10:00:00Z', deleted_at: '2026-05-03T10:00:00Z' });
    expect((await serie('2026-05-02', '2026-05-02')).data).toEqual([{ dia: '2026-05-02', pedidos: 0, ingresos: 0 }]);
  });

  test('the series counts by days in Madrid, clock changes included', async () => {
    // 29 March 2026 has 23 hours: from 23:00 to 22:00 UTC.
    for (const instant of ['2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z']) {
      await world.pedido({ fecha_pedido: instant });
    }
    expect((await serie('2026-03-28', '2026-03-30')).data.map(({ dia, pedidos }) => [dia, pedidos])).toEqual([
      ['2026-03-28', 1],
      ['2026-03-29', 2],
      ['2026-03-30', 1],
    ]);
  });

  test('the series is compared with the same number of days before', async () => {
    for (const [day, cents] of [
      ['2026-04-26', 1],
      ['2026-04-27', 200],
      ['2026-04-30', 350],
      ['2026-05-01', 9900],
    ] as const) {
      await world.pedido({ fecha_pedido: `${day}T10:00:00Z`, precio_total_cents: cents });
    }
    const { anterior } = await serie('2026-05-01', '2026-05-04');
    expect(anterior).toMatchObject({ desde: '2026-04-27', hasta: '2026-04-30', totalPedidos: 2, ingresos: 5.5 });
    expect(anterior.dias.map(({ dia, ingresos }) => [dia, ingresos])).toEqual([
      ['2026-04-27', 2],
      ['2026-04-28', 0],
      ['2026-04-29', 0],
      ['2026-04-30', 3.5],
    ]);
  });

  test('the series adds up to the figures of the same days', async () => {
    for (const [i, estado] of ESTADOS.entries())
      await world.pedido({ estado, fecha_pedido: `2026-05-0${i + 1}T22:30:00Z`, precio_total_cents: 333 });
    const query = { from: '2026-05-02', to: '2026-05-06' };
    const { data } = await serie(query.from, query.to);
    const figures = (await admin.call(adminStats, { query })).body.data;
    expect(data.reduce((sum, { pedidos }) => sum + pedidos, 0)).toBe(figures.totalPedidos);
    expect(data.reduce((sum, { ingresos }) => sum + Math.round(ingresos * 100), 0)).toBe(Math.round(figures.ingresos * 100));
  });

  test.each([
    ['2026-05-02', '2026-05-01', 'La fecha final es anterior a la inicial'],
    ['2024-01-01', '2026-01-02', 'Elige como máximo dos años'],
  ])('a series from %s to %s is refused', async (from, to, message) => {
    const { status, text } = await admin.call(serieStats, { query: { from, to } });
    expect([status, JSON.parse(text)]).toEqual([422, { message, errors: { to: [message] }, code: 'validation_failed' }]);
  });

  test('a series of two full years is accepted', async () => {
    expect((await serie('2024-01-01', '2026-01-01')).data).toHaveLength(732);
  });

  test.each(['from=2026-05-01', 'to=2026-05-01', 'from=ayer&to=2026-05-01', 'from=2026-02-30&to=2026-03-01'])(
    'a series with the query «%s» is refused',
    async (query) => {
      expect((await admin.request('GET', `/api/stats/serie?${query}`)).status).toBe(422);
    },
  );
});

describe('pending work', () => {
  test('pending work is zero without orders', async () => {
    const counts = Object.entries(await atencion());
    expect(counts.length).toBeGreaterThan(10);
    expect(counts.filter(([, count]) => count !== 0)).toEqual([]);
  });

  test('backups only on this server are reported from the third day on, unless silenced for thirty days', async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const warning = async () => (await atencion()).copiasAqui;
    const made = (days: number) => ({
      nombre: `enruta-${days}`,
      origen: 'programada' as const,
      estado: 'verificada' as const,
      created_at: at(days),
    });
    await world.db.insertInto('backups').values(made(1)).execute();
    expect(await warning()).toBe(0);
    await world.db.insertInto('backups').values(made(4)).execute();
    expect(await warning()).toBe(1);
    await world.db
      .updateTable('backups')
      .set({ fuera_at: at(1) })
      .where('nombre', '=', 'enruta-1')
      .execute();
    expect(await warning()).toBe(0);
    await world.db.updateTable('backups').set({ fuera_at: null }).execute();
    await admin.call(updateSettings, { body: { warnBackupsHere: false } });
    expect(await warning()).toBe(0);
    const off = (days: number) => sql`UPDATE settings SET data = data || jsonb_build_object('warnBackupsHereSince', ${at(days)}::text)`;
    await off(29).execute(world.db);
    await endSilence(world.db);
    expect(await warning(), 'turned off 29 days ago').toBe(0);
    await off(31).execute(world.db);
    await endSilence(world.db);
    expect(await warning(), 'turned off 31 days ago').toBe(1);
    await sql`UPDATE settings SET data = data - 'warnBackupsHereSince' || '{"warnBackupsHere": false}'`.execute(world.db);
    await endSilence(world.db);
    expect(await warning(), 'turned off by an older version').toBe(0);
    const { rows } = await sql<{ since: string | null }>`SELECT data ->> 'warnBackupsHereSince' AS since FROM settings`.execute(world.db);
    expect(Date.now() - Date.parse(rows[0]?.since ?? '')).toBeLessThan(60_000);
  });

  test('cash waits for the office once the carrier has handed over, or from the next day on', async () => {
    const carrier = await world.user({ role: 'transportista' });
    const pay = async (caja_dia: string) => {
      const { id } = await world.pedido({ estado: 'completado', transportista_id: carrier.id });
      const pago = { estado: 'pagado', proveedor: 'efectivo', referencia: '', importe_cents: 1000, fecha: caja_dia } as const;
      await world.db
        .insertInto('pagos')
        .values({ pedido_id: id, transportista_id: carrier.id, caja_dia, ...pago })
        .execute();
    };
    await pay(dayFromNow(0));
    expect((await atencion()).cajas).toBe(0);
    await pay(dayFromNow(-1));
    await pay(dayFromNow(-1));
    expect((await atencion()).cajas).toBe(1);
    const caja = {
      transportista_id: carrier.id,
      transportista_nombre: carrier.full_name,
      dia: dayFromNow(0),
      esperado_cents: 1000,
      contado_cents: 1000,
    };
    await world.db.insertInto('cajas').values(caja).execute();
    expect((await atencion()).cajas).toBe(2);
  });

  test('an open order is late if promised before today, and on time if promised for today', async () => {
    const yesterday = `${dayFromNow(-1)}T11:00:00Z`;
    for (const estado of ESTADOS) await world.pedido({ estado, fecha_estimada: yesterday });
    await world.pedido({ fecha_estimada: `${dayFromNow(0)}T00:30:00Z` });
    await world.pedido({ fecha_estimada: null });
    await world.pedido({ fecha_estimada: yesterday, deleted_at: yesterday });
    expect((await atencion()).atrasados).toBe(4);
    const { body } = await admin.call(listPedidos, { query: { atrasado: 'si' } });
    expect([body.total, body.data.map(({ estado }) => estado).sort()]).toEqual([4, ['asignado', 'en_proceso', 'en_ruta', 'pendiente']]);
    await world.pedido({ estado: 'completado', fecha_estimada: `${dayFromNow(0)}T11:00:00Z` });
    await world.pedido({ fecha_estimada: `${dayFromNow(1)}T11:00:00Z` });
    const today = (await admin.call(listPedidos, { query: { hoy: 'toca' } })).body;
    expect(today.data.map(({ estado }) => estado).sort()).toEqual(['asignado', 'en_proceso', 'pendiente', 'pendiente']);
    expect(today.data.map(({ fecha_estimada }) => fecha_estimada)).toContain(`${dayFromNow(0)}T00:30:00.000Z`);
  });

  test('a transfer to confirm is an unpaid order with a reported transfer', async () => {
    const transferencia_avisada_at = new Date().toISOString();
    const waiting = await world.pedido({ estado: 'pendiente_pago', transferencia_avisada_at });
    await world.pedido({ estado: 'pendiente_pago', transferencia_avisada_at, deleted_at: transferencia_avisada_at });
    await world.pedido({ estado: 'pendiente_pago' });
    await world.pedido({ estado: 'pendiente', transferencia_avisada_at, precio_total_cents: 100, pagado_cents: 100 });
    expect(await atencion()).toMatchObject({ sinPagar: 2, transferencias: 1 });
    const { body } = await admin.call(listPedidos, { query: { transferencia: 'si' } });
    expect([body.total, body.data.map(({ id }) => id)]).toEqual([1, [waiting.id]]);
  });

  test('stock is low at the minimum or below', async () => {
    for (const stock of [9, 10, 11]) await world.product({ stock, min_stock: 10 });
    expect((await atencion()).stockBajo).toBe(2);
  });

  test('the filters of late orders and reported transfers accept only «si»', async () => {
    for (const query of ['atrasado=no', 'transferencia=1']) {
      const { status, body } = await admin.request('GET', `/api/pedidos?${query}`);
      expect([status, body]).toMatchObject([422, { message: 'Filtro no válido' }]);
    }
  });

  test('the filter of late orders finds only a reseller’s own orders', async () => {
    const reseller = await world.as('revendedor');
    const fields = { fecha_estimada: `${dayFromNow(-3)}T11:00:00Z` };
    const own = await world.pedido({ ...fields, revendedor_id: reseller.user.id });
    await world.pedido(fields);
    const { body } = await reseller.call(listPedidos, { query: { atrasado: 'si' } });
    expect([body.total, body.data.map(({ id }) => id)]).toEqual([1, [own.id]]);
  });
});

test('the order counts by estado, unpaid, late and with a transfer equal the totals of their lists, whatever the dates', async () => {
  for (const [i, estado] of ESTADOS.entries()) {
    for (let n = 0; n <= i; n += 1)
      await world.pedido({ estado, fecha_pedido: `2026-05-0${n + 1}T22:30:00Z`, fecha_estimada: '2026-05-20T10:00:00Z' });
  }
  const open = await world.pedido({ fecha_pedido: '2026-05-03T10:00:00Z' });
  await world.db.updateTable('pedidos').set({ deleted_at: open.created_at }).where('id', '=', open.id).execute();
  for (const query of [{}, { from: '2026-05-01', to: '2026-05-31' }, { from: '2026-05-03', to: '2026-05-04' }]) {
    const dates = 'from' in query ? { fecha_desde: query.from, fecha_hasta: query.to } : {};
    const { totalPedidos, estado } = (await admin.call(adminStats, { query })).body.data;
    expect(totalPedidos).toBeGreaterThan(0);
    expect(await listed(dates)).toBe(totalPedidos);
    for (const [grupo, count] of [
      ['pendiente', estado.pendientes],
      ['en_proceso', estado.enProceso],
      ['completado', estado.completados],
      ['cancelado', estado.cancelados],
    ] as const) {
      expect([grupo, await listed({ ...dates, estado: GRUPO_ESTADOS[grupo].join(',') })]).toEqual([grupo, count]);
    }
    const without = ESTADOS.filter((estado) => !CON_INGRESO.includes(estado));
    const paid = totalPedidos - (await listed({ ...dates, estado: without.join(',') }));
    expect(await listed({ ...dates, estado: CON_INGRESO.join(',') })).toBe(paid);
  }
  const { sinPagar, atrasados, transferencias } = await atencion();
  expect(await listed({ estado: 'pendiente_pago' })).toBe(sinPagar);
  expect(await listed({ atrasado: 'si' })).toBe(atrasados);
  expect(await listed({ transferencia: 'si' })).toBe(transferencias);
});

test.each(['revendedor', 'transportista'] as const)('a %s cannot read the series or the pending work', async (role) => {
  const person = await world.as(role);
  expect((await person.call(serieStats, { query: { from: '2026-05-01', to: '2026-05-02' } })).status).toBe(403);
  expect((await person.call(atencionStats)).status).toBe(403);
});
