import { beforeAll, beforeEach, expect, it } from 'vitest';
import * as api from '../../contract/liquidaciones/liquidaciones.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { dayInMadrid } from '../../test/day.ts';
import { earnedOn, monthsBack } from '../../test/earning.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* A cent or a letter to each side (test/faults.ts). */

const LAST = monthsBack(1);
let world: World;
let admin: Person;
let rita: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  rita = await world.as(await world.user({ role: 'revendedor', full_name: 'R'.repeat(75) }));
  await admin.call(updateSettings, { body: { companyName: 'S'.repeat(75), companyIban: 'ES9121000418450200051332' } });
});

const adjust = (importe: number) => admin.call(api.crearAjuste, { body: { user_id: rita.user.id, importe, nota: 'Acordado' } });
const earn = (body: object) => admin.call(api.setGanancia, { params: { id: rita.user.id }, body });
/** Closes last month with these adjustments in euros; returns the statement’s id. */
async function statement(...adjustments: number[]): Promise<string> {
  for (const importe of adjustments) expect((await adjust(importe)).status).toBe(201);
  expect((await earn({ margen: null, iban: 'ES7921000813610123456789' })).status).toBe(200);
  await earnedOn(world.db, LAST.last);
  await admin.call(api.cerrarMes, { body: { mes: LAST.mes } });
  return (await admin.call(api.listLiquidaciones)).body.data[0]?.id ?? '';
}
const transfers = async (id: string) =>
  (await admin.call(api.ficheroTransferencias, { query: { ids: id, fecha: dayInMadrid() } })).body.data;

it('a file of transfers cuts names at 70 characters, which is all that banks accept', async () => {
  const { contenido } = await transfers(await statement(1.15));
  const names = [...(contenido ?? '').matchAll(/<Nm>(\w+)<\/Nm>/g)].map(([, name]) => name);
  expect(names).toEqual(['S'.repeat(70), 'S'.repeat(70), 'R'.repeat(70)]);
});

it('a file of transfers sums cents that have no exact binary form', async () => {
  const { contenido, total } = await transfers(await statement(1.15));
  expect([total, contenido?.match(/<CtrlSum>([\d.]+)</)?.[1]]).toEqual([1.15, '1.15']);
});

it('a statement of exactly zero has no transfer', async () => {
  expect(await transfers(await statement(3, -3))).toMatchObject({ contenido: null, fuera: [{ total: 0, motivo: 'total' }] });
});

it('a file of a statement with one line has that line', async () => {
  const id = await statement(1.15);
  const { text } = await rita.request('GET', `/api/liquidaciones/${id}/csv`);
  expect(text.trim().split('\r\n').slice(1)).toEqual([expect.stringMatching(/;1,15$/)]);
});

it('margins and adjustments end at their greatest values', async () => {
  const margin = async (tipo: string, valor: number) => (await earn({ margen: { tipo, valor } })).status;
  expect([await margin('porcentaje', 100), await margin('porcentaje', 100.01)]).toEqual([200, 422]);
  expect([await margin('pack', 10_000), await margin('pack', 10_000.01)]).toEqual([200, 422]);
  expect([(await adjust(1_000_000)).status, (await adjust(-1_000_000.01)).status]).toEqual([201, 422]);
});
