import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { login } from '../../contract/session/session.ts';
import { onPhone, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';

/* Sign-in: focus after a refusal. */

const password = page.getByLabelText('Contraseña', { exact: true });
const enter = page.getByRole('button', { name: 'Iniciar Sesión' });

test('a refused sign-in focuses the password, and a wrong code focuses the code', async () => {
  await onPhone();
  open('/auth', 'nobody');
  await page.getByLabelText('Email o usuario').fill('ana@enruta.test');
  await password.fill('no es esta');
  server.refuse(login, 401, { message: 'No autorizado' });
  await enter.click();
  await expect.element(page.getByRole('alert').filter({ hasText: 'Credenciales incorrectas' })).toBeVisible();
  await expect.element(password).toHaveFocus();
  server.refuse(login, 401, { message: 'Escribe el código', code: 'second_factor' });
  await enter.click();
  const code = page.getByLabelText('Código de verificación');
  await expect.element(code).toHaveFocus();
  await code.fill('123456');
  server.refuse(login, 401, { message: 'El código no es correcto', code: 'second_factor' });
  await enter.click();
  await expect.element(page.getByRole('alert').filter({ hasText: 'El código no es correcto' })).toBeVisible();
  await expect.element(code).toHaveFocus();
});
