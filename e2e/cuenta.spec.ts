import { TOTP } from 'otpauth';
import { expectAccessible } from './accessible.ts';
import { expect, proveIn, signIn, test } from './fixtures.ts';

/* A second factor, from its setup in «Mi cuenta» to the sign-in. The screen itself is tested in web/account/account.browser.test.tsx. */

const codeOf = (secret: string, later = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + later * 30_000 });

test('a reseller sets up a second factor and signs in with its code', async ({ page, api, allowErrors }) => {
  allowErrors(/status of (401|403)/);
  const rita = await api.user('revendedor');
  await signIn(page, rita.email, rita.password);
  await page.goto('/mi-cuenta');
  await page.getByRole('button', { name: 'Activar la verificación en dos pasos' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await proveIn(page, rita.password);
  const secret = (await dialog.getByLabel('Clave', { exact: true }).inputValue()).replaceAll(' ', '');
  await dialog.getByLabel('2. Escribe el código que muestra').fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Activar' }).click();
  await dialog.getByRole('button', { name: 'Los he guardado' }).click();
  await expect(page.getByRole('region', { name: 'Segundo factor' })).toContainText('Te quedan 10 códigos de recuperación.');

  await page.getByRole('button', { name: rita.full_name }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await page.getByLabel('Email o usuario').fill(rita.email);
  await page.getByLabel('Contraseña', { exact: true }).fill(rita.password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  const asked = page.getByLabel('Código de verificación');
  await expect(asked).toBeFocused();
  await expect(asked).toHaveAttribute('autocomplete', 'one-time-code');
  await expectAccessible(page);
  await asked.fill('000 000 0');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'El código no es correcto o ya se ha usado' })).toBeVisible();
  await asked.fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL('/revendedor-dashboard');
});
