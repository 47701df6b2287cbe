import { listPedidos } from '../contract/pedidos.ts';
import { expect, expectAccessible, proveIn, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Keys of other programs: made, shown once, used, and revoked. */

test('a key is made with what its permissions need, opens that alone, and nothing once revoked', async ({
  page,
  server,
  api,
  allowErrors,
}) => {
  // The question for the password is an answer with 403.
  allowErrors(/status of 403 .*\/api\/claves/);
  await api.pedido();
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/configuracion?tab=integrations');
  await expect(page.getByText('Todavía no hay claves')).toBeVisible();
  await page.getByRole('button', { name: 'Nueva clave' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nueva clave de API' });
  await expect(dialog.getByRole('textbox', { name: 'Nombre' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Crear clave' }).click();
  await expect(dialog.getByText('Elige al menos un permiso')).toBeVisible();

  await dialog.getByRole('textbox', { name: 'Nombre' }).fill('Tienda en línea');
  await dialog.getByRole('checkbox', { name: 'Crear pedidos' }).check();
  for (const needed of ['Leer un pedido', 'Ver importes']) await expect(dialog.getByRole('checkbox', { name: needed })).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Ver importes' }).uncheck();
  await expect(dialog.getByRole('checkbox', { name: 'Crear pedidos' })).not.toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Listar pedidos' }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Crear clave' }).click();
  await proveIn(page, SUPERADMIN.password);

  const clave = await dialog.getByRole('textbox', { name: 'Clave de API' }).inputValue();
  expect(clave).toMatch(/^enr_/);
  await expectAccessible(page);
  const ask = async (method: string) =>
    (await fetch(server.url + listPedidos.path, { method, headers: { authorization: `Bearer ${clave}` } })).status;
  expect([await ask('GET'), await ask('POST')]).toEqual([200, 403]);
  await dialog.getByRole('button', { name: 'Ya la he copiado' }).click();
  await expect(dialog).toBeHidden();

  await page.reload();
  await expect(page.getByText(/usada/)).toBeVisible();
  expect(await page.content()).not.toContain(clave);
  await page.getByRole('button', { name: 'Revocar la clave Tienda en línea' }).click();
  await page.getByRole('dialog', { name: 'Revocar clave' }).getByRole('button', { name: 'Revocar' }).click();
  await expect(page.getByText('Revocada', { exact: true })).toBeVisible();
  expect(await ask('GET')).toBe(401);
});
