import type { Page } from '@playwright/test';
import { getPedido } from '../contract/pedidos.ts';
import { autoAsignar } from '../contract/transportista.ts';
import { updateUser } from '../contract/users.ts';
import { dayInMadrid, spanishDay } from '../test/day.ts';
import { expect, expectAccessible, proveIn, row, SUPERADMIN, signIn, signInByForm, test } from './fixtures.ts';
import { dialog, field, openUsers } from './users-page.ts';

/* «Gestión de Usuarios»: the life of a person, and what that person sees of it. */

async function expectRefused(page: Page, email: string, password: string) {
  await page.goto('/auth');
  await page.getByLabel('Email o usuario').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Credenciales incorrectas. Verifica tu usuario y contraseña.' })).toBeVisible();
}

test('the first reseller: an empty list, a form that explains itself, a person who enters', async ({ page, openAs }) => {
  await openUsers(page);
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
  await expect(row(page, 'Rita Revendedora')).toContainText(spanishDay(dayInMadrid()));
  await expectAccessible(page);

  const rita = await openAs({ email: 'rita@enruta.test', password: 'clave de rita' }, signInByForm);
  await expect(rita).toHaveURL(/\/revendedor-dashboard$/);
  await rita.goto('/gestion-usuarios');
  await expect(rita).toHaveURL(/\/revendedor-dashboard$/);
});

test('an e-mail in use is refused under its field, and what was typed stays', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422/);
  const taken = await api.user('transportista');
  await openUsers(page);
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

test('an edit keeps the password until a new one is given', async ({ page, api, openAs, allowErrors }) => {
  // The window that was in with the old one hears so; a new one asks for the superadmin's own.
  allowErrors(/status of (401|403)/);
  const person = await api.user('transportista', { full_name: 'Tomás Antes' });
  await openUsers(page, 'transportista');
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
  const entered = await openAs({ email: 'tomas', password: person.password }, signInByForm);
  await expect(entered).toHaveURL(/\/transportista-dashboard$/);

  await page.getByRole('button', { name: 'Editar a Tomás Después' }).click();
  await field(page, 'Contraseña').fill('12345');
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(field(page, 'Contraseña')).toHaveAccessibleDescription(/La contraseña debe tener al menos 6 caracteres/);
  await field(page, 'Contraseña').fill('clave nueva de tomás');
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await proveIn(page, SUPERADMIN.password);
  await expect(dialog(page)).toBeHidden();
  await openAs({ email: person.email, password: 'clave nueva de tomás' }, signInByForm);
});

test('who is deactivated is out at once, and enters again when activated', async ({ page, api, openAs, allowErrors }) => {
  allowErrors(/status of 401/);
  const person = await api.user('revendedor', { full_name: 'Inés Inactiva' });
  const ines = await openAs(person);
  await ines.goto('/mis-pedidos');
  await openUsers(page);
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
  await signInByForm(ines, person.email, person.password);
  await expect(ines).toHaveURL(/\/revendedor-dashboard$/);
});

test('deleting asks first, and then the person can no longer enter', async ({ page, api, openAs, allowErrors }) => {
  allowErrors(/status of 401/);
  const person = await api.user('revendedor', { full_name: 'Elena Eliminada' });
  const elena = await openAs(person);
  await elena.goto('/mis-pedidos');
  await openUsers(page);
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

test('what was typed is not lost by closing the dialog', async ({ page }) => {
  await openUsers(page);
  const open = page.getByRole('button', { name: 'Crear revendedor' });
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await open.click();
  await expect(field(page, 'Nombre completo')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);

  await open.click();
  await field(page, 'Nombre completo').fill('Marta a Medias');
  await page.keyboard.press('Escape');
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(field(page, 'Nombre completo')).toHaveValue('Marta a Medias');
  await expect(field(page, 'Nombre completo')).toBeFocused();
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(open).toBeFocused();
});

test('a carrier with orders in hand stays, and the sentence says why', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const person = await api.user('transportista', { full_name: 'Olga Ocupada' });
  const pedido = await api.pedido();
  const taken = await (await api.as(person)).call(autoAsignar, { params: { id: pedido.id } });
  expect(taken.status, taken.text).toBe(200);
  await openUsers(page, 'transportista');
  await page.getByRole('button', { name: 'Eliminar a Olga Ocupada' }).click();
  await dialog(page).getByRole('button', { name: 'Eliminar', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Olga Ocupada tiene 1 pedido sin entregar' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click();
  await expect(row(page, 'Olga Ocupada')).toBeVisible();
});

test('who leaves with open orders: how many is said, and another gets them, with the leaving', async ({ page, api }) => {
  const [olga, luis] = [
    await api.user('transportista', { full_name: 'Olga Marcha' }),
    await api.user('transportista', { full_name: 'Luis Hereda' }),
  ];
  const orders = [await api.pedido(), await api.pedido()];
  const client = await api.as(olga);
  for (const { id } of orders) await client.call(autoAsignar, { params: { id } });
  const carrierOf = async (i: number) =>
    (await api.admin.call(getPedido, { params: { id: orders[i]?.id ?? '' } })).body.data.transportista_id;
  await openUsers(page, 'transportista');
  await expect(page.getByRole('link', { name: '2 pedidos abiertos de Olga Marcha' })).toBeVisible();

  await page.getByRole('button', { name: 'Editar a Olga Marcha' }).click();
  await dialog(page).getByRole('switch', { name: 'Activo' }).click();
  await expect(dialog(page).getByRole('note')).toContainText('Tiene 2 pedidos abiertos');
  await expectAccessible(page);
  await dialog(page).getByRole('combobox', { name: 'Pasarlos a' }).fill('luis h');
  await page.getByRole('option', { name: 'Luis Hereda' }).click();
  await dialog(page).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(dialog(page)).toBeHidden();
  expect([await carrierOf(0), await carrierOf(1)]).toEqual([luis.id, luis.id]);

  const heir = await api.user('transportista', { full_name: 'Hugo Hereda' });
  await page.getByRole('button', { name: 'Eliminar a Luis Hereda' }).click();
  await expect(dialog(page).getByRole('note')).toContainText('Tiene 2 pedidos abiertos');
  await dialog(page).getByRole('combobox', { name: 'Pasarlos a' }).fill('hugo');
  await page.getByRole('option', { name: 'Hugo Hereda' }).click();
  await dialog(page).getByRole('button', { name: 'Eliminar', exact: true }).click();
  await expect(page.getByText('Usuario eliminado')).toBeVisible();
  expect([await carrierOf(0), await carrierOf(1)]).toEqual([heir.id, heir.id]);
  await page.getByRole('link', { name: '2 pedidos abiertos de Hugo Hereda' }).click();
  for (const { numero_orden } of orders) await expect(row(page, numero_orden)).toBeVisible();
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
