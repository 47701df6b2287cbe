import { ROLES, type Role } from '../../contract/policy/policy.ts';
import { listProducts } from '../../contract/products/products.ts';
import { listUsers } from '../../contract/users/users.ts';
import { address, type Client } from '../../test/client.ts';
import { operationsOf } from '../description.ts';
import { copyOfSession } from '../ends.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';
const EVIL = { origin: 'https://evil.example', referer: 'https://evil.example/form', 'sec-fetch-site': 'cross-site' };
const FORM_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];

type Forgery = (session: Client, other: Client, url: string) => { client: Client; headers?: Record<string, string>; xsrf?: boolean };
/** Writes sent by another page, or with another session's CSRF token. */
const FORGERIES: Record<string, Forgery> = {
  'no value': (client) => ({ client, xsrf: false, headers: EVIL }),
  'an invented value': (client, _, url) => ({ client: withValue(client, url, `${'A'.repeat(22)}.${'B'.repeat(43)}`) }),
  "another session's value": (client, other, url) => ({ client: withValue(client, url, other.cookies.get('XSRF-TOKEN') ?? '') }),
  'an empty value': (client, _, url) => ({ client: withValue(client, url, '') }),
  'a value unlike the cookie': (client) => ({ client, xsrf: false, headers: { 'x-xsrf-token': `${client.cookies.get('XSRF-TOKEN')}x` } }),
  ...Object.fromEntries(
    FORM_TYPES.map((type): [string, Forgery] => [
      `a form of ${type}`,
      (client) => ({ client, xsrf: false, headers: { ...EVIL, 'content-type': type } }),
    ]),
  ),
};

/** Writes from other pages are refused, and other pages cannot read answers. */
export const row: Row = {
  name: 'forged',
  what: 'every write with the anti-forgery value missing, invented or of another session, and from another origin',
  seconds: 90,
  run: async (world) => {
    const shop = await world.open();
    const operations = (await operationsOf(shop.admin)).filter(({ method, action }) => method !== 'GET' && action !== 'signed');
    const { expect, outcome } = verdict();
    const [session, other] = (await two(shop)) as [Record<Role, Member>, Record<Role, Member>];
    for (const client of [...Object.values(session), ...Object.values(other)]) await client.request('GET', '/api/csrf-token');
    const before = await state(shop);
    const statuses: number[] = [];
    for (const o of operations) {
      for (const role of ROLES.filter((role) => o.roles.includes(role))) {
        for (const [how, forge] of Object.entries(FORGERIES)) {
          const { client, ...rest } = forge(session[role], other[role], shop.url());
          const path = address(o.path, { id: MISSING, token: MISSING, proveedor: MISSING, empresa: MISSING });
          const reply = await client.request(o.method, path, { ...rest, body: 'no=importa' });
          statuses.push(reply.status);
          expect(reply.status === 419, () => `${o.title} with ${how}: ${reply.status}`);
          expect(!reply.headers['access-control-allow-origin'], () => `${o.title}: other origins may read its answer`);
        }
      }
      const preflight = await fetch(shop.url() + address(o.path, { id: MISSING, token: MISSING, proveedor: MISSING, empresa: MISSING }), {
        method: 'OPTIONS',
        headers: { ...EVIL, 'access-control-request-method': o.method, 'access-control-request-headers': 'x-xsrf-token' },
      });
      expect(!preflight.headers.get('access-control-allow-origin'), () => `${o.title}: its preflight lets other origins in`);
      expect(preflight.status >= 400, () => `${o.title}: its preflight is ${preflight.status}`);
    }
    expect((await state(shop)) === before, () => 'something was changed');
    return outcome(`${operations.length} writes × ${Object.keys(FORGERIES).length} forgeries × roles: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'the binding of the value to the session',
      edits: [{ file: 'server/session/guard.ts', find: "session?.token_hash ?? ''}`)", replace: "session ? '' : ''}`)" }],
    },
    {
      guard: 'the check of the value',
      edits: [{ file: 'server/session/guard.ts', find: '&& !guard.checkXsrf(request)', replace: '&& false' }],
    },
  ],
};

async function two(shop: Shop) {
  const pairs = await Promise.all(ROLES.map(async (role) => [role, await shop.crew(role, 2)] as const));
  return [0, 1].map((i) => Object.fromEntries(pairs.map(([role, pair]) => [role, pair[i]])));
}

function withValue(client: Client, url: string, value: string): Client {
  const copy = copyOfSession(client, url);
  copy.cookies.set('XSRF-TOKEN', value);
  return copy;
}

const state = async ({ admin }: Shop) => (await admin.call(listUsers)).text + (await admin.call(listProducts)).text;
