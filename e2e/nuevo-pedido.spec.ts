import { listPedidos } from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { expect, signIn, test } from './fixtures.ts';

/* «Nuevo Pedido» with a real server. The screen itself is tested in web/pedidos/create/new.browser.test.tsx. */

test('a reseller lowers a quantity above the stock, and changes the lines of an unpaid order', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422 .*\/api\/pedidos$/);
  const [oil, cheese] = [await api.product({ name: 'Aceite' }), await api.product({ name: 'Queso curado', stock: 6 })];
  const can = await api.pack({ product_id: oil.id, name: 'Lata', pack_price: 12.5 });
  await api.pack({ product_id: cheese.id, name: 'Entero', pack_price: 4, pack_quantity: 2 });
  const rates = (shippingBaleares: number) => api.admin.call(updateSettings, { body: { shippingBaleares } });
  expect((await rates(9.9)).status).toBe(200);
  const rita = await api.user('revendedor');
  await signIn(page, rita.email, rita.password);
  await page.goto('/pedidos/nuevo');
  await page.getByLabel('Nombre').fill('Ana Ruiz');
  await page.getByLabel('Dirección').fill('Calle Mayor 3');
  await page.getByLabel('Código Postal').fill('07001');
  await page.getByRole('combobox', { name: 'Pack' }).fill('aceite');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Cantidad' }).fill('3');
  await page.getByRole('button', { name: 'Añadir otro producto' }).click();
  await page.keyboard.type('queso');
  await page.keyboard.press('Enter');
  const cheeses = page.getByRole('textbox', { name: 'Cantidad 2' });
  await cheeses.fill('4');
  await expect(page.getByText(/^63,40\s€$/)).toBeVisible();
  await page.getByRole('button', { name: 'Crear Pedido' }).click();
  await expect(cheeses).toHaveAccessibleDescription(/Stock insuficiente de Queso curado: quedan 3 packs/);
  await cheeses.fill('2');
  await page.keyboard.press('Enter');
  const created = page.getByRole('dialog', { name: 'Pedido creado' });
  await expect(created).toContainText('55,40 €');
  const [pedido] = (await (await api.as(rita)).call(listPedidos)).body.data;
  expect(pedido).toMatchObject({ producto: `Aceite – ${can.name} y 1 más`, cantidad: 5, precio_total: 55.4 });
  await expect(created).toContainText(pedido?.numero_orden ?? 'none');
  await created.getByRole('link', { name: 'Ver Mis Pedidos' }).click();
  await page.getByRole('main').getByText('Ana Ruiz').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Más' }).click();
  await page.getByRole('menuitem', { name: 'Cambiar productos' }).click();
  const changing = page.getByRole('dialog', { name: 'Cambiar productos' });
  await changing.getByRole('button', { name: 'Quitar la línea 1' }).click();
  await changing.getByRole('textbox', { name: 'Cantidad' }).fill('3');
  await changing.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByText(/Pedido actualizado: el total es 21,90\s€/)).toBeVisible();
  await expect(changing).toBeHidden();
  await rates(0);
});
