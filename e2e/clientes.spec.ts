import type { Page } from '@playwright/test';
import { listClientes } from '../contract/clientes.ts';
import { assignTransportista } from '../contract/pedidos.ts';
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

test('what is said about a customer is read where their orders are taken and delivered', async ({ page, openAs, api }) => {
  const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
  const given = { cliente_nombre: 'Julia Cano', cliente_telefono: '611 22 33 44', cliente_codigo_postal: '10001', revendedor_id: rita.id };
  const pedido = await api.pedido(given);

  // The reseller finds them, and writes it down.
  await open(page, rita, '/clientes');
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

  // Where the next one is taken, by the telephone alone.
  await page.goto('/pedidos/nuevo');
  await input(page, 'Teléfono').fill('+34 611223344');
  const known = page.getByRole('note').filter({ hasText: 'Cliente conocido' });
  await expect(known).toContainText('Avisar antes');
  await expect(known).toContainText('Perro suelto en el patio');

  // Where it is delivered, once it is theirs.
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

test('an order leads to its customer, who leads to a new order that is filled in', async ({ page, api }) => {
  const given = { cliente_nombre: 'Pablo Rey', cliente_telefono: '622 33 44 55', cliente_direccion: 'Calle del Pez 3' };
  const pedido = await api.pedido(given);
  await open(page, SUPERADMIN, `/pedidos/${pedido.id}`);
  await page.getByRole('link', { name: 'Pablo Rey' }).click();
  await expect(page).toHaveURL(/\/clientes\/[0-9a-f-]{36}$/);
  await expect(page.getByText('Calle del Pez 3')).toBeVisible();
  await page.getByRole('button', { name: 'Nuevo pedido' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Crear pedido');
  await expect(input(page, 'Teléfono')).toHaveValue('622 33 44 55');
  await expect(page.getByLabel('Dirección')).toHaveValue('Calle del Pez 3');
});

test('two are joined and taken apart, and a blocked one is refused to their reseller', async ({ page, openAs, api }) => {
  const rita = await api.user('revendedor');
  const of = { revendedor_id: rita.id };
  const first = await api.pedido({ ...of, cliente_nombre: 'Sonia Mora', cliente_telefono: '633 00 00 01' });
  const other = await api.pedido({ ...of, cliente_nombre: 'Sonia M.', cliente_telefono: '633 00 00 02' });
  const { body } = await api.admin.call(listClientes, { query: { search: 'Sonia Mora' } });
  await open(page, SUPERADMIN, `/clientes/${body.data[0]?.id}`);
  await page.getByRole('button', { name: 'Unir con otro cliente' }).click();
  const joining = page.getByRole('dialog', { name: 'Unir con otro cliente' });
  await joining.getByLabel('Buscar al otro cliente').fill('sonia');
  await joining.getByRole('radio', { name: 'Sonia M.' }).check();
  await expectAccessible(page);
  await joining.getByRole('button', { name: 'Unir', exact: true }).click();
  await expect(joining).toBeHidden();
  const joined = page.getByRole('region', { name: 'Unidos a este cliente' });
  await expect(joined).toContainText('Sonia M.');
  for (const { numero_orden } of [first, other]) await expect(page.getByText(numero_orden)).toBeVisible();
  await joined.getByRole('button', { name: 'Separar a Sonia M.' }).click();
  await expect(joined).toBeHidden();
  await expect(page.getByText(other.numero_orden)).toBeHidden();

  await page.getByRole('button', { name: 'Bloquear' }).click();
  const blocking = page.getByRole('dialog', { name: 'Bloquear a Sonia Mora' });
  await blocking.getByRole('button', { name: 'Bloquear' }).click();
  await expect(blocking.getByText('Escribe el motivo')).toBeVisible();
  await blocking.getByLabel('Motivo').fill('Dos impagos');
  await blocking.getByRole('button', { name: 'Bloquear' }).click();
  await expect(page.getByRole('note').filter({ hasText: 'Cliente bloqueado' })).toContainText('Dos impagos');

  const theirs = await openAs(rita);
  await theirs.goto('/pedidos/nuevo');
  await input(theirs, 'Teléfono').fill('633 00 00 01');
  await expect(theirs.getByRole('note').filter({ hasText: 'Cliente bloqueado' })).toContainText('No puedes crear pedidos suyos');

  await page.getByRole('button', { name: 'Desbloquear' }).click();
  await expect(page.getByRole('button', { name: 'Bloquear', exact: true })).toBeVisible();
  await expect(page.getByText('Dos impagos')).toBeHidden();
});
