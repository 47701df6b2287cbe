import type { Page } from '@playwright/test';
import { getPedido } from '../contract/pedidos.ts';
import { expect, type Person, row, signIn, test } from './fixtures.ts';
import { asignados, dialog, inHand, step } from './transportista.ts';

/*
 * The server ends an idle session. What a screen keeps or forgets then is tested in
 * web/session/session-end.browser.test.tsx.
 */

test.beforeEach(({ allowErrors }) => allowErrors(/status of 401/));

async function enter(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.getByRole('textbox', { name: 'Email o usuario', exact: true }).fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).not.toHaveURL(/\/auth/);
}

test('a filled dialog waits behind the sign-in screen; after a reload it is open again, and empty', async ({ page, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const pedido = await inHand(api, client, { cliente_nombre: 'Nuria Vidal' });
  await signIn(page, carrier.email, carrier.password);
  await page.goto('/pedidos-asignados');
  const open = dialog(page, 'Completar Entrega');
  const interrupted = async () => {
    await step(page, row(asignados(page), pedido.numero_orden), 'Completar');
    await open.getByRole('radio', { name: 'MRW' }).click();
    await open.getByLabel(/seguimiento/i).fill('PQ-778');
    await page.context().clearCookies({ name: /enruta/ });
    await open.getByRole('button', { name: 'Completar entrega' }).click();
    await expect(page).toHaveURL(/\/auth\?volver=/);
    await expect(page.getByText('Tu sesión ha terminado. Entra otra vez y seguirás donde estabas.')).toBeVisible();
    await expect(open).toBeHidden();
  };

  await interrupted();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Iniciar Sesión' })).toBeVisible();
  await expect(page.getByText('Nuria Vidal')).toHaveCount(0);
  // The address says which dialog was open; what was typed is gone with the page.
  await enter(page, carrier);
  await expect(open).toBeVisible();
  await expect(open.getByLabel(/seguimiento/i)).toHaveValue('');
  await page.goBack();
  await expect(open).toBeHidden();

  await interrupted();
  await enter(page, carrier);
  await expect(page).toHaveURL(/\/pedidos-asignados/);
  await expect(open.getByLabel(/seguimiento/i)).toHaveValue('PQ-778');
  await open.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  await expect(open).toBeHidden();
  expect((await client.call(getPedido, { params: { id: pedido.id } })).body.data.estado).toBe('completado');
});
