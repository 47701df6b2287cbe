import type { Page } from '@playwright/test';
import { MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS } from '../contract/kit/picture.ts';
import { listProducts } from '../contract/products/products.ts';
import { expectAccessible } from './accessible.ts';
import { expect, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Control de Stock» with a real server and a second person. The screen itself is tested in web/products/stock.browser.test.tsx. */

async function open(page: Page, search = '') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/control-stock${search}`);
}
const product = (page: Page, name: string) => row(page.getByRole('region', { name: 'Productos', exact: true }).first(), name);
const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

/** A large image with many colours, like a phone's photograph. Returns a PNG in base64. */
const photograph = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 1600;
    canvas.height = 1200;
    const context = canvas.getContext('2d');
    for (let i = 0; context && i < 400; i += 1) {
      context.fillStyle = `hsl(${i * 47} 80% 50%)`;
      context.fillRect((i * 71) % 1600, (i * 131) % 1200, 240, 180);
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });

test('a product’s picture is shrunk, and shown where its pack is chosen', async ({ page, api, openAs }) => {
  const { product_id, product_name, name } = await api.pack();
  await open(page, `?producto=${product_name}`);
  const buffer = Buffer.from(await photograph(page), 'base64');
  expect(buffer.length).toBeGreaterThan(MAX_PICTURE_BYTES);
  await product(page, product_name).getByRole('button', { name: 'Editar' }).click();
  const choose = page.waitForEvent('filechooser');
  await press(page, 'Elegir imagen');
  await (await choose).setFiles({ name: 'notas.txt', mimeType: 'image/png', buffer: Buffer.from('no es una foto') });
  await expect(dialog(page)).toContainText('No se pudo leer la imagen');
  const again = page.waitForEvent('filechooser');
  await press(page, 'Elegir imagen');
  await (await again).setFiles({ name: 'foto.png', mimeType: 'image/png', buffer });
  await expect(dialog(page).getByRole('button', { name: 'Quitar imagen' })).toBeVisible();
  await expectAccessible(page);
  await press(page, 'Guardar cambios');
  await expect(page.getByText('Producto actualizado')).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  const { picture } = (await api.admin.call(listProducts)).body.data.find(({ id }) => id === product_id) ?? {};
  const stored = await page.request.get(picture ?? '');
  expect((await stored.body()).length).toBeLessThanOrEqual(MAX_PICTURE_BYTES);

  const reseller = await openAs(await api.user('revendedor'));
  await reseller.goto('/pedidos/nuevo');
  await reseller.getByRole('combobox', { name: 'Pack' }).fill(product_name);
  const option = reseller.getByRole('option', { name: `${product_name} – ${name}` });
  const shown = await option
    .locator('img')
    .evaluate((img: HTMLImageElement) => img.decode().then(() => [img.naturalWidth, img.naturalHeight]));
  expect(Math.max(...shown)).toBeLessThanOrEqual(MAX_PICTURE_PIXELS);
  expect(Math.min(...shown)).toBeGreaterThan(100);
  await expectAccessible(reseller);

  await page.reload();
  await product(page, product_name).getByRole('button', { name: 'Editar' }).click();
  await press(page, 'Quitar imagen');
  await press(page, 'Guardar cambios');
  await expect(dialog(page)).toBeHidden();
  await expect.poll(async () => (await page.request.get(picture ?? '', { headers: { 'cache-control': 'no-cache' } })).status()).toBe(404);
});

test('a reseller’s own price is shown in the order form, and can be removed', async ({ page, openAs, api }) => {
  const reseller = await api.user('revendedor');
  const pack = await api.pack({ pack_price: 20 });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/control-stock?pack=${encodeURIComponent(pack.name)}`);
  await page.getByRole('button', { name: `Precios por revendedor de ${pack.name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Precios por revendedor: ${pack.name}` });
  await expect(dialog.getByText('Ningún revendedor tiene un precio propio')).toBeVisible();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(dialog.getByText('Elige un revendedor')).toBeVisible();
  await dialog.getByLabel('Revendedor').fill(reseller.full_name);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Precio (€)').fill('17,5');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  const own = dialog.getByRole('list', { name: 'Precios propios' }).getByRole('listitem');
  await expect(own).toHaveText(new RegExp(`${reseller.full_name}.*Vigente.*17,50`));
  await expectAccessible(page, { within: '[role="dialog"]' });

  const theirs = await openAs(reseller);
  await theirs.goto('/pedidos/nuevo');
  await theirs.getByRole('combobox', { name: 'Pack' }).click();
  await expect(theirs.getByRole('option', { name: new RegExp(pack.name) })).toContainText('17,50');

  await own.getByRole('button', { name: /^Quitar el precio de/ }).click();
  await expect(dialog.getByText('Ningún revendedor tiene un precio propio')).toBeVisible();
});
