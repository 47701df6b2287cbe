import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getSettings, testMail, updateSettings } from '../../contract/settings/settings.ts';
import { freePort } from '../../test/free-port.ts';
import { openLetterbox } from '../../test/letterbox.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { readSecretSettings } from '../settings/settings.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

describe('the mail server', () => {
  const set = async (body: object) => expect((await admin.call(updateSettings, { body })).status).toBe(200);

  it.each([
    ['host', { smtpHost: '0.0.0.0' }],
    ['port', {}],
    ['user', { smtpUser: 'otra' }],
    ['provider', { emailProvider: 'mailgun' }],
  ])('changing the %s of the mail server deletes the stored password', async (what, change) => {
    const [own, foreign] = [await openLetterbox({ user: 'tienda', pass: 'la buena' }), await openLetterbox()];
    const thief = await world.as(await world.user({ role: 'superadmin' }));
    await set({ smtpHost: '127.0.0.1', smtpPort: own.port, smtpUser: 'tienda', smtpPassword: 'la buena' });
    const body = what === 'port' ? { smtpPort: foreign.port } : change;
    const saved = await thief.call(updateSettings, { body });
    expect([saved.status, saved.body.data.smtpPasswordSet]).toEqual([200, false]);
    const tried = await thief.call(testMail);
    expect(tried.status).toBe(422);
    expect(tried.body.message).toMatch(/^Escribe y guarda la (contraseña|clave API) antes de probar$/);
    expect([own.commands, foreign.commands].join()).not.toContain('AUTH');
    await own.close();
    await foreign.close();
  });

  it('a change of the mail server keeps a password sent with the change, and an unrelated API key', async () => {
    await set({ smtpHost: 'uno.tienda.es', smtpUser: 'tienda', smtpPassword: 'la buena', apiKey: 'SG.clave' });
    const { body } = await admin.call(updateSettings, { body: { smtpHost: 'dos.tienda.es', smtpPassword: 'la otra' } });
    expect(body.data).toMatchObject({ smtpPasswordSet: true, apiKeySet: true });
    await set({ mailFrom: 'pedidos@tienda.es', smtpHost: 'dos.tienda.es' });
    expect(await readSecretSettings(world.db, world.config.secretKey)).toMatchObject({ smtpPassword: 'la otra', apiKey: 'SG.clave' });
    // A key must not reach another provider.
    await set({ emailProvider: 'sendgrid' });
    expect((await admin.call(getSettings)).body.data).toMatchObject({ smtpPasswordSet: false, apiKeySet: false });
  });

  it.each([{ smtpHost: '' }, { smtpUser: '' }])('the mail server is not contacted without host and user: %o', async (missing) => {
    await set({ smtpHost: 'correo.tienda.es', smtpUser: 'tienda', ...missing });
    const { status, body } = await admin.call(testMail);
    expect([status, body.message]).toEqual([422, 'Indica y guarda el servidor y el usuario SMTP antes de probar']);
  });

  it('the test of the mail server passes only with the right password and an answer', async () => {
    const box = await openLetterbox({ user: 'tienda', pass: 'la buena' });
    await set({ smtpHost: '127.0.0.1', smtpPort: box.port, smtpUser: 'tienda', smtpPassword: 'la buena' });
    const right = await admin.call(testMail);
    expect([right.status, right.body.data[0]?.valor]).toEqual([200, `127.0.0.1:${box.port}`]);
    await set({ smtpPassword: 'la mala' });
    const wrong = await admin.call(testMail);
    expect([wrong.status, wrong.text]).toEqual([409, expect.stringContaining('El servidor de correo no aceptó la conexión')]);
    expect(wrong.text).not.toContain('la mala');
    await box.close();
    await set({ smtpPort: await freePort(), smtpPassword: 'la buena' });
    expect((await admin.call(testMail)).status).toBe(409);
    expect(box.letters).toEqual([]);
  });
});
