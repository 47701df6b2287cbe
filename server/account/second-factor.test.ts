import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changePassword,
  confirmSecondFactor,
  getAccount,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '../../contract/account/account.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { getUser, login } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { codeOf, stopClockForEachTest } from '../../test/authenticator.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { encrypt } from '../kit/secrets.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
stopClockForEachTest();
beforeEach(() => world.reset());

const signIn = (email: string, code?: string, password = PASSWORD) => world.nobody().call(login, { body: { email, password, code } });
const start = (person: Person) => person.call(startSecondFactor);
const left = async (person: Person) => (await person.call(getAccount)).body.data.recovery_codes_left;

/** Creates a person with a second factor. The current code is spent, the next code is not. */
async function withFactor(role: Person['user']['role'] = 'revendedor') {
  const person = await world.as(await world.user({ role }));
  const { secret } = (await start(person)).body;
  const { status, body } = await person.call(confirmSecondFactor, { body: { code: codeOf(secret) } });
  expect(status).toBe(200);
  return { person, email: person.user.email, secret, codes: body.recovery_codes };
}

describe('setting up a second factor', () => {
  test('setting up a second factor requires a first code and returns ten recovery codes', async () => {
    const person = await world.as('transportista');
    const begun = (await start(person)).body;
    expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(begun.uri).toContain(`secret=${begun.secret}`);
    expect(begun.uri).toMatch(/^otpauth:\/\/totp\/Enruta:transportista.*issuer=Enruta/);
    expect(begun.qr).toMatch(/^data:image\/svg\+xml,%3Csvg/);
    // The second factor is inactive until a code confirms the secret.
    expect((await signIn(person.user.email)).status).toBe(200);
    expect((await person.call(confirmSecondFactor, { body: { code: '000 00' } })).body.errors).toEqual({
      code: ['El código no es correcto'],
    });
    const { status, body } = await person.call(confirmSecondFactor, { body: { code: codeOf(begun.secret) } });
    expect([status, new Set(body.recovery_codes).size]).toEqual([200, 10]);
    expect((await person.call(getAccount)).body.data).toMatchObject({ second_factor: true, recovery_codes_left: 10 });
    // Confirming consumes the pending secret.
    expect((await person.call(confirmSecondFactor, { body: { code: codeOf(begun.secret, 1) } })).status).toBe(409);
  });

  test('neither secret nor recovery codes of a second factor are stored in clear text', async () => {
    const { secret, codes } = await withFactor();
    const stored = JSON.stringify([
      await world.db.selectFrom('users').selectAll().execute(),
      await world.db.selectFrom('recovery_codes').selectAll().execute(),
      await world.db.selectFrom('audit_logs').selectAll().execute(),
    ]);
    for (const word of [secret, ...codes, ...codes.map((code) => code.replace('-', ''))]) expect(stored).not.toContain(word);
  });

  test('sign-in reports a second factor that the current SECRET_KEY cannot decrypt', async () => {
    const person = await world.as('superadmin');
    await world.db
      .updateTable('users')
      .set({ totp_secret: encrypt('the key of another machine, long enough', 'A'.repeat(32)) })
      .where('id', '=', person.user.id)
      .execute();
    const { status, body } = await signIn(person.user.email, '123456');
    expect([status, body.message]).toEqual([500, expect.stringContaining('su SECRET_KEY ya no es la de entonces')]);
  });

  test('setting up a second factor ends the sessions opened without a code', async () => {
    const user = await world.user({ role: 'revendedor' });
    const [desk, phone] = [await world.as(user), await world.as(user)];
    const { secret } = (await start(desk)).body;
    await desk.call(confirmSecondFactor, { body: { code: codeOf(secret) } });
    expect([(await desk.call(getUser)).status, (await phone.call(getUser)).status]).toEqual([200, 401]);
  });

  test('setting up another phone keeps the old secret valid until the new secret is confirmed', async () => {
    const { person, email, secret: old } = await withFactor();
    const { secret } = (await start(person)).body;
    expect((await signIn(email, codeOf(secret, 1))).status).toBe(401);
    expect((await signIn(email, codeOf(old, 1))).status).toBe(200);
    expect((await person.call(confirmSecondFactor, { body: { code: codeOf(secret) } })).status).toBe(200);
    await world.db.updateTable('users').set({ totp_last_step: null }).execute();
    expect((await signIn(email, codeOf(old, 1))).status).toBe(401);
    expect((await signIn(email, codeOf(secret, 1))).status).toBe(200);
  });
});

