import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { getSettings } from '../../contract/settings/settings.ts';
import { open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { theSettings } from '../../test/web/samples.ts';

test('settings ask before a change of tab or the menu takes what was typed', async () => {
  server.answer(getSettings, { data: theSettings() });
  open('/configuracion');
  const name = page.getByRole('textbox', { name: 'Nombre de la empresa' });
  await name.fill('A medio escribir');
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  for (const leave of [page.getByRole('tab', { name: 'Seguridad' }), page.getByRole('link', { name: 'Clientes' })]) {
    await leave.click();
    await question.getByRole('button', { name: 'Seguir editando' }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(name).toHaveValue('A medio escribir');
  }
  await page.getByRole('tab', { name: 'Seguridad' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect.element(page.getByRole('button', { name: 'Sesiones y contraseñas' })).toBeVisible();
});
