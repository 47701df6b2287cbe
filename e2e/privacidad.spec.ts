import { setEstado } from '../contract/pedidos/pedidos.ts';
import { expect, proveIn, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* A block of personal data, as two people see it. The screen itself is tested in web/privacidad/privacidad.browser.test.tsx. */

const NAME = 'Remedios Alba Cano';

test('a customer’s data can be exported, blocked on all screens and unblocked', async ({ page, openAs, api, allowErrors }) => {
  allowErrors(/status of 403 .*\/api\/(privacidad|cuenta)/);
  const reseller = await api.user('revendedor');
  const pedido = await api.pedido({ cliente_nombre: NAME, cliente_telefono: '655 11 22 33', revendedor_id: reseller.id });
  await api.admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  const theirs = await openAs(reseller);
  await theirs.goto(`/mis-pedidos?search=${pedido.numero_orden}`);
  await expect(row(theirs, NAME)).toBeVisible();

  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/privacidad?search=655112233');
  // A session without a fresh password cannot search.
  await proveIn(page, SUPERADMIN.password);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: `Exportar los datos de ${NAME}` }).click();
  expect((await download).suggestedFilename()).toMatch(/^datos-personales-.*\.json$/);

  await page.getByRole('button', { name: `Bloquear los datos de ${NAME}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Bloquear los datos' });
  await dialog.getByLabel('Motivo').fill('Lo pide por una reclamación');
  await dialog.getByRole('button', { name: 'Bloquear' }).click();
  await expect(page.getByText('1 pedido bloqueado', { exact: true })).toBeVisible();
  await expect(page.getByText('No se ha encontrado a nadie')).toBeVisible();
  // The reseller's list updates at once.
  await expect(row(theirs, 'Cliente bloqueado')).toBeVisible();
  await expect(theirs.getByText(NAME)).toBeHidden();

  await page.getByRole('button', { name: `Desbloquear ${pedido.numero_orden}` }).click();
  const undo = page.getByRole('dialog', { name: 'Desbloquear los datos' });
  await undo.getByLabel('Motivo').fill('Resuelto');
  await undo.getByRole('button', { name: 'Desbloquear' }).click();
  await expect(page.getByRole('list', { name: 'Clientes encontrados' })).toContainText(NAME);
  await expect(row(theirs, NAME)).toBeVisible();
});
