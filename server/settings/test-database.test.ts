import { beforeAll, expect, it } from 'vitest';
import { testDatabase } from '../../contract/settings/settings.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

it('the test of the database reports version, response time, size and durability', async () => {
  const admin = await world.as('superadmin');
  const { status, body } = await admin.call(testDatabase);
  expect(status).toBe(200);
  const found = Object.fromEntries(body.data.map(({ nombre, valor }) => [nombre, valor]));
  expect(found.Motor).toBe('PostgreSQL');
  expect(found.Versión).toMatch(/^\d+\.\d+/);
  expect(found['Ida y vuelta']).toMatch(/^\d+,\d ms$/);
  expect(found.Tamaño).toMatch(/^\d+,\d MB$/);
  // The tests' own PostgreSQL does not wait for the disk.
  expect(found.Durabilidad).toMatch(/^No resiste un corte de corriente/);
});
