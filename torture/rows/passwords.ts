import { login, logout } from '../../contract/session/session.ts';
import { createUser } from '../../contract/users/users.ts';
import { connect } from '../../e2e/api.ts';
import { type Client, address as pathOf } from '../../test/client.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Shop } from '../world.ts';

const ADDRESSES = 200;
const TRIES = 3;
// Ten times the attempts that the settings allow, plus the requests in flight.
const MOST_VERIFIED = 60;
const OFFICE = '198.51.100.7';

const PERSON = { full_name: 'Ana Atacada', email: 'ana@tienda.es', username: 'ana.atacada', password: 'la clave de ana' };
// Spellings of the same account.
const SPELLINGS = ['ana@tienda.es', 'ANA@tienda.es', 'ana.atacada', 'Ana.Atacada', ' ana@tienda.es '];

/** Guessing is slow from any number of addresses, and does not lock out a person's known browser. */
export const row: Row = {
  name: 'passwords',
  what: `one account guessed at from ${ADDRESSES} addresses (and one IPv6 /64) in every spelling; an office with 25 wrong names`,
  seconds: 90,
  run: async (world) => {
    const shop = await world.open({ env: { TRUST_PROXY: '127.0.0.1' } });
    const { expect, outcome } = verdict();
    const ipv4 = await attacked(shop, PERSON, SPELLINGS, (n) => `203.0.113.${n}`);
    const other = { ...PERSON, email: 'eva@tienda.es', username: 'eva.atacada' };
    const ipv6 = await attacked(shop, other, ['eva@tienda.es', 'eva.atacada'], (n) => `2001:db8:1:1::${n.toString(16)}`);
    for (const [what, { statuses, back }] of Object.entries({ 'from 200 addresses': ipv4, 'from one IPv6 /64': ipv6 })) {
      const verified = statuses.filter((status) => status === 401).length;
      expect(verified <= MOST_VERIFIED, () => `${what}: ${verified} of ${statuses.length} tries were verified`);
      expect(!statuses.includes(200) && statuses.every((status) => status === 401 || status === 429), () => `${what}: ${tally(statuses)}`);
      expect(back === 200, () => `${what}: the person itself, where they have signed in before, reads ${back}`);
    }

    const clerk = await shop.user('revendedor');
    const device = at(shop, OFFICE);
    expect(
      (await device.call(login, { body: { email: clerk.email, password: clerk.password } })).status === 200,
      () => 'the clerk cannot sign in at first',
    );
    await device.call(logout);
    const wrong = await each(range(25), 5, (n) => guess(shop, OFFICE, `nadie${n}@tienda.es`));
    const { status } = await device.call(login, { body: { email: clerk.email, password: clerk.password } });
    expect(status === 200, () => `an office where 25 names were wrong: the clerk reads ${status}`);
    return outcome(
      `${ipv4.statuses.length} + ${ipv6.statuses.length} tries: ${tally([...ipv4.statuses, ...ipv6.statuses])}; office: ${tally(wrong)}, then ${status}`,
    );
  },
  control: [
    {
      guard: 'the throttle',
      edits: [{ file: 'server/session/throttle.ts', find: '  if (!seconds) return;', replace: '  if (seconds !== -1) return;' }],
    },
  ],
};

/** Returns the statuses of all guesses, and of the person's later sign-in from a known browser. */
async function attacked(shop: Shop, person: typeof PERSON, spellings: string[], addressOf: (n: number) => string) {
  await shop.admin.call(createUser, { body: { ...person, role: 'revendedor', is_active: true } });
  const home = at(shop, '192.0.2.10');
  const { email, password } = person;
  const { status: first } = await home.call(login, { body: { email, password } });
  if (first !== 200) throw new Error(`signing in: ${first}`);
  await home.call(logout);
  const tries = range(ADDRESSES * TRIES);
  const statuses = await each(tries, 10, (n) => guess(shop, addressOf(1 + (n % ADDRESSES)), spellings[n % spellings.length] ?? ''));
  return { statuses, back: (await home.call(login, { body: { email, password } })).status };
}

const guess = async (shop: Shop, from: string, email: string) =>
  (await at(shop, from).call(login, { body: { email, password: `no es esta ${email.length}` } })).status;

/** Returns a browser with the address `from`, behind the trusted proxy. */
function at(shop: Shop, from: string): Client {
  const client = connect(shop.url());
  const request: Client['request'] = (method, path, input) =>
    client.request(method, path, { ...input, headers: { 'x-forwarded-for': from, ...input?.headers } });
  return {
    ...client,
    request,
    call: ((endpoint, { params, query, ...rest } = {}) =>
      request(endpoint.method, pathOf(endpoint.path, params ?? {}, query ?? {}), rest)) as Client['call'],
  };
}
