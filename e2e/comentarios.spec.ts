import { assignTransportista } from '../contract/pedidos/pedidos.ts';
import { expect, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Comments on an order. */

test('a reseller and the office exchange comments that the carrier does not see', async ({ page, openAs, api }) => {
  const [reseller, carrier] = [await api.user('revendedor'), await api.user('transportista')];
  const pedido = await api.pedido({ revendedor_id: reseller.id, cliente_nombre: 'Elena Prieto' });
  await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: carrier.id } });

  const theirs = await openAs(reseller);
  await theirs.goto(`/mis-pedidos?search=${pedido.numero_orden}`);
  await theirs.getByText('Elena Prieto').first().click();
  const dialog = theirs.getByRole('dialog');
  await dialog.getByLabel('Escribe un comentario').fill('¿Cuándo sale?');
  await dialog
    .getByRole('button', { name: /^Avisar a / })
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Comentar' }).click();
  await expect(dialog.getByRole('list', { name: 'Historia y comentarios' })).toContainText('¿Cuándo sale?');

  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/');
  await page.getByRole('button', { name: /^Avisos/ }).click();
  await page.getByText(`${reseller.full_name} te ha nombrado en el pedido ${pedido.numero_orden}`).click();
  await expect(page).toHaveURL(new RegExp(pedido.id));
  const comments = page.getByRole('list', { name: 'Historia y comentarios' });
  await expect(comments).toContainText('¿Cuándo sale?');
  await page.getByLabel('Escribe un comentario').fill('Mañana a primera hora');
  await page.getByRole('button', { name: 'Comentar' }).click();
  await expect(comments).toContainText(/Mañana a primera hora.*¿Cuándo sale\?/);
  // The reseller's open dialog updates live.
  await expect(dialog.getByText('Mañana a primera hora')).toBeVisible();

  const van = await openAs(carrier);
  await van.goto('/pedidos-asignados');
  await van.getByText('Elena Prieto').first().click();
  await expect(van.getByRole('dialog').getByLabel('Escribe un comentario')).toBeVisible();
  await expect(van.getByText('Mañana a primera hora')).toBeHidden();
});
