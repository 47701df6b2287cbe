import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { listPacks, listProducts, updatePack, updateProduct } from '../../../contract/products/products.ts';
import { listUsers, updateUser } from '../../../contract/users/users.ts';
import { expectAccessible, open } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPack, aProduct, aUser, listed } from '../../../test/web/samples.ts';

/* Two superadmins edit the same record: the second to save sees the first one's changes and loses nothing typed. */

const dialog = page.getByRole('dialog');
const field = (label: string) => dialog.getByRole('textbox', { name: label, exact: true });
const save = () => dialog.getByRole('button', { name: 'Guardar cambios' }).click();
const stale = { message: 'Otra persona ha cambiado lo que tenías abierto', code: 'version' };

test('a person deactivated by a colleague stays inactive when a new name is saved', async () => {
  const rita = aUser('revendedor', { full_name: 'Rita Rota' });
  server.answer(listUsers, listed([rita]));
  open('/gestion-usuarios');
  await page.getByRole('button', { name: 'Editar a Rita Rota' }).click();
  await field('Nombre completo').fill('Rita Ruiz');
  server.answer(listUsers, listed([{ ...rita, full_name: 'Rita Roja', is_active: false, version: 2 }]));
  server.refuse(updateUser, 409, stale);
  await save();

  await expect.element(dialog.getByText('Otra persona ha cambiado este usuario mientras lo editabas')).toBeVisible();
  await expect.element(field('Nombre completo')).toHaveValue('Rita Ruiz');
  await expect.element(dialog.getByRole('switch', { name: /^Activo/ })).not.toBeChecked();
  await expect.element(dialog.getByRole('group', { name: 'Activo' }).getByText('No', { exact: true })).toBeVisible();
  await expect.element(dialog.getByRole('group', { name: 'Nombre completo' })).toMatchTextContent('Rita Roja');
  await expectAccessible();

  server.answer(updateUser, asDone('Usuario actualizado', rita));
  await save();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(updateUser)).toMatchObject([
    { body: { full_name: 'Rita Ruiz', is_active: true, version: 1 } },
    { body: { full_name: 'Rita Ruiz', is_active: false, version: 2 } },
  ]);
});

test('a pack keeps the price that a colleague set while it was edited', async () => {
  const caja = aPack({ name: 'Caja', pack_price: 25 });
  server.answer(listPacks, listed([caja]));
  open('/control-stock');
  await page.getByRole('button', { name: 'Editar Caja' }).click();
  await field('Nombre del pack').fill('Caja grande');
  server.answer(listPacks, listed([{ ...caja, pack_price: 30, version: 2 }]));
  server.refuse(updatePack, 409, stale);
  await save();
  await expect.element(dialog.getByText('Otra persona ha cambiado este pack mientras lo editabas')).toBeVisible();
  await expect.element(field('Precio (€)')).toHaveValue('30,00');
  await expect.element(field('Nombre del pack')).toHaveValue('Caja grande');

  server.answer(updatePack, asDone('Pack actualizado', caja));
  await save();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(updatePack).at(-1)?.body).toMatchObject({ name: 'Caja grande', pack_price: 30, version: 2 });
});

test('a conflict over a product shows both values, and the person chooses one of them', async () => {
  const miel = aProduct({ name: 'Miel', min_stock: 1 });
  server.answer(listProducts, listed([miel]));
  open('/control-stock');
  await page.getByRole('button', { name: 'Editar Miel' }).click();
  await field('Stock mínimo').fill('5');
  server.answer(listProducts, listed([{ ...miel, min_stock: 8, version: 2 }]));
  server.refuse(updateProduct, 409, stale);
  await save();
  await expect.element(dialog.getByText('Otra persona ha cambiado este producto mientras lo editabas')).toBeVisible();
  await expect.element(field('Stock mínimo')).toHaveValue('5');
  await expect.element(dialog.getByRole('group', { name: 'Stock mínimo' })).toMatchTextContent('8');
  await dialog.getByRole('button', { name: 'Usar lo guardado' }).click();
  await expect.element(field('Stock mínimo')).toHaveValue('8');

  server.answer(updateProduct, asDone('Producto actualizado', miel));
  await save();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(updateProduct).at(-1)?.body).toMatchObject({ min_stock: 8, version: 2 });
});
