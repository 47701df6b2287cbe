import { anotarPago } from '../contract/payments/payments.ts';
import { getPedido, setEstado } from '../contract/pedidos/pedidos.ts';
import { dayInMadrid } from '../test/day.ts';
import { expect, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Returns after the delivery. */

test('a return and its refund registered by the office are shown to the reseller, and can be annulled', async ({
  page,
  openAs,
  api,
  allowErrors,
}) => {
  allowErrors(/status of 422/);
  const reseller = await api.user('revendedor');
  const pack = await api.pack({ pack_price: 10, pack_quantity: 2 });
  const pedido = await api.pedido({ pack_id: pack.id, cantidad: 3, revendedor_id: reseller.id, cliente_nombre: 'Delia Devuelve' });
  const payment = { metodo: 'bizum' as const, importe: 30, fecha: dayInMadrid() };
  await api.admin.call(anotarPago, { params: { id: pedido.id }, body: payment });
  await api.admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });

  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/pedidos/${pedido.id}`);
  const section = page.getByRole('region', { name: 'Devoluciones' });
  await page.getByRole('group', { name: 'Acciones del pedido' }).getByRole('button', { name: 'Registrar devolución' }).click();
  const form = page.getByRole('form', { name: 'Registrar devolución' });
  await form.getByRole('group', { name: pedido.producto }).getByLabel('Devueltos (de 3)').fill('2');
  await form.getByRole('radio', { name: 'Llegó dañado' }).click();
  await form.getByLabel('Reembolso (€)').fill('35');
  await form.getByRole('button', { name: 'Registrar devolución' }).click();
  await expect(form.getByLabel('Reembolso (€)')).toHaveAccessibleDescription(/De lo pagado quedan 30,00/);
  await form.getByLabel('Reembolso (€)').fill('20');
  await form.getByRole('button', { name: 'Registrar devolución' }).click();
  const entries = section.getByRole('list', { name: 'Devoluciones' }).getByRole('listitem');
  await expect(entries).toContainText(['Llegó dañado']);
  await expect(entries.first()).toContainText('vuelve al stock');

  const theirs = await openAs(reseller);
  await theirs.goto(`/mis-pedidos?search=${pedido.numero_orden}`);
  await theirs.getByText('Delia Devuelve').first().click();
  const returned = theirs.getByRole('dialog').getByRole('list', { name: 'Devoluciones' });
  await expect(returned).toContainText('Reembolso de 20,00');

  await section.getByRole('button', { name: /^Acciones de la devolución/ }).click();
  await page.getByRole('menuitem', { name: 'Anular' }).click();
  await section.getByLabel('Motivo').fill('Era otro pedido');
  await section.getByRole('button', { name: 'Anular la devolución' }).click();
  await expect(entries.first()).toContainText('Anulada el');
  // The live update closes the outdated dialog.
  await expect(returned).toBeHidden();
  const { data } = (await api.admin.call(getPedido, { params: { id: pedido.id } })).body;
  expect(data).toMatchObject({ cantidad_devuelta: 0, reembolsado: 0, unidades_retenidas: 6 });
});
