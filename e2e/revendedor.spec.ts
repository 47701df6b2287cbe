import { assignTransportista, getPedido, listPedidos, setEstado } from '../contract/pedidos/pedidos.ts';
import { expect, keptVersions, row, rows, signIn, test } from './fixtures.ts';
import { openRoad } from './road.ts';

/* A reseller's day in «Mis Pedidos». The screens themselves are tested in web/pedidos/mis-pedidos/mis-pedidos.browser.test.tsx. */

test('a reseller corrects, repeats and cancels an order, and the open list follows every change', async ({ page, api }) => {
  const person = await api.user('revendedor');
  const client = await api.as(person);
  const pack = await api.pack({ pack_price: 40 });
  const first = await api.pedido({ pack_id: pack.id, cliente_nombre: 'Olga Sur', cliente_direccion: 'Calle Mal, 1' }, client);
  await signIn(page, person.email, person.password);
  await page.goto('/mis-pedidos');
  const list = page.getByLabel('Mis pedidos', { exact: true });
  const row = (numero_orden: string) => rows(list).filter({ hasText: numero_orden });
  const choose = async (action: string) => {
    await row(first.numero_orden)
      .getByRole('button', { name: `Acciones del pedido ${first.numero_orden}` })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  await choose('Ver');
  const takeFolded = async (name: string) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Más' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await takeFolded('Corregir los datos');
  const form = page.getByRole('form', { name: `Editar el pedido ${first.numero_orden}` });
  await form.getByLabel('Dirección').fill('Calle Bien, 2');
  await form.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByText('El pedido se actualizó correctamente')).toBeVisible();

  await takeFolded('Repetir pedido');
  await expect(page.getByRole('combobox', { name: 'Pack' })).toHaveValue(`${pack.product_name} – ${pack.name}`);
  await expect(page.getByLabel('Dirección')).toHaveValue('Calle Bien, 2');
  await page.getByRole('button', { name: 'Crear Pedido' }).click();
  await page.getByRole('dialog', { name: 'Pedido creado' }).getByRole('link', { name: 'Ver Mis Pedidos' }).click();
  await choose('Cancelar pedido');
  await page.getByRole('dialog', { name: 'Cancelar pedido' }).getByRole('button', { name: 'Cancelar pedido' }).click();
  await expect(row(first.numero_orden)).toContainText('Cancelado');

  const second = (await client.call(listPedidos, { query: { estado: 'pendiente_pago' } })).body.data[0];
  const params = { id: second?.id ?? '' };
  await expect(row(second?.numero_orden ?? 'none').getByRole('link', { name: /^Pagar/ })).toBeVisible();
  await api.admin.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'TR-1' } });
  await expect(row(second?.numero_orden ?? 'none')).toContainText('En espera del transportista');
  const carrier = await api.user('transportista');
  await api.admin.call(assignTransportista, { params, body: { transportista_id: carrier.id } });
  await expect(row(second?.numero_orden ?? 'none')).toContainText(`Lo lleva ${carrier.full_name}`);
  // Other resellers must not learn that the order exists.
  const other = await api.as(await api.user('revendedor'));
  expect((await other.call(getPedido, { params })).status).toBe(404);
  const card = (label: string) => page.getByRole('link', { name: new RegExp(`^${label} ?\\d`) });
  await expect(card('Total')).toContainText('2');
  await expect(card('Ventas')).toContainText('40,00 €');
  await card('Asignados').click();
  await expect(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();
});

test('@phone a reseller opens the program behind a server that hangs, on the orders last seen, until the server answers', async ({
  openAs,
  api,
  server,
  allowErrors,
}) => {
  allowErrors(/./);
  const rita = await api.user('revendedor');
  const { numero_orden, id } = await api.pedido({ cliente_nombre: 'Pilar Otero' }, await api.as(rita));
  const road = await openRoad(server.url);
  try {
    const page = await openAs(rita, (page, email, password) => signIn(page, email, password, true));
    const context = page.context();
    await page.goto(`${road.url}/mis-pedidos`);
    await expect(row(page, numero_orden)).toBeVisible();
    await expect.poll(() => keptVersions(page)).toBe(1);
    await page.waitForLoadState('networkidle').catch(() => undefined);
    await page.close();

    road.set('hang');
    const again = await context.newPage();
    await again.goto(`${road.url}/mis-pedidos`);
    await expect(row(again, numero_orden)).toBeVisible();
    await expect(again.getByText('de hace 1 min')).toBeVisible();
    await expect(again.getByText(/Sin conexión desde/)).toBeVisible({ timeout: 20_000 });

    await api.admin.call(setEstado, { params: { id }, body: { estado: 'cancelado', paso: 'cancelar' } });
    road.set(undefined);
    await expect(row(again, numero_orden)).toContainText('Cancelado');
    await expect(again.getByText(/^de hace/)).toBeHidden();
  } finally {
    await road.close();
  }
});
