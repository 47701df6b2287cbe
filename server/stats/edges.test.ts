import { beforeAll, beforeEach, expect, it } from 'vitest';
import { MAX_DIAS_SERIE } from '../../contract/stats/fields.ts';
import { adminStats, atencionStats, porCobrarStats, serieStats } from '../../contract/stats/stats.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* A day to each side (test/faults.ts). */

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

/** Returns noon in Spain, or an hour beside it, of the day `days` ago. */
const noon = (days: number) => `${addDays(dayInMadrid(), -days)}T11:00:00Z`;

it('money to collect of each day is in exactly one of the ages', async () => {
  for (const [days, precio_total_cents] of [
    [7, 100],
    [8, 200],
    [30, 400],
    [31, 800],
  ] as const)
    await world.pedido({ estado: 'completado', fecha_completado: noon(days), precio_total_cents });
  expect((await admin.call(porCobrarStats)).body).toMatchObject({ entregado_7: 1, entregado_30: 6, entregado_mas: 8, total: 15 });
});

it('money to collect of a range includes its first and its last day', async () => {
  for (const [days, precio_total_cents] of [
    [1, 100],
    [2, 200],
    [3, 400],
    [4, 800],
  ] as const)
    await world.pedido({ estado: 'completado', fecha_pedido: noon(days), precio_total_cents });
  const query = { from: addDays(dayInMadrid(), -3), to: addDays(dayInMadrid(), -2) };
  expect((await admin.call(adminStats, { query })).body.data).toMatchObject({ porCobrar: 6 });
});

it('a series has at most its greatest number of days', async () => {
  const to = dayInMadrid();
  const status = async (days: number) => (await admin.call(serieStats, { query: { from: addDays(to, 1 - days), to } })).status;
  expect([await status(MAX_DIAS_SERIE), await status(MAX_DIAS_SERIE + 1)]).toEqual([200, 422]);
});

it('backups only on this server are reported once the oldest is three days old', async () => {
  const warning = async () => (await admin.call(atencionStats)).body.data.copiasAqui;
  const add = (hours: number) => {
    const created_at = new Date(Date.now() - hours * 3_600_000).toISOString();
    const backup = { nombre: `enruta-${hours}`, origen: 'programada', estado: 'verificada', created_at } as const;
    return world.db.insertInto('backups').values(backup).execute();
  };
  await add(71);
  expect(await warning()).toBe(0);
  await add(73);
  expect(await warning()).toBe(1);
});
