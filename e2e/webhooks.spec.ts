import { createPedido } from '../contract/pedidos.ts';
import { listWebhooks } from '../contract/webhooks.ts';
import { openReceiver } from '../test/webhook-receiver.ts';
import { chooseTheme, expect, expectAccessible, expectFits, proveIn, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Configuración › Integraciones: a webhook is made, tried out and looked after. */

test('a webhook is created, its secret shown once, tried out, and a delivery sent again', async ({ page, api, allowErrors }) => {
  // The password is asked for once more.
  allowErrors(/status of 403/);
  const receiver = await openReceiver();
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/configuracion?tab=integrations');
  const section = page.getByRole('region', { name: 'Webhooks' });
  await expect(section).toContainText('Un webhook avisa al momento a otro programa');

  await section.getByRole('button', { name: 'Nuevo webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Nuevo webhook' });
  await form.getByRole('textbox', { name: 'Dirección' }).fill('tienda');
  for (const name of ['Stock bajo', 'Pedido creado']) await expect(form.getByRole('checkbox', { name })).toBeChecked();
  await form.getByRole('checkbox', { name: 'Stock bajo' }).uncheck();
  await form.getByRole('button', { name: 'Crear webhook' }).click();
  await expect(form.getByRole('textbox', { name: 'Dirección' })).toHaveAccessibleDescription(/Escribe la dirección completa/);
  await form.getByRole('textbox', { name: 'Dirección' }).fill(receiver.url);
  await form.getByRole('textbox', { name: 'Descripción' }).fill('Almacén');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Crear webhook' }).click();
  await proveIn(page, SUPERADMIN.password);

  const shown = page.getByRole('dialog', { name: 'Secreto del webhook' });
  await expect(shown.getByText(/^whsec_/)).toBeVisible();
  const secret = await shown.getByText(/^whsec_/).innerText();
  await shown.getByRole('button', { name: 'Copiar el secreto' }).click();
  await expect(page.getByText('Secreto copiado')).toBeVisible();
  await shown.getByRole('button', { name: 'Lo he guardado' }).click();
  await expect(shown).toBeHidden();
  await expect(page.getByText(secret)).toHaveCount(0);
  await expect(section.getByRole('listitem')).toContainText('sin precios');

  const act = async (name: string) => {
    await section.getByRole('button', { name: 'Acciones de Almacén' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  // What lies over the rest for a while is not measured with it.
  const quiet = () => expect(page.getByRole('button', { name: 'Cerrar aviso', includeHidden: true })).toHaveCount(0, { timeout: 20_000 });
  await act('Probar');
  await expect(page.getByText('La prueba ha llegado')).toBeVisible();
  const [first] = receiver.received;
  expect(first && receiver.verify(secret, first)).toMatchObject({ type: 'prueba' });

  receiver.answers(500);
  const pack = await api.pack();
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle Mayor 1', pack_id: pack.id };
  const { numero_orden } = (await api.admin.call(createPedido, { body })).body.data;
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2);

  await page.setViewportSize({ width: 390, height: 844 });
  await act('Ver entregas');
  const entregas = page.getByRole('dialog', { name: 'Entregas del último mes' });
  const waiting = entregas.getByRole('listitem').filter({ hasText: numero_orden });
  await expect(waiting).toContainText('Ha respondido 500');
  await expect(waiting).toContainText('En espera');
  await expect(waiting.getByRole('button', { name: /^Reenviar/ })).toHaveCount(0);
  const tested = entregas.getByRole('listitem').filter({ hasText: 'Prueba' });
  await expect(tested).toContainText('Enviado');
  await expectFits(page, 'the deliveries on a phone');
  await quiet();
  await chooseTheme(page, 'dark');
  await expectAccessible(page);
  receiver.answers(204);
  await tested.getByRole('button', { name: 'Reenviar Prueba' }).click();
  const tests = () => receiver.received.filter(({ body: { type } }) => type === 'prueba').map(({ id }) => id);
  await expect.poll(tests, { timeout: 20_000 }).toEqual([first?.id, first?.id]);
  await expect(tested).toContainText('Enviado');
  await page.keyboard.press('Escape');
  await expect(entregas).toBeHidden();
  await expectFits(page, 'the webhooks on a phone');
  await quiet();
  await expectAccessible(page);

  await act('Editar');
  const edit = page.getByRole('dialog', { name: 'Editar webhook' });
  await edit.getByRole('switch', { name: 'Activo' }).click();
  await expectFits(page, 'the form on a phone');
  await expectAccessible(page);
  await edit.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(section.getByText('Inactivo')).toBeVisible();
  await act('Eliminar');
  await page.getByRole('dialog', { name: 'Eliminar el webhook' }).getByRole('button', { name: 'Eliminar' }).click();
  await expect(section.getByText('Ningún programa recibe avisos')).toBeVisible();
  expect((await api.admin.call(listWebhooks)).body.data).toEqual([]);
  await receiver.close();
});
