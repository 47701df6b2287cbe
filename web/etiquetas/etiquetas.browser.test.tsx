import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { getPedido, listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { expectAccessible, onDesk, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pedidosAsked } from '../../test/web/samples.ts';

/* Labels of chosen orders, and of a single order. */

let pedidos: Pedido[];
beforeEach(async () => {
  await onDesk();
  localStorage.removeItem('enruta-etiqueta');
  pedidos = [aPedido(), aPedido()];
  server.reply(listPedidos, ({ query }) => pedidosAsked(pedidos, query));
  server.reply(getPedido, ({ params }) => ({ data: pedidos.find(({ id }) => id === params.id) as Pedido }));
});

const tick = ({ numero_orden }: Pedido) => page.getByRole('checkbox', { name: `Seleccionar ${numero_orden}` }).click();
const button = page.getByRole('button', { name: 'Imprimir etiquetas' });
const addressOf = async (name: string) => {
  const link = page.getByRole('menuitem', { name });
  await expect.element(link).toBeVisible();
  return new URL(link.element().getAttribute('href') ?? '', location.origin);
};

test('labels of the chosen orders can be printed on either paper', async () => {
  open('/pedidos', 'superadmin', { etiquetas: true });
  for (const pedido of pedidos) await tick(pedido);
  await button.click();
  const { pathname, searchParams } = await addressOf('100 × 150 mm');
  expect([pathname, searchParams.get('formato')]).toEqual(['/api/pedidos/etiquetas', 'rollo']);
  expect(searchParams.get('ids')?.split(',').sort()).toEqual(pedidos.map(({ id }) => id).sort());
  expect((await addressOf('A4, cuatro por hoja')).searchParams.get('formato')).toBe('a4');
  await expectAccessible();
});

test('the label of a single order is printed from the order’s menu, on the paper used last', async () => {
  localStorage.setItem('enruta-etiqueta', 'a4');
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  open('/pedidos', 'superadmin', { etiquetas: true });
  const [pedido = aPedido()] = pedidos;
  await row(pedido.numero_orden)
    .getByRole('button', { name: /^Acciones del pedido/ })
    .click();
  await page.getByRole('menuitem', { name: 'Imprimir' }).hover();
  await page.getByRole('menuitem', { name: 'Imprimir etiqueta' }).click();
  expect(opened).toHaveBeenCalledWith(`/api/pedidos/etiquetas?formato=a4&ids=${pedido.id}`, '_blank', 'noopener');
});

test('a shop without labels has no command to print them', async () => {
  open('/pedidos', 'superadmin');
  const [pedido = aPedido()] = pedidos;
  await tick(pedido);
  await expect.element(page.getByRole('link', { name: 'Imprimir' })).toBeVisible();
  await expect.element(button).not.toBeInTheDocument();
  await row(pedido.numero_orden)
    .getByRole('button', { name: /^Acciones del pedido/ })
    .click();
  await expect.element(page.getByRole('menuitem', { name: 'Imprimir albarán' })).toBeVisible();
  await expect.element(page.getByRole('menuitem', { name: 'Imprimir etiqueta' })).not.toBeInTheDocument();
});
