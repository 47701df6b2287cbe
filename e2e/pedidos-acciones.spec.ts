import type { Locator, Page } from '@playwright/test';
import { assignTransportista, deletePedido, getPedido } from '../contract/pedidos.ts';
import { type Arranger, expect, expectAccessible, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* What a superadmin does with an order from its row in «Gestión de Pedidos». */

async function open(page: Page, search = '') {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/pedidos${search}`);
}
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
async function menu(page: Page, pedido: { numero_orden: string }): Promise<Locator> {
  await page.getByRole('button', { name: `Acciones del pedido ${pedido.numero_orden}` }).click();
  return page.getByRole('menu');
}
async function choose(page: Page, pedido: { numero_orden: string }, item: string) {
  await (await menu(page, pedido)).getByRole('menuitem', { name: item }).click();
}
const unpaid = async (api: Arranger) => api.pedido({}, await api.as(await api.user('revendedor')));

test('the menu of a row offers what its estado allows, and says why not the rest', async ({ page, api }) => {
  const pending = await api.pedido();
  const waiting = await unpaid(api);
  await open(page);

  const of = await menu(page, waiting);
  await expect(of.getByRole('menuitem')).toHaveCount(10);
  await expect(of.getByRole('menuitem', { name: 'Marcar como pagado' })).toBeEnabled();
  for (const item of ['Asignar transportista', 'Completar']) {
    await expect(of.getByRole('menuitem', { name: item })).toBeDisabled();
    await expect(of.getByRole('menuitem', { name: item })).toHaveAccessibleDescription('Está pendiente de pago');
  }
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const other = await menu(page, pending);
  await expect(other.getByRole('menuitem', { name: 'Marcar como pagado' })).toHaveAccessibleDescription('No está pendiente de pago');
  for (const item of [
    'Ver',
    'Editar',
    'Cambiar productos',
    'Asignar transportista',
    'Completar',
    'Imprimir albarán',
    'Duplicar',
    'Cancelar pedido',
    'Eliminar',
  ]) {
    await expect(other.getByRole('menuitem', { name: item })).toBeEnabled();
  }
});

test('with the keyboard alone the menu says why not, and a question gives the focus back @desktop', async ({ page, api }) => {
  const waiting = await unpaid(api);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/admin?search=${waiting.numero_orden}`);
  const button = page.getByRole('button', { name: `Acciones del pedido ${waiting.numero_orden}` });
  const item = (name: string) => page.getByRole('menuitem', { name });
  await button.press('Enter');
  // The first cannot be done, and is come by all the same; choosing it does nothing.
  await expect(item('Reasignar')).toBeFocused();
  await expect(item('Reasignar')).toHaveAccessibleDescription('Está pendiente de pago');
  await page.keyboard.press('Enter');
  await expect(item('Reasignar')).toBeFocused();
  await item('Duplicar').press('Enter');
  await expect(dialog(page, 'Duplicar pedido')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
});

test('an order that somebody else has just deleted is said to be gone', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 404/);
  const pedido = await api.pedido();
  await open(page);
  const items = await menu(page, pedido);
  // What the server tells of the other's deletion does not arrive.
  await page.route('**/api/pedidos?*', (route) => route.abort());
  allowErrors(/ERR_FAILED/);
  await api.admin.call(deletePedido, { params: { id: pedido.id } });
  await items.getByRole('menuitem', { name: 'Eliminar' }).click();
  await expect(page.getByText('Otra persona ya había eliminado este pedido')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Deshacer' })).toHaveCount(0);
});

