import { expect, row, test } from './fixtures.ts';
import { asignados, complete, details, dialog, disponibles, expectDialogAccessible, inHand, step } from './transportista.ts';

/* A carrier's round: setting out, coming back with a reason, completing. */

test('an order goes out, comes back with a reason, and goes back to everybody', async ({ openAs, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const pedido = await inHand(api, client, { cliente_nombre: 'Pepa Nieto' });
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  const mine = row(asignados(page), pedido.numero_orden);
  await step(page, mine, 'Empezar a preparar');
  await expect(mine).toContainText('En Proceso');
  await step(page, mine, 'Salir a reparto');
  await expect(mine).toContainText('En Ruta');

  await step(page, mine, 'Intento fallido');
  const failed = dialog(page, 'Intento fallido');
  await failed.getByRole('button', { name: 'Registrar intento fallido' }).click();
  await expect(failed).toContainText('Por favor, selecciona un motivo');
  await failed.getByRole('radio', { name: 'Otro motivo' }).click();
  await failed.getByRole('button', { name: 'Registrar intento fallido' }).click();
  await expect(failed).toContainText('Por favor, explica el motivo');
  await expectDialogAccessible(page);
  await failed.getByRole('radio', { name: 'Ausente' }).click();
  await failed.getByLabel('Detalles (opcional)').fill('vuelve a las seis');
  await page.keyboard.press('Escape');
  await dialog(page, 'Descartar los cambios').getByRole('button', { name: 'Seguir editando' }).click();
  await failed.getByRole('button', { name: 'Registrar intento fallido' }).click();
  await expect(failed).toBeHidden();
  await expect(mine).toContainText('Asignado');
  await expect(mine).toContainText('Ausente: vuelve a las seis');

  await step(page, mine, 'Devolver a disponibles');
  await dialog(page, 'Devolver a disponibles').getByRole('button', { name: 'Cancelar' }).click();
  await expect(mine).toBeVisible();
  await step(page, mine, 'Devolver a disponibles');
  await dialog(page, 'Devolver a disponibles').getByRole('button', { name: 'Devolver' }).click();
  await expect(page.getByText('No tienes pedidos en curso')).toBeVisible();
  await page.goto(`/pedidos-disponibles?search=${pedido.numero_orden}`);
  await expect(row(disponibles(page), pedido.numero_orden)).toBeVisible();
});

test('completing asks for a method, and for the number only when it is given', async ({ openAs, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const numbered = await inHand(api, client);
  const plain = await inHand(api, client);
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  const completing = dialog(page, 'Completar Entrega');
  const button = row(asignados(page), numbered.numero_orden).getByRole('button', { name: 'Completar' });
  await button.click();
  await expect(completing.getByRole('radio')).toHaveText(['Correos', 'MRW', 'FedEx', 'Entrega manual', 'Otro']);
  await completing.getByRole('button', { name: 'Completar sin número' }).click();
  await expect(completing).toContainText('Por favor, selecciona un método de entrega');
  await expect(completing).not.toContainText('Por favor, introduce el número de seguimiento');
  await completing.getByRole('radio', { name: 'MRW' }).click();
  await completing.getByLabel('Número de seguimiento (opcional)').fill('   ');
  await completing.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(completing).toContainText('Por favor, introduce el número de seguimiento');
  await expect(completing.getByLabel('Número de seguimiento (opcional)')).toBeFocused();
  await expectDialogAccessible(page);

  await page.keyboard.press('Escape');
  await dialog(page, 'Descartar los cambios').getByRole('button', { name: 'Descartar' }).click();
  await expect(completing).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await completing.getByRole('radio', { name: 'MRW' }).click();
  await completing.getByLabel('Número de seguimiento (opcional)').fill('  MRW-900  ');
  await completing.getByLabel('Empresa de transporte (opcional)').fill(' Rápidos del Sur ');
  await completing.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  await expect(row(asignados(page), numbered.numero_orden)).toBeHidden();

  // The method of the last time is already chosen.
  await row(asignados(page), plain.numero_orden).getByRole('button', { name: 'Completar' }).click();
  await expect(completing.getByRole('radio', { name: 'MRW' })).toBeChecked();
  await completing.getByLabel('Número de seguimiento (opcional)').fill('no se envía');
  await completing.getByRole('button', { name: 'Completar sin número' }).click();
  await expect(page.getByText('No tienes pedidos en curso')).toBeVisible();

  await page.goto('/pedidos-asignados?estado=completado');
  await expect(row(asignados(page), numbered.numero_orden)).toContainText('MRW · MRW-900');
  await expect(row(asignados(page), plain.numero_orden)).not.toContainText('no se envía');
  await details(page, row(asignados(page), numbered.numero_orden));
  const shown = dialog(page, `Detalles del Pedido ${numbered.numero_orden}`);
  await expect(shown).toContainText('MRW-900');
  await expect(shown).toContainText('Rápidos del Sur');
  await expectDialogAccessible(page);
});

test('whoever completes second, in another window, reads that it is done', async ({ openAs, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const pedido = await inHand(api, client);
  const page = await openAs(carrier);
  await page.goto('/pedidos-asignados');
  await row(asignados(page), pedido.numero_orden).getByRole('button', { name: 'Completar' }).click();
  await complete(client, pedido.id, 'manual');
  const completing = dialog(page, 'Completar Entrega');
  await completing.getByRole('radio', { name: 'Otro' }).click();
  await completing.getByRole('button', { name: 'Completar sin número' }).click();
  await expect(page.getByText('El pedido ya está en estado «Completado»')).toBeVisible();
  await expect(completing).toBeHidden();
  await expect(page.getByText('No tienes pedidos en curso')).toBeVisible();
});
