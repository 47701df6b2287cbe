import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { acceptInvitation, getInvitation, getUser } from '../../contract/session/session.ts';
import { address, expectAccessible, open, person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';

/* Screen of an invitation. */

const negocio = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;
const { data: _, ...done } = asDone('¡Bienvenido!', null);
const field = page.getByLabelText('Contraseña', { exact: true });
const press = () => page.getByRole('button', { name: 'Guardar y entrar' }).click();

test('an invitation link asks only for a password, and leads to the dashboard', async () => {
  server.answer(getInvitation, { data: { full_name: 'Rita Sanz', email: 'rita@tienda.es', empresa: 'La Olivera' } });
  open('/invitacion/abc', 'nobody');
  await expect.element(page.getByText('Hola, Rita Sanz. La Olivera te ha abierto una cuenta', { exact: false })).toBeVisible();
  await expect.element(page.getByLabelText('Email')).toHaveValue('rita@tienda.es');
  await expect.element(field).toHaveFocus();
  await expectAccessible();
  server.refuse(acceptInvitation, 422, { message: 'No', errors: { password: ['Esa contraseña es demasiado común: elige otra'] } });
  await field.fill('123456');
  await press();
  await expect.element(field).toHaveAccessibleDescription(/demasiado común/);
  server.reply(acceptInvitation, () => {
    server.answer(getUser, { user: person('revendedor'), negocio });
    return done;
  });
  await field.fill('la clave que elige');
  await press();
  await expect.poll(address).toBe('/revendedor-dashboard');
  expect(server.asked(acceptInvitation).map(({ params, body }) => [params.token, body.password])).toEqual([
    ['abc', '123456'],
    ['abc', 'la clave que elige'],
  ]);
});

test('an invalid invitation link says to ask for a new link, and offers to sign in', async () => {
  server.refuse(getInvitation, 404, { message: 'Este enlace ya no vale. Pide otro a quien te invitó.' });
  open('/invitacion/abc', 'nobody');
  await expect.element(page.getByText('Pide otro a quien te invitó', { exact: false })).toBeVisible();
  await page.getByRole('link', { name: 'Ya tengo contraseña' }).click();
  await expect.poll(address).toBe('/auth');
});
