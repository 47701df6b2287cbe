import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testMail, updateSettings } from '../../contract/settings.ts';
import { freePort } from '../../test/free-port.ts';
import { openLetterbox } from '../../test/letterbox.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

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

  it.each([{ smtpHost: '' }, { smtpUser: '' }])('is not asked without host and user: %o', async (missing) => {
    await set({ smtpHost: 'correo.tienda.es', smtpUser: 'tienda', ...missing });
    const { status, body } = await admin.call(testMail);
    expect([status, body.message]).toEqual([422, 'Indica y guarda el servidor y el usuario SMTP antes de probar']);
  });

  it('is shaken hands with: the right password, the wrong one, and nobody there', async () => {
    const box = await openLetterbox({ user: 'tienda', pass: 'la buena' });
    await set({ smtpHost: '127.0.0.1', smtpPort: box.port, smtpUser: 'tienda', smtpPassword: 'la buena' });
    const right = await admin.call(testMail);
    expect([right.status, right.body.data[0]?.valor]).toEqual([200, `127.0.0.1:${box.port}`]);
    await set({ smtpPassword: 'la mala' });
    const wrong = await admin.call(testMail);
    expect([wrong.status, wrong.text]).toEqual([409, expect.stringContaining('El servidor de correo no aceptó la conexión')]);
    expect(wrong.text).not.toContain('la mala');
    await box.close();
    await set({ smtpPort: await freePort() });
    expect((await admin.call(testMail)).status).toBe(409);
    expect(box.letters).toEqual([]);
  });
});
