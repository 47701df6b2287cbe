import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { cancelExport, createExport, type ExportRecord, listExports } from '../contract/exports.ts';
import { type Arranger, expect, expectAccessible, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Exportar Datos»: what the server makes of everything that matches, and the files that it keeps. */

const exportar = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Exportar', exact: true });
const recent = (page: Page) => page.getByRole('region', { name: 'Exportaciones recientes' });
const records = (page: Page) => recent(page).getByRole('listitem');
const news = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const notice = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

/** Presses «Exportar» and waits until it is made of `rows` rows and downloads: its name and bytes. */
async function make(page: Page, rows: number, format: string): Promise<{ name: string; bytes: Buffer }> {
  const downloads = page.waitForEvent('download');
  await exportar(page).click();
  await expect(news(page, `Se han exportado ${rows} registros en formato ${format}`).last()).toBeVisible();
  await expect(records(page).first()).toContainText(/\d (B|KB)/);
  const file = await downloads;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}
/** Lines of a Spanish CSV without its header, after the mark by which Excel knows UTF-8. */
function linesOf(bytes: Uint8Array): string[] {
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  return Buffer.from(bytes.subarray(3)).toString('utf8').trimEnd().split('\r\n').slice(1);
}
async function some(api: Arranger, count: number, city: string) {
  const pack = await api.pack();
  for (let i = 0; i < count; i += 1) await api.pedido({ pack_id: pack.id, cliente_nombre: `Cliente de ${city}`, cliente_ciudad: city });
}

test('what is chosen becomes a file, of the days that are chosen, and can be downloaded again', async ({ page, api }) => {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/exportar-datos');
  await expect(recent(page)).toContainText('Todavía no has exportado nada');
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: 'Pedidos', exact: true }).uncheck();
  await exportar(page).click();
  await expect(notice(page, 'Selecciona al menos una opción para exportar.')).toBeVisible();
  await expect(records(page)).toHaveCount(0);

  await some(api, 3, 'Soria');
  await api.user('revendedor');
  for (const name of ['Pedidos', 'Líneas de los pedidos', 'Revendedores', 'Transportistas'])
    await page.getByRole('checkbox', { name, exact: true }).check();
  const book = await make(page, 7, 'Excel');
  await expect(page.getByText('Exportación completada').last()).toBeVisible();
  expect(book.name).toMatch(/^enruta_export_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.xlsx$/);
  expect(Object.keys(unzipSync(book.bytes)).filter((name) => name.startsWith('xl/worksheets/sheet'))).toHaveLength(4);

  // Last year there was nothing: the day is the orders’, the people stay.
  await page.getByRole('button', { name: /^Fecha de los pedidos/ }).click();
  await page.getByRole('button', { name: 'Año anterior', exact: true }).click();
  await page.getByRole('radio', { name: 'CSV' }).check();
  const zip = await make(page, 1, 'CSV');
  expect([zip.name.endsWith('.zip'), [...zip.bytes.subarray(0, 4)]]).toEqual([true, [0x50, 0x4b, 3, 4]]);
  const lines = Object.entries(unzipSync(zip.bytes)).map(([name, bytes]) => [name.toLowerCase(), linesOf(bytes).length]);
  expect(Object.fromEntries(lines)).toEqual({ 'pedidos.csv': 0, 'líneas.csv': 0, 'revendedores.csv': 1, 'transportistas.csv': 0 });

  // The first one is still there, the same bytes.
  await expect(records(page)).toHaveCount(2);
  const again = page.waitForEvent('download');
  await page.getByRole('link', { name: `Descargar ${book.name}` }).click();
  expect(await readFile(await (await again).path())).toEqual(book.bytes);
});

