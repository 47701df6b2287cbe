import { expect, expectAccessible, row, test } from './fixtures.ts';
import { dialog, field, openUsers } from './users-page.ts';

/* «Gestión de Usuarios»: the list, its states and its ways in. */

test('the tab, the search and the order stand in the address', async ({ page, api }) => {
  await api.user('transportista', { full_name: 'Nuño Árbol', email: 'z@enruta.test' });
  await api.user('transportista', { full_name: 'Zoe Zarza', email: 'a@enruta.test' });
  await openUsers(page);
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
  const names = row(page, /Nuño Árbol|Zoe Zarza/);
  await expect(names).toHaveCount(2);
  await expect(names.first()).toContainText('Nuño Árbol');
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('nadie así');
});

test('the event of a user created elsewhere in the window makes the list ask again', async ({ page, api }) => {
  await api.user('revendedor', { full_name: 'Paula Presente' });
  await api.user('revendedor', { full_name: 'Aurora Aparecida' });
  // Nothing changes on the server while the test looks, so that the live stream has nothing to say.
  let known = false;
  await page.route('**/api/users?*', async (route) => {
    const response = await route.fetch();
    const json: { data: { full_name: string }[] } = await response.json();
    const data = json.data.filter(({ full_name }) => known || full_name !== 'Aurora Aparecida');
    await route.fulfill({ response, json: { ...json, data } });
  });
  await openUsers(page);
  await expect(row(page, 'Paula Presente')).toBeVisible();
  await expect(row(page, 'Aurora Aparecida')).toBeHidden();
  known = true;
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('user-created')));
  await expect(row(page, 'Aurora Aparecida')).toBeVisible();
});

test('while it loads it says so, a failure offers another try', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 500/);
  await api.user('revendedor', { full_name: 'Lara Lenta' });
  await openUsers(page);
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
  await openUsers(page);
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
  await page.getByRole('dialog', { name: 'Descartar los cambios' }).getByRole('button', { name: 'Descartar' }).click();
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
  await openUsers(page);
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
