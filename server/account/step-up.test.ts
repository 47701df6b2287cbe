import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  confirmSecondFactor,
  proveIdentity,
  removeSecondFactor,
  renewRecoveryCodes,
  requireProof,
  startSecondFactor,
} from '../../contract/account/account.ts';
import { createBackup, downloadBackup } from '../../contract/backups/backups.ts';
import { createExport, downloadExport } from '../../contract/exports/exports.ts';
import { ficheroFacturables } from '../../contract/facturables/facturables.ts';
import type { EndpointDef } from '../../contract/kit/endpoint.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { login } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { createUser, updateUser } from '../../contract/users/users.ts';
import { codeOf, stopClockForEachTest } from '../../test/authenticator.ts';
import { PASSWORD } from '../../test/builders.ts';
import { address } from '../../test/client.ts';
import { endpoints } from '../../test/endpoints.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* An unattended or stolen session must not be enough for sensitive actions. */

let world: World;
/** `owner` has just proven the password; `thief` is another session of the same account, without proof. */
let owner: Person;
let thief: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
stopClockForEachTest();
beforeEach(async () => {
  await world.reset();
  owner = await world.as('superadmin');
  thief = await world.as(owner.user, { proven: false });
});

const ID = '00000000-0000-4000-8000-000000000000';
const STEP_UP = [403, { message: 'Confirma quién eres para continuar', code: 'step_up' }];
const prove = (person: Person, password = PASSWORD, code?: string) => person.call(proveIdentity, { body: { password, code } });
const knock = async (person: Person, e: EndpointDef) => {
  const { status, body } = await person.request(e.method, address(e.path, { id: ID }));
  return [status, body];
};
/** Sets up a second factor; the current code is spent, the next code is not. */
async function secondFactor(): Promise<string> {
  const { secret } = (await owner.call(startSecondFactor)).body;
  expect((await owner.call(confirmSecondFactor, { body: { code: codeOf(secret) } })).status).toBe(200);
  thief = await world.as(owner.user, { proven: false });
  return secret;
}

test.each([
  createBackup,
  createExport,
  downloadBackup,
  downloadExport,
  ficheroFacturables,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
  requireProof,
])('$method $path requires proof of identity', (endpoint) => expect(endpoint.stepUp).toBe(true));
const asking = endpoints.filter(({ endpoint }) => endpoint.stepUp === true).map(({ endpoint }) => [endpoint.path, endpoint] as const);
test.each(asking)('%s needs the password, not only a session', async (_, endpoint) => {
  expect(await knock(thief, endpoint)).toEqual(STEP_UP);
  expect((await prove(thief)).status).toBe(200);
  expect(await knock(thief, endpoint)).not.toEqual(STEP_UP);
});

describe('sensitive actions', () => {
  const user = { full_name: 'Mala', email: 'mala@enruta.test', password: 'una clave larga' };
  test.each<[string, (by: Person, id: string) => Promise<{ status: number }>, number]>([
    ['creating a superadmin', (by) => by.call(createUser, { body: { ...user, role: 'superadmin' } }), 201],
    ['changing another’s password', (by, id) => by.call(updateUser, { params: { id }, body: { password: 'una clave larga' } }), 200],
    ['changing another’s e-mail', (by, id) => by.call(updateUser, { params: { id }, body: { email: 'otra@enruta.test' } }), 200],
    ['resetting another’s second factor', (by, id) => by.call(updateUser, { params: { id }, body: { reset_second_factor: true } }), 200],
    ['reactivating a superadmin', (by, id) => by.call(updateUser, { params: { id }, body: { is_active: true } }), 200],
  ])('%s needs proof of identity', async (_, act, done) => {
    const { id } = await world.user({ role: 'superadmin', is_active: false });
    expect((await act(thief, id)).status).toBe(403);
    expect((await act(owner, id)).status).toBe(done);
  });

  test.each(
    Object.entries({
      companyIban: 'ES9121000418450200051332',
      companyBic: 'CAIXESBBXXX',
      sessionTimeout: 720,
      rememberDays: 90,
      maxLoginAttempts: 20,
      passwordExpiry: 0,
      carrierContactDays: 365,
      anonymizeMonths: 1,
      twoFactorAuth: false,
      autoBackup: false,
      backupFrequency: 'monthly',
      retentionDays: 1,
      backupPassphrase: 'la del ladrón, larga',
      emailProvider: 'sendgrid',
      smtpHost: 'smtp.ladron.es',
      smtpPort: 2525,
      smtpUser: 'ladron',
      smtpPassword: 'la suya',
      apiKey: 'la suya',
      mailFrom: 'jefa@ladron.es',
      mailgunDomain: 'ladron.es',
    }),
  )('changing the setting %s needs proof of identity', async (name, value) => {
    const change = async (by: Person) =>
      (await by.request('PUT', '/api/settings', { body: { companyPhone: '600111222', [name]: value } })).body;
    expect(await change(thief)).toEqual(STEP_UP[1]);
    expect(await change(owner)).toMatchObject({ success: true });
  });

  test('everyday changes need no proof of identity', async () => {
    const { id, email } = await world.user({ role: 'revendedor' });
    expect((await thief.call(createUser, { body: { ...user, role: 'revendedor' } })).status).toBe(201);
    expect((await thief.call(updateUser, { params: { id }, body: { full_name: 'Otra', email: email.toUpperCase() } })).status).toBe(200);
    expect((await thief.call(updateSettings, { body: { companyPhone: '600111222', shippingBaleares: 9 } })).status).toBe(200);
  });
});