test('two clicks make one export, which downloads, and its notice downloads it again', async ({ page, api }) => {
  await some(api, 1, 'Huesca');
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/exportar-datos');
  await expect(exportar(page)).toBeEnabled();
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') asked += 1;
  });
  const first = page.waitForEvent('download');
  await exportar(page).dblclick();
  await first;
  const ready = page.getByRole('status').filter({ hasText: 'Exportación completada' });
  const file = page.waitForEvent('download');
  await ready.getByRole('button', { name: 'Descargar' }).click();
  expect((await file).suggestedFilename()).toMatch(/^enruta_export_.*\.xlsx$/);
  expect(asked).toBe(1);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(exportar(page)).toBeEnabled();
});

test('the orders’ table hands over its filter: as many rows as the list says', async ({ page, api }) => {
  await some(api, 23, 'Teruel');
  await some(api, 2, 'Cuenca');
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos?search=teruel');
  await expect(page.getByText('Mostrando 20 de 23 pedidos')).toBeVisible();
  await page.getByRole('row').filter({ hasText: 'Teruel' }).first().getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Seleccionar los 23 que coinciden' }).click();
  await page.getByRole('link', { name: 'Exportar', exact: true }).click();
  await expect(page.getByText('Se exportan solo los pedidos del filtro de la tabla.')).toBeVisible();
  const lineas = page.getByRole('checkbox', { name: 'Líneas de los pedidos' });
  await expect(lineas).toBeChecked();
  const book = await make(page, 46, 'Excel');
  expect(Object.keys(unzipSync(book.bytes)).filter((sheet) => sheet.startsWith('xl/worksheets/sheet'))).toHaveLength(2);
  // A CSV holds one set, so the lines are only in it where they are asked for.
  await page.getByRole('radio', { name: 'CSV' }).check();
  await expect(lineas).not.toBeChecked();
  const { name, bytes } = await make(page, 23, 'CSV');
  const lines = linesOf(bytes);
  expect([name.endsWith('.csv'), lines.length, lines.every((line) => line.includes('Cliente de Teruel'))]).toEqual([true, 23, true]);
});

test('of the exports the last five stay; one being made shows how far it is and can be stopped', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 500/);
  for (let i = 0; i < 6; i += 1) {
    const { data } = (await api.admin.call(createExport, { body: { conjuntos: ['pedidos'], formato: 'csv' } })).body;
    // Whichever is first, it is over then.
    await api.admin.call(cancelExport, { params: { id: data.id } });
    await expect.poll(async () => (await api.admin.call(listExports)).body.data[0]?.estado).not.toBe('en_curso');
  }
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  // A hundred thousand orders take a while and are not here: the server says what it would say then.
  let says: Partial<ExportRecord> | 'nothing' = 'nothing';
  await page.route(`**${listExports.path}`, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    if (says === 'nothing') return route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado' } });
    const response = await route.fetch();
    const { data } = await response.json();
    return route.fulfill({ response, json: { data: [{ ...data[0], ...says }, ...data.slice(1)] } });
  });
  await page.goto('/exportar-datos');
  await expect(recent(page).getByRole('alert')).toContainText('No se pudieron cargar las exportaciones');
  says = { estado: 'en_curso', hechas: 41_500, total: 100_000 };
  await recent(page).getByRole('button', { name: 'Reintentar' }).click();
  await expect(records(page)).toHaveCount(5);
  const bar = records(page).first().getByRole('progressbar');
  await expect(bar).toHaveAttribute('aria-valuenow', /^4[12]$/);
  await expect(records(page).first()).toContainText('41.500 de 100.000');
  await expect(page.getByRole('button', { name: 'Exportando...' })).toBeDisabled();
  await expectAccessible(page);

  await page.route('**/cancelar', (route) => {
    says = { estado: 'cancelado' };
    return route.fulfill({ json: { success: true, message: 'Exportación cancelada', data: {} } });
  });
  await records(page).first().getByRole('button', { name: 'Cancelar' }).click();
  await expect(records(page).first()).toContainText('Cancelada');
  await expect(bar).toHaveCount(0);
  await expect(exportar(page)).toBeEnabled();
});
