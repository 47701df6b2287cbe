import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { requireProof } from '../../contract/account/account.ts';
import {
  type Facturable,
  ficheroFacturables,
  listFacturables,
  listSinTipo,
  ponerTipos,
  resumenFacturables,
  soltarFacturables,
  tomarFacturables,
} from '../../contract/facturables/facturables.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';

/* «Para facturar»: sums, files, and marking rows as invoiced. */

const aRow = (fields: Partial<Facturable> = {}): Facturable => ({
  numero: 1,
  pedido_id: uuid(),
  numero_orden: 'ORD-2026000042',
  fecha: '2026-11-20',
  motivo: 'venta',
  tipo: '10',
  anterior: false,
  cliente: 'Mateo Ruiz',
  nif: '12345678Z',
  documento: 'V26-000001',
  corrige: null,
  exportada_at: null,
  metodo_pago: 'Bizum',
  base: 21,
  cuota: 2.1,
  total: 23.1,
  tomada_at: null,
  tomada_por: null,
  ...fields,
});

const MARK = '2026-11-27T20:38:00.000Z';
let rows: Facturable[];
let sin_tipo: number;
beforeEach(() => {
  rows = [aRow(), aRow({ numero: 2, motivo: 'devolucion', base: -10, cuota: -1, total: -11 })];
  sin_tipo = 0;
  server.reply(listFacturables, () => ({ data: rows, cursor: 'c2', hay_mas: false }));
  server.reply(resumenFacturables, () => ({
    data: rows.length ? [{ tipo: '10' as const, filas: 2, base: 11, cuota: 1.1, total: 12.1 }] : [],
    cursor: 'c2',
    por_tomar: rows.length,
    sin_tipo,
    encendido: true,
    sin_tipo_por_tomar: sin_tipo,
  }));
  server.reply(tomarFacturables, () => {
    rows = [];
    return { success: true as const, message: '2 filas marcadas como facturadas', marcadas: 2, tomada_at: MARK };
  });
  server.reply(soltarFacturables, () => ({ success: true as const, message: '2 filas vuelven a estar por facturar', soltadas: 2 }));
  server.reply(listSinTipo, () => ({ data: [{ product_id: null, producto: 'Cesta', pedidos: 2 }] }));
  server.reply(ponerTipos, () => {
    sin_tipo = 0;
    return { success: true as const, message: 'Puesto en 3 líneas', data: { lineas: 3, sin_tipo: [] } };
  });
});

test('rows to invoice are summed by rate, with returns as negative rows, and can be marked as invoiced', async () => {
  open('/facturables?desde=2026-11-01&hasta=2026-11-30');
  const sums = page.getByRole('table', { name: 'Totales por tipo' });
  await expect.element(sums.getByRole('row').nth(1)).toHaveTextContent('10 %11,00 €1,10 €12,10 €');
  await expect.element(page.getByText('-11,00 €').or(page.getByText('−11,00 €')).first()).toBeVisible();
  await expect.element(page.getByText('Mateo Ruiz · 12345678Z').first()).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Marcar como facturado (2)' }).click();
  await expect.element(page.getByRole('dialog').getByText(/2 filas, 12,10/)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Marcar como facturado' }).click();
  await expect.element(page.getByText('No queda nada por facturar')).toBeVisible();
  const periodo = { desde: '2026-11-01', hasta: '2026-11-30' };
  expect(server.asked(tomarFacturables)[0]?.body).toEqual({ hasta: 'c2', periodo });
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect.poll(() => server.asked(soltarFacturables)[0]?.body).toEqual({ tomada_at: MARK });
  expect(server.asked(listFacturables)[0]?.query).toMatchObject({ ...periodo, pendientes: 'si' });
});

test('a period is downloaded in the columns of the chosen invoicing program', async () => {
  open('/facturables?desde=2026-11-01');
  await page.getByRole('combobox', { name: 'Columnas del fichero' }).click();
  await page.getByRole('option', { name: 'Holded, facturas de venta (sin verificar)' }).click();
  let href = '';
  // Prevents the download from leaving the test page.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    href = `${this.pathname}${this.search}`;
  });
  server.reply(requireProof, () => ({ success: true as const, message: 'Confirmado' }));
  await page.getByRole('button', { name: 'Descargar CSV' }).click();
  await expect.poll(() => href).not.toBe('');
  expect(href.startsWith(`${ficheroFacturables.path}?`)).toBe(true);
  expect(Object.fromEntries(new URLSearchParams(href.split('?')[1]))).toEqual({
    desde: '2026-11-01',
    pendientes: 'si',
    formato: 'csv',
    plantilla: 'holded',
  });
});

test('rows without a rate are not marked, and one list gives the products their rates', async () => {
  sin_tipo = 2;
  open('/facturables');
  await expect.element(page.getByText(/2 pedidos tienen líneas sin tipo de IVA/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Marcar como facturado (2)' })).toBeDisabled();
  await page.getByRole('combobox', { name: 'Cesta' }).click();
  await page.getByRole('option', { name: '21 %' }).click();
  await page.getByRole('button', { name: 'Guardar 1 tipo' }).click();
  await expect.element(page.getByText(/2 pedidos tienen líneas sin tipo de IVA/)).not.toBeInTheDocument();
  expect(server.asked(ponerTipos)[0]?.body).toEqual({ tipos: [{ product_id: null, producto: 'Cesta', iva: '21' }] });
});

test('one press gives all products the same rate, which is saved together', async () => {
  sin_tipo = 2;
  server.reply(listSinTipo, () => ({ data: ['Cesta', 'Queso'].map((producto) => ({ product_id: null, producto, pedidos: 1 })) }));
  open('/facturables');
  const rates = page.getByRole('table', { name: 'Tipos de IVA' });
  await expect.element(rates.getByRole('row').nth(1)).toMatchTextContent('Queso');
  await page.getByRole('button', { name: 'Todos al 10 %' }).click();
  await expect.element(page.getByRole('combobox', { name: 'Queso' })).toHaveValue('10 %');
  await page.getByRole('button', { name: 'Guardar 2 tipos' }).click();
  const tipos = ['Cesta', 'Queso'].map((producto) => ({ product_id: null, producto, iva: '10' }));
  await expect.poll(() => server.asked(ponerTipos)[0]?.body).toEqual({ tipos });
});
