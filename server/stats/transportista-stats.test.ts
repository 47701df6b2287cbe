import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transportistaStats } from '../../contract/stats/stats.ts';
import type { UserRow } from '../../test/builders.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

describe('a carrier’s figures', () => {
  let mine: Person;
  let other: UserRow;
  const figures = async () => (await mine.call(transportistaStats)).body.data;
  beforeEach(async () => {
    mine = await world.as('transportista');
    other = await world.user({ role: 'transportista' });
  });

  test('a carrier’s figures count available orders and the carrier’s own orders at each stage', async () => {
    for (const estado of ['pendiente', 'pendiente', 'pendiente_pago'] as const) await world.pedido({ estado });
    // Orders in a company's hands are offered to no carrier.
    await world.pedido({ estado: 'pendiente', en_empresa: 'Correos', en_empresa_at: new Date().toISOString() });
    for (const estado of ['asignado', 'asignado', 'en_proceso', 'en_ruta'] as const)
      await world.pedido({ estado, transportista_id: mine.user.id });
    for (const estado of ['asignado', 'en_ruta', 'completado'] as const) await world.pedido({ estado, transportista_id: other.id });
    expect(await figures()).toMatchObject({ disponibles: 2, asignados: 2, porEntregar: 4, completadasHoy: 0 });
  });

  test('«hoy» is today in Madrid, from midnight to midnight', async () => {
    const today = dayInMadrid();
    const starts = midnightInMadrid(today);
    const ends = midnightInMadrid(addDays(today, 1));
    const completed = (at: number, transportista_id = mine.user.id) =>
      world.pedido({
        estado: 'completado',
        transportista_id,
        fecha_completado: new Date(at).toISOString(),
        fecha_pedido: '2020-01-01T00:00:00Z',
      });
    for (const at of [starts - 1, starts, ends - 1, ends]) await completed(at);
    await completed(starts, other.id);
    const { id } = await completed(starts);
    await world.db.updateTable('pedidos').set({ deleted_at: new Date().toISOString() }).where('id', '=', id).execute();
    expect((await figures()).completadasHoy).toBe(2);
  });

  test('the week of a carrier’s figures is today and the six days before', async () => {
    const today = dayInMadrid();
    const starts = midnightInMadrid(addDays(today, -6));
    const ends = midnightInMadrid(addDays(today, 1));
    for (const at of [starts - 1, starts, ends - 1, ends]) await world.pedido({ fecha_pedido: new Date(at).toISOString() });
    expect(await figures()).toMatchObject({ disponibles: 4, disponiblesSemana: 2 });
  });

  test('the month of a carrier’s figures counts own orders placed in the month, without cancelled orders', async () => {
    const month = dayInMadrid().slice(0, 7);
    const starts = midnightInMadrid(`${month}-01`);
    const ends = midnightInMadrid(`${addDays(`${month}-28`, 4).slice(0, 7)}-01`);
    const place = (estado: 'asignado' | 'completado' | 'cancelado', at: number, transportista_id = mine.user.id) =>
      world.pedido({ estado, transportista_id, fecha_pedido: new Date(at).toISOString() });
    await place('completado', starts);
    await place('completado', ends - 1);
    await place('asignado', starts);
    await place('cancelado', starts);
    await place('completado', starts - 1);
    await place('completado', ends);
    await place('completado', starts, other.id);
    expect((await figures()).mes).toEqual({ entregados: 2, total: 3 });
  });

  test('a carrier’s figures have no amounts', async () => {
    await world.pedido({ estado: 'asignado', transportista_id: mine.user.id, precio_total_cents: 777_77 });
    const { text } = await mine.call(transportistaStats);
    expect(text).not.toMatch(/777|ingreso|total_cents|precio/);
  });
});

/** Returns the first instant of a day in Madrid, an hour or two before midnight UTC. */
const midnightInMadrid = (day: string) => {
  const summer = Date.parse(`${day}T00:00:00+02:00`);
  return dayInMadrid(summer) === day ? summer : summer + 3_600_000;
};
