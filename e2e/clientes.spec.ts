import type { Page } from '@playwright/test';
import { expect, expectAccessible, type Person, SUPERADMIN, signIn, test } from './fixtures.ts';

/* A customer who has ordered before is not written twice. */

const input = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const options = (page: Page) => page.getByRole('listbox', { name: 'Clientes conocidos' }).getByRole('option');
async function open(page: Page, { email, password }: Pick<Person, 'email' | 'password'>, path: string) {
  await signIn(page, email, password);
  await page.goto(path);
}

test('a known customer is offered by name or phone and fills the form; another reseller’s is not', async ({ page, openAs, api }) => {
  const rita = await api.user('revendedor');
  const { id: pack_id } = await api.pack();
  const known = { cliente_nombre: 'Begoña Solís', cliente_telefono: '655 44 33 22', cliente_direccion: 'Calle Luna 8' };
  const given = {
    ...known,
    cliente_ciudad: 'Soria',
    cliente_codigo_postal: '42001',
    instrucciones: 'Solo aquella vez',
    cantidad: 7,
    pack_id,
  };
  await api.pedido(given, await api.as(rita));
  const foreign = { cliente_nombre: 'Begoña Ajena', cliente_telefono: '655 44 00 00', pack_id };
  await api.pedido(foreign, await api.as(await api.user('revendedor')));
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/clientes')) answers.push(await response.text().catch(() => ''));
  });

  await open(page, rita, '/pedidos/nuevo');
  const name = input(page, 'Nombre');
  await name.pressSequentially('bego');
  await expect(options(page)).toHaveCount(1);
  await expect(options(page)).toContainText('655 44 33 22 · Calle Luna 8');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(options(page)).toHaveCount(0);
  await expect(name).toHaveValue('bego');
  await name.press('Backspace');
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(name).toHaveValue('Begoña Solís');
  await expect(options(page)).toHaveCount(0);
  await expect(page.getByLabel('Dirección')).toHaveValue('Calle Luna 8');
  await expect(page.getByLabel('Código Postal')).toHaveValue('42001');
  await expect(page.getByLabel('País')).toHaveValue('España');
  await expect(page.getByLabel('Instrucciones')).toHaveValue('');
  await expect(page.getByRole('textbox', { name: 'Cantidad' })).toHaveValue('1');
  await expect(input(page, 'Pack')).toHaveValue('');

  const phone = input(page, 'Teléfono');
  await phone.fill('');
  await phone.pressSequentially('65544');
  await expect(options(page)).toHaveCount(1);
  await options(page).click();
  await expect(phone).toHaveValue('655 44 33 22');
  expect(answers.join()).not.toContain('Ajena');

  // A superadmin is offered everybody's.
  const admin = await openAs(SUPERADMIN);
  await admin.goto('/pedidos/nuevo-admin');
  await input(admin, 'Nombre').pressSequentially('begoña');
  await expect(options(admin)).toHaveCount(2);
});

test('what does not come, or comes late, never stands in the way of typing', async ({ page, api, allowErrors }) => {
  allowErrors(/\/api\/clientes/);
  const rita = await api.user('revendedor');
  let held = 0;
  await page.route(/\/api\/clientes\?search=lent/, async () => {
    // Never answered: only giving it up ends it.
    held += 1;
  });
  await page.route(/\/api\/clientes\?search=fall/, (route) => route.fulfill({ status: 500, json: { message: 'x' } }));
  await open(page, rita, '/pedidos/nuevo');
  await input(page, 'Nombre').fill('lenta');
  await expect.poll(() => held).toBe(1);
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/clientes'));
  await input(page, 'Nombre').fill('falla');
  expect((await cancelled).url()).toContain('search=lent');
  await input(page, 'Nombre').press('Tab');
  await expect(input(page, 'Teléfono')).toBeFocused();
  await expect(input(page, 'Nombre')).toHaveValue('falla');
  await expect(options(page)).toHaveCount(0);
});
