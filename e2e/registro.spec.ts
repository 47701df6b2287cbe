import type { Page } from '@playwright/test';
import { deletePedido } from '../contract/pedidos.ts';
import { updatePack, updateProduct } from '../contract/products.ts';
import { deleteUser } from '../contract/users.ts';
import { expect, expectAccessible, rows, SUPERADMIN, signIn, test } from './fixtures.ts';

/* The log: finding something in it, and the way from there to what it speaks of. */

async function open(page: Page, search = '') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/admin?tab=logs${search}`);
}
const row = (page: Page, text: string) => rows(page.getByRole('tabpanel')).filter({ hasText: text });
const link = (page: Page, name: string) => page.getByRole('tabpanel').getByRole('link', { name });

test('it is searched, and narrowed to a person and to days', async ({ page, api }) => {
  const ana = await api.as(await api.user('superadmin', { full_name: 'Ana Anota' }));
  const [hers, other] = [await api.pedido({}, ana), await api.pedido()];
  await open(page);
  await page.getByRole('searchbox').fill(`creado ${other.numero_orden}`);
  await expect(row(page, other.numero_orden)).toBeVisible();
  await expect(row(page, hers.numero_orden)).toBeHidden();
  await expect(page).toHaveURL(/search=creado/);
  await page.getByRole('button', { name: 'Quitar filtros' }).click();

  await page.getByRole('combobox', { name: 'Actor' }).fill('ana an');
  await page.getByRole('option', { name: 'Ana Anota' }).click();
  await expect(row(page, hers.numero_orden)).toBeVisible();
  await expect(row(page, other.numero_orden)).toBeHidden();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Fechas: Seleccionar rango' }).click();
  await page.getByRole('button', { name: 'Mes anterior', exact: true }).click();
  await expect(page.getByText('Ningún registro coincide con los filtros')).toBeVisible();
  await expect(page).toHaveURL(/desde=\d{4}-\d\d-\d\d&hasta=/);
});

test('what it speaks of is one press away, and a deleted order is brought back there', async ({ page, api }) => {
  const pedido = await api.pedido();
  await api.admin.call(deletePedido, { params: { id: pedido.id } });
  await open(page);
  await link(page, `Pedido eliminado: ${pedido.numero_orden}`).click();
  await expect(page).toHaveURL(`/pedidos/${pedido.id}`);
  await page.getByRole('note').getByRole('button', { name: 'Restaurar' }).click();
  await expect(page.getByRole('main').getByText('Pedido restaurado')).toBeVisible();
  await expect(page.getByRole('note')).toBeHidden();

  await api.admin.call(deletePedido, { params: { id: pedido.id } });
  await page.goto('/');
  const activity = page.getByRole('region', { name: 'Actividad Reciente' });
  await activity
    .getByRole('link', { name: `Pedido eliminado: ${pedido.numero_orden}` })
    .first()
    .click();
  await expect(page.getByRole('note')).toContainText('Este pedido está eliminado');
});

test('people, products and packs open where they are edited; what is gone is said to be', async ({ page, api }) => {
  const carrier = await api.user('transportista', { full_name: 'Tecla Visible' });
  const gone = await api.user('revendedor', { full_name: 'Gaspar Ido' });
  await api.admin.call(deleteUser, { params: { id: gone.id } });
  const product = await api.product({ name: 'Miel' });
  const pack = await api.pack({ product_id: product.id, name: 'Media docena' });
  await api.admin.call(updateProduct, {
    params: { id: product.id },
    body: { name: 'Miel', stock: product.stock, min_stock: 3, is_active: true },
  });
  const { name, alias, pack_quantity } = pack;
  await api.admin.call(updatePack, {
    params: { id: pack.id },
    body: { name, alias, pack_quantity, pack_price: 30, is_active: true },
  });

  await open(page);
  await link(page, `Usuario creado: ${carrier.full_name}`).click();
  await expect(page.getByRole('dialog').getByLabel(/^Nombre completo/)).toHaveValue('Tecla Visible');
  await expect(page).toHaveURL('/gestion-usuarios?rol=transportista');
  await page.keyboard.press('Escape');

  await open(page);
  await link(page, 'Usuario eliminado: Gaspar Ido').click();
  await expect(page.getByText('Eso ya no está: se eliminó')).toBeVisible();

  await open(page, '&entity=product&action=update');
  await link(page, 'Producto actualizado: Miel').click();
  await expect(page.getByRole('dialog').getByLabel(/^Nombre/)).toHaveValue('Miel');
  await open(page, '&entity=pack&action=update');
  await page
    .getByRole('tabpanel')
    .getByRole('link', { name: /^Pack / })
    .first()
    .click();
  await expect(page.getByRole('dialog').getByLabel(/^Nombre/)).toHaveValue('Media docena');
});