describe('proof of identity', () => {
  test('proof of identity belongs to one session and lasts five minutes', async () => {
    expect((await owner.call(requireProof)).status).toBe(200);
    expect((await thief.call(requireProof)).status).toBe(403);
    for (const [minutes, status] of [
      [4, 200],
      [6, 403],
    ] as const) {
      const at = new Date(Date.now() - minutes * 60_000).toISOString();
      await world.db.updateTable('sessions').set({ proven_at: at }).where('proven_at', 'is not', null).execute();
      expect((await owner.call(requireProof)).status).toBe(status);
    }
  });

  test('signing in is no proof of identity, since another person may sit down a moment later', async () => {
    const fresh = world.nobody();
    expect((await fresh.call(login, { body: { email: owner.user.email, password: PASSWORD } })).status).toBe(200);
    expect((await fresh.call(requireProof)).status).toBe(403);
  });

  test('a wrong password proves no identity and counts as a failed sign-in', async () => {
    await owner.call(updateSettings, { body: { maxLoginAttempts: 3 } });
    for (let i = 0; i < 3; i += 1) {
      const { status, body } = await prove(thief, 'no es esta');
      expect([status, body.errors]).toEqual([422, { password: ['La contraseña actual no es correcta'] }]);
    }
    expect((await prove(thief)).status).toBe(429);
    expect((await thief.call(requireProof)).status).toBe(403);
  });

  test('proof of identity also requires an unused code if there is a second factor', async () => {
    const secret = await secondFactor();
    expect((await prove(thief)).body.errors).toEqual({ code: ['Escribe el código de tu aplicación de verificación'] });
    const WRONG = { code: ['El código no es correcto o ya se ha usado'] };
    expect((await prove(thief, PASSWORD, '000000')).body.errors).toEqual(WRONG);
    expect((await prove(thief, 'no es esta', codeOf(secret, 1))).status).toBe(422);
    expect((await thief.call(requireProof)).status).toBe(403);
    expect((await prove(owner, PASSWORD, codeOf(secret, 1))).status).toBe(200);
    expect((await prove(thief, PASSWORD, codeOf(secret, 1))).body.errors).toEqual(WRONG);
    expect((await thief.call(requireProof)).status).toBe(403);
  });

  test('proof of identity counts wrong codes even with the right password', async () => {
    await owner.call(updateSettings, { body: { maxLoginAttempts: 3 } });
    const secret = await secondFactor();
    for (let i = 0; i < 3; i += 1) {
      expect((await prove(thief)).status).toBe(422);
      expect((await prove(thief, PASSWORD, 'mal')).status).toBe(422);
    }
    expect((await prove(thief, PASSWORD, codeOf(secret, 1))).status).toBe(429);
  });
});

test('removing another person’s second factor notifies all other superadmins', async () => {
  const [rita, eva] = [await world.user({ role: 'revendedor', totp_secret: 'sealed' }), await world.user({ role: 'superadmin' })];
  expect((await owner.call(updateUser, { params: { id: rita.id }, body: { reset_second_factor: true } })).status).toBe(200);
  const { data } = (await (await world.as(eva)).call(listNotifications)).body;
  expect(data.map(({ texto }) => texto)).toEqual([`${owner.user.full_name} ha quitado la verificación en dos pasos de ${rita.full_name}`]);
  expect((await owner.call(listNotifications)).body.data).toEqual([]);
});
