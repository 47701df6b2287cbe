import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acceptInvitation, getInvitation, getUser, login } from '../../contract/session/session.ts';
import {
  deleteUser,
  inviteUser,
  listUsers,
  renewInvitation,
  type User,
  updateUser,
  withdrawInvitation,
} from '../../contract/users/users.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { rescueSuperadmin } from '../account/account.ts';
import { LINK } from '../mail/template.ts';
import { sessionFeature } from '../session/session.feature.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld({ PUBLIC_URL: 'http://tienda.test' });
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const rita = { full_name: 'Rita Sanz', email: 'rita@tienda.es', role: 'revendedor' } as const;
const GONE = 'Este enlace ya no vale. Pide otro a quien te invitó.';
const password = 'la clave que elige';

const tokenIn = (enlace: string) => enlace.replace('http://tienda.test/invitacion/', '');
async function invite(fields: { email?: string; role?: User['role'] } = {}) {
  const { data } = (await admin.call(inviteUser, { body: { ...rita, ...fields } })).body;
  return { ...data, token: tokenIn(data.enlace) };
}
const look = (token: string) => world.nobody().call(getInvitation, { params: { token } });
const accept = (token: string, fields = password, who = world.nobody()) =>
  who.call(acceptInvitation, { params: { token }, body: { password: fields } });
const renew = (id: string, who: Person = admin) => who.call(renewInvitation, { params: { id } });
const inList = async (id: string) => (await admin.call(listUsers)).body.data.find((user) => user.id === id);
const age = (days: number) =>
  world.db
    .updateTable('one_time_tokens')
    .set({ created_at: sql<string>`now() - make_interval(days => ${sql.lit(days)})` })
    .execute();
const mails = () => world.db.selectFrom('outbox').select(['recipient', 'payload']).where('channel', '=', 'correo').execute();
const settings = (data: object) =>
  world.db
    .updateTable('settings')
    .set({ data: JSON.stringify(data) as never })
    .execute();

