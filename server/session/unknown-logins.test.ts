import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listAudit, listLogs } from '../../contract/audit/audit.ts';
import { login } from '../../contract/session/session.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { cleanFeatures } from '../features.ts';

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

const tryAs = (email: string) => world.nobody().call(login, { body: { email, password: 'no es esta' } });
const logged = async () =>
  (await admin.call(listLogs, { query: { action: 'login_failed' } })).body.data.map(({ description }) => description);
const aMinuteLater = () => sql`UPDATE unknown_logins SET told_at = told_at - interval '61 seconds'`.execute(world.db);

it('unknown names are not stored, and their number is logged once a minute', async () => {
  for (let i = 0; i < 3; i += 1) expect((await tryAs(`MiClave${i}`)).status).toBe(401);
  expect(await logged()).toEqual(['Acceso fallido con un usuario que no existe']);
  await aMinuteLater();
  await tryAs('MiClave3');
  expect((await logged())[0]).toBe('Acceso fallido con un usuario que no existe (3 veces)');
  await tryAs('MiClave4');
  await aMinuteLater();
  // The hourly clean-up logs the remaining failures.
  await cleanFeatures(world.db);
  expect(await logged()).toHaveLength(3);
  await cleanFeatures(world.db);
  expect(await logged()).toHaveLength(3);
  const { rows } = await sql<{ all: string }>`SELECT json_agg(l)::text AS all FROM audit_logs l`.execute(world.db);
  expect(rows[0]?.all).not.toMatch(/miclave/i);
  expect((await admin.call(listAudit, { query: { limit: 100 } })).body.data.filter(({ action }) => action === 'login_failed')).toEqual([]);
});

it('the name of an existing account is logged each time', async () => {
  const { user } = await world.as('revendedor');
  for (let i = 0; i < 2; i += 1) await tryAs(user.email);
  expect(await logged()).toEqual(Array(2).fill(`Acceso fallido de «${user.email}»`));
});
