import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { addComentario } from '../../contract/comentarios/comentarios.ts';
import { CONFIRMACION } from '../../contract/privacidad/fields.ts';
import * as api from '../../contract/privacidad/privacidad.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { createVista, listVistas } from '../../contract/vistas/vistas.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { anonymiseDue } from './term.job.ts';

/* A digit, an order or a page more or less. */

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

const MOTIVO = { motivo: 'Lo ha pedido' };
const ended = (cliente_nombre: string, fields: object = {}) => world.pedido({ cliente_nombre, estado: 'cancelado', ...fields });
const search = async (words: string, more: object = {}) =>
  (await admin.call(api.buscarPersonas, { query: { search: words, ...more } })).body;
const block = async (...pedidos: string[]) => expect((await admin.call(api.bloquear, { body: { pedidos, ...MOTIVO } })).status).toBe(200);
const anonymise = async (...pedidos: string[]) =>
  expect((await admin.call(api.anonimizar, { body: { pedidos, ...MOTIVO, confirmacion: CONFIRMACION } })).status).toBe(200);
const view = (nombre: string) => admin.call(createVista, { body: { lista: 'pedidos', nombre, consulta: {} } });
const views = async () => (await admin.call(listVistas, { query: { lista: 'pedidos' } })).body.data.map(({ nombre }) => nombre);
const log = async () =>
  (
    await world.db.selectFrom('audit_logs').select('description').where('entity_type', '=', 'privacidad').orderBy('created_at').execute()
  ).map(({ description }) => description);

it('five figures find a telephone that a text has in groups, four find nothing in it', async () => {
  const { id } = await world.pedido({ cliente_nombre: 'Ana', cliente_telefono: null, cliente_codigo_postal: '28013' });
  await admin.call(addComentario, { params: { id }, body: { texto: 'Su hijo: 655 43 21 98' } });
  expect([(await search('65543')).total, (await search('6554')).total]).toEqual([1, 0]);
});

it('a page beyond the last one says how many people there are, and the search is logged with that number', async () => {
  for (const postcode of ['28001', '28002', '28003'])
    await world.pedido({ cliente_nombre: 'María Gil', cliente_telefono: null, cliente_codigo_postal: postcode });
  expect(await search('maria gil', { page: 9, per_page: 2 })).toMatchObject({ total: 3, data: [] });
  expect(await search('maria gil', { page: 2, per_page: 2 })).toMatchObject({ total: 3, data: [{ pedidos: 1 }] });
  await search('nadie');
  expect(await log()).toEqual(['3 personas', '3 personas', '0 personas'].map((n) => `Datos personales buscados: ${n}`));
});

it('a blocked order is found by nothing, not even its number, and is not in the file of its person', async () => {
  const person = { cliente_telefono: '655432198' };
  const [gone, left] = [await ended('Ana', person), await ended('Ana', person)];
  await block(gone.id);
  expect((await search(gone.numero_orden)).total).toBe(0);
  expect((await search(left.numero_orden)).data).toMatchObject([{ pedidos: 1, abiertos: 0, lista: [{ id: left.id }] }]);
  const { text } = await admin.call(api.exportarPersona, { query: { persona: left.id } });
  expect([text.includes(left.numero_orden), text.includes(gone.numero_orden)]).toEqual([true, false]);
  expect((await admin.call(api.exportarPersona, { query: { persona: gone.id } })).status).toBe(409);
});

it('twenty exported orders are named in the log, and of more than that how many', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 21; i += 1) ids.push((await ended('Ana')).id);
  for (const n of [20, 21])
    expect((await admin.call(api.exportarPersona, { query: { pedidos: ids.slice(0, n).join() } })).status).toBe(200);
  const [twenty, more] = await log();
  expect([twenty?.match(/ORD-|PED-|,/g)?.length, twenty?.includes(' más')]).toEqual([expect.any(Number), false]);
  expect(more).toMatch(/ y 1 más$/);
});

