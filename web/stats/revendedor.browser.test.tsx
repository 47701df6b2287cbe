import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { revendedorStats } from '../../contract/stats/stats.ts';
import { address, expectAccessible, open, person } from '../../test/web/app.tsx';
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

test('«Hoy» of a reseller names unpaid orders and orders to answer, each with its action', async () => {
  const unpaid = aPedido({
    estado: 'pendiente_pago',
    cliente_nombre: 'Maribel Gil',
    payment_link: 'https://enruta.test/pagar/una',
    cliente_telefono: '600112233',
  });
  const seller = person('revendedor').id;
  const waiting = aPedido({
    estado: 'asignado',
    revendedor_id: seller,
    cliente_nombre: 'José Cano',
    motivo: 'Ausente',
    incidencia_at: '2026-11-20T10:00:00Z',
  });
  server.reply(listPedidos, ({ query }) =>
    query.estado === 'pendiente_pago' ? pageOf([unpaid], 4) : query.incidencia ? pageOf([waiting]) : pageOf([]),
  );
  start();
  const now = page.getByRole('region', { name: /^Hoy/ });
  await expect.element(now).toMatchTextContent(/Por cobrar 4Maribel Gil: 25,00\s€ · y 3 más/);
  await expect.element(now.getByRole('link', { name: 'Por cobrar 4' })).toHaveAttribute('href', '/mis-pedidos?estado=pendiente_pago');
  await expect
    .element(now.getByRole('link', { name: 'Pedir el pago: Maribel Gil' }))
    .toHaveAttribute('href', expect.stringMatching(/^https:\/\/wa\.me\/34600112233\?text=.*pagar%2Funa/));
  await expect.element(now).toMatchTextContent(/Por decidir 1José Cano: Ausente/);
  await expectAccessible();
  await now.getByRole('button', { name: 'Otro día: José Cano' }).click();
  await expect.element(page.getByRole('dialog', { name: '¿Qué hacemos con este pedido?' })).toBeVisible();
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
  await expect.poll(() => textsOf(recent)).toEqual(orders.slice(0, 4).map((order) => expect.stringContaining(order.numero_orden)));
  await expectAccessible();
  await recent.first().click();
  await expect.element(page.getByRole('dialog', { name: /^Detalles del Pedido/ })).toMatchTextContent(orders[0]?.cliente_nombre ?? '-');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('link', { name: 'Ver todos' }).click();
  await expect.poll(() => rows().elements()).toHaveLength(5);
  expect(address()).toMatch(/^\/mis-pedidos/);
});
