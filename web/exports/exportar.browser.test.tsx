import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { requireProof } from '../../contract/account/account.ts';
import { cancelExport, createExport, type ExportRecord, listExports } from '../../contract/exports/exports.ts';
import { exportRecord } from '../../contract/exports/schemas.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { address, expectAccessible, open } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';

/* «Exportar Datos»: the choices, the progress, and the stored files. */

let records: ExportRecord[];
const anExport = (fields: Partial<ExportRecord>): ExportRecord => ({
  ...(emptyOf(exportRecord) as ExportRecord),
  name: 'enruta_export_2026-11-20_10-00-00.xlsx',
  formato: 'xlsx',
  estado: 'listo',
  hechas: 3,
  total: 3,
  size: 2048,
  created_at: '2026-11-20T09:00:00Z',
  ...fields,
});
let downloads: string[];
beforeEach(() => {
  [records, downloads] = [[], []];
  server.answer(requireProof, { success: true, message: 'Hecho' });
  server.reply(listExports, () => ({ data: records }));
  server.reply(createExport, ({ body: { formato } }) => {
    const made = anExport({ formato, name: `enruta_export.${formato}` });
    records = [made, ...records];
    return asDone('Exportación en curso', { ...made, estado: 'en_curso' as const });
  });
  // Prevents the download from leaving the test page.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(`${this.pathname} ${this.download}`);
  });
});

const exportar = page.getByRole('main').getByRole('button', { name: 'Exportar' });
const recent = page.getByRole('region', { name: 'Exportaciones recientes' });
const lines = recent.getByRole('listitem');
const check = (name: string) => page.getByRole('checkbox', { name }).click();
const sent = () => server.asked(createExport).map(({ body }) => body);

test('an export without chosen data is refused, and the error closes with the next export', async () => {
  open('/exportar-datos');
  await expect.element(recent).toMatchTextContent('Todavía no has exportado nada');
  await expectAccessible();
  await check('Pedidos');
  await exportar.click();
  const refusal = page.getByRole('alert').filter({ hasText: 'Selecciona al menos una opción para exportar.' });
  await expect.element(refusal).toBeVisible();
  expect(sent()).toEqual([]);
  await check('Pedidos');
  await exportar.click();
  // Shorter than the error's own timeout: the export must have cleared the error.
  await expect.element(refusal, { timeout: 3000 }).not.toBeInTheDocument();
});

test('an export holds the chosen data of the chosen days', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') });
  open('/exportar-datos');
  await expect.element(page.getByRole('checkbox', { name: 'Pedidos' })).toBeChecked();
  for (const name of ['Líneas de los pedidos', 'Revendedores', 'Transportistas']) await check(name);
  await page.getByRole('button', { name: /^Fecha de los pedidos/ }).click();
  await page.getByRole('button', { name: 'Año anterior' }).click();
  await page.getByRole('radio', { name: 'CSV' }).click();
  await exportar.click();
  const ready = page.getByRole('status').filter({ hasText: 'Exportación completada' });
  await expect.element(ready).toMatchTextContent('Se han exportado 3 registros en formato CSV');
  expect(sent()).toEqual([
    {
      conjuntos: ['pedidos', 'lineas', 'revendedores', 'transportistas'],
      formato: 'csv',
      filtro: { fecha_desde: '2025-01-01', fecha_hasta: '2025-12-31' },
    },
  ]);
});

test('only a shop that collects on delivery is offered the collected money for export', async () => {
  open('/exportar-datos');
  await expect.element(page.getByRole('checkbox', { name: 'Revendedores' })).toBeVisible();
  await expect.element(page.getByRole('checkbox', { name: 'Caja' })).not.toBeInTheDocument();
  open('/exportar-datos', 'superadmin', { contra_reembolso: true });
  await check('Caja');
  await check('Cobros al entregar');
  await exportar.click();
  await expect.poll(sent).toMatchObject([{ conjuntos: ['pedidos', 'cobros', 'caja'] }]);
  await expect.element(page.getByRole('status').filter({ hasText: 'Exportación completada' })).toBeVisible();
});

test('a double click makes one export, whose file is downloaded at once and offered again', async () => {
  open('/exportar-datos');
  await exportar.dblClick();
  await expect.poll(() => downloads).toHaveLength(1);
  const ready = page.getByRole('status').filter({ hasText: 'Exportación completada' });
  const file = `/api/exports/${records[0]?.id}/archivo enruta_export.xlsx`;
  await ready.getByRole('button', { name: 'Descargar' }).click();
  await expect.poll(() => downloads).toEqual([file, file]);
  expect(sent()).toHaveLength(1);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(exportar).toBeEnabled();
});

