import type { Page } from '@playwright/test';
import { listProducts } from '../contract/products.ts';
import { type Arranger, expect, expectAccessible, SUPERADMIN, signIn, test } from './fixtures.ts';

/* A product's ledger: what moved its stock, how long it lasts, and booking units by hand. */

async function open(page: Page, product: string) {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/control-stock');
  await page.getByRole('button', { name: `Movimientos de ${product}` }).click();
  await expect(page.getByRole('dialog', { name: `Movimientos de ${product}` })).toBeVisible();
}
const dialog = (page: Page) => page.getByRole('dialog');
const lines = (page: Page) => dialog(page).getByRole('list', { name: 'Movimientos' }).getByRole('listitem');
const field = (page: Page, label: string) => dialog(page).getByLabel(new RegExp(`^${label}( \\*)?$`));
const adjust = (page: Page) => dialog(page).getByRole('button', { name: 'Ajustar stock' }).click();
const stockOf = async (api: Arranger, id: string) => (await api.admin.call(listProducts)).body.data.find((one) => one.id === id)?.stock;

test('each movement says how much, why, who and of which order', async ({ page, api }) => {
  const product = await api.product({ name: 'Arroz bomba', stock: 100 });
  const pack = await api.pack({ product_id: product.id, pack_quantity: 6 });
  const pedido = await api.pedido({ pack_id: pack.id, cantidad: 5 });
  await open(page, 'Arroz bomba');
  await expect(lines(page)).toHaveCount(2);
  await expect(lines(page).first()).toContainText(`Pedido ${pedido.numero_orden}`);
  await expect(lines(page).first()).toContainText('−30');
  await expect(lines(page).last()).toContainText('Stock inicial');
  await expect(lines(page).last()).toContainText('+100');
  // 30 units in 30 days, 70 left.
  await expect(dialog(page)).toContainText('A este ritmo quedan 70 días');
  await expectAccessible(page);
  await lines(page).getByRole('link', { name: pedido.numero_orden }).click();
  await expect(page).toHaveURL(`/pedidos/${pedido.id}`);
});

test('booking units in and out, with the reason', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422/);
  const { id } = await api.product({ name: 'Lenteja pardina', stock: 10 });
  await open(page, 'Lenteja pardina');
  await expect(dialog(page)).toContainText('Sin ventas recientes');
  await adjust(page);
  await expect(field(page, 'Unidades')).toHaveAccessibleDescription('Indica cuántas unidades entran o salen');
  await expect(field(page, 'Motivo')).toHaveAccessibleDescription('Indica el motivo del ajuste');
  await expect(field(page, 'Unidades')).toBeFocused();

  await field(page, 'Unidades').fill('+5');
  await field(page, 'Motivo').fill('Compra');
  await adjust(page);
  await expect(page.getByText('Stock ajustado: ahora hay 15 unidades de Lenteja pardina')).toBeVisible();
  await expect(lines(page).first()).toContainText('Compra');
  await expect(lines(page).first()).toContainText('+5');
  await expect(field(page, 'Motivo')).toHaveValue('');

  // The server's refusal stands under the field, and what was typed stays.
  await field(page, 'Unidades').fill('-16');
  await field(page, 'Motivo').fill('Rotura');
  await adjust(page);
  await expect(field(page, 'Unidades')).toHaveAccessibleDescription('Stock insuficiente: quedan 15 unidades');
  await expect(field(page, 'Motivo')).toHaveValue('Rotura');
  await expectAccessible(page);
  await field(page, 'Unidades').fill('-15');
  await adjust(page);
  await expect.poll(() => stockOf(api, id)).toBe(0);
  await expect(field(page, 'Motivo')).toHaveValue('');

  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Movimientos de Lenteja pardina' })).toBeFocused();
});

test('an adjustment half typed is not lost without a question', async ({ page, api }) => {
  const product = await api.product({ name: 'Alubia de Tolosa' });
  const pedido = await api.pedido({ pack_id: (await api.pack({ product_id: product.id })).id });
  await open(page, 'Alubia de Tolosa');
  const ledger = page.getByRole('dialog', { name: 'Movimientos de Alubia de Tolosa' });
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await ledger.getByLabel(/^Unidades/).fill('+5');
  await ledger.getByLabel(/^Motivo/).fill('Compra');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(question).toBeHidden();
  await ledger.getByRole('link', { name: pedido.numero_orden }).click();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(question).toBeHidden();
  await expect(ledger.getByLabel(/^Unidades/)).toHaveValue('+5');
  await expect(ledger.getByLabel(/^Motivo/)).toHaveValue('Compra');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(ledger).toBeHidden();
  await expect(page.getByRole('button', { name: 'Movimientos de Alubia de Tolosa' })).toBeFocused();
});

test('a long ledger comes in pages; one that does not load can be asked for again', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 500/);
  const product = await api.product({ name: 'Garbanzo lechoso', stock: 500 });
  const pack = await api.pack({ product_id: product.id });
  for (let i = 0; i < 11; i++) await api.pedido({ pack_id: pack.id });
  await page.route('**/movimientos?*', (route) => route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado' } }));
  await open(page, 'Garbanzo lechoso');
  await expect(dialog(page)).toContainText('No se pudieron cargar los movimientos');
  await page.unroute('**/movimientos?*');
  await dialog(page).getByRole('button', { name: 'Reintentar' }).click();
  await expect(dialog(page)).toContainText('Mostrando 10 de 12 movimientos');
  await dialog(page).getByRole('button', { name: 'Siguiente' }).click();
  await expect(lines(page)).toHaveCount(2);
  await expect(lines(page).last()).toContainText('Stock inicial');
});
