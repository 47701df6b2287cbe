import type { Page } from '@playwright/test';
import { anotarPago } from '../contract/payments.ts';
import { assignTransportista, deletePedido, getPedido, setEstado, setLineas, updatePedido, pedido as whole } from '../contract/pedidos.ts';
import { addDays, dayInMadrid, spanishDay } from '../test/day.ts';
import { type Arranger, expect, expectAccessible, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* One order, as a dialog over the list and as a page of its own: seen, edited, and its history. */

const enter = (page: Page) => signIn(page, SUPERADMIN.email, SUPERADMIN.password);
async function open(page: Page, path: string) {
  await enter(page);
  await page.goto(path);
}
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });
const history = (page: Page) => page.getByRole('region', { name: 'Historial' });
const save = (page: Page) => page.getByRole('button', { name: 'Guardar cambios' });

const cliente = {
  cliente_nombre: 'Inés Editada',
  cliente_direccion: 'Calle Vieja, 1',
  cliente_ciudad: 'Toledo',
  cliente_telefono: '600112233',
  instrucciones: 'Dejar en portería',
};
async function stored(api: Arranger, id: string) {
  return whole.parse((await api.admin.call(getPedido, { params: { id } })).body.data);
}

test('the dialog shows the order, and gives the focus back', async ({ page, api }) => {
  const pedido = await api.pedido({ ...cliente, cantidad: 3 });
  await open(page, '/pedidos');
  await row(page, pedido.numero_orden).getByText('Inés Editada').click();
  const dialog = page.getByRole('dialog', { name: `Pedido ${pedido.numero_orden}` });
  await expect(dialog).toBeVisible();
  await expect(field(page, 'Número de orden')).toHaveValue(pedido.numero_orden);
  await expect(dialog.getByText('Pendiente', { exact: true }).first()).toBeVisible();
  await expect(field(page, 'Producto')).toHaveValue(pedido.producto);
  await expect(field(page, 'Cantidad')).toHaveValue('3');
  await expect(field(page, 'Cantidad')).toBeDisabled();
  await expect(field(page, 'Precio unitario')).toHaveValue(/^25,00\s€$/);
  await expect(field(page, 'Total')).toHaveValue(/^75,00\s€$/);
  for (const label of ['Fecha de pedido', 'Fecha estimada']) await expect(field(page, label)).toHaveValue(/^\d\d\/\d\d\/\d{4}/);
  await expect(field(page, 'Cliente - Nombre')).toHaveValue('Inés Editada');
  await expect(field(page, 'Cliente - Nombre')).not.toBeEditable();
  await expect(history(page)).toContainText('Pedido creado');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await row(page, pedido.numero_orden).getByRole('link').click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row(page, pedido.numero_orden).getByRole('link')).toBeFocused();
});

test('several lines stand in a table, with shipping and discount; fewer of them leave too much paid', async ({ page, api }) => {
  const [oil, wine] = [await api.pack({ name: 'Lata', pack_price: 10 }), await api.pack({ name: 'Caja', pack_price: 30 })];
  const lineas = [
    { pack_id: oil.id, cantidad: 3 },
    { pack_id: wine.id, cantidad: 2 },
  ];
  const pedido = await api.pedido({ ...cliente, lineas, envio: 4.95, descuento: 2 });
  await open(page, '/pedidos');
  await row(page, pedido.numero_orden).getByText('Inés Editada').click();
  const lines = page.getByRole('dialog').getByRole('table', { name: 'Líneas del pedido' });
  await expect(lines.getByRole('row')).toHaveText([
    /Producto.*Importe/,
    /– Lata.*30,00\s€/,
    /– Caja.*60,00\s€/,
    /Envío4,95\s€/,
    /Descuento−2,00\s€/,
    /Total92,95\s€/,
  ]);
  await expect(
    lines
      .getByText(/^3 × 10,00\s€$/)
      .or(lines.getByRole('cell', { name: /^10,00\s€$/ }))
      .filter({ visible: true }),
  ).toHaveCount(1);
  for (const label of ['Producto', 'Cantidad', 'Precio unitario', 'Total']) await expect(field(page, label)).toHaveCount(0);
  await expectAccessible(page);

  const params = { id: pedido.id };
  await api.admin.call(anotarPago, { params, body: { metodo: 'bizum', importe: 92.95, fecha: '2026-01-05' } });
  const { version } = await stored(api, pedido.id);
  const fewer = { lineas: [{ numero: 1, cantidad: 3 }], envio: 0, descuento: 0, version };
  expect((await api.admin.call(setLineas, { params, body: fewer })).status).toBe(200);
  await page.goto(`/pedidos/${pedido.id}`);
  await expect(field(page, 'Pagado')).toHaveValue(/^Pagado de más: 92,95\s€ de 30,00\s€$/);
  await expect(field(page, 'Cantidad')).toHaveValue('3');
  await expect(history(page)).toContainText(/Líneas cambiadas.*«3 × .* – Lata»/);
});

