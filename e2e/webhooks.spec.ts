import { openReceiver } from '../test/webhook-receiver.ts';
import { expect, proveIn, SUPERADMIN, signIn, test } from './fixtures.ts';

/* A webhook received by a real server. The screen itself is tested in web/webhooks/webhooks.browser.test.tsx. */

test('the test delivery of a new webhook arrives signed with the secret that was shown', async ({ page, allowErrors }) => {
  // The server asks for the password with a 403.
  allowErrors(/status of 403/);
  const receiver = await openReceiver();
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/configuracion?tab=integrations');
  const section = page.getByRole('region', { name: 'Webhooks' });
  await section.getByRole('button', { name: 'Nuevo webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Nuevo webhook' });
  await form.getByRole('textbox', { name: 'Dirección' }).fill(receiver.url);
  await form.getByRole('textbox', { name: 'Descripción' }).fill('Almacén');
  await form.getByRole('button', { name: 'Crear webhook' }).click();
  await proveIn(page, SUPERADMIN.password);
  const shown = page.getByRole('dialog', { name: 'Secreto del webhook' });
  const secret = await shown.getByText(/^whsec_/).innerText();
  await shown.getByRole('button', { name: 'Lo he guardado' }).click();

  const act = async (name: string) => {
    await section.getByRole('button', { name: 'Acciones de Almacén' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Probar');
  await expect(page.getByText('La prueba ha llegado')).toBeVisible();
  const [first] = receiver.received;
  expect(first && receiver.verify(secret, first)).toMatchObject({ type: 'prueba' });
  await act('Ver entregas');
  const tested = page.getByRole('dialog', { name: 'Entregas del último mes' }).getByRole('listitem').filter({ hasText: 'Prueba' });
  await expect(tested).toContainText('Enviado');
  await receiver.close();
});
