import { createECDH } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getPush, subscribePush } from '../../contract/push/push.ts';
import { getUser, login } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { connect } from '../../e2e/api.ts';
import type { Client } from '../../test/client.ts';
import { copyOfSession, ENDS } from '../ends.ts';
import { listenTo } from '../held.ts';
import { type Row, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

// An instance caches a session for five seconds if a notification is lost; otherwise a session ends within milliseconds.
const AT_ONCE_MS = 2000;
const KEYS = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'a'.repeat(22) };

/** A session starts with a fresh secret, and ends on every instance together with its streams. */
export const row: Row = {
  name: 'sessions',
  what: 'planted and stolen sessions: every way of ending one, at either instance, with its stream and its push subscriptions',
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const { expect, outcome } = verdict();
    await shop.admin.call(updateSettings, { body: { pushNotifications: true } });
    for (const complaint of await planted(shop)) expect(false, () => complaint);
    let stolen = 0;
    for (const [how, end] of Object.entries(ENDS)) {
      for (const turn of [0, 1]) {
        const where = `${how}${turn ? ' on the other instance' : ''}`;
        const [member] = (await shop.crew('superadmin', 1)) as [Member];
        const thief = copyOfSession(member, shop.url());
        const heard = await listenTo(shop.url(), thief);
        const endpoint = `https://push.example.com/${stolen}`;
        expect((await thief.call(subscribePush, { body: { endpoint, keys: KEYS } })).status === 200, () => 'the thief could not subscribe');
        stolen += 1;
        await end(shop, member, turn);
        expect(await refused(thief), () => `${where}: still signed in after ${AT_ONCE_MS} ms`);
        heard.forget();
        await shop.pedido();
        await sleep(500);
        expect(!heard.text().includes('event: change'), () => `${where}: its stream still hears`);
        heard.stop();
        if (how !== 'deleted' && how !== 'deactivated') {
          const password =
            how === 'password changed'
              ? `${member.person.password} nueva`
              : how === 'password set by another'
                ? 'otra clave de otra persona'
                : member.person.password;
          const owner = await shop.signIn({ email: member.person.email, password });
          expect(
            !(await owner.call(getPush)).body.data.devices.some((device) => device.endpoint === endpoint),
            () => `${where}: its push subscription lives on`,
          );
        }
      }
    }
    return outcome(`2 planted, ${stolen} stolen sessions`);
  },
  control: [
    {
      guard: 'the end of the sessions of who is deactivated, and the look at is_active',
      edits: [
        {
          file: 'server/users/users.ts',
          find: 'if (!is_active || password !== undefined || reset) await',
          replace: 'if (reset) await',
        },
        { file: 'server/session/sessions.ts', find: '(token)} AND u.is_active AND u.deleted_at IS NULL', replace: '(token)}' },
      ],
    },
  ],
};

/** Session fixation: an attacker puts a session into the browser before the victim signs in. */
async function planted(shop: Shop): Promise<string[]> {
  const { expect, broken } = verdict();
  const [victim, attacker] = (await shop.crew('superadmin', 2)) as [Member, Member];
  const known = 'A'.repeat(43);
  for (const [what, token] of [
    ['an invented value', known],
    ['the session of another', attacker.cookies.get('enruta') ?? ''],
  ] as const) {
    const browser = connect(shop.url());
    browser.cookies.set('enruta', token);
    const { email, password } = victim.person;
    const { status } = await browser.call(login, { body: { email, password } });
    expect(status === 200, () => `${what}: the victim cannot sign in: ${status}`);
    expect(browser.cookies.get('enruta') !== token, () => `${what}: kept after signing in`);
    const other = connect(shop.url(1));
    other.cookies.set('enruta', token);
    const { status: then, body } = await other.call(getUser);
    expect(then === 401 || body.user?.id !== victim.person.id, () => `${what}: opens the victim's account`);
  }
  return broken;
}

async function refused(thief: Client): Promise<boolean> {
  const until = Date.now() + AT_ONCE_MS;
  while (Date.now() < until) {
    if ((await thief.call(getUser)).status === 401) return true;
    await sleep(20);
  }
  return false;
}
