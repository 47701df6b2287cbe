import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type Format, keepFormat, listFormats } from '../../contract/sheets/formats.ts';
import { createWorld, type World } from '../../test/world.ts';
import { deleteOldFormats } from './formats.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const respuestas = { columns: { talla: '' }, words: { pago: { 'senal pagada': 'parte' } }, packs: {} };
const format = (over: Partial<Format> = {}): Format => ({ uso: 'pedidos', origen: '', titulos: 'nombre|talla', respuestas, ...over });

it('the office shares what was answered about a file, and a reseller has answers of their own', async () => {
  const [ana, eva, rita] = [await world.as('superadmin'), await world.as('superadmin'), await world.as('revendedor')];
  await ana.call(keepFormat, { body: format() });
  await ana.call(keepFormat, { body: format({ respuestas: { ...respuestas, joined: true } }) });
  await rita.call(keepFormat, { body: format({ titulos: 'otro' }) });
  expect((await eva.call(listFormats)).body.data).toEqual([format({ respuestas: { ...respuestas, joined: true } })]);
  expect((await rita.call(listFormats)).body.data).toEqual([format({ titulos: 'otro' })]);
});

it('answers about companies are for those who hand orders over, and a carrier has none', async () => {
  const answer = format({ uso: 'respuesta', origen: 'Correos' });
  expect((await (await world.as('revendedor')).call(keepFormat, { body: answer })).status).toBe(403);
  expect((await (await world.as('superadmin')).call(keepFormat, { body: answer })).status).toBe(200);
  expect((await (await world.as('transportista')).call(listFormats)).status).toBe(403);
});

it('a meaning that there is not is refused', async () => {
  const body = format({ respuestas: { ...respuestas, words: { pago: { x: 'regalado' } } } });
  const { status, body: answer } = await (await world.as('superadmin')).call(keepFormat, { body });
  expect([status, Object.values(answer.errors ?? {})]).toEqual([422, [['Significado no válido']]]);
});

it('formats beyond the sixty latest, and those of a year ago, are deleted', async () => {
  const office = await world.as('superadmin');
  for (let n = 0; n < 62; n += 1) await office.call(keepFormat, { body: format({ titulos: `f${n}` }) });
  await deleteOldFormats(world.db);
  const left = (await office.call(listFormats)).body.data.map(({ titulos }) => titulos);
  expect([left.length, left[0], left.at(-1)]).toEqual([60, 'f61', 'f2']);
  await world.db.updateTable('formatos').set({ updated_at: '2020-01-01' }).where('titulos', '=', 'f61').execute();
  await deleteOldFormats(world.db);
  expect((await office.call(listFormats)).body.data).toHaveLength(59);
});

it('a format is kept a year to the day, and sixty for each owner', async () => {
  const [office, rita] = [await world.as('superadmin'), await world.as('revendedor')];
  for (const titulos of ['old', 'young', 'new']) await office.call(keepFormat, { body: format({ titulos }) });
  const age = (titulos: string, days: number) =>
    sql`UPDATE formatos SET updated_at = now() - interval '1 year' + make_interval(days => ${days}) WHERE titulos = ${titulos}`.execute(
      world.db,
    );
  await age('old', -1);
  await age('young', 1);
  for (let n = 0; n < 60; n += 1) await rita.call(keepFormat, { body: format({ titulos: `f${n}` }) });
  await deleteOldFormats(world.db);
  expect((await office.call(listFormats)).body.data.map(({ titulos }) => titulos)).toEqual(['new', 'young']);
  expect((await rita.call(listFormats)).body.data).toHaveLength(60);
});

it('answers are of one use, one company and one row of headings; the last ones come first', async () => {
  const office = await world.as('superadmin');
  const all = [
    format(),
    format({ uso: 'respuesta', origen: 'GLS' }),
    format({ uso: 'respuesta', origen: 'MRW' }),
    format({ titulos: 'otros' }),
  ];
  for (const body of all) await office.call(keepFormat, { body });
  await office.call(keepFormat, { body: format({ respuestas: { ...respuestas, joined: true } }) });
  const { data } = (await office.call(listFormats)).body;
  expect(data).toEqual([format({ respuestas: { ...respuestas, joined: true } }), ...all.slice(1).toReversed()]);
});
