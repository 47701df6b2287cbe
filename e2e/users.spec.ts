import { dayInMadrid, spanishDay } from '../test/day.ts';
import { expect, row, SUPERADMIN, signIn, signInByForm, test } from './fixtures.ts';

/* «Gestión de Usuarios»: a created person can sign in. The screen itself is tested in web/users/users.browser.test.tsx. */

test('a newly created reseller can sign in', async ({ page, openAs }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/gestion-usuarios');
  await page.getByRole('button', { name: 'Crear revendedor' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Pongo yo su contraseña' }).click();
  await dialog.getByLabel('Nombre completo').fill('Rita Revendedora');
  await dialog.getByLabel('Email').fill('rita@enruta.test');
  await dialog.getByLabel(/^Contraseña/).fill('clave de rita');
  await dialog.getByRole('button', { name: 'Crear revendedor' }).click();
  await expect(row(page, 'Rita Revendedora')).toContainText(spanishDay(dayInMadrid()));
  const rita = await openAs({ email: 'rita@enruta.test', password: 'clave de rita' }, signInByForm);
  await expect(rita).toHaveURL(/\/revendedor-dashboard$/);
});
