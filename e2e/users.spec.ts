import type { Page } from '@playwright/test';
import { autoAsignar } from '../contract/transportista.ts';
import { updateUser } from '../contract/users.ts';
import { expect, expectAccessible, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Gestión de Usuarios»: who enters, with which role, and what those people see of it. */

async function open(page: Page, rol?: 'transportista' | 'superadmin') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/gestion-usuarios${rol ? `?rol=${rol}` : ''}`);
}
/** The person's row on a desktop, the card on a phone. */
const row = (page: Page, name: string) => page.getByRole('main').locator('tr, li').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true });

async function expectRefused(page: Page, email: string, password: string) {
  await page.goto('/auth');
  await page.getByLabel('Email o usuario').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Credenciales incorrectas. Verifica tu usuario y contraseña.' })).toBeVisible();
}

test('the first reseller: an empty list, a form that explains itself, a person who enters', async ({ page, openAs }) => {
  await open(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Gestión de Usuarios' })).toBeVisible();
  await expect(page.getByText('No hay revendedores registrados')).toBeVisible();
  await expect(page.getByText('Crea el primer revendedor para comenzar')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Crear revendedor' }).click();
  await expect(field(page, 'Nombre completo')).toBeFocused();
  await expect(dialog(page).getByRole('switch', { name: 'Activo' })).toBeChecked();
  await expect(field(page, 'Contraseña')).toHaveAttribute('autocomplete', 'new-password');
  await field(page, 'Contraseña').fill('corta');
  await dialog(page).getByRole('button', { name: 'Crear revendedor' }).click();
  await expect(field(page, 'Nombre completo')).toHaveAccessibleDescription('El nombre debe tener al menos 2 caracteres');
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Email inválido');
  await expect(field(page, 'Contraseña')).toHaveAccessibleDescription(/La contraseña debe tener al menos 6 caracteres/);
  await expect(field(page, 'Nombre completo')).toBeFocused();
  await expectAccessible(page);

  await field(page, 'Nombre completo').fill('Rita Revendedora');
  await field(page, 'Email').fill('rita@enruta.test');
  await field(page, 'Contraseña').fill('clave de rita');
  await expect(field(page, 'Contraseña')).toHaveAttribute('type', 'password');
  await dialog(page).getByRole('button', { name: 'Mostrar la contraseña' }).click();
  await expect(field(page, 'Contraseña')).toHaveAttribute('type', 'text');
  await dialog(page).getByRole('button', { name: 'Crear revendedor' }).click();

  await expect(page.getByText('Usuario creado')).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(row(page, 'Rita Revendedora')).toContainText('rita@enruta.test');
  await expect(row(page, 'Rita Revendedora')).toContainText('Sí');
  await expect(row(page, 'Rita Revendedora')).toContainText(
    new Date().toLocaleDateString('es-ES', { dateStyle: 'short', timeZone: 'Europe/Madrid' }).slice(0, 5),
  );
  await expectAccessible(page);

  const rita = await openAs({ email: 'rita@enruta.test', password: 'clave de rita' });
  await expect(rita).toHaveURL(/\/revendedor-dashboard$/);
  await rita.goto('/gestion-usuarios');
  await expect(rita).toHaveURL(/\/revendedor-dashboard$/);
});

test('an e-mail in use is refused under its field, and what was typed stays', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422/);
  const taken = await api.user('transportista');
  await open(page);
  await page.getByRole('button', { name: 'Crear revendedor' }).click();
  await field(page, 'Nombre completo').fill('Otra Persona');
  await field(page, 'Email').fill(taken.email.toUpperCase());
  await field(page, 'Usuario').fill('otra.persona');
  await field(page, 'Contraseña').fill('clave de otra');
  await dialog(page).getByRole('button', { name: 'Crear revendedor' }).click();
  await expect(field(page, 'Email')).toHaveAccessibleDescription('El email ya está en uso');
  await expect(field(page, 'Email')).toBeFocused();
  await expect(page.getByRole('alert').filter({ hasText: 'El email ya está en uso' })).toBeVisible();
  await expect(field(page, 'Nombre completo')).toHaveValue('Otra Persona');
  await expect(field(page, 'Contraseña')).toHaveValue('clave de otra');

  await field(page, 'Email').fill('otra@enruta.test');
  await dialog(page).getByRole('button', { name: 'Crear revendedor' }).click();
  await expect(row(page, 'Otra Persona')).toContainText('otra.persona');

  // The same user name once more: its own sentence, not the one about the e-mail.
  await page.getByRole('button', { name: 'Crear revendedor' }).click();
  await field(page, 'Nombre completo').fill('Tercera Persona');
  await field(page, 'Email').fill('tercera@enruta.test');
  await field(page, 'Usuario').fill('Otra.Persona');
  await field(page, 'Contraseña').fill('clave de tercera');
  await dialog(page).getByRole('button', { name: 'Crear revendedor' }).click();
  await expect(field(page, 'Usuario')).toHaveAccessibleDescription(/El usuario ya está en uso/);
});

test('an edit keeps the password until a new one is given', async ({ page, api, openAs }) => {
  const person = await api.user('transportista', { full_name: 'Tomás Antes' });
  await open(page, 'transportista');
  await page.getByRole('button', { name: 'Editar a Tomás Antes' }).click();
  await expect(dialog(page).getByRole('heading', { name: 'Editar transportista' })).toBeVisible();
  await expect(field(page, 'Email')).toHaveValue(person.email);
  await expect(field(page, 'Contraseña')).toHaveAttribute('placeholder', /vacío para mantener la actual/);
  await expectAccessible(page);
  await field(page, 'Nombre completo').fill('Tomás Después');
  await field(page, 'Usuario').fill('tomas');
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByText('Usuario actualizado')).toBeVisible();
  await expect(row(page, 'Tomás Después')).toContainText('tomas');
  await expect(row(page, 'Tomás Antes')).toBeHidden();
  // The old password still opens, and so does the user name.
  const entered = await openAs({ email: 'tomas', password: person.password });
  await expect(entered).toHaveURL(/\/transportista-dashboard$/);

  await page.getByRole('button', { name: 'Editar a Tomás Después' }).click();
  await field(page, 'Contraseña').fill('12345');
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(field(page, 'Contraseña')).toHaveAccessibleDescription(/La contraseña debe tener al menos 6 caracteres/);
  await field(page, 'Contraseña').fill('clave nueva de tomás');
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(dialog(page)).toBeHidden();
  await openAs({ email: person.email, password: 'clave nueva de tomás' });
});

test('who is deactivated is out at once, and enters again when activated', async ({ page, api, openAs, allowErrors }) => {
  allowErrors(/status of 401/);
  const person = await api.user('revendedor', { full_name: 'Inés Inactiva' });
  const ines = await openAs(person);
  await open(page);
  await page.getByRole('button', { name: 'Editar a Inés Inactiva' }).click();
  await dialog(page).getByRole('switch', { name: 'Activo' }).click();
  await expect(dialog(page).getByRole('switch', { name: 'Activo' })).not.toBeChecked();
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(row(page, 'Inés Inactiva')).toContainText('No');

  await ines.reload();
  await expect(ines).toHaveURL(/\/auth/);
  await expectRefused(ines, person.email, person.password);

  await api.admin.call(updateUser, {
    params: { id: person.id },
    body: { full_name: person.full_name, email: person.email, is_active: true },
  });
  await signIn(ines, person.email, person.password);
  await expect(ines).toHaveURL(/\/revendedor-dashboard$/);
});

test('deleting asks first, and then the person can no longer enter', async ({ page, api, openAs, allowErrors }) => {
  allowErrors(/status of 401/);
  const person = await api.user('revendedor', { full_name: 'Elena Eliminada' });
  const elena = await openAs(person);
  await open(page);
  const ask = page.getByRole('button', { name: 'Eliminar a Elena Eliminada' });
  await ask.click();
  await expect(dialog(page).getByRole('heading', { name: 'Eliminar Usuario' })).toBeVisible();
  await expect(dialog(page)).toContainText('Elena Eliminada');
  await expect(dialog(page)).toContainText('Esta acción no se puede deshacer');
  await expect(dialog(page)).toContainText('ya no podrá acceder al sistema');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click();
  await expect(row(page, 'Elena Eliminada')).toBeVisible();

  await ask.click();
  await dialog(page).getByRole('button', { name: 'Eliminar', exact: true }).click();
  await expect(page.getByText('Usuario eliminado')).toBeVisible();
  await expect(row(page, 'Elena Eliminada')).toBeHidden();
  await elena.reload();
  await expect(elena).toHaveURL(/\/auth/);
  await expectRefused(elena, person.email, person.password);
});

test('a carrier with orders in hand stays, and the sentence says why', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const person = await api.user('transportista', { full_name: 'Olga Ocupada' });
  const pedido = await api.pedido();
  const taken = await (await api.as(person)).call(autoAsignar, { params: { id: pedido.id } });
  expect(taken.status, taken.text).toBe(200);
  await open(page, 'transportista');
  await page.getByRole('button', { name: 'Eliminar a Olga Ocupada' }).click();
  await dialog(page).getByRole('button', { name: 'Eliminar', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Olga Ocupada tiene 1 pedido sin entregar' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click();
  await expect(row(page, 'Olga Ocupada')).toBeVisible();
});

test('nobody locks themselves out, and one’s own new name shows everywhere', async ({ page, api }) => {
  const second = await api.user('superadmin', { full_name: 'Ada Segunda' });
  await signIn(page, second.email, second.password);
  await page.goto('/gestion-usuarios?rol=superadmin');
  await expect(row(page, 'Ada Segunda')).toContainText('Tú');
  await expect(page.getByRole('button', { name: 'Eliminar a Administrador' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Eliminar a Ada Segunda' })).toBeHidden();
  await page.getByRole('button', { name: 'Editar a Ada Segunda' }).click();
  await expect(dialog(page).getByRole('switch', { name: 'Activo' })).toBeDisabled();
  await field(page, 'Nombre completo').fill('Ada Renombrada');
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(row(page, 'Ada Renombrada')).toBeVisible();
  const menu = page.getByRole('banner').getByRole('button', { name: /Ada Renombrada/ });
  await expect(menu).toBeVisible();
});

test('the tab, the search and the order stand in the address', async ({ page, api }) => {
  await api.user('transportista', { full_name: 'Nuño Árbol', email: 'z@enruta.test' });
  await api.user('transportista', { full_name: 'Zoe Zarza', email: 'a@enruta.test' });
  await open(page);
  await page.getByRole('tab', { name: 'Transportistas' }).click();
  await expect(page).toHaveURL(/rol=transportista/);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Transportistas' })).toHaveAttribute('aria-selected', 'true');

  await page.getByRole('searchbox').fill('nuno arbol');
  await expect(row(page, 'Zoe Zarza')).toBeHidden();
  await expect(row(page, 'Nuño Árbol')).toBeVisible();
  await expect(page).toHaveURL(/search=nuno/);
  await page.getByRole('searchbox').fill('nadie así');
  await expect(page.getByText('Ningún transportista coincide con la búsqueda')).toBeVisible();

  await page.goto('/gestion-usuarios?rol=transportista&sort=email&dir=desc');
  const names = page
    .getByRole('main')
    .locator('tr, li')
    .filter({ hasText: /Nuño Árbol|Zoe Zarza/ });
  await expect(names).toHaveCount(2);
  await expect(names.first()).toContainText('Nuño Árbol');
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('nadie así');
});

test('a user created elsewhere in the window appears by itself', async ({ page, api }) => {
  await api.user('revendedor', { full_name: 'Paula Presente' });
  await open(page);
  await expect(row(page, 'Paula Presente')).toBeVisible();
  await api.user('revendedor', { full_name: 'Aurora Aparecida' });
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('user-created')));
  await expect(row(page, 'Aurora Aparecida')).toBeVisible();
});

test('while it loads it says so, a failure offers another try', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 500/);
  await api.user('revendedor', { full_name: 'Lara Lenta' });
  await open(page);
  let answer: 'wait' | 'fail' | 'through' = 'wait';
  let release = () => {};
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/users?*', async (route) => {
    if (answer === 'wait') await waiting;
    if (answer === 'through') return route.continue();
    return route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado' } });
  });
  await page.reload();
  await expect(page.getByText('Cargando usuarios...')).toBeVisible();
  answer = 'fail';
  release();
  await expect(page.getByText('No se pudieron cargar los usuarios')).toBeVisible();
  await expectAccessible(page);
  answer = 'through';
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(row(page, 'Lara Lenta')).toBeVisible();
  await expect(page.getByText('No se pudieron cargar los usuarios')).toBeHidden();
});

test('a refusal of the server has the sentence of its action', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 403/);
  await api.user('revendedor', { full_name: 'Flora Firme' });
  await open(page);
  await expect(row(page, 'Flora Firme')).toBeVisible();
  await page.route('**/api/users**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 403, json: { message: 'No' } }),
  );
  const said = (sentence: string) => expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();

  await page.getByRole('button', { name: 'Crear revendedor' }).click();
  await field(page, 'Nombre completo').fill('Nunca Creada');
  await field(page, 'Email').fill('nunca@enruta.test');
  await field(page, 'Contraseña').fill('clave de nunca');
  await dialog(page).getByRole('button', { name: 'Crear revendedor' }).click();
  await said('Solo los superadministradores pueden crear usuarios');
  await expect(field(page, 'Nombre completo')).toHaveValue('Nunca Creada');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();

  await page.getByRole('button', { name: 'Editar a Flora Firme' }).click();
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await said('Solo los superadministradores pueden editar usuarios');
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click();

  await page.getByRole('button', { name: 'Eliminar a Flora Firme' }).click();
  await dialog(page).getByRole('button', { name: 'Eliminar', exact: true }).click();
  await said('Solo los superadministradores pueden eliminar usuarios');
});

test('with the keyboard alone @desktop', async ({ page, api }) => {
  await api.user('revendedor', { full_name: 'Teo Teclado' });
  await open(page);
  const edit = page.getByRole('button', { name: 'Editar a Teo Teclado' });
  await edit.focus();
  await page.keyboard.press('Enter');
  await expect(field(page, 'Nombre completo')).toBeFocused();
  // The focus goes round inside the dialog.
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(edit).toBeFocused();

  await row(page, 'Teo Teclado').focus();
  await page.keyboard.press('Enter');
  await expect(field(page, 'Nombre completo')).toHaveValue('Teo Teclado');
});