test('lines that cannot be read leave the summary', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 403/);
  const pack_id = (await api.pack()).id;
  const { id, producto, numero_orden } = await api.pedido({ ...cliente, lineas: [{ pack_id }, { pack_id }] });
  await enter(page);
  await page.route(`**/api/pedidos/${id}`, (route) => route.fulfill({ status: 403, json: { message: 'No puedes' } }));
  await page.goto('/entregas');
  await row(page, numero_orden).getByRole('button', { name: /^Ver/ }).click();
  const dialog = page.getByRole('dialog', { name: `Detalles del Pedido ${numero_orden}` });
  await expect(dialog.getByRole('definition').filter({ hasText: producto })).toBeVisible();
  await expect(dialog.getByRole('table')).toHaveCount(0);
});

test('@desktop a row opens with the keyboard', async ({ page, api }) => {
  const pedido = await api.pedido();
  await open(page, '/pedidos');
  await row(page, pedido.numero_orden).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row(page, pedido.numero_orden)).toBeFocused();
});

test('it is edited in the dialog, and the history says who changed what', async ({ page, api }) => {
  const pedido = await api.pedido(cliente);
  await open(page, '/pedidos');
  await row(page, pedido.numero_orden).getByText('Inés Editada').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Editar' }).click();
  await field(page, 'Cliente - Nombre').fill('  ');
  await save(page).click();
  await expect(field(page, 'Cliente - Nombre')).toHaveAccessibleDescription('Completa los campos obligatorios');
  await expect(field(page, 'Cliente - Nombre')).toBeFocused();
  await expectAccessible(page);
  await field(page, 'Cliente - Nombre').fill('Inés Corregida');
  await field(page, 'Ciudad').fill('');
  await save(page).click();
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible();
  await expect(page.getByText('El pedido se actualizó correctamente')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(row(page, pedido.numero_orden)).toContainText('Inés Corregida');
  expect(await stored(api, pedido.id)).toMatchObject({ cliente_nombre: 'Inés Corregida', cliente_ciudad: null });

  await row(page, pedido.numero_orden).getByRole('link').click();
  await expect(history(page)).toContainText(/Nombre:\s*Inés Editada\s*Inés Corregida/);
  await expect(history(page)).toContainText('Administrador');
});

test('the promised date is set by hand, and the history says so', async ({ page, api }) => {
  const pedido = await api.pedido(cliente);
  const day = addDays(dayInMadrid(), 40);
  await open(page, `/pedidos/${pedido.id}/editar`);
  await field(page, 'Fecha estimada').fill(day);
  await save(page).click();
  await expect(page).toHaveURL('/pedidos');
  expect(dayInMadrid((await stored(api, pedido.id)).fecha_estimada ?? '')).toBe(day);
  await page.goto(`/pedidos/${pedido.id}`);
  await expect(field(page, 'Fecha estimada')).toHaveValue(spanishDay(day));
  await expect(history(page)).toContainText(new RegExp(`Fecha estimada:.*${spanishDay(day)}`));
});

test('the page edits too, and leads to the list; Volver goes one step back', async ({ page, api }) => {
  const pedido = await api.pedido(cliente);
  await open(page, `/pedidos?search=${pedido.numero_orden}`);
  await row(page, pedido.numero_orden).getByRole('link').click();
  await page.getByRole('link', { name: 'Abrir en su página' }).click();
  await expect(page).toHaveURL(`/pedidos/${pedido.id}`);
  await expect(page.getByRole('heading', { level: 1, name: `Pedido ${pedido.numero_orden}` })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Volver' }).click();
  await expect(page).toHaveURL(`/pedidos?search=${pedido.numero_orden}`);

  await page.goto(`/pedidos/${pedido.id}/editar`);
  await field(page, 'Instrucciones').fill('Llamar antes');
  await expectAccessible(page);
  await save(page).click();
  await expect(page).toHaveURL('/pedidos');
  expect((await stored(api, pedido.id)).instrucciones).toBe('Llamar antes');
});

test('without a step to go back to, Volver goes to the list', async ({ page, api, context }) => {
  const pedido = await api.pedido();
  await enter(page);
  const direct = await context.newPage();
  await direct.goto(`/pedidos/${pedido.id}`);
  await direct.getByRole('button', { name: 'Volver' }).click();
  await expect(direct).toHaveURL('/pedidos');
});

test('what was typed is not lost by accident', async ({ page, api }) => {
  const pedido = await api.pedido(cliente);
  await open(page, '/pedidos');
  await row(page, pedido.numero_orden).getByText('Inés Editada').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Editar' }).click();
  await field(page, 'Ciudad').fill('Ávila');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(field(page, 'Ciudad')).toHaveValue('Ávila');
  // Escape asks, and Escape again goes on editing; for a moment after it the dialog hears no other.
  const ask = async () => {
    await page.keyboard.press('Escape');
    await expect(question).toBeVisible({ timeout: 500 });
  };
  await expect(ask).toPass();
  await page.keyboard.press('Escape');
  // Nothing stands before the field any more.
  await field(page, 'Ciudad').click();
  await expect(field(page, 'Ciudad')).toHaveValue('Ávila');
  await expect(ask).toPass();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goto(`/pedidos/${pedido.id}/editar`);
  await field(page, 'Ciudad').fill('Ávila');
  await page.getByRole('button', { name: 'Volver' }).click();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(field(page, 'Ciudad')).toHaveValue('Ávila');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(page).toHaveURL(`/pedidos/${pedido.id}`);
  await expect(field(page, 'Ciudad')).toHaveValue('Toledo');
});

test('of a completed order only the instructions change; of a cancelled one, nothing', async ({ page, api }) => {
  const done = await api.pedido(cliente);
  await api.admin.call(setEstado, { params: { id: done.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  const cancelled = await api.pedido(cliente);
  await api.admin.call(setEstado, { params: { id: cancelled.id }, body: { estado: 'cancelado' } });

  await open(page, `/pedidos/${done.id}/editar`);
  await expect(page.getByText('El pedido está completado: solo se pueden cambiar las instrucciones.')).toBeVisible();
  await expect(field(page, 'Cliente - Dirección')).not.toBeEditable();
  await field(page, 'Instrucciones').fill('Recogió la vecina');
  await save(page).click();
  await expect(page).toHaveURL('/pedidos');
  expect((await stored(api, done.id)).instrucciones).toBe('Recogió la vecina');

  await page.goto(`/pedidos/${cancelled.id}/editar`);
  await expect(page.getByText('El pedido está cancelado: no se puede modificar.')).toBeVisible();
  await expect(field(page, 'Instrucciones')).not.toBeEditable();
  await expect(save(page)).toBeDisabled();
  await page.goto(`/pedidos/${cancelled.id}`);
  await expect(page.getByRole('button', { name: 'Editar' })).toBeHidden();
});

test('two superadmins edit the same order: the second chooses, field by field, and nothing is lost', async ({
  page,
  openAs,
  api,
  allowErrors,
}) => {
  allowErrors(/status of 409/);
  const pedido = await api.pedido(cliente);
  const other = await openAs(await api.user('superadmin'));
  await open(page, `/pedidos/${pedido.id}/editar`);
  // Both have begun before one of them saves.
  await field(page, 'Cliente - Dirección').fill('Calle Mía, 3');
  await other.goto(`/pedidos/${pedido.id}/editar`);

  await field(other, 'Cliente - Teléfono').fill('911 000 000');
  await field(other, 'Cliente - Dirección').fill('Calle Nueva, 2');
  await field(other, 'Ciudad').fill('Madrid');
  await save(other).click();
  await expect(other).toHaveURL('/pedidos');

  await field(page, 'Ciudad').fill('Segovia');
  await field(page, 'Instrucciones').fill('Mías');
  await save(page).click();
  await expect(page.getByText('Otra persona ha cambiado este pedido mientras lo editabas')).toBeVisible();
  await expectAccessible(page);
  const choice = (campo: string) => page.getByRole('group', { name: campo, exact: true });
  await expect(choice('Dirección')).toContainText('Calle Mía, 3');
  await expect(choice('Dirección')).toContainText('Calle Nueva, 2');
  await expect(choice('Dirección').getByRole('button', { name: 'Mantener lo mío' })).toHaveAttribute('aria-pressed', 'true');
  // Only the other one touched the phone: it is already the stored one.
  await expect(field(page, 'Cliente - Teléfono')).toHaveValue('911 000 000');
  await choice('Ciudad').getByRole('button', { name: 'Usar lo guardado' }).click();
  await expect(field(page, 'Ciudad')).toHaveValue('Madrid');
  await choice('Teléfono').getByRole('button', { name: 'Volver a lo que había' }).click();
  await expect(field(page, 'Cliente - Teléfono')).not.toHaveValue('911 000 000');
  await choice('Teléfono').getByRole('button', { name: 'Usar lo guardado' }).click();
  await save(page).click();
  await expect(page).toHaveURL('/pedidos');
  expect(await stored(api, pedido.id)).toMatchObject({
    cliente_direccion: 'Calle Mía, 3',
    cliente_ciudad: 'Madrid',
    cliente_telefono: '911 000 000',
    instrucciones: 'Mías',
  });
});

test('what somebody else changed before anything is typed is what is edited', async ({ page, api }) => {
  const pedido = await api.pedido(cliente);
  await open(page, '/pedidos');
  const edit = async () => {
    await page.getByRole('button', { name: `Acciones del pedido ${pedido.numero_orden}` }).click();
    await page.getByRole('menuitem', { name: 'Editar' }).click();
  };
  await edit();
  await expect(field(page, 'Ciudad')).toHaveValue('Toledo');
  // Until the order is read the dialog shows it, with «Cancelar pedido» among its steps.
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  const moved = (cliente_ciudad: string) =>
    api.admin.call(updatePedido, { params: { id: pedido.id }, body: { ...cliente, cliente_ciudad } });
  await moved('Lugo');
  await edit();
  await expect(field(page, 'Ciudad')).toHaveValue('Lugo');
  // And with the form open.
  await moved('Vigo');
  await expect(field(page, 'Ciudad')).toHaveValue('Vigo');
  await field(page, 'Instrucciones').fill('Con prisa');
  await save(page).click();
  await expect(page.getByText('El pedido se actualizó correctamente')).toBeVisible();
  expect(await stored(api, pedido.id)).toMatchObject({ cliente_ciudad: 'Vigo', instrucciones: 'Con prisa' });
});

test('an order completed while somebody edited it keeps what may no longer change', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const pedido = await api.pedido(cliente);
  await open(page, `/pedidos/${pedido.id}/editar`);
  await field(page, 'Ciudad').fill('Cuenca');
  await field(page, 'Instrucciones').fill('Con cuidado');
  await api.admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'completado', metodo_entrega: 'otro' } });
  await save(page).click();
  await expect(page.getByText('El pedido está completado: solo se pueden cambiar las instrucciones.')).toBeVisible();
  await expect(field(page, 'Ciudad')).toHaveValue('Toledo');
  await expect(field(page, 'Instrucciones')).toHaveValue('Con cuidado');
  // What can no longer be stored is still there to be read.
  await expect(page.getByRole('group', { name: 'Ciudad', exact: true })).toContainText('Cuenca');
  await expect(page.getByText('Lo que habías escrito ya no se puede guardar')).toBeVisible();
  await expectAccessible(page);
  await save(page).click();
  await expect(page).toHaveURL('/pedidos');
  expect(await stored(api, pedido.id)).toMatchObject({ cliente_ciudad: 'Toledo', instrucciones: 'Con cuidado' });
});

test('a save that fails keeps what was typed', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 500/);
  const pedido = await api.pedido(cliente);
  await open(page, `/pedidos/${pedido.id}/editar`);
  await page.route(`**/api/pedidos/${pedido.id}`, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado' } })
      : route.fallback(),
  );
  await field(page, 'Ciudad').fill('Soria');
  await save(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No se pudo guardar el pedido' })).toBeVisible();
  await expect(field(page, 'Ciudad')).toHaveValue('Soria');
  expect((await stored(api, pedido.id)).cliente_ciudad).toBe('Toledo');
});

