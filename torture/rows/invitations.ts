import { acceptInvitation, getInvitation, login } from '../../contract/session/session.ts';
import { inviteUser, renewInvitation, updateUser, withdrawInvitation } from '../../contract/users/users.ts';
import { connect } from '../../e2e/api.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';

const PEOPLE = 8;
const AT_ONCE = 6;

/** An invitation's link opens one account once, and none after renewal, withdrawal or deactivation of the person. */
export const row: Row = {
  name: 'invitations',
  what: `${AT_ONCE} browsers accept an invitation at once on two instances, one of them beside its renewal or withdrawal`,
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ instances: 2, env: { PUBLIC_URL: 'http://tienda.test' } });
    await shop.prove();
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    for (const n of range(PEOPLE)) {
      const email = `invitada${n}@enruta.test`;
      const body = { full_name: `Invitada ${n}`, email, role: 'revendedor' as const };
      const { data } = (await shop.admin.call(inviteUser, { body })).body;
      const { id } = data.user;
      const token = tokenIn(data.enlace);
      const accept = async (of: string, i: number) => {
        const { status } = await connect(shop.url(i)).call(acceptInvitation, { params: { token: of }, body: { password: passwordOf(i) } });
        statuses.push(status);
        return status === 200 ? [i] : [];
      };
      const beside = [
        async () => undefined,
        async () => tokenIn((await shop.admin.call(renewInvitation, { params: { id } })).body.data?.enlace ?? ''),
        async () => void (await shop.admin.call(withdrawInvitation, { params: { id } })),
        async () =>
          void (await shop.admin.call(updateUser, { params: { id }, body: { full_name: body.full_name, email, is_active: false } })),
      ][n % 4];
      const [winners, renewed] = await Promise.all([each(range(AT_ONCE), AT_ONCE, (i) => accept(token, i)), beside?.()]);
      const opened = winners.flat();
      expect(opened.length === (n % 4 === 0 ? 1 : opened.length) && opened.length <= 1, () => `${email}: accepted ${opened.length} times`);
      const again = await accept(token, AT_ONCE);
      expect(again.length === 0, () => `${email}: the link serves again`);
      const dead = await connect(shop.url()).call(getInvitation, { params: { token } });
      expect(dead.status === 404, () => `${email}: the link still shows ${dead.status}`);
      if (renewed && opened.length === 0) {
        const last = await accept(renewed, AT_ONCE + 1);
        expect(last.length === 1, () => `${email}: the new link does not serve`);
        opened.push(...last);
      }
      // Only the winner's password signs in. No password signs in a deactivated person.
      for (const i of range(AT_ONCE)) {
        const { status } = await connect(shop.url(i)).call(login, { body: { email, password: passwordOf(i) } });
        const may = opened.includes(i) && n % 4 !== 3;
        expect(may ? status === 200 : status !== 200, () => `${email}: password ${i} answers ${status}`);
        if (status === 429) break;
      }
    }
    expect(
      statuses.every((status) => [200, 404, 409, 429].includes(status)),
      () => `answers ${tally(statuses)}`,
    );
    return outcome(`${PEOPLE} invitations × ${AT_ONCE}: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'that a link is used up',
      edits: [
        {
          file: 'server/session/first-access.ts',
          find: 'if (!still || !(await endInvitation(tx, id))) throw notFound(GONE);',
          replace: '',
        },
        { file: 'server/session/first-access.ts', find: ', invited_at: null });', replace: ' });' },
      ],
    },
  ],
};

const passwordOf = (n: number) => `clave elegida por la ventana ${n}`;
const tokenIn = (enlace: string) => enlace.split('/').at(-1) ?? '';
