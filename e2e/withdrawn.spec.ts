import { assignTransportista, deletePedido, setEstado } from '../contract/pedidos/pedidos.ts';
import { expect, row, test } from './fixtures.ts';
import { asignados, details, dialog, inHand, step } from './transportista.ts';

/* A superadmin takes an order away from its carrier while the carrier's dialog shows it. */

test('a carrier’s open dialog says at once who reassigned, cancelled or deleted the order', async ({ openAs, api, allowErrors }) => {
  allowErrors(/status of 404/);
  const ana = await api.as(await api.user('superadmin', { full_name: 'Ana Manda' }));
  const luis = await api.user('transportista', { full_name: 'Luis Lleva' });
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const [reassigned, deleted, cancelled] = [
    await inHand(api, client, { cliente_telefono: '611 222 333' }),
    await inHand(api, client, {}, 'en_ruta'),
    await inHand(api, client),
  ];
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');

  await details(page, row(asignados(page), reassigned.numero_orden));
  const shown = dialog(page, /^Detalles del Pedido/);
  await expect(shown).toContainText('611 222 333');
  await ana.call(assignTransportista, { params: { id: reassigned.id }, body: { transportista_id: luis.id } });
  await expect(shown.getByRole('alert')).toContainText('Ana Manda ha pasado este pedido a Luis Lleva el ');
  await expect(shown).not.toContainText('611 222 333');
  await page.keyboard.press('Escape');

  await step(page, row(asignados(page), deleted.numero_orden), 'Intento fallido');
  const failed = dialog(page, 'Intento fallido');
  await failed.getByRole('radio', { name: 'Ausente' }).click();
  await ana.call(deletePedido, { params: { id: deleted.id } });
  await expect(failed.getByRole('alert')).toContainText('Ana Manda ha eliminado este pedido el ');
  await failed.getByRole('button', { name: 'Cerrar' }).last().click();
  await expect(failed).toBeHidden();

  await step(page, row(asignados(page), cancelled.numero_orden), 'Completar');
  const completing = dialog(page, 'Completar Entrega');
  await expect(completing.getByRole('button', { name: 'Completar entrega' })).toBeVisible();
  await ana.call(setEstado, { params: { id: cancelled.id }, body: { estado: 'cancelado' } });
  await expect(completing.getByRole('alert')).toContainText('Ana Manda ha cancelado este pedido el ');
  await expect(completing.getByRole('button', { name: 'Completar entrega' })).toBeHidden();
});
