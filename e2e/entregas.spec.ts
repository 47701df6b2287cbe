import type { Page } from '@playwright/test';
import { assignTransportista, setEstado } from '../contract/pedidos.ts';
import { type Arranger, expect, expectAccessible, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Entregas»: orders as what is to be handed over, and closing them. */

async function open(page: Page) {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/entregas');
}

async function assigned(api: Arranger, given: object = {}) {
  const carrier = await api.user('transportista');
  const pedido = await api.pedido(given);
  await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: carrier.id } });
  return pedido;
}

test('without orders, the list says so', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Entregas' })).toBeVisible();
  await expect(page.getByText('Todavía no hay entregas')).toBeVisible();
  await expectAccessible(page);
});

test('@desktop the columns are those of a delivery', async ({ page, api }) => {
  await api.pedido();
  await open(page);
  const heads = ['Pedido', 'Cliente', 'Dirección', 'Producto', 'Cantidad', 'Total', 'Estado', 'Método', 'Seguimiento', 'Fecha', 'Acciones'];
  await expect(page.getByRole('columnheader')).toHaveText(heads);
});

test('@desktop the columns fit a window of 1440 pixels, address and product readable', async ({ page, api }) => {
  await assigned(api, {
    cliente_nombre: 'Construcciones Hermanos Villanueva',
    cliente_direccion: 'Avenida de la Constitución, 148, 3.º B',
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page);
  const table = page.getByRole('table', { name: 'Entregas' });
  await expect(table.getByRole('row', { name: /Hermanos Villanueva/ })).toBeVisible();
  const beyond = () =>
    table.evaluate((element) => {
      const frame = element.closest('[data-scrollarea-viewport]') ?? element;
      return frame.scrollWidth - frame.clientWidth;
    });
  expect(await beyond()).toBe(0);
  for (const name of ['Dirección', 'Producto']) {
    expect((await page.getByRole('columnheader', { name }).boundingBox())?.width, name).toBeGreaterThan(140);
  }
});

test('is searched by number, customer and product, and filtered by estado', async ({ page, api }) => {
  const product = await api.product({ name: 'Queso de Cabrales' });
  const cheese = await api.pedido({ pack_id: (await api.pack({ product_id: product.id })).id, cliente_nombre: 'Quique Norte' });
  const other = await assigned(api, { cliente_nombre: 'Olga Sur' });
  await open(page);
  await expect(row(page, cheese.numero_orden)).toContainText('Sin asignar');
  await expectAccessible(page);

  const search = page.getByRole('searchbox');
  for (const [typed, found, hidden] of [
    ['cabrales', cheese, other],
    ['olga sur', other, cheese],
    [cheese.numero_orden, cheese, other],
  ] as const) {
    await search.fill(typed);
    await expect(row(page, hidden.numero_orden)).toBeHidden();
    await expect(row(page, found.numero_orden)).toBeVisible();
  }
  await search.fill('');
  await page.getByRole('button', { name: 'Estado: Todos' }).click();
  await expect(page.getByRole('menuitemcheckbox')).toHaveText([
    'Todos',
    'Pendiente',
    'Asignado',
    'Completado',
    'Cancelado',
    'Pendiente Pago',
    'En Proceso',
    'En Ruta',
  ]);
  await page.getByRole('menuitemcheckbox', { name: 'Asignado' }).click();
  await expect(row(page, cheese.numero_orden)).toBeHidden();
  await expect(row(page, other.numero_orden)).toBeVisible();
});

test('the detail is a dialog that gives the focus back', async ({ page, api }) => {
  const pedido = await api.pedido({ cliente_nombre: 'Delia Detalle', instrucciones: 'Llamar dos veces' });
  await open(page);
  const button = page.getByRole('button', { name: `Ver detalle ${pedido.numero_orden}` });
  await button.click();
  const detail = page.getByRole('dialog', { name: `Detalles del Pedido ${pedido.numero_orden}` });
  await expect(detail).toContainText('Llamar dos veces');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(detail).toBeHidden();
  await expect(button).toBeFocused();
});

test('a delivery is completed, with its number or without, and only once', async ({ page, api }) => {
  const pedido = await assigned(api);
  const plain = await api.pedido();
  await open(page);
  await page.getByRole('button', { name: `Completar entrega ${pedido.numero_orden}` }).click();
  const complete = page.getByRole('dialog', { name: 'Completar Entrega' });
  await complete.getByRole('radio', { name: 'MRW' }).click();
  await complete.getByLabel(/Número de seguimiento/).fill('MRW-778');
  await complete.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(page.getByText('Pedido marcado como completado', { exact: true })).toBeVisible();
  await expect(row(page, pedido.numero_orden)).toContainText('Completado');
  await expect(row(page, pedido.numero_orden)).toContainText('MRW-778');
  const again = page.getByRole('button', { name: `Completar entrega ${pedido.numero_orden}` });
  await expect(again).toHaveAttribute('aria-disabled', 'true');
  await expect(again).toHaveAccessibleDescription('Ya está completado');
  await again.click({ force: true });
  await expect(complete).toBeHidden();

  await page.getByRole('button', { name: `Completar entrega ${plain.numero_orden}` }).click();
  await complete.getByRole('radio', { name: 'Entrega manual' }).click();
  await complete.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(row(page, plain.numero_orden)).toContainText('Completado');
});

test('what was typed to complete a delivery is not lost without a question', async ({ page, api }) => {
  const pedido = await assigned(api);
  await open(page);
  const button = page.getByRole('button', { name: `Completar entrega ${pedido.numero_orden}` });
  const complete = page.getByRole('dialog', { name: 'Completar Entrega' });
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  const number = complete.getByLabel(/Número de seguimiento/);
  await button.click();
  await expect(complete).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(complete).toBeHidden();

  await button.click();
  await expect(complete.getByRole('radio').first()).toBeFocused();
  await number.fill('MRW-778');
  await page.keyboard.press('Escape');
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(number).toHaveValue('MRW-778');
  await expect(number).toBeFocused();
  await complete.getByRole('button', { name: 'Cerrar' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(complete).toBeHidden();
  await expect(button).toBeFocused();
});

test('@desktop at 200 % zoom the field with the focus is not under the buttons', async ({ page, api }) => {
  const pedido = await assigned(api);
  await page.setViewportSize({ width: 720, height: 450 });
  await open(page);
  await page.getByRole('button', { name: `Completar entrega ${pedido.numero_orden}` }).click();
  const complete = page.getByRole('dialog', { name: 'Completar Entrega' });
  await complete.getByRole('radio', { name: 'MRW' }).click();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const company = complete.getByLabel(/Empresa de transporte/);
  await expect(company).toBeFocused();
  await expect(company).toBeInViewport({ ratio: 1 });
  // What lies on top of its lower edge is the field itself.
  const uncovered = (field: Element) => {
    const { left, bottom } = field.getBoundingClientRect();
    return document.elementFromPoint(left + 20, bottom - 3) === field;
  };
  expect(await company.evaluate(uncovered)).toBe(true);
});

test('one that was cancelled meanwhile is refused with a sentence, and the row follows', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const pedido = await api.pedido();
  await open(page);
  await page.getByRole('button', { name: `Completar entrega ${pedido.numero_orden}` }).click();
  await api.admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });
  const complete = page.getByRole('dialog', { name: 'Completar Entrega' });
  await complete.getByRole('radio', { name: 'Otro' }).click();
  await complete.getByRole('button', { name: 'Completar sin número' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'El pedido está en estado «Cancelado»' })).toBeVisible();
  await expect(row(page, pedido.numero_orden)).toContainText('Cancelado');
});

test('deleting says it is done, and can be undone', async ({ page, api }) => {
  const pedido = await api.pedido();
  await open(page);
  await page.getByRole('button', { name: `Eliminar ${pedido.numero_orden}` }).click();
  await expect(page.getByText('Pedido eliminado correctamente')).toBeVisible();
  await expect(row(page, pedido.numero_orden)).toBeHidden();
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(row(page, pedido.numero_orden)).toBeVisible();
});
