import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { listPacks, listProducts } from '../../../contract/products/products.ts';
import { getSettings } from '../../../contract/settings/settings.ts';
import { open } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPack, aProduct, listed, theSettings } from '../../../test/web/samples.ts';

/* Behaviour common to the fields of all forms. */

test('a quantity field that is emptied stays empty', async () => {
  server.answer(listPacks, listed([aPack({ available: true })]));
  open('/pedidos/nuevo-admin');
  const field = page.getByRole('textbox', { name: 'Cantidad' });
  await expect.element(field).toHaveValue('1');
  await field.clear();
  await expect.element(field).toHaveFocus();
  await userEvent.tab();
  await expect.element(field).not.toHaveFocus();
  await expect.element(field).toHaveValue('');
});

const dialog = page.getByRole('dialog');
for (const { title, at, pressed, needed } of [
  { title: 'Nuevo producto', at: '/control-stock', pressed: 'Nuevo producto', needed: ['Nombre'] },
  { title: 'Nuevo pack', at: '/control-stock', pressed: 'Nuevo pack', needed: ['Producto', 'Nombre del pack', 'Alias'] },
  { title: 'Movimientos', at: '/control-stock', pressed: /^Movimientos de/, needed: ['Unidades', 'Motivo'] },
  { title: 'Crear revendedor', at: '/gestion-usuarios', pressed: 'Crear revendedor', needed: ['Nombre completo', 'Email'] },
]) {
  test(`the dialog «${title}» marks its required fields`, async () => {
    server.answer(listProducts, listed([aProduct()]));
    open(at);
    await page.getByRole('button', { name: pressed }).first().click();
    for (const label of needed) await expect.element(dialog.getByText(`${label} *`, { exact: true }).first()).toBeVisible();
  });
}

test('the button that shows a password has a Spanish name', async () => {
  open('/gestion-usuarios');
  await page.getByRole('button', { name: 'Crear revendedor' }).first().click();
  await dialog.getByRole('radio', { name: 'Pongo yo su contraseña' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Mostrar la contraseña' })).toBeVisible();
});

for (const tab of ['notifications', 'integrations']) {
  test(`no button in the settings’ tab ${tab} shows a password under an English name`, async () => {
    server.answer(getSettings, { data: theSettings() });
    open(`/configuracion?tab=${tab}`);
    await expect.element(page.getByRole('tabpanel').getByRole('button').first()).toBeVisible();
    await expect.element(page.getByRole('button', { name: /password/i })).not.toBeInTheDocument();
  });
}
