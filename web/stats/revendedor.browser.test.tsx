import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { revendedorStats } from '../../contract/stats/stats.ts';
import { address, expectAccessible, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { rows, textsOf } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';

const start = () => open('/revendedor-dashboard', 'revendedor');

test('the dashboard of a reseller without orders offers to create the first order', async () => {
  start();
  await expect.element(page.getByText('No hay pedidos recientes')).toBeVisible();
  await expectAccessible();
  await page.getByRole('link', { name: 'Crear Nuevo Pedido' }).click();
  await expect.poll(address).toBe('/pedidos/nuevo');
});

test('the dashboard shows the figures of the reseller and the latest four orders', async () => {
  const orders = Array.from({ length: 5 }, () => aPedido());
  server.reply(listPedidos, ({ query }) => pageOf(orders.slice(0, Number(query.per_page ?? 20)), 5));
  const estado = { pendiente_pago: 2, pendiente: 2, asignado: 0, completado: 1, cancelado: 0 };
  server.answer(revendedorStats, { data: { totalPedidos: 5, ingresos: 120, estado } });
  start();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Hola, Rita Sanz' })).toBeVisible();
  for (const [label, figure] of [
    ['Mis Pedidos', '5'],
    ['Ventas Totales', /120,00\s€/],
    ['Pedidos Pendientes', '2'],
    ['Completados', '1'],
  ] as const)
    await expect.element(page.getByRole('link', { name: new RegExp(`^${label} ?\\d`) })).toMatchTextContent(figure);
  await expect.element(page.getByRole('main')).toMatchTextContent(/Tasa de completados20 %Ticket medio24\s€Pendientes2/);
  const recent = page.getByRole('button', { name: /^ORD-/ });
  await expect.poll(() => textsOf(recent)).toEqual(orders.slice(0, 4).map((one) => expect.stringContaining(one.numero_orden)));
  await expectAccessible();
  await recent.first().click();
  await expect.element(page.getByRole('dialog', { name: /^Detalles del Pedido/ })).toMatchTextContent(orders[0]?.cliente_nombre ?? '-');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('link', { name: 'Ver todos' }).click();
  await expect.poll(() => rows().elements()).toHaveLength(5);
  expect(address()).toMatch(/^\/mis-pedidos/);
});
