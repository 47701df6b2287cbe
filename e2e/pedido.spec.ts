import { expect, row, rows, SUPERADMIN, signIn, test } from './fixtures.ts';

/* One order against the real server, from its payment to its delivery, by a superadmin alone. */

test('a superadmin takes an order through all its steps, which its history and the log record', async ({ page, api }) => {
  const carrier = await api.user('transportista', { full_name: 'Tania Transportes' });
  const fields = { cliente_nombre: 'Inés Editada', cliente_direccion: 'Calle Vieja, 1', cliente_ciudad: 'Toledo' };
  const { id, numero_orden } = await api.pedido(fields, await api.as(await api.user('revendedor')));
  const mine = row(page, numero_orden);
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const press = (of: string, button = of) => dialog(of).getByRole('button', { name: button }).click();
  const choose = async (item: string) => {
    await page.getByRole('button', { name: `Acciones del pedido ${numero_orden}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  // For steps that only the open order offers, not the menu of its row: by their button, or under «Más».
  const chooseInside = async (item: string) => {
    await page.goto('/pedidos');
    await choose('Ver');
    const steps = dialog(`Pedido ${numero_orden}`).getByRole('group', { name: 'Acciones del pedido' });
    await expect(steps.getByRole('button').first()).toBeVisible();
    const direct = steps.getByRole('button', { name: item, exact: true });
    if ((await direct.count()) > 0) return direct.click();
    await steps.getByRole('button', { name: 'Más' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos');

  await choose('Anotar pago');
  await dialog('Anotar pago').getByLabel('Referencia (opcional)').fill('Transferencia 4711');
  await press('Anotar pago');
  await expect(mine).toContainText('Pendiente');

  await choose('Editar');
  await page.getByLabel('Cliente - Nombre').fill('Inés Corregida');
  await page.getByLabel('Ciudad').fill('');
  await press(`Pedido ${numero_orden}`, 'Guardar cambios');
  await expect(mine).toContainText('Inés Corregida');

  await choose('Asignar transportista');
  await dialog('Asignar transportista').getByRole('combobox', { name: 'Transportista', exact: true }).fill('tania');
  await page.getByRole('option', { name: carrier.full_name }).click();
  await press('Asignar transportista', 'Guardar');
  await expect(mine).toContainText(/Tania Transportes.*Asignado/);

  await chooseInside('Salir a reparto');
  await press('Salir a reparto');
  await expect(mine).toContainText('En Ruta');
  await chooseInside('Intento fallido');
  await dialog('Intento fallido').getByLabel('Motivo').fill('No había nadie');
  await press('Intento fallido');
  await expect(mine).toContainText('Asignado');

  await page.goto('/pedidos');
  await choose('Eliminar');
  // A paid order owes its money back, which the question says.
  await expect(dialog('Eliminar pedido')).toContainText('25,00');
  await press('Eliminar pedido', 'Eliminar');
  await expect(mine).toBeHidden();
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(mine).toContainText('Asignado');

  await chooseInside('Completar');
  await dialog('Completar Entrega').getByRole('button', { name: 'Cambiar el método de entrega' }).click();
  await dialog('Completar Entrega').getByRole('radio', { name: 'MRW' }).click();
  await dialog('Completar Entrega')
    .getByLabel(/Número de seguimiento/)
    .fill('MRW-778');
  await press('Completar Entrega', 'Completar entrega');
  await expect(mine).toContainText('Completado');
  await chooseInside('Duplicar');
  await press('Duplicar pedido', 'Duplicar');
  await page.goto('/pedidos');
  await expect(rows(page.getByRole('main')).filter({ hasText: 'Inés Corregida' })).toHaveCount(2);

  await page.goto(`/pedidos/${id}`);
  await expect(page.locator('dt:text-is("Transportista") + dd')).toHaveText('Tania Transportes');
  await expect(page.getByRole('link', { name: /MRW-778/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Pagos' })).toContainText('Transferencia 4711');
  // The history shows the newest step first.
  const steps = [
    /Entregado.*Asignado.*Completado/,
    /Pedido restaurado/,
    /Pedido eliminado/,
    /Intento fallido.*«No había nadie»/,
    /En reparto/,
    /Transportista asignado/,
    /Pedido editado.*Nombre:\s*Inés Editada\s*Inés Corregida/,
    /Pagado/,
    /Pedido creado/,
  ];
  const history = page.getByRole('region', { name: 'Historia y comentarios' });
  await history.getByRole('button', { name: /^Ver todo/ }).click();
  await expect(history).toContainText(new RegExp(steps.map(({ source }) => source).join('.*')));

  // The log stores the names of fields, and the screen shows their labels.
  await page.goto(`/admin?tab=logs&search=${numero_orden}`);
  const entry = row(page, `Entregado: ${numero_orden}`);
  await entry.getByRole('button', { name: 'Ver cambios' }).click();
  await expect(entry.getByRole('row', { name: 'Estado Asignado Completado', exact: true })).toBeVisible();
  await expect(entry.getByRole('row', { name: 'Método de entrega — MRW', exact: true })).toBeVisible();
  await page.getByRole('link', { name: `Pedido eliminado: ${numero_orden}` }).click();
  await expect(page).toHaveURL(`/pedidos/${id}`);
});