test('an order is given to an active carrier, and taken from them', async ({ page, api }) => {
  const carrier = await api.user('transportista', { full_name: 'Tania Transportes' });
  await api.user('transportista', { full_name: 'Tadeo Retirado', is_active: false });
  const pedido = await api.pedido();
  await open(page);
  await choose(page, pedido, 'Asignar transportista');
  const assign = dialog(page, 'Asignar transportista');
  await assign.getByRole('combobox', { name: 'Transportista', exact: true }).fill('ta');
  await expect(page.getByRole('option', { name: 'Tadeo Retirado' })).toBeHidden();
  await page.getByRole('option', { name: 'Tania Transportes' }).click();
  await assign.getByRole('combobox', { name: 'Empresa de transporte' }).click();
  await page.getByRole('option', { name: 'Correos' }).click();
  await expectAccessible(page);
  await assign.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByText('Pedido asignado exitosamente')).toBeVisible();
  await expect(row(page, pedido.numero_orden)).toContainText(carrier.full_name);
  await expect(row(page, pedido.numero_orden)).toContainText('Asignado');
  await expect(page.getByRole('button', { name: `Acciones del pedido ${pedido.numero_orden}` })).toBeFocused();

  await choose(page, pedido, 'Asignar transportista');
  await expect(assign.getByRole('combobox', { name: 'Empresa de transporte' })).toHaveValue('Correos');
  await assign.getByRole('combobox', { name: 'Transportista', exact: true }).click();
  await page.getByRole('option', { name: 'Sin asignar' }).click();
  await assign.getByRole('button', { name: 'Guardar' }).click();
  await expect(row(page, pedido.numero_orden)).toContainText('Sin asignar');
  await expect(row(page, pedido.numero_orden)).toContainText('Pendiente');
});

test('marking as paid needs a reference', async ({ page, api }) => {
  const pedido = await unpaid(api);
  await open(page);
  await choose(page, pedido, 'Marcar como pagado');
  const paid = dialog(page, 'Marcar como pagado');
  await expect(paid.getByLabel('Referencia del pago')).toBeFocused();
  await paid.getByRole('button', { name: 'Marcar como pagado' }).click();
  await expect(paid.getByText('Indica la referencia del pago')).toBeVisible();
  await expect(paid.getByLabel('Referencia del pago')).toBeFocused();
  await expectAccessible(page);
  await paid.getByLabel('Referencia del pago').fill('Transferencia 4711');
  await page.keyboard.press('Escape');
  await dialog(page, 'Descartar los cambios').getByRole('button', { name: 'Seguir editando' }).click();
  await expect(paid.getByLabel('Referencia del pago')).toHaveValue('Transferencia 4711');
  await paid.getByLabel('Referencia del pago').press('Enter');
  await expect(paid).toBeHidden();
  await expect(row(page, pedido.numero_orden)).toContainText('Pendiente');
});

test('a cancelled order stays in the list, and nothing moves it any more', async ({ page, api }) => {
  const pedido = await api.pedido();
  await open(page);
  await choose(page, pedido, 'Cancelar pedido');
  const cancel = dialog(page, 'Cancelar pedido');
  await cancel.getByLabel('Motivo (opcional)').fill('Ya no lo quiere');
  await cancel.getByRole('button', { name: 'Cancelar pedido' }).click();
  await expect(row(page, pedido.numero_orden)).toContainText('Cancelado');
  const of = await menu(page, pedido);
  for (const item of ['Editar', 'Asignar transportista', 'Completar', 'Cancelar pedido']) {
    await expect(of.getByRole('menuitem', { name: item })).toHaveAccessibleDescription('Está cancelado');
  }
});

test('the steps of an order on its way are in the menu while they can be taken', async ({ page, api }) => {
  const carrier = await api.user('transportista');
  const pedido = await api.pedido();
  await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: carrier.id } });
  await open(page);
  await choose(page, pedido, 'Salir a reparto');
  await dialog(page, 'Salir a reparto').getByRole('button', { name: 'Salir a reparto' }).click();
  await expect(row(page, pedido.numero_orden)).toContainText('En Ruta');

  await choose(page, pedido, 'Intento fallido');
  const failed = dialog(page, 'Intento fallido');
  await failed.getByRole('button', { name: 'Intento fallido' }).click();
  await expect(failed.getByText('Indica el motivo del intento fallido')).toBeVisible();
  await failed.getByLabel('Motivo').fill('No había nadie');
  await failed.getByRole('button', { name: 'Intento fallido' }).click();
  await expect(row(page, pedido.numero_orden)).toContainText('Asignado');
});

test('a deleted order leaves the list, and Deshacer brings it back', async ({ page, api }) => {
  const pedido = await api.pedido();
  await open(page);
  await choose(page, pedido, 'Eliminar');
  await expect(row(page, pedido.numero_orden)).toBeHidden();
  const notice = page.getByRole('status').filter({ hasText: 'Pedido eliminado' });
  await expect(notice).toContainText(pedido.numero_orden);
  await notice.getByRole('button', { name: 'Deshacer' }).click();
  await expect(row(page, pedido.numero_orden)).toBeVisible();
  await expect(notice).toBeHidden();
});

