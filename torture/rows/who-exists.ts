import { login } from '../../contract/session/session.ts';
import { updateUser } from '../../contract/users/users.ts';
import { connect } from '../../e2e/api.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Shop } from '../world.ts';

const TRIES = 15;
// Largest ratio of the median times. A code path without hashing is ten times faster.
const ALIKE = 1.6;
const FLOOD = 150;

/** Sign-in does not reveal whether a name exists: same answer and time, also after a flood right after the start. */
export const row: Row = {
  name: 'who-exists',
  what: 'unknown, wrong and inactive names: status, body and time; a flood of sign-ins right after the start',
  seconds: 120,
  alone: true,
  run: async (world) => {
    const shop = await world.open({ env: { TRUST_PROXY: '127.0.0.1' }, slowPasswords: true });
    const { expect, outcome } = verdict();
    const known = await shop.user('revendedor');
    const gone = await shop.user('revendedor');
    await shop.admin.call(updateUser, {
      params: { id: gone.id },
      body: { full_name: gone.full_name, email: gone.email, is_active: false },
    });
    const names = { wrong: known.email, unknown: 'nadie@tienda.es', inactive: gone.email } as Record<string, string>;
    const times = new Map(Object.keys(names).map((kind) => [kind, [] as number[]]));
    const answers = new Set<string>();
    for (const n of range(TRIES)) {
      for (const [kind, email] of Object.entries(names)) {
        const since = performance.now();
        // Even the right password of an inactive person must give the same answer.
        const reply = await signIn(shop, email, kind === 'inactive' ? gone.password : 'no es esta', n);
        times.get(kind)?.push(performance.now() - since);
        answers.add(`${reply.status} ${reply.text}`);
      }
    }
    expect(answers.size === 1, () => `they are told apart: ${[...answers].join(' ')}`);
    const medians = [...times].map(([kind, list]) => [kind, list.sort((a, b) => a - b)[Math.floor(TRIES / 2)] ?? 0] as const);
    const [least, most] = [Math.min(...medians.map(([, ms]) => ms)), Math.max(...medians.map(([, ms]) => ms))];
    expect(most / least <= ALIKE, () => `times: ${medians.map(([kind, ms]) => `${kind} ${ms.toFixed(0)} ms`).join(', ')}`);

    await shop.instances[0]?.stop();
    await shop.again();
    const flood = await each(range(FLOOD), FLOOD, async (n) => (await signIn(shop, `nadie${n}@tienda.es`, 'no es esta', 100 + n)).status);
    expect(
      flood.every((status) => status === 401 || status === 503),
      () => `flood: ${tally(flood)}`,
    );
    const afterwards = [await signIn(shop, 'nadie@tienda.es', 'no es esta', 90), await signIn(shop, known.email, 'no es esta', 91)].map(
      ({ status }) => status,
    );
    expect(
      afterwards.every((status) => status === 401),
      () => `after a flood: unknown ${afterwards[0]}, known ${afterwards[1]}`,
    );
    return outcome(
      `${TRIES} × 3: ${medians.map(([kind, ms]) => `${kind} ${ms.toFixed(0)} ms`).join(', ')}; flood ${tally(flood)}, then ${tally(afterwards)}`,
    );
  },
  control: [
    {
      guard: 'the decoy hash of an unknown name',
      edits: [
        {
          file: 'server/session/passwords.ts',
          find: '  const numbers = /m=',
          replace: '  if (hash === undefined) return false;\n  const numbers = /m=',
        },
      ],
    },
    {
      guard: 'one answer for who is inactive',
      edits: [
        {
          file: 'server/session/session.ts',
          find: 'if (!user || !matches || !user.is_active) return fail(WRONG);',
          replace: "if (user && !user.is_active) return fail('Cuenta desactivada');\n    if (!user || !matches) return fail(WRONG);",
        },
      ],
    },
  ],
};

/** Each try comes from a different address, to stay below the throttle. */
const signIn = (shop: Shop, email: string, password: string, n: number) =>
  connect(shop.url()).call(login, { body: { email, password }, headers: { 'x-forwarded-for': `203.0.113.${n}` } });
