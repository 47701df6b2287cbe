import type { Page } from '@playwright/test';
import { assignTransportista, getPedido } from '../contract/pedidos/pedidos.ts';
import { expectAccessible } from './accessible.ts';
import { expect, proveIn, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Many orders at once: exported, taken through their steps, and printed. */

async function open(page: Page, search: string) {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/pedidos${search}`);
}
const bar = (page: Page) => page.getByRole('region', { name: 'Pedidos elegidos' });
const tick = (page: Page, text: string) => row(page, text).getByRole('checkbox').check();
const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).last().click();
async function change(page: Page, step: string) {
  await bar(page).getByRole('button', { name: 'Cambiar estado' }).click();
  await page.getByRole('menuitem', { name: step }).click();
}

test('selected orders are exported and changed together, and failed orders stay selected', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 403/);
  const carrier = await api.user('transportista');
  const [first, second] = [await api.pedido({ cliente_nombre: 'Ferretería Uno' }), await api.pedido({ cliente_nombre: 'Ferretería Dos' })];
  await api.pedido({ cliente_nombre: 'Ferretería Tres' });
  await api.admin.call(assignTransportista, { params: { id: first.id }, body: { transportista_id: carrier.id } });
  await open(page, '?search=ferreteria');
  for (const name of ['Uno', 'Dos']) await tick(page, `Ferretería ${name}`);
  await bar(page).getByRole('link', { name: 'Exportar' }).click();
  await expect(page.getByText('Se exportan solo los pedidos elegidos en la tabla.')).toBeVisible();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('main').getByRole('button', { name: 'Exportar', exact: true }).click();
  await proveIn(page, SUPERADMIN.password);
  await downloaded;
  // Two orders with one line each.
  await expect(page.getByRole('status').filter({ hasText: 'Se han exportado 4 registros' })).toBeVisible();

  await page.goBack();
  for (const name of ['Uno', 'Dos']) await tick(page, `Ferretería ${name}`);
  await change(page, 'Anotar pago');
  await press(page, 'Cobrar 2 pedidos');
  await expect(dialog(page)).toContainText('Hecho: 2 pedidos.');
  await press(page, 'Cerrar');
  await expect(row(page, 'Ferretería Dos')).toContainText('Pagado');

  for (const name of ['Uno', 'Dos']) await tick(page, `Ferretería ${name}`);
  await change(page, 'Empezar a preparar');
  await expect(dialog(page)).toContainText('Hecho: 1 de 2 pedidos. 1 no se pudo cambiar.');
  await press(page, 'Cerrar');
  await expect(bar(page)).toContainText('1 pedido elegido');
  await expect(row(page, 'Ferretería Dos').getByRole('checkbox')).toBeChecked();
  await expect(row(page, 'Ferretería Uno')).toContainText('En Proceso');

  await bar(page).getByRole('button', { name: 'Quitar selección' }).click();
  await tick(page, 'Ferretería Uno');
  await change(page, 'Salir a reparto');
  await press(page, 'Salir a reparto');
  await expect(dialog(page)).toContainText('Hecho: 1 pedido.');
  await press(page, 'Cerrar');
  for (const name of ['Uno', 'Dos']) await tick(page, `Ferretería ${name}`);
  await change(page, 'Completar');
  await dialog(page).getByRole('button', { name: 'Cambiar el método de entrega' }).click();
  await dialog(page).getByRole('combobox', { name: 'Método de entrega' }).click();
  await page.getByRole('option', { name: 'MRW' }).click();
  await press(page, 'Completar 2 pedidos');
  await expect(dialog(page)).toContainText('Hecho: 2 pedidos.');
  for (const { id } of [first, second]) {
    const { data } = (await api.admin.call(getPedido, { params: { id } })).body;
    expect(data).toMatchObject({ estado: 'completado', metodo_entrega: 'mrw' });
  }
});

test('delivery notes and route sheets print from a new tab without navigation or prices', async ({ page, api }) => {
  const pack = await api.pack({ name: 'Caja de doce', pack_price: 77.7 });
  const [first, second] = [
    await api.pedido({ pack_id: pack.id, cantidad: 3, cliente_nombre: 'Bodega Alta', cliente_telefono: '600 10 20 30' }),
    await api.pedido({ pack_id: pack.id, cliente_nombre: 'Bodega Baja' }),
  ];
  await open(page, '?search=bodega');
  for (const { numero_orden } of [first, second]) await tick(page, numero_orden);
  const tab = page.context().waitForEvent('page');
  await bar(page).getByRole('link', { name: 'Imprimir' }).click();
  const sheets = await tab;
  await expect(sheets.getByRole('article')).toHaveCount(2);
  const sheet = sheets.getByRole('article', { name: `Albarán ${first.numero_orden}` });
  for (const text of ['Bodega Alta', '600 102 030', 'Caja de doce', '3']) await expect(sheet).toContainText(text);
  await expect(sheets.getByRole('main')).not.toContainText(/€|77,7|233,1/);
  await expectAccessible(sheets);

  // With emulated print media, `toBeVisible` sees the printed page.
  await sheets.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  await expect(sheets.getByRole('heading', { name: 'Imprimir' })).toBeHidden();
  await expect(sheets.getByRole('tab')).toHaveCount(0);
  await expect(sheets.getByRole('button', { name: 'Imprimir' })).toBeHidden();
  await expect(sheets.getByRole('navigation')).toBeHidden();

  await sheets.emulateMedia({ media: null });
  await sheets.getByRole('tab', { name: 'Hoja de ruta' }).click();
  const stops = sheets.getByRole('article', { name: 'Hoja de ruta: Sin asignar' }).getByRole('row');
  await expect(stops).toHaveCount(3);
  await sheets.emulateMedia({ media: 'print' });
  await expect(stops.last()).toBeVisible();
  await expect(sheets.getByRole('tab')).toHaveCount(0);
});