test('a second click just after the first export leaves the button usable', async () => {
  open('/exportar-datos');
  await expect.element(exportar).toBeEnabled();
  const button = exportar.element() as HTMLButtonElement;
  button.click();
  await vi.waitFor(() => expect(downloads).toHaveLength(1), { interval: 5 });
  await vi.waitFor(() => expect(button.disabled).toBe(false), { interval: 5 });
  button.click();
  await expect.element(exportar).toBeEnabled();
});

test('an earlier export downloads only on request, after the password', async () => {
  records = [anExport({ name: 'primera.xlsx' }), anExport({ name: 'segunda.xlsx', size: 512 })];
  open('/exportar-datos');
  await expect.poll(() => lines.elements()).toHaveLength(2);
  await expect.element(lines.first()).toMatchTextContent(/primera\.xlsx.*20\/11\/2026.*2 KB/);
  expect(downloads).toEqual([]);
  const again = page.getByRole('button', { name: 'Descargar segunda.xlsx' });
  server.askProof(requireProof);
  await again.click();
  const question = page.getByRole('dialog', { name: 'Confirma quién eres' });
  await question.getByLabelText(/^Contraseña actual( \*)?$/).fill('clave de Ana');
  expect(downloads).toEqual([]);
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect.poll(() => downloads).toEqual([`/api/exports/${records[1]?.id}/archivo segunda.xlsx`]);
});

test('the orders table passes its filter to the export', async () => {
  const orders = Array.from({ length: 20 }, () => aPedido({ cliente_ciudad: 'Teruel' }));
  server.answer(listPedidos, pageOf(orders, 23));
  open('/pedidos?search=teruel');
  await row(orders[0]?.numero_orden ?? '')
    .getByRole('checkbox')
    .click();
  await page.getByRole('button', { name: 'Seleccionar los 23 que coinciden' }).click();
  await page.getByRole('link', { name: 'Exportar' }).click();
  await expect.element(page.getByText('Se exportan solo los pedidos del filtro de la tabla.')).toBeVisible();
  await expect.poll(address).toBe('/exportar-datos?search=teruel');
  const lineas = page.getByRole('checkbox', { name: 'Líneas de los pedidos' });
  await expect.element(lineas).toBeChecked();
  await exportar.click();
  await expect.poll(() => sent()[0]).toEqual({ conjuntos: ['pedidos', 'lineas'], formato: 'xlsx', filtro: { search: 'teruel' } });
  // A CSV file holds one data set, so the export includes the lines only on request.
  await page.getByRole('radio', { name: 'CSV' }).click();
  await expect.element(lineas).not.toBeChecked();
  await exportar.click();
  await expect.poll(() => sent()[1]).toEqual({ conjuntos: ['pedidos'], formato: 'csv', filtro: { search: 'teruel' } });
});

test('a running export shows its progress and can be cancelled', async () => {
  const making = anExport({ estado: 'en_curso', hechas: 41_500, total: 100_000, size: null });
  records = [making, anExport({}), anExport({ estado: 'error', error: 'No hay sitio en el disco' })];
  open('/exportar-datos');
  const bar = lines.first().getByRole('progressbar');
  await expect.element(bar).toHaveAttribute('aria-valuenow', '42');
  await expect.element(lines.first()).toMatchTextContent('41.500 de 100.000');
  await expect.element(lines.nth(2)).toMatchTextContent('No se pudo hacer · No hay sitio en el disco');
  await expect.element(page.getByRole('button', { name: 'Exportando...' })).toBeDisabled();
  await expectAccessible();
  server.reply(cancelExport, () => {
    const cancelled = { ...making, estado: 'cancelado' as const };
    records = [cancelled, ...records.slice(1)];
    return asDone('Exportación cancelada', cancelled);
  });
  await lines.first().getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(lines.first()).toMatchTextContent('Cancelada');
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(exportar).toBeEnabled();
  expect(downloads).toEqual([]);
});

test('a list of exports that fails to load offers a retry', async () => {
  server.refuse(listExports, 500, { message: 'Ha ocurrido un error inesperado' });
  open('/exportar-datos');
  await expect.element(recent.getByRole('alert')).toMatchTextContent('No se pudieron cargar las exportaciones');
  server.answer(listExports, { data: [anExport({})] });
  await recent.getByRole('button', { name: 'Reintentar' }).click();
  await expect.poll(() => lines.elements()).toHaveLength(1);
});
