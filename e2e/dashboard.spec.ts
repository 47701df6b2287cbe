import type { Page } from '@playwright/test';
import type { BodyIn } from '../contract/kit.ts';
import { assignTransportista, setEstado } from '../contract/pedidos.ts';
import { addDays, dayInMadrid, spanishDay } from '../test/day.ts';
import { expect, expectAccessible, expectFilled, SUPERADMIN, signIn, test } from './fixtures.ts';

/* The superadmin's Dashboard: figures that open the list they count, what waits, what has just happened. */

async function open(page: Page, search = '') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/${search}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
}
const block = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** The number that a link ends in or holds: «Pendientes 3». */
const figure = async (page: Page, name: RegExp) => {
  const link = page.getByRole('main').getByRole('link', { name });
  await expect(link).toContainText(/\d/);
  return { link, text: (await link.innerText()).replace(/\s+/g, ' ') };
};

test('with nothing, every block says so', async ({ page }) => {
  await open(page);
  await expect((await figure(page, /^Total Pedidos/)).link).toContainText('0');
  await expect(page.getByText('No hay pedidos recientes.')).toBeVisible();
  await expect(page.getByText('No hay pedidos en estas fechas')).toBeVisible();
  await expect(block(page, 'Actividad Reciente')).toContainText('Se muestran actividades de las últimas 24 horas');
  await expectAccessible(page);
});

test('the dates are the current month, and stay in the address when changed', async ({ page }) => {
  await open(page);
  const first = `${dayInMadrid().slice(0, 7)}-01`;
  const month = [first, addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1)].map(spanishDay);
  await expect(page.getByRole('button', { name: `Fechas: ${month.join(' — ')}` })).toBeVisible();

  await page.getByRole('button', { name: /^Fechas:/ }).click();
  await page.getByRole('button', { name: 'Año anterior' }).click();
  const year = Number(first.slice(0, 4)) - 1;
  await expect(page).toHaveURL(`/?fecha_desde=${year}-01-01&fecha_hasta=${year}-12-31`);
  await page.reload();
  await expect(page.getByRole('button', { name: `Fechas: 01/01/${year} — 31/12/${year}` })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: `Fechas: ${month.join(' — ')}` })).toBeVisible();
});

test('dates written by hand that are none are the current month', async ({ page, api }) => {
  await api.pedido();
  await open(page, '?fecha_desde=2026-02-31&fecha_hasta=ayer');
  await expect(page.getByRole('link', { name: /^Total Pedidos/ })).toContainText(/[1-9]/);
});