describe('signing in with a second factor', () => {
  test('sign-in asks for the code after the right password, without counting a failure', async () => {
    const { email } = await withFactor();
    const { status, body } = await signIn(email);
    expect([status, body]).toEqual([401, { message: 'Escribe el código de tu aplicación de verificación', code: 'second_factor' }]);
    expect(await world.db.selectFrom('login_attempts').selectAll().execute()).toEqual([]);
    // Without the password, the response does not reveal the second factor.
    expect((await signIn(email, undefined, 'no es esta')).body.code).toBe('bad_credentials');
  });

  test('sign-in accepts each code once, and no code three steps early or late', async () => {
    const { email, secret } = await withFactor();
    expect((await signIn(email, codeOf(secret))).body).toEqual({
      message: 'El código no es correcto o ya se ha usado',
      code: 'second_factor',
    });
    for (const status of [200, 401]) expect((await signIn(email, codeOf(secret, 1))).status).toBe(status);
    await world.db.updateTable('users').set({ totp_last_step: null }).execute();
    for (const far of [-3, 3]) expect((await signIn(email, codeOf(secret, far))).status).toBe(401);
    const spaced = codeOf(secret).replace(/^(...)/, '$1 ');
    expect((await signIn(email, spaced)).status).toBe(200);
  });

  test('sign-in accepts a code only once from two concurrent requests', async () => {
    const { email, secret, codes } = await withFactor();
    for (const code of [codeOf(secret, 1), codes[0]]) {
      const statuses = (await Promise.all([signIn(email, code), signIn(email, code)])).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 401]);
    }
  });

  test('sign-in accepts a recovery code once, with spaces and in any case', async () => {
    const { person, email, codes } = await withFactor();
    const [first = '', second = ''] = codes;
    expect((await signIn(email, first)).status).toBe(200);
    expect((await signIn(email, first)).status).toBe(401);
    expect((await signIn(email, ` ${second.replace('-', ' ').toUpperCase()} `)).status).toBe(200);
    expect(await left(person)).toBe(8);
    // Codes of another account do not work.
    const other = await withFactor();
    expect((await signIn(email, other.codes[0])).status).toBe(401);
  });

  test('sign-in counts multi-byte letters as a wrong code', async () => {
    const { email } = await withFactor();
    const { status, body } = await signIn(email, 'éééééé');
    expect([status, body.code]).toEqual([401, 'second_factor']);
    expect(await world.db.selectFrom('login_attempts').selectAll().execute()).not.toEqual([]);
  });

  test('sign-in counts a wrong code as a failure, which an attempt without code does not clear', async () => {
    const admin = await world.as('superadmin');
    await admin.call(updateSettings, { body: { maxLoginAttempts: 3 } });
    const { email, secret } = await withFactor();
    for (let i = 0; i < 3; i += 1) {
      expect((await signIn(email)).status).toBe(401);
      expect((await signIn(email, 'mal')).status).toBe(401);
    }
    expect((await signIn(email, codeOf(secret, 1))).status).toBe(429);
  });
});

