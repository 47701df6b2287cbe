import { beforeAll, beforeEach, expect, test } from 'vitest';
import { hideLog, listLogs } from '../../contract/audit/audit.ts';
import { getSettings, updateSettings } from '../../contract/settings/settings.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

test('a repeated forbidden request is logged at most once a minute', async () => {
  const carrier = await world.as('transportista');
  for (let i = 0; i < 3; i += 1) expect((await carrier.call(getSettings)).status).toBe(403);
  expect((await carrier.call(updateSettings, { body: { companyName: 'Mía' } })).status).toBe(403);
  expect((await world.nobody().call(getSettings)).status).toBe(401);
  const { data } = (await (await world.as('superadmin')).call(listLogs, { query: { action: 'denied' } })).body;
  expect(data.map(({ description, actor_nombre, actor_role }) => [description, actor_nombre, actor_role]).toSorted()).toEqual([
    ['Acceso denegado: GET /api/settings', carrier.user.full_name, 'transportista'],
    ['Acceso denegado: PUT /api/settings', carrier.user.full_name, 'transportista'],
  ]);
});

test('hiding a logged refusal does not stop the next refusal from being logged', async () => {
  const [carrier, admin] = [await world.as('transportista'), await world.as('superadmin')];
  const denied = async () => (await admin.call(listLogs, { query: { action: 'denied' } })).body.data;
  await carrier.call(getSettings);
  const [first] = await denied();
  expect((await admin.call(hideLog, { params: { id: first?.id ?? '' } })).status).toBe(200);
  expect(await denied()).toEqual([]);
  await carrier.call(getSettings);
  expect(await denied()).toMatchObject([{ description: 'Acceso denegado: GET /api/settings' }]);
});

test('the database refuses to change or delete a row of the log', async () => {
  const carrier = await world.as('transportista');
  await carrier.call(getSettings);
  const rows = () => world.db.selectFrom('audit_logs').select(['description', 'hidden_at']).execute();
  const before = await rows();
  expect(before).toHaveLength(1);
  await expect(world.db.updateTable('audit_logs').set({ description: 'nada' }).execute()).rejects.toThrow('append-only');
  await expect(world.db.deleteFrom('audit_logs').execute()).rejects.toThrow('append-only');
  expect(await rows()).toEqual(before);
  // A row may be hidden, but never unhidden.
  await world.db.updateTable('audit_logs').set({ hidden_at: '2026-01-01T00:00:00.000Z' }).execute();
  await expect(world.db.updateTable('audit_logs').set({ hidden_at: null }).execute()).rejects.toThrow('append-only');
});
