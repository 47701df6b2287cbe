import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { expect, proveIn, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Files made by the real server in «Exportar Datos». The screen itself is tested in web/exports/exportar.browser.test.tsx. */

/** Exports, expects `rows` rows and returns the downloaded file. `asked`: the server asks for the password first. */
async function make(page: Page, rows: number, format: string, asked = false): Promise<{ name: string; bytes: Buffer }> {
  const downloads = page.waitForEvent('download');
  await page.getByRole('main').getByRole('button', { name: 'Exportar', exact: true }).click();
  if (asked) await proveIn(page, SUPERADMIN.password);
  const ready = page.getByRole('status').filter({ hasText: `Se han exportado ${rows} registros en formato ${format}` });
  await expect(ready.last()).toBeVisible();
  const file = await downloads;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}
/** Lines of a Spanish CSV without byte order mark and header. */
function linesOf(bytes: Uint8Array): string[] {
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  return Buffer.from(bytes.subarray(3)).toString('utf8').trimEnd().split('\r\n').slice(1);
}

test('an export downloads its file, which can be downloaded again', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 403/);
  const pack = await api.pack();
  for (let i = 0; i < 3; i += 1) await api.pedido({ pack_id: pack.id, cliente_ciudad: 'Soria' });
  await api.user('revendedor');
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/exportar-datos?ciudad=Soria');
  for (const name of ['Pedidos', 'Líneas de los pedidos', 'Revendedores', 'Transportistas'])
    await page.getByRole('checkbox', { name, exact: true }).check();
  const book = await make(page, 7, 'Excel', true);
  expect(book.name).toMatch(/^enruta_export_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.xlsx$/);
  expect(Object.keys(unzipSync(book.bytes)).filter((name) => name.startsWith('xl/worksheets/sheet'))).toHaveLength(4);

  await page.getByRole('radio', { name: 'CSV' }).check();
  const zip = await make(page, 7, 'CSV');
  expect([zip.name.endsWith('.zip'), [...zip.bytes.subarray(0, 4)]]).toEqual([true, [0x50, 0x4b, 3, 4]]);
  const lines = Object.entries(unzipSync(zip.bytes)).map(([name, bytes]) => [name.toLowerCase(), linesOf(bytes).length]);
  expect(Object.fromEntries(lines)).toEqual({ 'pedidos.csv': 3, 'líneas.csv': 3, 'revendedores.csv': 1, 'transportistas.csv': 0 });

  const again = page.waitForEvent('download');
  await page.getByRole('button', { name: `Descargar ${book.name}` }).click();
  expect(await readFile(await (await again).path())).toEqual(book.bytes);
});
