import { stat } from 'node:fs/promises';
import { expectAccessible } from './accessible.ts';
import { expect, proveIn, SUPERADMIN, signIn, test } from './fixtures.ts';

/* A real backup made from «Configuración». The screen itself is tested in web/settings/settings.browser.test.tsx. */

test('a backup made with the button is verified and can be downloaded', async ({ page, allowErrors }) => {
  allowErrors(/status of 403/);
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/configuracion?tab=database');
  await expect(page.getByText('Todavía no hay copias')).toBeVisible();
  await page.getByRole('button', { name: 'Hacer copia ahora' }).click();
  await proveIn(page, SUPERADMIN.password);
  await expect(page.getByRole('button', { name: 'Haciendo copia...' })).toBeDisabled();
  const list = page.getByRole('region', { name: 'Copias de seguridad' });
  await expect(list.getByText('Verificada')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Copia verificada', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hacer copia ahora' })).toBeEnabled();
  await expect(list.getByRole('listitem')).toContainText(/Manual · \d+ KB · \d+ filas/);
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await list.getByRole('button', { name: /^Descargar la copia del / }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^enruta-\d{8}T\d{9}Z\.jsonl\.gz\.enc$/);
  expect((await stat(await download.path())).size).toBeGreaterThan(1000);
});
