import { stat } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { getSettings, updateSettings } from '../contract/settings.ts';
import { expect, expectAccessible, expectTheme, proveIn, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Configuración»: every tab saves, refuses and shows what is there; the connection tests connect; a backup is made and verified. */

const save = (page: Page) => page.getByRole('button', { name: 'Guardar cambios' });
const notice = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

async function open(page: Page, tab: string) {
  await page.goto(`/configuracion?tab=${tab}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Configuración' })).toBeVisible();
}

test('what is wrong stands under its field, what is right is kept, and a secret is never shown again', async ({
  page,
  api,
  allowErrors,
}) => {
  allowErrors(/status of 422/);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await open(page, 'general');
  await expect(page.getByRole('tab')).toHaveText([
    'General',
    'Notificaciones',
    'Seguridad',
    'Apariencia',
    'Base de datos',
    'Integraciones',
  ]);
  const name = page.getByRole('textbox', { name: 'Nombre de la empresa' });
  const iban = page.getByRole('textbox', { name: 'IBAN' });
  await save(page).click();
  await expect(name).toHaveAccessibleDescription('Nombre de empresa y email son obligatorios.');
  await expect(name).toBeFocused();
  await expect(notice(page, 'Error de validación')).toBeVisible();

  await name.fill('Almazara Sur');
  await page.getByRole('textbox', { name: 'Email de la empresa' }).fill('hola@almazara.es');
  await iban.fill('ES00 2100 0418 4502 0005 1332');
  await save(page).click();
  await expect(iban).toHaveAccessibleDescription(/El IBAN no es válido/);
  await expect(iban).toBeFocused();
  await expect(name).toHaveValue('Almazara Sur');
  await iban.fill('ES91 2100 0418 4502 0005 1332');
  // Held back until the wait has been seen.
  let release = () => {};
  const seen = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/settings', async (route) => {
    if (route.request().method() === 'PUT') await seen;
    await route.continue();
  });
  await save(page).click();
  await expect(page.getByRole('button', { name: 'Guardando...' })).toBeDisabled();
  release();
  await expect(page.getByText('Configuración guardada')).toBeVisible();
  await page.unroute('**/api/settings');
  await page.reload();
  await expect(name).toHaveValue('Almazara Sur');

  await page.getByRole('tab', { name: 'Integraciones' }).click();
  await expect(page).toHaveURL(/tab=integrations/);
  await page.getByRole('button', { name: 'Probar conexión' }).click();
  await expect(notice(page, 'Indica y guarda el servidor y el usuario SMTP antes de probar').first()).toBeVisible();
  await expect(notice(page, 'Error de conexión').first()).toBeVisible();
  const password = page.getByLabel('Contraseña SMTP');
  await password.fill('muy secreta');
  await save(page).click();
  await expect(password).toHaveValue('');
  await expect(password).toHaveAttribute('placeholder', 'Guardada: deja en blanco para mantenerla');
  expect((await api.admin.call(getSettings)).text).not.toContain('muy secreta');

  // It was for one server: another does not get it.
  await page.getByLabel('Servidor SMTP').fill('correo.otro.es');
  await expect(password).toHaveAccessibleDescription(/Escribe otra vez la contraseña/);
  await save(page).click();
  await expect(password).toHaveAttribute('placeholder', 'Sin guardar');
  expect((await api.admin.call(getSettings)).body.data).toMatchObject({ smtpHost: 'correo.otro.es', smtpPasswordSet: false });

  await page.getByRole('tab', { name: 'Notificaciones' }).click();
  await expect(page.getByRole('switch', { name: 'Notificaciones por SMS' })).toBeDisabled();
  await expect(page.getByRole('switch', { name: 'Notificaciones por SMS' })).not.toBeChecked();
  await expect(page.getByText('Enruta no tiene ningún proveedor de SMS, así que no envía ninguno')).toBeVisible();
  await page.getByRole('switch', { name: 'Notificaciones push' }).click();
  await save(page).click();
  await expect.poll(async () => (await api.admin.call(getSettings)).body.data.pushNotifications).toBe(true);
});

test('what shipping costs is written in euros and cents', async ({ page, api }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await api.admin.call(updateSettings, { body: { companyName: 'Almazara', companyEmail: 'hola@almazara.es' } });
  await open(page, 'general');
  const rate = page.getByRole('textbox', { name: 'Envío a Baleares (€)' });
  await rate.fill('9,95');
  await save(page).click();
  await expect(page.getByText('Configuración guardada')).toBeVisible();
  await expect(rate).toHaveValue('9,95');
  expect((await api.admin.call(getSettings)).body.data.shippingBaleares).toBe(9.95);
});

test('of two superadmins who save at once the second is told, and overwrites nothing unseen', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await open(page, 'database');
  const days = page.getByRole('textbox', { name: 'Conservar (días)' });
  await expect(days).toHaveValue('30');
  await days.fill('15');
  const other = await api.as(await api.user('superadmin'));
  expect((await other.call(updateSettings, { body: { backupFrequency: 'weekly', retentionDays: 7 } })).status).toBe(200);
  await save(page).click();
  await expect(page.getByText('Otra persona ha cambiado la configuración mientras la editabas')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Conservar (días)' })).toContainText('7');
  // What was typed stays; what was not touched is now the other's.
  await expect(days).toHaveValue('15');
  await expect(page.getByRole('combobox', { name: 'Frecuencia de las copias' })).toHaveValue('Semanal');
  await save(page).click();
  await expect(page.getByText('Configuración guardada')).toBeVisible();
  const { body } = await api.admin.call(getSettings);
  expect(body.data).toMatchObject({ retentionDays: 15, backupFrequency: 'weekly' });

  await days.fill('0');
  allowErrors(/status of 422/);
  await save(page).click();
  await expect(days).toHaveAccessibleDescription(/Entre 1 y 3650 días/);
});

test('the database answers, and a backup is made by a button, verified and downloaded', async ({ page, allowErrors }) => {
  allowErrors(/status of 403/);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await open(page, 'database');
  await page.getByRole('button', { name: 'Probar conexión' }).click();
  await expect(page.getByRole('row', { name: 'Motor PostgreSQL' })).toBeVisible();

  await expect(page.getByText('Todavía no hay copias')).toBeVisible();
  await page.getByRole('button', { name: 'Hacer copia ahora' }).click();
  await proveIn(page, SUPERADMIN.password);
  await expect(page.getByRole('button', { name: 'Haciendo copia...' })).toBeDisabled();
  const list = page.getByRole('region', { name: 'Copias de seguridad' });
  await expect(list.getByText('Verificada')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Copia verificada', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hacer copia ahora' })).toBeEnabled();
  await expect(list.getByRole('listitem')).toContainText(/Manual · \d+ KB · \d+ filas/);
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await list.getByRole('button', { name: /^Descargar la copia del / }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^enruta-\d{8}T\d{9}Z\.jsonl\.gz\.enc$/);
  expect((await stat(await download.path())).size).toBeGreaterThan(1000);
});

test('on a phone the chosen tab is in sight', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await open(page, 'integrations');
  await expect(page.getByRole('tab', { name: 'Integraciones', selected: true })).toBeInViewport();
});

test('the look that the business chooses reaches a browser whose person has chosen none', async ({ page, api, openAs }) => {
  const accent = (link: Locator) => link.evaluate((element) => getComputedStyle(element).backgroundColor);
  const rowHeight = async () => {
    await page.goto('/gestion-usuarios?rol=superadmin');
    return (await page.getByRole('row').filter({ hasText: SUPERADMIN.email }).boundingBox())?.height ?? 0;
  };
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  const height = await rowHeight();
  await open(page, 'appearance');
  const blue = await accent(save(page));
  await page.getByRole('switch', { name: 'Modo compacto' }).click();
  await page.getByRole('combobox', { name: 'Tema' }).click();
  await page.getByRole('option', { name: 'Oscuro' }).click();
  await page.getByRole('textbox', { name: 'Color principal' }).fill('#0f766e');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Configuración guardada')).toBeVisible();
  await expectTheme(page, 'dark');
  await expect.poll(() => accent(save(page))).not.toBe(blue);
  const teal = await accent(save(page));
  expect(await rowHeight()).toBeLessThan(height);

  const fresh = await openAs(await api.user('revendedor'));
  await fresh.goto('/mis-pedidos');
  await expectTheme(fresh, 'dark');
  expect(await accent(fresh.getByRole('main').getByRole('link', { name: 'Nuevo Pedido' }).first())).toBe(teal);
  await fresh.reload();
  await expectTheme(fresh, 'dark');

  const chosen = await openAs(await api.user('transportista'));
  await chosen.addInitScript(() => localStorage.setItem('appConfig', JSON.stringify({ theme: 'light' })));
  await chosen.goto('/pedidos-disponibles');
  await expect(chosen.getByRole('heading', { level: 1 })).toBeVisible();
  await expectTheme(chosen, 'light');
});

test('the time zone decides which day it is on every screen', async ({ page, api }) => {
  await api.admin.call(updateSettings, { body: { timezone: 'America/New_York' } });
  // The tenth in Madrid, and still the ninth in New York.
  const pedido = await api.pedido({ fecha_pedido: '2026-03-10T02:00:00Z' });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/pedidos?search=${pedido.numero_orden}&fecha_desde=2026-03-09&fecha_hasta=2026-03-09`);
  await expect(page.getByRole('row').filter({ hasText: pedido.numero_orden })).toContainText('09/03/2026');
});

test('of the e-mail only what the chosen provider needs is asked, with its help beside', async ({ page }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await open(page, 'integrations');
  const provider = page.getByRole('combobox', { name: 'Proveedor de correo' });
  await expect(page.getByLabel('Servidor SMTP')).toBeVisible();
  await expect(page.getByLabel('Clave API')).toBeHidden();
  await provider.click();
  await page.getByRole('option', { name: 'Mailgun' }).click();
  await expect(page.getByLabel('Clave API')).toBeVisible();
  await expect(page.getByLabel('Dominio de Mailgun')).toBeVisible();
  await expect(page.getByLabel('Servidor SMTP')).toBeHidden();
  const [field, help] = [
    await page.getByLabel('Remitente').boundingBox(),
    await page.getByText('Si está vacío, el email de la empresa').boundingBox(),
  ];
  expect(help?.x).toBeGreaterThan((field?.x ?? 0) + (field?.width ?? 0));
});
