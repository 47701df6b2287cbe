import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listPedidos, setEstado } from '../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { ANSWERS_DB } from '../../contract/session/fields.ts';
import { logout } from '../../contract/session/session.ts';
import { address, onPhone, open, person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { openOutbox } from '../outbox/outbox.ts';

/* A carrier's sign-out, successful and failed. */

const me = person('transportista');
const pedido = pedidoTransportista.parse(aPedido({ estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name }));
const order = row(pedido.numero_orden);
const dialog = page.getByRole('dialog', { name: 'Completar Entrega' });
const kept = async () => (await indexedDB.databases()).some(({ name }) => name === ANSWERS_DB);

async function openList() {
  await onPhone();
  server.answer(listPedidos, pageOf([pedido]));
  open('/pedidos-asignados', 'transportista');
  await expect.element(order).toBeVisible();
  await expect.poll(kept).toBe(true);
}

async function leave() {
  await page.getByRole('button', { name: /Tomás Gil/ }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
}

test('a delivery after a failed sign-out is shown as unsent and is sent later', async () => {
  await openList();
  server.offline(true);
  await leave();
  await expect.element(page.getByText('Error al cerrar sesión')).toBeVisible();
  await order.getByRole('button', { name: /^Completar / }).click();
  await dialog.getByRole('radio', { name: 'Reparto propio' }).click();
  await dialog.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.element(order).toMatchTextContent('Pendiente de enviar');
  expect(await kept()).toBe(true);
  server.reply(setEstado, () => asDone('Estado actualizado', { ...pedido, estado: 'completado' }));
  server.offline(false);
  await expect.element(order).not.toMatchTextContent('Pendiente de enviar');
  expect(server.asked(setEstado)).toHaveLength(1);
});

test('a sign-out stops the outbox and deletes the cached responses', async () => {
  await openList();
  const outbox = openOutbox(me.id);
  server.answer(logout, asDone('Hasta luego', undefined as never));
  await leave();
  await expect.poll(address).toBe('/auth');
  await expect.poll(kept).toBe(false);
  expect(openOutbox(me.id)).not.toBe(outbox);
});
