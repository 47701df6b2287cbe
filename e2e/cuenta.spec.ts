import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { confirmSecondFactor, proveIdentity, startSecondFactor } from '../contract/account.ts';
import { getUser } from '../contract/session.ts';
import { updateSettings } from '../contract/settings.ts';
import { expect, expectAccessible, proveIn, SUPERADMIN, signIn, signInByForm, test } from './fixtures.ts';
import { dialog, openUsers } from './users-page.ts';

/* «Mi cuenta»: one's own password, second factor and sessions, and what keeps a person there. */

const codeOf = (secret: string, later = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + later * 30_000 });
const section = (page: Page, name: string) => page.getByRole('region', { name });

async function fillEntrance(page: Page, email: string, password: string) {
  await page.goto('/auth');
  await page.getByLabel('Email o usuario').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
}
async function changePassword(page: Page, current: string, next: string) {
  await section(page, 'Contraseña').getByLabel('Contraseña actual').fill(current);
  await section(page, 'Contraseña').getByLabel('Contraseña nueva').fill(next);
  await section(page, 'Contraseña').getByRole('button', { name: 'Cambiar contraseña' }).click();
}

test('a carrier changes the password and closes the session of another browser', async ({ page, api, openAs, allowErrors }) => {
  allowErrors(/status of (401|422)/);
  const tomas = await api.user('transportista');
  const other = await openAs(tomas);
  await signIn(page, tomas.email, tomas.password);
  await page.goto('/');
  await page.getByRole('button', { name: tomas.full_name }).click();
  await page.getByRole('menuitem', { name: 'Mi cuenta' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mi cuenta');

  const sessions = section(page, 'Sesiones');
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').first()).toContainText('Esta sesión');
  await sessions.getByRole('button', { name: 'Cerrar las demás' }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await other.goto('/mi-cuenta');
  await expect(other).toHaveURL(/\/auth/);

  await changePassword(page, 'no es esta', 'clave nueva de Tomás');
  const current = section(page, 'Contraseña').getByLabel('Contraseña actual');
  await expect(current).toHaveAccessibleDescription('La contraseña actual no es correcta');
  await expect(current).toBeFocused();
  await expect(section(page, 'Contraseña').getByLabel('Contraseña nueva')).toHaveValue('clave nueva de Tomás');
  await changePassword(page, tomas.password, 'clave nueva de Tomás');
  await expect(page.getByText('Contraseña cambiada')).toBeVisible();
  await expect(current).toHaveValue('');
  await openAs({ email: tomas.email, password: 'clave nueva de Tomás' }, signInByForm);
});

test('a reseller sets up a second factor, enters with its code and with a recovery code, and loses it', async ({
  page,
  api,
  openAs,
  allowErrors,
}) => {
  allowErrors(/status of (401|403|422)/);
  const rita = await api.user('revendedor');
  await signIn(page, rita.email, rita.password);
  await page.goto('/mi-cuenta');
  await page.getByRole('button', { name: 'Activar la verificación en dos pasos' }).click();
  await dialog(page).getByRole('button', { name: 'Continuar' }).click();
  await proveIn(page, rita.password);
  await expect(dialog(page).getByRole('img', { name: /Código QR/ })).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog(page).getByLabel('Clave', { exact: true }).inputValue()).replaceAll(' ', '');
  const code = dialog(page).getByLabel('2. Escribe el código que muestra');
  await code.fill('12');
  await dialog(page).getByRole('button', { name: 'Activar' }).click();
  await expect(code).toHaveAccessibleDescription('El código no es correcto');
  await code.fill(codeOf(secret));
  await dialog(page).getByRole('button', { name: 'Activar' }).click();
  const codes = dialog(page).getByRole('list', { name: 'Códigos de recuperación' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await page.keyboard.press('Escape');
  await expect(codes).toHaveCount(10);
  await expectAccessible(page);
  const recovery = (await codes.first().textContent()) ?? '';
  const download = page.waitForEvent('download');
  await dialog(page).getByRole('link', { name: 'Descargar' }).click();
  expect((await download).suggestedFilename()).toBe('enruta-codigos-de-recuperacion.txt');
  await dialog(page).getByRole('button', { name: 'Los he guardado' }).click();
  await expect(section(page, 'Segundo factor')).toContainText('Activado');
  await expect(section(page, 'Segundo factor')).toContainText('Te quedan 10 códigos de recuperación.');

  await page.getByRole('button', { name: rita.full_name }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect(page).toHaveURL(/\/auth/);
  await fillEntrance(page, rita.email, rita.password);
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

  const phone = await openAs(rita, async (window) => {
    await fillEntrance(window, rita.email, rita.password);
    await window.getByLabel('Código de verificación').fill(recovery);
    await window.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await expect(window).toHaveURL('/revendedor-dashboard');
  });
  await phone.goto('/mi-cuenta');
  await expect(section(phone, 'Segundo factor')).toContainText('Te quedan 9 códigos de recuperación.');

  // The phone is lost: an administrator takes the factor away, and the password alone opens again.
  const admin = await openAs(SUPERADMIN);
  await openUsers(admin);
  await admin.getByRole('button', { name: `Editar a ${rita.full_name}` }).click();
  await dialog(admin).getByRole('button', { name: 'Quitar el segundo factor' }).click();
  await dialog(admin).getByRole('button', { name: 'Quitar', exact: true }).click();
  await proveIn(admin, SUPERADMIN.password);
  await expect(admin.getByText('Segundo factor quitado')).toBeVisible();
  await expect(dialog(admin).getByRole('button', { name: 'Quitar el segundo factor' })).toBeHidden();
  await openAs(rita, signInByForm);
});

test('an expired password keeps a person in their account until it is changed', async ({ page, api }) => {
  const tomas = await api.user('transportista');
  await signIn(page, tomas.email, tomas.password);
  // A password gets old in months: the server says here what it would say then (its own tests see it do so).
  let changed = false;
  page.on('request', (request) => (changed ||= request.method() === 'PUT'));
  await page.route(`**${getUser.path}`, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: changed ? body : { ...body, user: { ...body.user, pending: 'password' } } });
  });
  await page.goto('/pedidos-disponibles');
  await expect(page).toHaveURL('/mi-cuenta');
  await expect(page.getByRole('alert').filter({ hasText: 'Tu contraseña ha caducado' })).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link')).toHaveCount(0);
  await expectAccessible(page);
  await changePassword(page, tomas.password, 'clave nueva de Tomás');
  await expect(page).toHaveURL('/transportista-dashboard');
  await page.getByRole('navigation').getByRole('link', { name: 'Pedidos disponibles' }).click();
  await expect(page).toHaveURL('/pedidos-disponibles');
});

test('renewing the recovery codes and taking the second factor away ask for password and code, once for both', async ({
  page,
  api,
  allowErrors,
}) => {
  allowErrors(/status of (401|403|422)/);
  const rita = await api.user('revendedor');
  const client = await api.as(rita);
  await client.call(proveIdentity, { body: { password: rita.password } });
  const { secret } = (await client.call(startSecondFactor)).body;
  const { recovery_codes } = (await client.call(confirmSecondFactor, { body: { code: codeOf(secret) } })).body;
  await page.goto('/auth');
  await fillEntrance(page, rita.email, rita.password);
  await page.getByLabel('Código de verificación').fill(recovery_codes[0] ?? '');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL('/revendedor-dashboard');
  await page.goto('/mi-cuenta');

  await page.getByRole('button', { name: 'Renovar códigos' }).click();
  await dialog(page).getByRole('button', { name: 'Renovar códigos' }).click();
  const question = page.getByRole('dialog', { name: 'Confirma quién eres' });
  await expect(question.getByLabel('Contraseña actual')).toBeFocused();
  await expectAccessible(page);
  await question.getByLabel('Contraseña actual').fill('no es esta');
  await question.getByLabel('Código de verificación').fill(codeOf(secret, 1));
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect(question.getByLabel('Contraseña actual')).toHaveAccessibleDescription('La contraseña actual no es correcta');
  await question.getByLabel('Contraseña actual').fill(rita.password);
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByRole('list', { name: 'Códigos de recuperación' }).getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'Los he guardado' }).click();

  // Proven a moment ago: not asked again.
  await section(page, 'Segundo factor').getByRole('button', { name: 'Quitar' }).click();
  await dialog(page).getByRole('button', { name: 'Quitar' }).click();
  await expect(page.getByText('Verificación en dos pasos quitada')).toBeVisible();
  await expect(section(page, 'Segundo factor')).toContainText('Sin activar');
});

