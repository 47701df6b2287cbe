import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { address, expectAccessible, open, reload } from '../../test/web/app.tsx';

/* The date-range picker, on «Mis Pedidos». The test browser is in New York, the business in Madrid. */

// 00:30 of the 21st in Madrid, and 18:30 of the 20th in New York.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T23:30:00Z') }));

const control = page.getByRole('button', { name: /^Fechas: / });
const panel = page.getByRole('dialog', { name: /^Fechas: / });
const button = (name: string) => panel.getByRole('button', { name, exact: true });
async function openPanel() {
  open('/mis-pedidos', 'revendedor');
  await control.click();
}

test('the date picker offers the periods of the specification, and applies a period at once', async () => {
  await openPanel();
  const periods = panel.getByRole('group', { name: 'Periodos' }).getByRole('button');
  await expect
    .poll(() => periods.elements().map(({ textContent }) => textContent))
    .toEqual([
      'Año actual',
      'Año anterior',
      'Últimos 12 meses',
      'Últimos 7 días',
      'Mes actual',
      'Mes anterior',
      '1 trimestre',
      '2 trimestre',
      '3 trimestre',
      '4 trimestre',
      'Personalizado',
    ]);
  await expect.element(panel.getByRole('cell').first()).toMatchTextContent(/^lu/i);
  await expectAccessible();
  await button('Últimos 7 días').click();
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(control).toMatchTextContent('15/11/2026 — 21/11/2026');
  expect(address()).toContain('fecha_desde=2026-11-15&fecha_hasta=2026-11-21');
  await expect.element(control).toHaveFocus();
  await control.click();
  await expect.element(button('Últimos 7 días')).toHaveAttribute('aria-pressed', 'true');
  await button('Limpiar').click();
  await expect.element(control).toMatchTextContent('Seleccionar rango');
  expect(address()).toBe('/mis-pedidos');
});

test('a custom range of dates is chosen with the keyboard, and applies only on «Aplicar»', async () => {
  await openPanel();
  await button('Personalizado').click();
  await expect.poll(() => document.activeElement?.closest('td')).not.toBeNull();
  await expect.element(button('Aplicar')).toBeDisabled();
  (button('3 noviembre 2026').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Aplicar')).toBeDisabled();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(panel.getByRole('status')).toMatchTextContent('03/11/2026 — 10/11/2026');
  await expect.element(control).toMatchTextContent('Seleccionar rango');
  await button('Aplicar').click();
  await expect.element(control).toMatchTextContent('03/11/2026 — 10/11/2026');

  reload('revendedor');
  await expect.element(control).toMatchTextContent('03/11/2026 — 10/11/2026');
});

test('«Cancelar» and Escape discard the choice of dates', async () => {
  await openPanel();
  await button('3 noviembre 2026').click();
  await button('Cancelar').click();
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(control).toMatchTextContent('Seleccionar rango');
  await control.click();
  await expect.element(panel).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(control).toHaveFocus();
});

test('«Aplicar» is in view when the date picker opens on a phone', async () => {
  await page.viewport(360, 640);
  await openPanel();
  for (const [width, height] of [
    [360, 640],
    [390, 844],
  ] as const) {
    await page.viewport(width, height);
    await expect.element(button('Aplicar')).toBeVisible();
    await expect.poll(() => button('Aplicar').element().getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight);
    const { left, width: wide } = panel.element().getBoundingClientRect();
    expect([Math.round(left), Math.round(wide)]).toEqual([0, innerWidth]);
    await expectAccessible();
  }
});
