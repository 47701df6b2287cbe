import { listPedidos } from '../contract/pedidos/pedidos.ts';
import { expect, proveIn, SUPERADMIN, signIn, test } from './fixtures.ts';

/* API keys used by a program. The screen of the keys is tested in web/api-keys/api-keys.browser.test.tsx. */

test('an API key allows only the calls of its scopes, and none once revoked', async ({ page, server, api, allowErrors }) => {
  // The server asks for the password with a 403.
  allowErrors(/status of 403 .*\/api\/claves/);
  await api.pedido();
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/configuracion?tab=integrations');
  await page.getByRole('button', { name: 'Nueva clave' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nueva clave de API' });
  await dialog.getByRole('textbox', { name: 'Nombre' }).fill('Tienda en línea');
  await dialog.getByRole('combobox', { name: 'Para qué' }).click();
  await page.getByRole('option', { name: /^A medida/ }).click();
  await dialog.getByRole('checkbox', { name: 'Listar pedidos' }).check();
  await dialog.getByRole('button', { name: 'Crear clave' }).click();
  await proveIn(page, SUPERADMIN.password);
  const clave = await dialog.getByRole('textbox', { name: 'Clave de API' }).inputValue();
  expect(clave).toMatch(/^enr_/);
  const ask = async (method: string) =>
    (await fetch(server.url + listPedidos.path, { method, headers: { authorization: `Bearer ${clave}` } })).status;
  expect([await ask('GET'), await ask('POST')]).toEqual([200, 403]);
  await dialog.getByRole('button', { name: 'Ya la he copiado' }).click();
  await page.getByRole('button', { name: 'Revocar la clave Tienda en línea' }).click();
  await page.getByRole('dialog', { name: 'Revocar clave' }).getByRole('button', { name: 'Revocar' }).click();
  await expect(page.getByText('Revocada', { exact: true })).toBeVisible();
  expect(await ask('GET')).toBe(401);
});
