import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { expectAccessible, open, person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';

/* The carrier's dashboard: the next stop. */

const start = () => open('/transportista-dashboard', 'transportista');
const stop = page.getByRole('region', { name: 'Siguiente parada' });

test('the next stop is an order on the road that may leave, with its buttons', async () => {
  const mine = { transportista_id: person('transportista').id, estado: 'asignado' } as const;
  const orders = [
    aPedido({ ...mine, cliente_nombre: 'Espera Respuesta', incidencia_at: '2026-11-20T10:00:00Z' }),
    aPedido({ ...mine, cliente_nombre: 'Aún Aquí' }),
    aPedido({ ...mine, cliente_nombre: 'En Camino', estado: 'en_ruta' }),
  ];
  server.reply(listPedidos, () => pageOf(orders));
  start();
  await expect.element(stop).toMatchTextContent('En Camino');
  await expect.element(stop.getByRole('button', { name: /^Completar/ })).toBeVisible();
  await expectAccessible();
});

test('a carrier without orders sees no next stop, and is led to the available ones', async () => {
  server.reply(listPedidos, () => pageOf([]));
  start();
  await expect.element(page.getByRole('link', { name: 'Ver pedidos disponibles' })).toBeVisible();
  await expect.element(stop).not.toBeInTheDocument();
});