test('a deleted order is found in «Eliminados», says that it is, and is restored from its menu', async ({ page, api }) => {
  const pedido = await api.pedido({ cliente_nombre: 'Braulio Borrado' });
  await api.admin.call(deletePedido, { params: { id: pedido.id } });
  await open(page, '?search=braulio&eliminados=si');
  await choose(page, pedido, 'Ver');
  await expect(dialog(page, `Pedido ${pedido.numero_orden}`).getByRole('note')).toContainText('Este pedido está eliminado');
  await page.keyboard.press('Escape');
  await choose(page, pedido, 'Restaurar');
  await expect(page.getByText('Pedido restaurado')).toBeVisible();
  await expect(row(page, pedido.numero_orden)).toBeHidden();
  await open(page, '?search=braulio');
  await expect(row(page, pedido.numero_orden)).toBeVisible();
});

test('@desktop by keyboard: what goes away leaves the focus at its list, and Ctrl+Z brings an order back', async ({ page, api }) => {
  const [gone, done, many] = [await api.pedido(), await api.pedido(), await api.pedido()];
  const table = (name: string) => page.getByRole('table', { name });
  await open(page);
  await page.getByRole('button', { name: `Acciones del pedido ${gone.numero_orden}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Eliminar' }).press('Enter');
  await expect(row(page, gone.numero_orden)).toBeHidden();
  await expect(table('Pedidos')).toBeFocused();
  // The first of the list is a tick, which is no field that could undo something of its own.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+z');
  await expect(row(page, gone.numero_orden)).toBeVisible();

  await row(page, many.numero_orden).getByRole('checkbox').press('Space');
  await page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: 'Cancelar' }).press('Enter');
  await dialog(page, 'Cancelar pedidos').getByRole('button', { name: 'Cancelar 1 pedido' }).press('Enter');
  await expect(dialog(page, 'Cancelar pedidos')).toContainText('Hecho: 1 pedido.');
  await page.keyboard.press('Enter');
  await expect(table('Pedidos')).toBeFocused();

  await page.goto('/entregas?estado=pendiente');
  await page.getByRole('button', { name: `Completar entrega ${done.numero_orden}` }).press('Enter');
  await dialog(page, 'Completar Entrega').getByRole('radio', { name: 'Otro' }).check();
  await dialog(page, 'Completar Entrega').getByRole('button', { name: 'Completar sin número' }).press('Enter');
  await expect(row(page, done.numero_orden)).toBeHidden();
  await expect(table('Entregas')).toBeFocused();

  await page.goto('/admin?tab=logs');
  await page
    .getByRole('button', { name: /^Eliminar el registro/ })
    .first()
    .press('Enter');
  await dialog(page, 'Eliminar registro').getByRole('button', { name: 'Eliminar' }).press('Enter');
  await expect(table('Logs')).toBeFocused();

  await page.keyboard.press('?');
  await expect(dialog(page, 'Atajos de teclado')).toContainText('Deshacer la última eliminación');
});

test('a duplicate is a new order of the same customer', async ({ page, api }) => {
  const pedido = await api.pedido({ cliente_nombre: 'Dolores Repetida' });
  await open(page, '?search=dolores+repetida');
  await choose(page, pedido, 'Duplicar');
  await dialog(page, 'Duplicar pedido').getByRole('button', { name: 'Duplicar' }).click();
  await expect(page.getByText('Mostrando 2 de 2 pedidos')).toBeVisible();
  await expect(page.getByText(/Pedido duplicado como ORD-/)).toBeVisible();
});

test('whoever comes second hears what happened and sees it', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const [first, second] = [await api.user('transportista'), await api.user('transportista')];
  const pedido = await api.pedido();
  await open(page);
  await choose(page, pedido, 'Asignar transportista');
  await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: first.id } });
  const assign = dialog(page, 'Asignar transportista');
  await assign.getByRole('combobox', { name: 'Transportista', exact: true }).fill(second.full_name);
  await page.getByRole('option', { name: second.full_name }).click();
  await assign.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Otra persona ha cambiado este pedido' })).toBeVisible();
  await expect(assign).toBeHidden();
  await expect(row(page, pedido.numero_orden)).toContainText(first.full_name);
  const { body } = await api.admin.call(getPedido, { params: { id: pedido.id } });
  expect(body.data.transportista_id).toBe(first.id);
});
