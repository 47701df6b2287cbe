import type { Page } from '@playwright/test';
import { type Arranger, expect, expectAccessible, signIn, test } from './fixtures.ts';

/* The date-range picker, seen in «Mis Pedidos». */

// Half past midnight of the 21st where the business is, and still the afternoon of the 20th where this browser is.
const NOW = '2026-11-20T23:30:00Z';
test.use({ timezoneId: 'America/New_York' });

async function open(page: Page, api: Arranger) {
  const person = await api.user('revendedor');
  await signIn(page, person.email, person.password);
  await page.clock.setFixedTime(NOW);
  await page.goto('/mis-pedidos');
  await control(page).click();
  await expect(panel(page)).toBeVisible();
}
const control = (page: Page) => page.getByRole('button', { name: /^Fechas: / });
const panel = (page: Page) => page.getByRole('dialog', { name: /^Fechas: / });
const button = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true });

test('has the specification’s periods, and one applies at once', async ({ page, api }) => {
  await open(page, api);
  await expect(panel(page).getByRole('group', { name: 'Periodos' }).getByRole('button')).toHaveText([
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
  await expect(panel(page).getByRole('columnheader').first()).toHaveText(/^lu/i);
  await expectAccessible(page);
  await button(page, 'Últimos 7 días').click();
  await expect(panel(page)).toBeHidden();
  await expect(control(page)).toHaveText('15/11/2026 — 21/11/2026');
  await expect(page).toHaveURL(/fecha_desde=2026-11-15&fecha_hasta=2026-11-21/);
  await expect(control(page)).toBeFocused();
  await control(page).click();
  await expect(button(page, 'Últimos 7 días')).toHaveAttribute('aria-pressed', 'true');
  await button(page, 'Limpiar').click();
  await expect(control(page)).toHaveText('Seleccionar rango');
  await expect(page).toHaveURL(/\/mis-pedidos$/);
});

test('a range of one’s own is chosen with the keyboard and waits for «Aplicar»', async ({ page, api }) => {
  await open(page, api);
  await button(page, 'Personalizado').press('Enter');
  await expect(panel(page).locator('td button:focus')).toHaveCount(1);
  await expect(button(page, 'Aplicar')).toBeDisabled();
  await button(page, '3 noviembre 2026').press('Enter');
  await expect(button(page, 'Aplicar')).toBeDisabled();
  await button(page, '3 noviembre 2026').press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(panel(page).getByRole('status')).toHaveText('03/11/2026 — 10/11/2026');
  await expect(control(page)).toHaveText('Seleccionar rango');
  await button(page, 'Aplicar').press('Enter');
  await expect(control(page)).toHaveText('03/11/2026 — 10/11/2026');
  await page.reload();
  await expect(control(page)).toHaveText('03/11/2026 — 10/11/2026');
});

test('«Cancelar» and Escape leave everything as it was', async ({ page, api }) => {
  await open(page, api);
  await button(page, '3 noviembre 2026').click();
  await button(page, 'Cancelar').click();
  await expect(panel(page)).toBeHidden();
  await expect(control(page)).toHaveText('Seleccionar rango');
  await control(page).click();
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(control(page)).toBeFocused();
});