test('an order that does not exist cannot be loaded', async ({ page, allowErrors }) => {
  allowErrors(/status of 404/);
  await open(page, '/pedidos/00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('alert').filter({ hasText: 'No se pudo cargar el pedido' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Volver' })).toBeVisible();
});

test('a deleted order is still there for whoever has its address, and can be restored', async ({ page, api }) => {
  const pedido = await api.pedido(cliente);
  await open(page, `/pedidos/${pedido.id}`);
  await page.getByRole('button', { name: `Acciones del pedido ${pedido.numero_orden}` }).click();
  await page.getByRole('menuitem', { name: 'Eliminar' }).click();
  await expect(page.getByText('Este pedido está eliminado')).toBeVisible();
  await page.getByRole('button', { name: 'Restaurar' }).click();
  await expect(page.getByText('Este pedido está eliminado')).toBeHidden();
  expect((await stored(api, pedido.id)).deleted_at).toBeNull();
});

test('an order deleted while somebody edited it can be restored, and what was typed with it', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const pedido = await api.pedido(cliente);
  await open(page, `/pedidos/${pedido.id}/editar`);
  await field(page, 'Ciudad').fill('Soria');
  await api.admin.call(deletePedido, { params: { id: pedido.id } });
  await save(page).click();
  await expect(page.getByText('El pedido está eliminado: no se puede modificar.')).toBeVisible();
  await page.getByRole('button', { name: 'Restaurar' }).click();
  await expect(page.getByText('El pedido está eliminado: no se puede modificar.')).toBeHidden();
  await page.getByRole('group', { name: 'Ciudad', exact: true }).getByRole('button', { name: 'Mantener lo mío' }).click();
  await save(page).click();
  await expect(page).toHaveURL('/pedidos');
  expect((await stored(api, pedido.id)).cliente_ciudad).toBe('Soria');
});

test('who is not a superadmin edits nothing', async ({ api }) => {
  const carrier = await api.user('transportista');
  const pedido = await api.pedido(cliente);
  await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: carrier.id } });
  const reply = await (await api.as(carrier)).call(updatePedido, { params: { id: pedido.id }, body: cliente });
  expect(reply.status).toBe(403);
});
