import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstAccess, getFirstAccess, getUser, login } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { createWorld, type World } from '../../test/world.ts';
import { prepareFirstAccess } from './first-access.ts';
import { pageOfSession } from './page.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const body = { full_name: 'Dueña', email: 'duena@tienda.es', password: 'una buena clave' };
const code = async () => (await prepareFirstAccess(world.db, undefined)) ?? '';
const attempt = (token: string, fields: Partial<typeof body> = {}) =>
  world.nobody().request('POST', firstAccess.path, { body: { ...body, ...fields, token } });
const pending = async () => (await world.nobody().call(getFirstAccess)).body.data.pendiente;
const people = () => world.db.selectFrom('users').select(['email', 'role']).execute();

describe('the first superadmin', () => {
  it('the first superadmin comes from the environment, once', async () => {
    expect(await prepareFirstAccess(world.db, { email: 'jefe@tienda.es', password: 'clave del jefe' })).toBeUndefined();
    await prepareFirstAccess(world.db, { email: 'otro@tienda.es', password: 'clave del jefe' });
    expect(await people()).toEqual([{ email: 'jefe@tienda.es', role: 'superadmin' }]);
    expect((await world.nobody().call(login, { body: { email: 'jefe@tienda.es', password: 'clave del jefe' } })).status).toBe(200);
    expect(await pending()).toBe(false);
  });

  it('the first superadmin is created with the printed code, and is signed in at once', async () => {
    expect(await pending()).toBe(true);
    const owner = world.nobody();
    const made = await owner.call(firstAccess, { body: { ...body, token: await code() } });
    expect([made.status, made.body.message]).toEqual([201, '¡Bienvenido!']);
    expect((await owner.call(getUser)).body.user).toMatchObject({ full_name: 'Dueña', email: body.email, role: 'superadmin' });
    // The password was typed just now: the IBAN does not ask for it again. After a sign-in it does.
    const iban = { body: { companyIban: 'ES9121000418450200051332' } };
    expect((await owner.call(updateSettings, iban)).status).toBe(200);
    const again = world.nobody();
    await again.call(login, { body: { email: body.email, password: body.password } });
    expect((await again.call(updateSettings, iban)).body.code).toBe('step_up');
    expect([...owner.cookies.keys()]).toContainEqual(expect.stringMatching(/^enruta-equipo-/));
    expect(await pending()).toBe(false);
    const logged = await world.db.selectFrom('audit_logs').select(['action', 'description']).orderBy('created_at').limit(2).execute();
    expect(logged).toEqual([
      { action: 'create', description: 'Primer administrador creado: duena@tienda.es' },
      { action: 'login', description: 'Inicio de sesión' },
    ]);
  });

  it('concurrent requests create one first superadmin, after which the code is invalid', async () => {
    const token = await code();
    const replies = await Promise.all([1, 2, 3].map((n) => attempt(token, { email: `d${n}@tienda.es` })));
    expect(replies.map((r) => r.status).sort()).toEqual([201, 409, 409]);
    expect(await people()).toHaveLength(1);
    expect(await world.db.selectFrom('one_time_tokens').selectAll().execute()).toEqual([]);
    const late = await attempt(token);
    expect([late.status, late.body]).toMatchObject([409, { message: 'Ya existe un administrador: inicia sesión con su cuenta' }]);
  });

  it('an old code creates no superadmin once a superadmin exists', async () => {
    const token = await code();
    await world.user({ role: 'superadmin' });
    expect((await attempt(token)).status).toBe(409);
    expect(await prepareFirstAccess(world.db, undefined)).toBeUndefined();
    expect(await world.db.selectFrom('one_time_tokens').selectAll().execute()).toEqual([]);
  });

  it('the code of an earlier start creates no superadmin', async () => {
    const [old, printed] = [await code(), await code()];
    const refused = await attempt(old);
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { token: [expect.stringContaining('el último')] } }]);
    expect((await attempt(printed)).status).toBe(201);
  });

  it('the first access without a stored code asks for a restart of the program', async () => {
    expect((await attempt('adivinado')).body).toMatchObject({
      message: 'El código de primer acceso ya no vale: reinicia el programa y escribe el que imprima al arrancar',
    });
  });

  it('wrong codes of the first access throttle only the network that sent the codes', async () => {
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ maxLoginAttempts: 3 }) as never })
      .execute();
    const token = await code();
    for (let i = 0; i < 3; i += 1) expect((await attempt('adivinado')).status).toBe(422);
    expect((await attempt(token)).status).toBe(429);
    // All networks together fail more often than the limit of an account.
    for (let i = 0; i < 20; i += 1) await world.nobody(`10.9.9.${i}`).call(firstAccess, { body: { ...body, token: 'adivinado' } });
    const elsewhere = await world.nobody('10.9.8.7').call(firstAccess, { body: { ...body, token } });
    expect(elsewhere.status).toBe(201);
  });

  it('a common password is refused at the first access, and the code stays valid', async () => {
    const token = await code();
    expect((await attempt(token, { password: '123456' })).status).toBe(422);
    expect((await attempt(token)).status).toBe(201);
  });

  it('every page of an empty shop leads to the first access', async () => {
    const pageOf = (url: string) => shown({ url, cookies: {}, headers: {}, server: world.app } as never);
    let shown = pageOfSession(world.db);
    expect([await pageOf('/'), await pageOf('/auth'), await pageOf('/primer-acceso/abc')]).toEqual([
      { redirect: '/primer-acceso' },
      { redirect: '/primer-acceso' },
      { asks: ['/api/primer-acceso'] },
    ]);
    expect((await attempt(await code())).status).toBe(201);
    expect(await pageOf('/')).toEqual({});
    await world.reset();
    shown = pageOfSession(world.db);
    expect(await pageOf('/')).toEqual({ redirect: '/primer-acceso' });
  });
});
