import { proveIdentity } from '../../contract/account/account.ts';
import { createUser, deleteUser, listUsers, updateUser } from '../../contract/users/users.ts';
import { connectAs, type Person } from '../../e2e/api.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import type { Client } from '../../test/client.ts';
import { range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';

const ROUNDS = 500;
// In every tenth round, the superadmins delete each other instead of deactivating.
const DELETE_EVERY = 10;

/** Two superadmins who lock each other out at once leave one of them able to sign in. */
export const row: Row = {
  name: 'last-superadmin',
  what: 'two superadmins deactivate or delete each other at the same moment, on two instances',
  seconds: 200,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const { expect, outcome } = verdict();
    const { data } = (await shop.admin.call(listUsers)).body;
    let [me, you] = [{ ...SUPERADMIN, id: data[0]?.id ?? '', full_name: 'Administrador' }, await shop.user('superadmin')] as [Who, Who];
    const statuses: number[] = [];
    const clients = new Map<string, Client>();
    const clientOf = async (who: Who, turn: number) => clients.get(who.id) ?? keep(clients, who, await connectAs(shop.url(turn), who));
    for (const round of range(ROUNDS)) {
      const [mine, yours] = [await clientOf(me, 0), await clientOf(you, 1)];
      const out = round % DELETE_EVERY === 0 ? remove : deactivate;
      const [first, second] = await Promise.all([out(mine, you), out(yours, me)]);
      statuses.push(first, second);
      const left = (await Promise.all([isIn(mine), isIn(yours)])).filter(Boolean).length;
      expect(left === 1, () => `round ${round}: ${left} superadmins are left after ${first} and ${second}`);
      if (left !== 1) break;
      if (!(await isIn(mine))) [me, you] = [you, me];
      clients.delete(you.id);
      const stays = await clientOf(me, 0);
      // The last superadmin cannot remove themselves either.
      statuses.push(await out(stays, me));
      expect(statuses.at(-1) === 409, () => `round ${round}: the last one removes itself: ${statuses.at(-1)}`);
      you = out === remove ? await again(stays, round) : await reactivate(stays, you);
    }
    expect(
      statuses.every((status) => status < 500),
      () => tally(statuses),
    );
    return outcome(`${statuses.length / 3} rounds: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'the lock of all superadmins',
      edits: [{ file: 'server/users/users.ts', find: '    .forNoKeyUpdate()\n', replace: '' }],
    },
  ],
};

type Who = Pick<Person, 'id' | 'full_name' | 'email' | 'password'>;

async function keep(clients: Map<string, Client>, { id, password }: Who, client: Client): Promise<Client> {
  await client.call(proveIdentity, { body: { password } });
  clients.set(id, client);
  return client;
}

const remove = async (by: Client, { id }: Who) => (await by.call(deleteUser, { params: { id } })).status;
const deactivate = async (by: Client, { id, full_name, email }: Who) =>
  (await by.call(updateUser, { params: { id }, body: { full_name, email, is_active: false } })).status;

async function reactivate(by: Client, who: Who): Promise<Who> {
  const { id, full_name, email } = who;
  const { status } = await by.call(updateUser, { params: { id }, body: { full_name, email, is_active: true } });
  if (status !== 200) throw new Error(`not reactivated: ${status}`);
  return who;
}

async function again(by: Client, round: number): Promise<Who> {
  const body = {
    role: 'superadmin',
    full_name: `Superadmin ${round}`,
    email: `superadmin-${round}@enruta.test`,
    password: 'otra buena clave',
  } as const;
  const { data } = (await by.call(createUser, { body })).body;
  return { ...body, id: data.id };
}

const isIn = async (client: Client) => (await client.call(listUsers)).status === 200;
