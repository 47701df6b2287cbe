import { listPacks, listProducts, updatePack, updateProduct } from '../contract/products.ts';
import { listUsers, updateUser } from '../contract/users.ts';
import { expect, expectAccessible, row, SUPERADMIN, signIn, test } from './fixtures.ts';
import { dialog, field, openUsers } from './users-page.ts';

/* Two superadmins have the same form open: the second to save sees what the first changed, and loses nothing typed. */

test.beforeEach(({ allowErrors }) => allowErrors(/status of 409/));

test('a person deactivated meanwhile stays so, while the new name is saved', async ({ page, api }) => {
  const rita = await api.user('revendedor', { full_name: 'Rita Rota' });
  await openUsers(page);
  await page.getByRole('button', { name: 'Editar a Rita Rota' }).click();
  await field(page, 'Nombre completo').fill('Rita Ruiz');
  const params = { id: rita.id };
  expect((await api.admin.call(updateUser, { params, body: { full_name: 'Rita Roja', is_active: false } })).status).toBe(200);
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();

  await expect(dialog(page).getByText('Otra persona ha cambiado este usuario mientras lo editabas')).toBeVisible();
  await expect(field(page, 'Nombre completo')).toHaveValue('Rita Ruiz');
  await expect(dialog(page).getByRole('switch', { name: 'Activo' })).not.toBeChecked();
  const active = dialog(page).getByRole('group', { name: 'Activo' });
  await expect(active.getByText('No', { exact: true })).toBeVisible();
  await expect(dialog(page).getByRole('group', { name: 'Nombre completo' })).toContainText('Rita Roja');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(dialog(page)).toBeHidden();
  const { data } = (await api.admin.call(listUsers, { query: { role: 'revendedor' } })).body;
  expect(data.find(({ id }) => id === rita.id)).toMatchObject({ full_name: 'Rita Ruiz', is_active: false });
});

test('a pack keeps the price it got meanwhile', async ({ page, api }) => {
  const { id, name } = await api.pack({ pack_price: 25 });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/control-stock');
  await row(page.getByRole('region', { name: 'Packs', exact: true }).first(), name)
    .getByRole('button', { name: /^Editar / })
    .click();
  await field(page, 'Nombre del pack').fill('Caja grande');
  expect((await api.admin.call(updatePack, { params: { id }, body: { pack_price: 30 } })).status).toBe(200);
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(dialog(page).getByText('Otra persona ha cambiado este pack mientras lo editabas')).toBeVisible();
  await expect(field(page, 'Precio \\(€\\)')).toHaveValue('30,00');
  await expect(field(page, 'Nombre del pack')).toHaveValue('Caja grande');
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(dialog(page)).toBeHidden();
  const { data } = (await api.admin.call(listPacks)).body;
  expect(data.find((pack) => pack.id === id)).toMatchObject({ name: 'Caja grande', pack_price: 30 });
});

test('of a product both values are shown, and one of them is chosen', async ({ page, api }) => {
  const { id, name } = await api.product({ min_stock: 1 });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/control-stock');
  await page.getByRole('button', { name: `Editar ${name}` }).click();
  await field(page, 'Stock mínimo').fill('5');
  expect((await api.admin.call(updateProduct, { params: { id }, body: { min_stock: 8 } })).status).toBe(200);
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(dialog(page).getByText('Otra persona ha cambiado este producto mientras lo editabas')).toBeVisible();
  await expect(field(page, 'Stock mínimo')).toHaveValue('5');
  await dialog(page).getByRole('button', { name: 'Usar lo guardado' }).click();
  await expect(field(page, 'Stock mínimo')).toHaveValue('8');
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(dialog(page)).toBeHidden();
  const { data } = (await api.admin.call(listProducts)).body;
  expect(data.find((product) => product.id === id)).toMatchObject({ min_stock: 8 });
});
