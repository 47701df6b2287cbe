import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { getPedido, listPedidos, type Pedido, setEstado, WITHDRAWN } from '../../../contract/pedidos/pedidos.ts';
import { expectAccessible, open, person } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { row } from '../../../test/web/list.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';
import { queryClient } from '../../api.ts';

/* An order that is taken away from its carrier while it is open on the carrier's screen. */

const mine = { transportista_id: person('transportista').id, transportista_nombre: 'Tomás Gil' };
let pedidos: Pedido[];
let shown: Pedido;
beforeEach(() => {
  shown = aPedido({ ...mine, estado: 'en_ruta', cliente_nombre: 'Nuria Vidal', cliente_telefono: '611 222 333' });
  pedidos = [shown];
  server.reply(listPedidos, () => pageOf(pedidos));
  server.reply(getPedido, () => ({ data: shown }));
});

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
/** Takes the order away; `by` is the server's message. */
function withdraw(by: string) {
  pedidos = [];
  server.refuse(getPedido, 404, { message: by, code: WITHDRAWN });
}
/** Makes the browser refetch, as after an announced change, once its pending requests are done. */
async function hear() {
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  await queryClient.invalidateQueries();
}

test('a message about the reassignment replaces the details of an order given to another carrier', async () => {
  open('/pedidos-asignados', 'transportista');
  await row('Nuria Vidal')
    .getByRole('button', { name: /^Ver detalles/ })
    .click();
  const details = dialog(/^Detalles del Pedido/);
  await expect.element(details).toMatchTextContent('611 222 333');
  withdraw('Ana Manda ha pasado este pedido a Luis Lleva');
  await hear();
  await expect.element(details.getByRole('alert')).toHaveTextContent('Ana Manda ha pasado este pedido a Luis Lleva');
  await expect.element(details).not.toMatchTextContent('611 222 333');
  await expectAccessible();
});

test('a message about the deletion replaces the half-filled form, which closes without confirmation', async () => {
  open('/pedidos-asignados', 'transportista');
  await row('Nuria Vidal')
    .getByRole('button', { name: /^Más acciones/ })
    .click();
  await page.getByRole('menuitem', { name: 'Intento fallido' }).click();
  const failed = dialog('Intento fallido');
  await failed.getByRole('radio', { name: 'Ausente' }).click();
  withdraw('Ana Manda ha eliminado este pedido');
  await hear();
  await expect.element(failed.getByRole('alert')).toHaveTextContent('Ana Manda ha eliminado este pedido');
  await expect.element(failed.getByRole('radio')).not.toBeInTheDocument();
  await expectAccessible();
  await failed.getByRole('button', { name: 'Cerrar' }).last().click();
  await expect.element(failed).not.toBeInTheDocument();
});

test('the form that completes an order gives way to the message that the order was cancelled', async () => {
  open('/pedidos-asignados', 'transportista');
  const [{ numero_orden }] = [shown];
  await row(numero_orden)
    .getByRole('button', { name: /^Completar ORD/ })
    .click();
  const completing = dialog('Completar Entrega');
  await expect.element(completing.getByRole('button', { name: 'Completar entrega' })).toBeVisible();
  shown = { ...shown, estado: 'cancelado', version: 2 };
  server.reply(getPedido, () => ({ data: shown, retirado: 'Ana Manda ha cancelado este pedido' }));
  pedidos = [shown];
  await hear();
  await expect.element(completing.getByRole('alert')).toHaveTextContent('Ana Manda ha cancelado este pedido');
  await expect.element(completing.getByRole('button', { name: 'Completar entrega' })).not.toBeInTheDocument();
});

test('completing an order that was just reassigned closes the form and says who reassigned the order', async () => {
  open('/pedidos-asignados', 'transportista');
  await row('Nuria Vidal')
    .getByRole('button', { name: /^Completar ORD/ })
    .click();
  const completing = dialog('Completar Entrega');
  await completing.getByRole('radio', { name: 'Reparto propio' }).click();
  const by = 'Ana Manda ha pasado este pedido a Luis Lleva';
  withdraw(by);
  server.refuse(setEstado, 404, { message: by, code: WITHDRAWN });
  await completing.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.element(page.getByRole('alert').filter({ hasText: by }).first()).toBeVisible();
  await expect.element(completing).not.toBeInTheDocument();
  await expect.element(page.getByText('No encontrado')).not.toBeInTheDocument();
});
