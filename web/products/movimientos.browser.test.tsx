import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getPedido } from '../../contract/pedidos/pedidos.ts';
import { ajustarStock, listMovimientos, listProducts, type Movimiento, type Product } from '../../contract/products/products.ts';
import { movimiento } from '../../contract/products/schemas.ts';
import { address, expectAccessible, open } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { rows } from '../../test/web/list.ts';
import { aPedido, aProduct, listed, pageAsked } from '../../test/web/samples.ts';

/* Ledger of a product: movements, forecast, and manual adjustment. */

let rice: Product;
let ledger: Movimiento[];
let pace: { ritmo_diario: number; dias_restantes: number | null };
const moved = (unidades: number, fields: Partial<Movimiento> = {}): Movimiento => ({
  ...(emptyOf(movimiento) as Movimiento),
  created_at: '2026-11-20T10:00:00Z',
  actor_nombre: 'Ada Ruiz',
  motivo: 'ajuste',
  unidades,
  ...fields,
});
const ordered = (unidades: number) =>
  moved(unidades, { motivo: 'pedido', pedido_id: crypto.randomUUID(), numero_orden: 'ORD-2026000123', actor_nombre: 'Rita Sanz' });
beforeEach(() => {
  rice = aProduct({ name: 'Arroz bomba', stock: 70 });
  ledger = [ordered(-30), moved(100, { motivo: 'inicial' })];
  pace = { ritmo_diario: 1, dias_restantes: 70 };
  server.reply(listProducts, () => listed([rice]));
  server.reply(listMovimientos, ({ query }) => ({ ...pageAsked(ledger, query), stock: rice.stock, ...pace }));
  acceptAdjustments();
});

const acceptAdjustments = () =>
  server.reply(ajustarStock, ({ body: { unidades, nota } }) => {
    rice = { ...rice, stock: rice.stock + unidades };
    ledger = [moved(unidades, { nota }), ...ledger];
    return asDone('Stock ajustado', rice);
  });

const opener = page.getByRole('button', { name: 'Movimientos de stock de Arroz bomba' });
const dialog = page.getByRole('dialog', { name: 'Movimientos de Arroz bomba' });
const lines = rows(dialog.getByRole('list', { name: 'Movimientos' }));
const field = (label: string) => dialog.getByLabelText(new RegExp(`^${label}( \\*)?$`));
const adjust = () => dialog.getByRole('button', { name: 'Ajustar stock' }).click();
async function openLedger() {
  open('/control-stock');
  await opener.click();
  await expect.element(dialog).toBeVisible();
}

test('the ledger shows each movement with units, reason, day, person and order, ten to a page', async () => {
  const kinds = {
    ajuste: 'Ajuste',
    devolucion: 'Devolución al stock',
    restauracion: 'Pedido restaurado',
    retorno: 'Devolución de un cliente',
    retorno_anulado: 'Devolución anulada',
  };
  const others = Object.keys(kinds).map((motivo) => moved(3, { motivo }));
  ledger = [ordered(-30), ...others, ...Array.from({ length: 5 }, () => ordered(-1)), moved(100, { motivo: 'inicial' })];

  await openLedger();
  for (const text of ['Pedido ORD-2026000123', '−30', 'Rita Sanz · 20/11/2026'])
    await expect.element(lines.first()).toMatchTextContent(text);
  for (const [i, words] of Object.values(kinds).entries())
    await expect.element(lines.nth(i + 1)).toMatchTextContent(new RegExp(`^${words}`));
  await expect.element(dialog).toMatchTextContent('A este ritmo quedan 70 días');
  await expectAccessible();
  await expect.element(dialog.getByText('Mostrando 10 de 12 movimientos')).toBeVisible();
  await dialog.getByRole('button', { name: 'Siguiente' }).click();
  for (const text of ['Stock inicial', '+100', 'Ada Ruiz']) await expect.element(lines.last()).toMatchTextContent(text);
  expect(lines.elements()).toHaveLength(2);
  server.answer(getPedido, { data: aPedido() });
  await lines.getByRole('link', { name: 'ORD-2026000123' }).click();
  await expect.poll(address).toBe(`/pedidos/${ledger[10]?.pedido_id}`);
});

test('units are booked in and out with a reason, and a half-typed or refused entry stays', async () => {
  await openLedger();
  await adjust();
  await expect.element(field('Unidades')).toHaveAccessibleDescription('Indica cuántas unidades entran o salen');
  await expect.element(field('Motivo')).toHaveAccessibleDescription('Indica el motivo del ajuste');
  await expect.element(field('Unidades')).toHaveFocus();

  const message = 'Stock insuficiente: quedan 70 unidades';
  server.refuse(ajustarStock, 422, { message, errors: { stock: [message] } });
  await field('Unidades').fill('-71');
  await field('Motivo').fill('Compra');
  await adjust();
  await expect.element(field('Unidades')).toHaveAccessibleDescription(message);
  await expect.element(field('Motivo')).toHaveValue('Compra');
  await expectAccessible();

  acceptAdjustments();
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await field('Unidades').fill('+5');
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(question).not.toBeInTheDocument();
  server.answer(getPedido, { data: aPedido() });
  await lines.getByRole('link', { name: 'ORD-2026000123' }).click();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(field('Unidades')).toHaveValue('+5');
  await expect.element(field('Motivo')).toHaveValue('Compra');
  await adjust();
  await expect.element(page.getByText('Stock ajustado: ahora hay 75 unidades de Arroz bomba')).toBeVisible();
  await expect.element(lines.first()).toMatchTextContent(/Ajuste.*Compra.*\+5/);
  await expect.element(field('Motivo')).toHaveValue('');
  await field('Unidades').fill('−75');
  await field('Motivo').fill('Rotura');
  await adjust();
  await expect.element(lines.first()).toMatchTextContent(/Rotura.*−75/);
  await expect.element(field('Motivo')).toHaveValue('');
  expect(server.asked(ajustarStock).map(({ body }) => body)).toEqual([
    { unidades: -71, nota: 'Compra' },
    { unidades: 5, nota: 'Compra' },
    { unidades: -75, nota: 'Rotura' },
  ]);

  await field('Motivo').fill('Otra');
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('the ledger can be reloaded after a failure, and says if the product has no sales or units', async () => {
  pace = { ritmo_diario: 0, dias_restantes: null };
  server.refuse(listMovimientos, 500, { message: 'Ha ocurrido un error inesperado' });
  await openLedger();
  await expect.element(dialog).toMatchTextContent('No se pudieron cargar los movimientos');
  server.reply(listMovimientos, ({ query }) => ({ ...pageAsked(ledger, query), stock: rice.stock, ...pace }));
  await dialog.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(lines.first()).toMatchTextContent('Pedido');
  await expect.element(dialog).toMatchTextContent('Sin ventas recientes');

  rice = { ...rice, stock: 0 };
  await openLedger();
  await expect.element(dialog).toMatchTextContent('No queda ninguna unidad');
});