// The last one: from here on the server demands a second factor of every superadmin.
test('a superadmin without the second factor that the settings demand is sent to set one up', async ({
  page,
  api,
  openAs,
  allowErrors,
}) => {
  allowErrors(/status of 403/);
  // Who turns it on has one already; another administrator does not.
  const ada = await api.user('superadmin');
  const { secret } = (await api.admin.call(startSecondFactor)).body;
  await api.admin.call(confirmSecondFactor, { body: { code: codeOf(secret) } });
  await signIn(page, ada.email, ada.password);
  await page.goto('/configuracion?tab=security');
  await page.getByRole('switch', { name: 'Verificación en dos pasos' }).check({ force: true });
  await expect(page.getByLabel('Caducidad de la contraseña (días)')).toHaveValue('90');
  await page.getByRole('button', { name: 'Guardar cambios' }).click();

  // It acts at once, on whoever is in as well.
  await expect(page).toHaveURL('/mi-cuenta');
  await expect(page.getByRole('alert').filter({ hasText: 'Falta la verificación en dos pasos' })).toBeVisible();
  await page.goto('/pedidos');
  await expect(page).toHaveURL('/mi-cuenta');
  await page.getByRole('button', { name: 'Activar la verificación en dos pasos' }).click();
  await dialog(page).getByRole('button', { name: 'Continuar' }).click();
  await proveIn(page, ada.password);
  const own = (await dialog(page).getByLabel('Clave', { exact: true }).inputValue()).replaceAll(' ', '');
  await dialog(page).getByLabel('2. Escribe el código que muestra').fill(codeOf(own));
  await dialog(page).getByRole('button', { name: 'Activar' }).click();
  await dialog(page).getByRole('button', { name: 'Los he guardado' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/mi-cuenta');
  await expect(section(page, 'Segundo factor')).toContainText('La configuración la exige a tu cuenta.');
  await expect(section(page, 'Segundo factor').getByRole('button', { name: 'Quitar' })).toHaveCount(0);

  // A reseller is asked for nothing.
  const rita = await openAs(await api.user('revendedor'));
  await rita.goto('/');
  await expect(rita).toHaveURL('/revendedor-dashboard');
  expect((await api.admin.call(updateSettings, { body: { twoFactorAuth: false } })).status).toBe(200);
});
