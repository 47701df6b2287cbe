import type { Page } from '@playwright/test';
import { getPedido } from '../contract/pedidos/pedidos.ts';
import { expect, type Person, row, signIn, test } from './fixtures.ts';
import { asignados, dialog, inHand, step } from './transportista.ts';

/*
 * The server ends an idle session. The data that a screen keeps or forgets then is tested in
 * web/session/session-end.browser.test.tsx.
 */

test.beforeEach(({ allowErrors }) => allowErrors(/status of 401/));

async function enter(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.getByRole('textbox', { name: 'Email o usuario', exact: true }).fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).not.toHaveURL(/\/auth/);
}

test('a delivery made after the session ended is stored, and sent after signing in again, even after a reload', async ({ page, api }) => {
  const carrier = await api.user('transportista');
  const client = await api.as(carrier);
  const [first, second] = [await inHand(api, client, { cliente_nombre: 'Nuria Vidal' }), await inHand(api, client)];
  await signIn(page, carrier.email, carrier.password);
  await page.goto('/pedidos-asignados');
  const open = dialog(page, 'Completar Entrega');
  const estado = async ({ id }: { id: string }) => (await client.call(getPedido, { params: { id } })).body.data.estado;
  const interrupted = async ({ numero_orden }: { numero_orden: string }) => {
    await step(page, row(asignados(page), numero_orden), 'Completar');
    await open.getByRole('button', { name: 'Cambiar el método de entrega' }).click();
    await open.getByRole('radio', { name: 'MRW' }).click();
    await open.getByLabel(/seguimiento/i).fill('PQ-778');
    await page.context().clearCookies({ name: /enruta/ });
    await open.getByRole('button', { name: 'Completar entrega' }).click();
    // The sign-in dialog leaves the list in place.
    await expect(page.getByText('Tu sesión ha terminado', { exact: true })).toBeVisible();
    await expect(row(asignados(page), numero_orden)).toBeVisible();
    await expect(open).toBeHidden();
  };

  await interrupted(first);
  await page.reload();
  await expect(page.getByText('Nuria Vidal').first()).toBeVisible();
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await enter(page, carrier);
  await expect.poll(() => estado(first)).toBe('completado');

  await page.goto('/pedidos-asignados');
  await interrupted(second);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await enter(page, carrier);
  await expect(page).toHaveURL(/\/pedidos-asignados/);
  await expect.poll(() => estado(second)).toBe('completado');
  await expect(open).toBeHidden();
});