describe('recovery codes', () => {
  test('renewing the recovery codes invalidates the old codes', async () => {
    const { person, email, codes } = await withFactor();
    await signIn(email, codes[0]);
    const { status, body } = await person.call(renewRecoveryCodes);
    expect([status, body.recovery_codes.length, await left(person)]).toEqual([200, 10, 10]);
    expect((await signIn(email, codes[1])).status).toBe(401);
    expect((await signIn(email, body.recovery_codes[1])).status).toBe(200);
  });

  test('recovery codes require a second factor', async () => {
    const person = await world.as('revendedor');
    expect((await person.call(renewRecoveryCodes)).status).toBe(409);
    expect(await left(person)).toBe(0);
  });
});

describe('removing the second factor', () => {
  test('removing the second factor makes the password sufficient again and notifies the superadmins', async () => {
    const { person, email, codes } = await withFactor();
    const admin = await world.as('superadmin');
    expect((await signIn(email)).status).toBe(401);
    expect((await person.call(removeSecondFactor)).status).toBe(200);
    expect((await admin.call(listNotifications)).body.data.map(({ tipo, texto }) => [tipo, texto])).toEqual([
      ['segundo_factor_quitado', `${person.user.full_name} ha quitado la verificación en dos pasos de su cuenta`],
    ]);
    expect((await signIn(email)).status).toBe(200);
    expect((await person.call(getAccount)).body.data).toMatchObject({ second_factor: false, recovery_codes_left: 0 });
    expect((await person.call(removeSecondFactor)).status).toBe(409);
    expect(codes).toHaveLength(10);
  });

  test('a superadmin, unlike other roles, cannot remove a second factor that the setting requires', async () => {
    const { person: admin } = await withFactor('superadmin');
    const { person: carrier } = await withFactor('transportista');
    await admin.call(updateSettings, { body: { twoFactorAuth: true } });
    const refused = await admin.call(removeSecondFactor);
    expect([refused.status, refused.body.message]).toEqual([409, 'La configuración exige la verificación en dos pasos a tu cuenta']);
    expect((await carrier.call(removeSecondFactor)).status).toBe(200);
    await admin.call(updateSettings, { body: { twoFactorAuth: false } });
    expect((await admin.call(removeSecondFactor)).status).toBe(200);
  });
});

describe('the setting twoFactorAuth', () => {
  test('the setting twoFactorAuth confines only superadmins without a second factor to «Mi cuenta»', async () => {
    const [admin, carrier] = [await world.as('superadmin'), await world.as('transportista')];
    expect((await admin.call(getUser)).body.user.pending).toBeNull();
    await admin.call(updateSettings, { body: { twoFactorAuth: true } });
    expect((await admin.call(getUser)).body.user.pending).toBe('second_factor');
    expect((await admin.call(getAccount)).body.data.second_factor_required).toBe(true);
    const { status, body } = await admin.call(listPedidos);
    expect([status, body]).toEqual([
      403,
      { message: 'Activa la verificación en dos pasos en «Mi cuenta» para seguir', code: 'pending_second_factor' },
    ]);
    expect((await carrier.call(getUser)).body.user.pending).toBeNull();
    expect((await carrier.call(getAccount)).body.data.second_factor_required).toBe(false);

    const { secret } = (await start(admin)).body;
    await admin.call(confirmSecondFactor, { body: { code: codeOf(secret) } });
    expect([(await admin.call(getUser)).body.user.pending, (await admin.call(listPedidos)).status]).toEqual([null, 200]);
  });

  test('an expired password must be changed before the second factor is set up', async () => {
    const admin = await world.as('superadmin');
    await admin.call(updateSettings, { body: { twoFactorAuth: true } });
    const old = await world.as(await world.user({ role: 'superadmin', password_changed_at: '2020-01-01T00:00:00.000Z' }));
    expect((await old.call(getUser)).body.user.pending).toBe('password');
    await old.call(changePassword, { body: { current_password: PASSWORD, password: 'otra clave de pruebas' } });
    expect((await old.call(getUser)).body.user.pending).toBe('second_factor');
  });
});