describe('an invitation', () => {
  test('an invitation creates a person who chooses the password and is signed in at once', async () => {
    const { user, token, correo } = await invite();
    expect([user.invited, correo, user.last_access_at]).toEqual([true, false, null]);
    expect(Date.parse(user.invite_until ?? '') - Date.now()).toBeGreaterThan(6.9 * 24 * 3600_000);
    expect((await look(token)).body.data).toEqual({ full_name: 'Rita Sanz', email: rita.email, empresa: '' });
    const client = world.nobody();
    const reply = await accept(token, password, client);
    expect([reply.status, reply.body.message]).toEqual([200, '¡Bienvenido!']);
    expect((await client.call(getUser)).body.user).toMatchObject({ id: user.id, role: 'revendedor', pending: null });
    expect(await inList(user.id)).toMatchObject({ invited: false, invite_until: null, last_access_at: expect.any(String) });
    expect((await world.nobody().call(login, { body: { email: rita.email, password } })).status).toBe(200);
  });

  test.each(['transportista', 'revendedor', 'superadmin'] as const)(
    'an invited %s stays signed in where the link was opened, unless they manage others',
    async (role) => {
      const { token, user } = await invite({ role });
      const lasts = ({ headers }: { headers: Record<string, unknown> }) =>
        [headers['set-cookie']].flat().some((cookie) => /^enruta=.*Max-Age/.test(String(cookie)));
      expect(lasts(await accept(token))).toBe(role !== 'superadmin');
      // A sign-in may be on anybody's device, except a carrier's.
      expect(lasts(await world.nobody().call(login, { body: { email: user.email, password } }))).toBe(role === 'transportista');
    },
  );

  test('accepting an invitation ends the session of another person in the browser', async () => {
    const { token } = await invite();
    const carrier = await world.as('transportista');
    const before = carrier.cookies.get('enruta') ?? '';
    expect((await accept(token, password, carrier)).status).toBe(200);
    const old = world.nobody();
    old.cookies.set('enruta', before);
    expect((await old.call(getUser)).status).toBe(401);
  });

  test('an invitation can be accepted once, even by concurrent requests', async () => {
    const { token } = await invite();
    const replies = await Promise.all([1, 2, 3].map((n) => accept(token, `${password} ${n}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await world.db.selectFrom('sessions').select('user_id').where('user_id', '<>', admin.user.id).execute()).toHaveLength(1);
    expect((await look(token)).body.message).toBe(GONE);
  });

  test('an invitation stays valid if the chosen password is too common', async () => {
    const { token } = await invite();
    expect((await accept(token, '123456')).status).toBe(422);
    expect((await accept(token, 'rita-sanz')).status).toBe(422);
    expect((await accept(token)).status).toBe(200);
  });

  test('an invitation lasts seven days', async () => {
    const { user, token } = await invite();
    await age(6);
    expect((await look(token)).status).toBe(200);
    await age(8);
    expect([(await look(token)).status, (await accept(token)).status]).toEqual([404, 404]);
    expect(await inList(user.id)).toMatchObject({ invited: true, invite_until: null });
    await sessionFeature.clean?.(world.db);
    expect(await world.db.selectFrom('one_time_tokens').selectAll().execute()).toEqual([]);
  });

  test('the link of an invitation is stored only as a hash, and appears in no log, list or queued mail', async () => {
    await settings({ emailNotifications: true, emailProvider: 'smtp', smtpHost: 'correo.test', companyName: 'La Olivera' });
    const { token, correo } = await invite();
    expect(correo).toBe(true);
    const [mail] = await mails();
    expect(mail).toMatchObject({
      recipient: rita.email,
      payload: { asunto: 'Invitación de La Olivera', texto: expect.stringContaining(LINK) },
    });
    const { rows } = await sql<{ text: string }>`
      SELECT (SELECT json_agg(t) FROM one_time_tokens t)::text || (SELECT json_agg(t) FROM outbox t)::text
        || (SELECT json_agg(t) FROM audit_logs t)::text AS text`.execute(world.db);
    expect(rows[0]?.text).not.toContain(token);
    expect((await admin.call(listUsers)).text).not.toContain(token);
  });

  test('no password opens an invited account until the invitation is accepted', async () => {
    await invite();
    for (const tried of ['', PASSWORD, password])
      expect((await world.nobody().call(login, { body: { email: rita.email, password: tried } })).status).toBeGreaterThanOrEqual(401);
  });

  test('an invitation for a taken e-mail is refused', async () => {
    await invite();
    const reply = await admin.call(inviteUser, { body: rita });
    expect([reply.status, reply.body.errors]).toEqual([422, { email: ['El email ya está en uso'] }]);
  });
});

describe('a new link', () => {
  test('a new invitation link revokes the previous link', async () => {
    const { user, token } = await invite();
    const renewed = await renew(user.id);
    expect([renewed.status, renewed.body.message]).toEqual([200, 'Enlace nuevo: el anterior ya no vale']);
    expect((await accept(token)).status).toBe(404);
    expect((await accept(tokenIn(renewed.body.data.enlace))).status).toBe(200);
  });

  test('a new invitation link is refused for people who have a password', async () => {
    const { user, token } = await invite();
    await accept(token);
    const used = await renew(user.id);
    expect([used.status, used.body.message]).toEqual([409, 'Rita Sanz ya tiene su contraseña']);
    const other = await world.user({ role: 'transportista' });
    expect((await renew(other.id)).status).toBe(409);
    expect((await renew(admin.user.id)).status).toBe(409);
  });
});

describe('an invitation link is invalid', () => {
  const dead = async (token: string) => expect([(await look(token)).status, (await accept(token)).status]).toEqual([404, 404]);
  const edit = (user: User, change: object) =>
    admin.call(updateUser, { params: { id: user.id }, body: { ...change, version: user.version } });

  test('a withdrawn invitation link is invalid, but the person can be invited again', async () => {
    const { user, token } = await invite();
    const reply = await admin.call(withdrawInvitation, { params: { id: user.id } });
    expect([reply.status, reply.body.data]).toMatchObject([200, { invited: true, invite_until: null }]);
    await dead(token);
    expect((await accept(tokenIn((await renew(user.id)).body.data.enlace))).status).toBe(200);
  });

  test('an invitation link is invalid once the person is deactivated, even after reactivation', async () => {
    const { user, token } = await invite();
    await edit(user, { is_active: false });
    await dead(token);
    expect((await renew(user.id)).status).toBe(409);
    await edit((await inList(user.id)) as User, { is_active: true });
    await dead(token);
  });

  test('an invitation link is invalid while the person is inactive', async () => {
    const { user, token } = await invite();
    await world.db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute();
    await dead(token);
  });

  test('an invitation link is invalid once the person is deleted', async () => {
    const { user, token } = await invite();
    await admin.call(deleteUser, { params: { id: user.id } });
    await dead(token);
    expect(await world.db.selectFrom('one_time_tokens').selectAll().execute()).toEqual([]);
  });

  test('an invitation link is invalid once the e-mail of the person has changed', async () => {
    const { user, token } = await invite();
    await edit(user, { email: 'rita.sanz@tienda.es' });
    await dead(token);
  });

  test('an invitation link is invalid once a superadmin or the rescue command has set a password', async () => {
    const invitation = await invite();
    await edit(invitation.user, { password: 'la del administrador' });
    await dead(invitation.token);
    expect(await inList(invitation.user.id)).toMatchObject({ invited: false });
    expect(await world.db.selectFrom('one_time_tokens').selectAll().execute()).toEqual([]);
    const boss = await invite({ role: 'superadmin', email: 'jefa@tienda.es' });
    await rescueSuperadmin(world.db, 'jefa@tienda.es');
    await dead(boss.token);
    expect(await world.db.selectFrom('one_time_tokens').selectAll().execute()).toEqual([]);
  });
});

describe('invitations', () => {
  test('invitations can be created, renewed and withdrawn by superadmins only', async () => {
    const { user, token } = await invite();
    for (const role of ['revendedor', 'transportista'] as const) {
      const other = await world.as(role);
      const replies = [
        await other.call(inviteUser, { body: { ...rita, email: 'amiga@tienda.es', role: 'superadmin' } }),
        await renew(user.id, other),
        await other.call(withdrawInvitation, { params: { id: user.id } }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
    }
    expect((await accept(token)).status).toBe(200);
    expect((await admin.call(listUsers)).body.data.map(({ email }) => email)).not.toContain('amiga@tienda.es');
  });

  test('invitations of superadmins, and their new links, require the password again', async () => {
    const { user } = await invite({ role: 'superadmin' });
    const hurried = await world.as(admin.user, { proven: false });
    const invited = await hurried.call(inviteUser, { body: { ...rita, email: 'otra@tienda.es', role: 'superadmin' } });
    expect([invited.status, invited.body.code]).toEqual([403, 'step_up']);
    expect((await renew(user.id, hurried)).body.code).toBe('step_up');
    expect((await hurried.call(inviteUser, { body: { ...rita, email: 'otra@tienda.es' } })).status).toBe(201);
  });

  test('an invited superadmin does not count as the active superadmin that must remain', async () => {
    const other = await world.user({ role: 'superadmin' });
    await invite({ role: 'superadmin' });
    // Simulates two superadmins who remove each other concurrently: the second superadmin is the last.
    await world.db.updateTable('users').set({ is_active: false }).where('id', '=', admin.user.id).execute();
    const { version } = other;
    await expect(
      (await import('./users.ts')).updateUser(world.db, admin.user as never, { id: other.id, version, is_active: false }, () => undefined),
    ).rejects.toThrow('Es el último administrador activo');
  });
});

test('the log names the superadmin for each step of an invitation, and the invited person for accepting', async () => {
  const { user } = await invite();
  const { enlace } = (await renew(user.id)).body.data;
  await admin.call(withdrawInvitation, { params: { id: user.id } });
  await admin.call(withdrawInvitation, { params: { id: user.id } });
  expect((await accept(tokenIn(enlace))).status).toBe(404);
  await accept(tokenIn((await renew(user.id)).body.data.enlace));
  const logged = await world.db
    .selectFrom('audit_logs')
    .select(['actor_user_id', 'description'])
    .where('entity_type', '=', 'profile')
    .orderBy('created_at')
    .execute();
  expect(logged).toEqual([
    { actor_user_id: admin.user.id, description: 'Usuario invitado: Rita Sanz' },
    { actor_user_id: admin.user.id, description: 'Enlace de invitación nuevo: Rita Sanz' },
    { actor_user_id: admin.user.id, description: 'Invitación anulada: Rita Sanz' },
    { actor_user_id: admin.user.id, description: 'Enlace de invitación nuevo: Rita Sanz' },
    { actor_user_id: user.id, description: 'Invitación aceptada: Rita Sanz' },
  ]);
});
