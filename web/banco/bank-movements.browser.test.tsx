import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  type Abono,
  apuntarMovimiento,
  cerrarMovimiento,
  deshacerExtracto,
  leerExtracto,
  listAbonos,
  listExtractos,
  soltarMovimiento,
} from '../../contract/banco/banco.ts';
import { bankCredit } from '../../contract/banco/schemas.ts';
import { listPagosPorRevisar } from '../../contract/payments/payments.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { keepFormat, listFormats } from '../../contract/sheets/formats.ts';
import { asCamt, asNorma43, makeMonth } from '../../test/bank-month.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { theSettings } from '../../test/web/samples.ts';

const aMovement = (fields: Partial<Abono>): Abono => ({
  ...(emptyOf(bankCredit) as Abono),
  id: crypto.randomUUID(),
  fecha: '2026-11-25',
  importe: 20,
  resto: 20,
  texto: 'TRANSFERENCIA DE ANA RUIZ',
  ...fields,
});
const propuesta = { destino: 'pedidos' as const, comision: 0, partes: [{ clave: 'ORD-1', importe: 20, texto: 'ORD-1 (Ana Ruiz)' }] };
const extracto = {
  id: crypto.randomUUID(),
  fichero: 'octubre.n43',
  leido_por: 'Ada',
  created_at: '2026-11-25T10:00:00Z',
  movimientos: 3,
  esperan: 2,
};
const paged = <T,>(data: T[]) => ({ data, total: data.length, current_page: 1, last_page: 1, per_page: 25 });
let waiting: Abono[];
beforeEach(() => {
  waiting = [];
  server.answer(listPagosPorRevisar, paged([]));
  server.answer(listExtractos, { success: true, data: [extracto] });
  server.answer(getSettings, { data: theSettings({ companyIban: 'ES91 2100 0418 4502 0005 1332' }) });
  server.answer(listFormats, { data: [] });
  server.reply(listAbonos, ({ query }) => paged(query.hechos ? [aMovement({ resto: 0, texto: 'DE EVA' })] : waiting));
});
const dialog = page.getByRole('dialog');
async function choose(text: string, name: string) {
  await page.getByRole('button', { name: 'Leer extracto' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Elegir fichero' })).toBeVisible();
  await userEvent.upload(document.querySelector('[role=dialog] input[type=file], input[type=file]') as Element, new File([text], name));
}

test('a shop that has read no statement sees nothing of it', async () => {
  server.answer(listExtractos, { success: true, data: [] });
  open('/pagos-por-revisar', 'superadmin');
  await expect.element(page.getByText('No hay pagos por revisar')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Leer extracto' })).not.toBeInTheDocument();
});

test('one press books what is proposed, and what is not an order’s is said with its reason', async () => {
  await page.viewport(390, 844);
  waiting = [aMovement({ propuesta }), aMovement({ importe: 7, resto: 7, texto: 'SEGURO' })];
  server.answer(apuntarMovimiento, { success: true, message: 'Apuntado' });
  server.answer(cerrarMovimiento, { success: true, message: 'Pago revisado' });
  open('/pagos-por-revisar', 'superadmin');
  await expect.element(page.getByText('No hay otros pagos por revisar')).toBeVisible();
  await page.getByRole('button', { name: /^Apuntar 20,00\s€: ORD-1 \(Ana Ruiz\)/ }).click();
  await expect
    .poll(() => server.asked(apuntarMovimiento)[0]?.body)
    .toEqual({ destino: 'pedidos', comision: 0, partes: [{ clave: 'ORD-1', importe: 20 }] });
  await expectAccessible();
  await page.getByRole('button', { name: /^Otra cosa con 7,00/ }).click();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect.element(dialog.getByText('Indica de qué pedido es')).toBeVisible();
  await dialog.getByRole('radio', { name: 'No es de ningún pedido' }).click();
  await dialog.getByLabelText(/^Motivo/).fill('Devolución del seguro');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect.poll(() => server.asked(cerrarMovimiento)[0]?.body).toEqual({ resolucion: 'visto', motivo: 'Devolución del seguro' });
});

test('a movement is booked on an order that a person names', async () => {
  waiting = [aMovement({})];
  server.answer(apuntarMovimiento, { success: true, message: 'Apuntado' });
  open('/pagos-por-revisar', 'superadmin');
  await page.getByRole('button', { name: /^Otra cosa con 20,00/ }).click();
  await dialog.getByLabelText('Pedido', { exact: true }).fill('ORD-7');
  await dialog.getByLabelText(/^Importe que cuenta/).fill('12,5');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect
    .poll(() => server.asked(apuntarMovimiento)[0]?.body)
    .toMatchObject({ destino: 'pedidos', partes: [{ clave: 'ORD-7', importe: 12.5 }] });
});

test.each(['n43', 'camt'] as const)('a file as %s is read in the browser and sent in parts, and says what was booked', async (formato) => {
  const { credits } = makeMonth(3);
  const many = [...credits, ...credits];
  server.reply(leerExtracto, ({ body }) => ({ data: { nuevos: body.movimientos.length, conocidos: 0, apuntados: 1 } }));
  open('/pagos-por-revisar', 'superadmin');
  const sorted = many.toSorted((a, b) => a.day - b.day);
  await choose(formato === 'n43' ? asNorma43(sorted) : asCamt(sorted, '08'), 'octubre.txt');
  await expect.element(dialog.getByRole('status')).toMatchTextContent('732 abonos nuevos');
  const parts = server.asked(leerExtracto).map(({ body }) => body);
  expect([parts.length, new Set(parts.map(({ extracto }) => extracto)).size, parts[0]?.formato]).toEqual([2, 1, formato]);
  expect(parts.reduce((n, { movimientos }) => n + movimientos.length, 0)).toBe(732);
});

test('a file that is cut is refused in words, and nothing is sent', async () => {
  open('/pagos-por-revisar', 'superadmin');
  await choose(asNorma43(makeMonth(1).credits).slice(0, 5000), 'octubre.n43');
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Al fichero le falta una parte');
  expect(server.asked(leerExtracto)).toEqual([]);
});

test('the columns of a sheet are asked once, and the answers kept', async () => {
  server.answer(keepFormat, { success: true, message: '' });
  server.answer(leerExtracto, { data: { nuevos: 1, conocidos: 1, apuntados: 0 } });
  open('/pagos-por-revisar', 'superadmin');
  await choose('Fecha;Texto;Importe\r\n25/11/2026;Ana;20,00\r\n26/11/2026;Luz;3,00-\r\n', 'banco.csv');
  const columns = [
    ['Fecha', 'Fecha'],
    ['Texto', 'Concepto, ordenante o referencia'],
    ['Importe', 'Importe (con signo)'],
  ] as const;
  for (const [column, meaning] of columns) {
    await dialog.getByRole('combobox', { name: column }).click();
    await page.getByRole('option', { name: meaning }).click();
  }
  await dialog.getByRole('button', { name: 'Leer 1 abono' }).click();
  await expect.element(dialog.getByRole('status')).toMatchTextContent('1 abono nuevo · 1 ya estaba leído');
  expect(server.asked(leerExtracto)[0]?.body).toMatchObject({
    formato: 'hoja',
    movimientos: [{ cuenta: '210004180200051332', fecha: '2026-11-25', importe: 20, texto: 'Ana' }],
  });
  expect(server.asked(keepFormat).at(-1)?.body).toMatchObject({ uso: 'banco' });
});

test('a statement is undone whole, and a booked credit let go', async () => {
  server.answer(deshacerExtracto, { success: true, message: 'Extracto deshecho' });
  server.answer(soltarMovimiento, { success: true, message: 'Suelto' });
  open('/pagos-por-revisar', 'superadmin');
  await page.getByText('Extractos leídos y abonos apuntados').click();
  await page.getByRole('button', { name: /^Soltar 20,00/ }).click();
  await expect.poll(() => server.asked(soltarMovimiento).length).toBe(1);
  await page.getByRole('button', { name: 'Deshacer el extracto octubre.n43' }).click();
  await expect.poll(() => server.asked(deshacerExtracto)[0]?.params).toEqual({ id: extracto.id });
});