it('what two blocks wrote over each other is restored whole, whichever order has the greater id', async () => {
  const both = [await ended('Ana Uno'), await ended('Bea Dos')];
  const [small, great] = both.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [(typeof both)[0], (typeof both)[0]];
  for (const first of [small, great]) {
    await view(`${both[0]?.cliente_nombre} y ${both[1]?.cliente_nombre}`);
    const before = await views();
    await block(first.id);
    await block(first === small ? great.id : small.id);
    expect(await views()).not.toEqual(before);
    const pedidos = both.map(({ id }) => id);
    expect((await admin.call(api.desbloquear, { body: { pedidos, ...MOTIVO } })).status).toBe(200);
    expect(await views()).toEqual(before);
    await sql`DELETE FROM vistas`.execute(world.db);
  }
});

it('a telephone with its prefix is erased where it is written without', async () => {
  const { id } = await ended('Ana', { cliente_telefono: '+34 655 43 21 98' });
  await view('De 655432198');
  await view('De 655432199');
  await anonymise(id);
  expect((await views()).toSorted()).toEqual(['De 655432199', 'De Cliente anonimizado']);
});

it('an order that is as young as this month is not anonymised, whatever day its delivery has', async () => {
  const long = '2020-01-01T10:00:00Z';
  const [young, old] = [
    await world.pedido({ estado: 'completado', fecha_completado: long }),
    await world.pedido({ estado: 'completado', fecha_completado: long, created_at: long }),
  ];
  expect((await admin.call(updateSettings, { body: { anonymizeMonths: 24 } })).status).toBe(200);
  await sql`UPDATE settings SET data = data - 'heldTerms'`.execute(world.db);
  expect(await anonymiseDue(world.db)).toBe(1);
  const { rows } = await sql<{ id: string }>`SELECT id FROM pedidos WHERE anonimizado_at IS NOT NULL`.execute(world.db);
  expect(rows.map(({ id }) => id)).toEqual([old.id]);
  expect(young.id).not.toBe(old.id);
});

it('a refusal names ten orders, and counts the rest', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 11; i += 1) ids.push((await world.pedido({ estado: 'en_ruta' })).id);
  const refused = async (n: number) => (await admin.call(api.bloquear, { body: { pedidos: ids.slice(0, n), ...MOTIVO } })).body.message;
  expect((await refused(10)).split(', ')).toHaveLength(10);
  expect(await refused(10)).not.toContain(' más');
  expect(await refused(11)).toMatch(/^Estos pedidos no han terminado: .* y 1 más\.$/);
});

it('of two blocked persons one is anonymised or restored, and the other’s data stays what it was', async () => {
  const [ana, bea, eva] = [
    await ended('Ana Uno', { cliente_telefono: '655432191' }),
    await ended('Bea Dos', { cliente_telefono: '655432192' }),
    await ended('Eva Tres', { cliente_telefono: '655432193' }),
  ];
  await block(ana.id, bea.id, eva.id);
  await anonymise(ana.id);
  expect((await admin.call(api.desbloquear, { body: { pedidos: [bea.id], ...MOTIVO } })).status).toBe(200);
  const names = async () =>
    (await world.db.selectFrom('pedidos').select(['id', 'cliente_nombre']).execute()).map(({ id, cliente_nombre }) => [id, cliente_nombre]);
  expect(Object.fromEntries(await names())).toEqual({
    [ana.id]: 'Cliente anonimizado',
    [bea.id]: 'Bea Dos',
    [eva.id]: 'Cliente bloqueado',
  });
  expect((await admin.call(api.desbloquear, { body: { pedidos: [eva.id], ...MOTIVO } })).status).toBe(200);
  expect(Object.fromEntries(await names())[eva.id]).toBe('Eva Tres');
});

it('an order that there is not is not found among others, and a reason does not name the person', async () => {
  const { id } = await ended('Ana Uno', { cliente_telefono: null });
  const missing = '00000000-0000-4000-8000-000000000000';
  expect((await admin.call(api.bloquear, { body: { pedidos: [id, missing], ...MOTIVO } })).status).toBe(404);
  expect((await admin.call(api.bloquear, { body: { pedidos: [id, id], motivo: 'Lo pide Ana Uno' } })).body.data).toMatchObject({
    pedidos: 1,
  });
  const { motivo } = await world.db.selectFrom('datos_bloqueados').select('motivo').executeTakeFirstOrThrow();
  expect(motivo).toBe('Lo pide Cliente bloqueado');
});
