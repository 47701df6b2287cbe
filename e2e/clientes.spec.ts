import { assignTransportista } from '../contract/pedidos/pedidos.ts';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';

/* A note on a customer goes from reseller to carrier. The screens of customers are tested in web/clientes/clientes.browser.test.tsx. */

test('a note on a customer is shown where their orders are taken and delivered', async ({ page, openAs, api }) => {
  const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
  const fields = { cliente_nombre: 'Julia Cano', cliente_telefono: '611 22 33 44', cliente_codigo_postal: '10001', revendedor_id: rita.id };
  const pedido = await api.pedido(fields);

  await signIn(page, rita.email, rita.password);
  await page.goto('/clientes');
  await page.getByRole('searchbox').fill('611223344');
  await page.getByRole('link', { name: 'Julia Cano' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Julia Cano');
  await expect(page.getByText(pedido.numero_orden)).toBeVisible();
  await page.getByRole('button', { name: 'Editar nota' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nota de Julia Cano' });
  await dialog.getByLabel('Nota', { exact: true }).fill('Perro suelto en el patio');
  await dialog.getByLabel('Avisar antes de ir').check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Perro suelto en el patio')).toBeVisible();

  // The form of a new order finds the note by the telephone alone.
  await page.goto('/pedidos/nuevo');
  await page.getByRole('combobox', { name: 'Teléfono' }).fill('+34 611223344');
  const known = page.getByRole('note').filter({ hasText: 'Cliente conocido' });
  await expect(known).toContainText('Avisar antes');
  await expect(known).toContainText('Perro suelto en el patio');

  // The carrier sees the note only after the order is assigned to them.
  const van = await openAs(tomas);
  await van.goto(`/pedidos-disponibles?search=${pedido.numero_orden}`);
  await expect(van.getByText('Julia Cano').first()).toBeVisible();
  await expect(van.getByText('Avisar antes')).toBeHidden();
  await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: tomas.id } });
  await van.goto('/pedidos-asignados');
  await expect(van.getByText('Avisar antes').first()).toBeVisible();
  await van.getByText('Julia Cano').first().click();
  await expect(van.getByRole('dialog').getByText('Perro suelto en el patio')).toBeVisible();
  await expect(van.getByRole('dialog').getByRole('link', { name: 'Julia Cano' })).toHaveCount(0);
});
