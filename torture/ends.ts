import { changePassword, closeOtherSessions } from '../contract/account/account.ts';
import { logout } from '../contract/session/session.ts';
import { deleteUser, updateUser } from '../contract/users/users.ts';
import { connect } from '../e2e/api.ts';
import type { Client } from '../test/client.ts';
import type { Member, Shop } from './world.ts';

/** Returns another client with the same cookies, for the instance at `url`. */
export function copyOfSession(of: Client, url: string): Client {
  const copy = connect(url);
  for (const [name, value] of of.cookies) copy.cookies.set(name, value);
  return copy;
}

/** All ways to end a person's session, each at the instance `turn`; throws if refused. */
export const ENDS: Record<string, (shop: Shop, member: Member, turn: number) => Promise<void>> = {
  'signed out': async (shop, member, turn) => done(await copyOfSession(member, shop.url(turn)).call(logout)),
  'password changed': async (shop, { person }, turn) => {
    const body = { current_password: person.password, password: `${person.password} nueva` };
    done(await (await shop.signIn(person, turn)).call(changePassword, { body }));
  },
  'other sessions closed': async (shop, { person }, turn) => done(await (await shop.signIn(person, turn)).call(closeOtherSessions)),
  deactivated: async (shop, { person }, turn) => edit(shop, person, turn, { is_active: false }),
  'password set by another': async (shop, { person }, turn) => edit(shop, person, turn, { password: 'otra clave de otra persona' }),
  deleted: async (shop, { person }, turn) => {
    await shop.prove();
    done(await copyOfSession(shop.admin, shop.url(turn)).call(deleteUser, { params: { id: person.id } }));
  },
};

async function edit(
  shop: Shop,
  { id, full_name, email }: Member['person'],
  turn: number,
  change: { is_active?: boolean; password?: string },
) {
  const body = { full_name, email, is_active: true, ...change };
  await shop.prove();
  done(await copyOfSession(shop.admin, shop.url(turn)).call(updateUser, { params: { id }, body }));
}

function done({ status, text }: { status: number; text: string }): void {
  if (status !== 200) throw new Error(`A session was not ended: ${status} ${text}`);
}