test('every figure opens the list that it counts, with its dates', async ({ page, api }) => {
  const pack_id = (await api.pack({ pack_price: 617.25 })).id;
  const carrier = await api.user('transportista');
  const reseller = await api.user('revendedor');
  const day = '2025-03-10';
  const give = (given = {}) => api.pedido({ pack_id, fecha_pedido: day, fecha_estimada: '2025-03-11', ...given });
  await give({ cantidad: 2 });
  await api.pedido({ pack_id }, await api.as(reseller));
  const taken = await give();
  await api.admin.call(assignTransportista, { params: { id: taken.id }, body: { transportista_id: carrier.id } });
  const done = await give();
  await api.admin.call(setEstado, { params: { id: done.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  const gone = await give();
  await api.admin.call(setEstado, { params: { id: gone.id }, body: { estado: 'cancelado' } });

  const dates = '?fecha_desde=2025-03-01&fecha_hasta=2025-03-31';
  await open(page, dates);
  await expect((await figure(page, /^Ingresos/)).link).toContainText(/2\.469,00\s€/);
  await expect((await figure(page, /^Ingresos/)).link).toContainText('Nada en los 31 días anteriores');
  await expectAccessible(page);

  const cases: [RegExp, string][] = [
    [/^Total Pedidos/, '4'],
    [/^Pendientes/, '1'],
    [/^En Proceso/, '1'],
    [/^Completados/, '1'],
    [/^Cancelados/, '1'],
    [/^Sin pagar/, '1'],
    [/^Atrasados/, '2'],
  ];
  for (const [name, count] of cases) {
    const { link, text } = await figure(page, name);
    expect(text, String(name)).toMatch(new RegExp(`${name.source} ${count}(\\s|$)`));
    await link.click();
    await expect(page.getByText(`Mostrando ${count} de ${count} pedidos`)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`/${dates}`);
  }
  // Income is of the orders neither unpaid nor cancelled.
  await page.getByRole('link', { name: /^Ingresos/ }).click();
  await expect(page.getByText('Mostrando 3 de 3 pedidos')).toBeVisible();
  await expect(page.getByText(/^Suman 2\.469,00\s€$/)).toBeVisible();
  // People who cannot enter are not counted, and not listed either.
  await api.user('transportista', { full_name: 'Zoé Sin Acceso', is_active: false });
  await open(page, dates);
  await page.getByRole('link', { name: /^Transportistas/ }).click();
  await expect(page.getByRole('combobox', { name: 'Acceso' })).toHaveValue('Con acceso');
  await expect(page.getByText(carrier.full_name)).toBeVisible();
  await expect(page.getByText('Zoé Sin Acceso')).toBeHidden();
});

test('«Atrasados» is a filter of the list that is taken off like any other', async ({ page, api }) => {
  const late = await api.pedido({ fecha_pedido: '2025-03-10', fecha_estimada: '2025-03-11' });
  const soon = await api.pedido({ fecha_estimada: addDays(dayInMadrid(), 7) });
  await open(page);
  await block(page, 'Para atender')
    .getByRole('link', { name: /^Atrasados/ })
    .click();
  await expect(page).toHaveURL('/pedidos?atrasado=si');
  const list = page.getByRole('main');
  await expect(list.getByRole('link', { name: late.numero_orden, exact: true })).toBeVisible();
  await expect(list.getByRole('link', { name: soon.numero_orden, exact: true })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Quitar filtro: Atrasados' }).click();
  await expect(page).toHaveURL('/pedidos');
  await expect(list.getByRole('link', { name: soon.numero_orden, exact: true })).toBeVisible();

  await open(page);
  await block(page, 'Para atender')
    .getByRole('link', { name: /^Transferencias por confirmar 0/ })
    .click();
  await expect(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar filtros' }).first().click();
  await expect(page).toHaveURL('/pedidos');
});

test('money to give back is listed until it is noted as given back', async ({ page, api }) => {
  const reseller = await api.as(await api.user('revendedor'));
  const pedido = await api.pedido({ pack_id: (await api.pack({ pack_price: 43.21 })).id }, reseller);
  const move = (body: BodyIn<typeof setEstado>) => api.admin.call(setEstado, { params: { id: pedido.id }, body });
  await move({ estado: 'pendiente', referencia: 'TRF-2031' });
  await move({ estado: 'cancelado' });
  await api.pedido({}, reseller);

  await open(page);
  await (await figure(page, /^Devoluciones pendientes 1$/)).link.click();
  await expect(page).toHaveURL('/pedidos?devolucion=pendiente');
  await expect(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: pedido.numero_orden }).click();
  const pagos = page.getByRole('dialog').getByRole('region', { name: 'Pagos' });
  await expect(pagos).toContainText('Devolución pendiente');
  await expect(pagos).toContainText('Ref. TRF-2031');
  await expect(pagos).toContainText(/43,21\s€/);
  await pagos.getByRole('button', { name: 'Marcar como devuelto' }).click();
  await expectAccessible(page);
  await pagos.getByLabel('Nota (opcional)').fill('Transferencia del día 20');
  await pagos.getByRole('button', { name: 'Marcar como devuelto' }).click();
  await expect(page.getByText('Pago marcado como devuelto')).toBeVisible();
  await expect(pagos).toContainText('«Transferencia del día 20»');
  await expect(pagos.getByRole('button')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar filtro: Devoluciones pendientes' }).click();
  await expect(page).toHaveURL('/pedidos');
  await open(page);
  await figure(page, /^Devoluciones pendientes 0$/);
});

test('«Stock bajo» opens the products that are running out', async ({ page, api }) => {
  const { name } = await api.product({ stock: 2, min_stock: 5 });
  await api.product({ stock: 50, min_stock: 5 });
  await open(page);
  const { link } = await figure(page, /^Stock bajo 1/);
  await link.click();
  await expect(page).toHaveURL('/control-stock?ver=bajo');
  await expect(page.getByText(name, { exact: true })).toBeVisible();
});

test('the chart is also a sentence and a table', async ({ page, api }) => {
  await api.pedido({ fecha_pedido: '2025-06-10', pack_id: (await api.pack({ pack_price: 40 })).id });
  await open(page, '?fecha_desde=2025-06-01&fecha_hasta=2025-06-30');
  const chart = block(page, 'Pedidos e ingresos');
  await expect(chart).toContainText(
    /Del 01\/06\/2025 al 30\/06\/2025: 1 pedido y 40,00\s€ de ingresos\. Mejor día: 10\/06\/2025, con 1 pedido\./,
  );
  await expect(
    chart
      .getByRole('img', { name: /^Gráfico de pedidos e ingresos por día/ })
      .locator('svg')
      .first(),
  ).toBeVisible();
  await chart.getByText('Ver los datos en una tabla').click();
  await expect(chart.getByRole('row', { name: /10\/06\/2025 1 40,00/ })).toBeVisible();
  await expect(chart.getByRole('row')).toHaveCount(31);
  await expectAccessible(page);

  await open(page, '?fecha_desde=2025-01-01&fecha_hasta=2025-12-31');
  await expect(chart).toContainText(/Mejor mes: [a-z]+ de 2025, con/);
  await chart.getByText('Ver los datos en una tabla').click();
  await expect(chart.getByRole('row')).toHaveCount(13);
  // The figures of more than two years are there; only the chart is too long, and is not asked for.
  await open(page, '?fecha_desde=2020-01-01&fecha_hasta=2025-12-31');
  await expect(chart).toContainText('Elige como máximo dos años');
  await expect((await figure(page, /^Total Pedidos/)).link).toContainText(/[1-9]/);
});

test('recent orders are six, and open to see and to edit', async ({ page, api }) => {
  const pack_id = (await api.pack({ pack_price: 617.25 })).id;
  const carrier = await api.user('transportista');
  for (let i = 0; i < 6; i += 1) await api.pedido({ pack_id });
  const newest = await api.pedido({
    pack_id,
    cantidad: 2,
    cliente_nombre: 'Nuria Reciente',
    fecha_pedido: new Date(Date.now() + 60_000).toISOString(),
  });
  await api.admin.call(assignTransportista, { params: { id: newest.id }, body: { transportista_id: carrier.id } });
  await open(page);
  const recent = block(page, 'Pedidos Recientes');
  await expect(recent.getByRole('listitem')).toHaveCount(6);
  const first = recent.getByRole('listitem').first();
  for (const text of [
    newest.numero_orden,
    'Asignado',
    'Nuria Reciente',
    carrier.full_name,
    '1.234,50',
    spanishDay(dayInMadrid(newest.fecha_pedido)),
  ]) {
    await expect(first).toContainText(text);
  }

  const see = first.getByRole('button', { name: `Ver el pedido ${newest.numero_orden}` });
  await see.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Pedido ${newest.numero_orden}` });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(see).toBeFocused();

  await first.getByRole('button', { name: `Editar el pedido ${newest.numero_orden}` }).click();
  await dialog.getByLabel('Cliente - Nombre').fill('Nuria Cambiada');
  await dialog.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(first).toContainText('Nuria Cambiada');
});

test('activity says what was done, by whom and how long ago', async ({ page, api }) => {
  const reseller = await api.user('revendedor');
  await open(page);
  const feed = block(page, 'Actividad Reciente');
  const entry = feed.getByRole('listitem').filter({ hasText: reseller.full_name }).first();
  await expect(entry).toContainText(/Ahora|Hace \d+m/);
  expect(await feed.getByRole('listitem').count()).toBeLessThanOrEqual(7);
});

test('what does not load is dashes, never an endless wait', async ({ page, allowErrors }) => {
  allowErrors(/status of 500/);
  await open(page);
  await page.route(/\/api\/(stats|audit-logs)/, (route) =>
    route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado' } }),
  );
  await page.reload();
  await expect(page.getByRole('link', { name: 'Total Pedidos —' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Atrasados —' })).toBeVisible();
  await expect(block(page, 'Actividad Reciente')).toContainText('—');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.getByText('Ha ocurrido un error inesperado')).toBeHidden();
});

test('@desktop beside each other both columns end at the same height', async ({ page, api }) => {
  await api.pedido();
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await expectFilled(page);
    const ends = ['Pedidos Recientes', 'Actividad Reciente'].map(async (title) => {
      const box = await block(page, title).boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0));
    });
    const [first, second] = await Promise.all(ends);
    expect(first, `${width} px`).toBe(second);
  }
});
