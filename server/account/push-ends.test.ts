import { TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changePassword, closeOtherSessions, confirmSecondFactor, startSecondFactor } from '../../contract/account/account.ts';
import { getPush, subscribePush } from '../../contract/push/push.ts';
import { logout } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { deleteUser, updateUser } from '../../contract/users/users.ts';
import { PASSWORD } from '../../test/builders.ts';
import { openPushService, type PushService } from '../../test/push-service.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { sendDuePushes } from '../push/push.job.ts';
import { subscribePush as subscribe } from '../push/push.ts';
import { hashToken } from '../session/sessions.ts';
import { rescueSuperadmin } from './account.ts';

/* An intruder can subscribe their own browser during a short session. */

let world: World;
let service: PushService;
let admin: Person;
let own: Person;
let thief: Person;
beforeAll(async () => {
  [world, service] = [await createWorld(), await openPushService()];
  return async () => {
    await world.close();
    await service.close();
  };
});
beforeEach(async () => {
  await world.reset();
  service.arrived.length = 0;
  admin = await world.as('superadmin');
  await admin.call(updateSettings, { body: { pushNotifications: true } });
  const user = await world.user({ role: 'revendedor' });
  [own, thief] = [await world.as(user), await world.as(user)];
});

async function subscribed(person: Person, headers: Record<string, string> = {}) {
  const browser = service.subscribe();
  expect((await person.call(subscribePush, { body: browser, headers })).status).toBe(200);
  return browser;
}
const endpoints = async () =>
  (await world.db.selectFrom('push_subscriptions').select('endpoint').execute()).map(({ endpoint }) => endpoint);
const edit = ({ user: { id, full_name, email } }: Person, change: object) =>
  admin.call(updateUser, { params: { id }, body: { full_name, email, is_active: true, ...change } });

it('«Mi cuenta» lists only one’s own subscribed browsers, newest first', async () => {
  const phone = await subscribed(thief, { 'user-agent': 'Phone' });
  const desk = await subscribed(own, { 'user-agent': 'Desk' });
  await subscribed(admin);
  const { devices } = (await own.call(getPush)).body.data;
  const created_at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(devices).toEqual([
    { endpoint: desk.endpoint, user_agent: 'Desk', created_at },
    { endpoint: phone.endpoint, user_agent: 'Phone', created_at },
  ]);
});

describe('a browser subscribed in an ended session gets no more pushes', () => {
  it('a new password ends all push subscriptions of a person, even of the current session', async () => {
    await subscribed(thief);
    await subscribed(own);
    const body = { current_password: PASSWORD, password: 'otra clave de pruebas' };
    expect((await own.call(changePassword, { body })).status).toBe(200);
    expect(await endpoints()).toEqual([]);
  });

  it('«Cerrar las demás» ends only the push subscriptions of the closed sessions', async () => {
    await subscribed(thief);
    const [kept, others] = [await subscribed(own), await subscribed(admin)];
    expect((await own.call(closeOtherSessions)).status).toBe(200);
    expect((await endpoints()).sort()).toEqual([kept.endpoint, others.endpoint].sort());
  });

  it('a push subscription does not outlive an expired session', async () => {
    await subscribed(thief);
    await world.db
      .deleteFrom('sessions')
      .where('token_hash', '=', hashToken(thief.cookies.get('enruta') ?? ''))
      .execute();
    await own.call(closeOtherSessions);
    expect(await endpoints()).toEqual([]);
  });

  it('signing out ends only the push subscriptions of the ended session', async () => {
    await subscribed(thief);
    const kept = await subscribed(own);
    expect((await thief.call(logout)).status).toBe(200);
    expect(await endpoints()).toEqual([kept.endpoint]);
  });

  it('setting up a second factor ends the push subscriptions of the ended sessions', async () => {
    await subscribed(thief);
    const kept = await subscribed(own);
    const { secret } = (await own.call(startSecondFactor)).body;
    expect((await own.call(confirmSecondFactor, { body: { code: new TOTP({ secret }).generate() } })).status).toBe(200);
    expect(await endpoints()).toEqual([kept.endpoint]);
  });

  it.each([
    ['a password reset', () => edit(own, { password: 'una clave nueva' })],
    ['the removal of the second factor', () => edit(own, { reset_second_factor: true })],
    ['deactivation followed by reactivation', async () => [await edit(own, { is_active: false }), await edit(own, {})][1]],
    ['deletion', () => admin.call(deleteUser, { params: { id: own.user.id } })],
  ])('%s ends the push subscriptions of a person', async (_, happens) => {
    const kept = await subscribed(admin);
    await subscribed(thief);
    expect((await happens())?.status).toBe(200);
    expect(await endpoints()).toEqual([kept.endpoint]);
  });

  it('the rescue of a superadmin ends their push subscriptions', async () => {
    await subscribed(admin);
    await rescueSuperadmin(world.db, admin.user.email);
    expect(await endpoints()).toEqual([]);
  });

  it('a push that is pending when its session ends is not sent', async () => {
    const browser = await subscribed(thief);
    const pedido = await world.pedido({ revendedor_id: own.user.id });
    await (await world.as('transportista')).call(autoAsignar, { params: { id: pedido.id } });
    await own.call(closeOtherSessions);
    expect(await sendDuePushes(world.db, world.config, service.send)).toBe(0);
    expect(service.shownBy(browser)).toEqual([]);
  });
});

it('a session that ends during the request cannot subscribe', async () => {
  const session = hashToken(thief.cookies.get('enruta') ?? '');
  await own.call(closeOtherSessions);
  const subscribing = subscribe(world.db, { ...own.user, role: 'revendedor' }, service.subscribe(), { session, userAgent: 'Phone' });
  await expect(subscribing).rejects.toMatchObject({ status: 401 });
  expect(await endpoints()).toEqual([]);
});

it('a browser subscribed again belongs to its latest session', async () => {
  const browser = await subscribed(thief);
  expect((await own.call(subscribePush, { body: browser })).status).toBe(200);
  await own.call(closeOtherSessions);
  expect(await endpoints()).toEqual([browser.endpoint]);
});
