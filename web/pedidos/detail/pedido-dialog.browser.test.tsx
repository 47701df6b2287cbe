import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { listPagos, type Pago } from '../../../contract/payments/payments.ts';
import { pago as pagoSchema } from '../../../contract/payments/schemas.ts';
import {
  aplazarPedido,
  assignTransportista,
  calcularEnvio,
  getPedido,
  listIntentos,
  listPedidos,
  type Pedido,
  responderIncidencia,
  setEstado,
} from '../../../contract/pedidos/pedidos.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { address, expectAccessible, open, reload } from '../../../test/web/app.tsx';
import { emptyOf } from '../../../test/web/empty-answer.ts';
import { server } from '../../../test/web/fake-server.ts';
import { row, textsOf } from '../../../test/web/list.ts';
import { aPedido, aUser, listed, pedidosAsked } from '../../../test/web/samples.ts';

/* The order dialog over its list: address, steps, previous and next order. */

let pedidos: Pedido[];
const carrier = aUser('transportista', { full_name: 'Celia Reparte' });
const find = (id: string) => pedidos.find((pedido) => pedido.id === id) as Pedido;
/** Changes an order on the server and returns it. */
function change(id: string, to: Partial<Pedido>) {
  pedidos = pedidos.map((pedido) => (pedido.id === id ? { ...pedido, ...to, version: pedido.version + 1 } : pedido));
  return asDone('Pedido cambiado', find(id));
}
beforeEach(() => {
  pedidos = [3, 2, 1].map((n) => aPedido({ cliente_nombre: `Papelería ${n}` }));
  server.reply(listPedidos, ({ query }) => pedidosAsked(pedidos, query));
  server.reply(getPedido, ({ params }) => ({ data: find(params.id) }));
  server.answer(listUsers, listed([carrier]));
  server.reply(assignTransportista, ({ params }) =>
    change(params.id, { estado: 'asignado', transportista_id: carrier.id, transportista_nombre: carrier.full_name }),
  );
  server.reply(setEstado, ({ params, body }) => change(params.id, { estado: body.estado }));
});

const dialog = page.getByRole('dialog');
const numberOf = (n: number) => pedidos.find(({ cliente_nombre }) => cliente_nombre === `Papelería ${n}`)?.numero_orden ?? '';
const shown = (n: number) => page.getByRole('dialog', { name: new RegExp(`Pedido ${numberOf(n)}$`) });
const steps = page.getByRole('group', { name: 'Acciones del pedido' });
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
const openRow = (n: number) => row(`Papelería ${n}`).getByText(`Papelería ${n}`).click();

test('an open order has an address, which survives a reload and closes by going back', async () => {
  open('/pedidos?search=papeleria');
  await openRow(2);
  await expect.element(shown(2)).toBeVisible();
  await expect.poll(address).toContain(`pedido=${pedidos[1]?.id}`);
  reload();
  await expect.element(shown(2)).toBeVisible();
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(address).toBe('/pedidos?search=papeleria');
  await expect.element(row('Papelería 2')).toBeVisible();
});

test('an order opens before the address names the order, and stays closed if closed meanwhile', async () => {
  open('/pedidos');
  await expect.element(row('Papelería 2')).toBeVisible();
  const later: FrameRequestCallback[] = [];
  const frame = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((work) => later.push(work));
  await openRow(2);
  await expect.element(shown(2)).toBeVisible();
  expect(address()).toBe('/pedidos');
  await userEvent.keyboard('{Escape}');
  frame.mockRestore();
  for (const work of later) work(performance.now());
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(address, { timeout: 500 }).toBe('/pedidos');
});

test('a shared address opens its order, and Escape returns to the filtered list', async () => {
  open(`/pedidos?search=papeleria&pedido=${pedidos[1]?.id}`);
  await expect.element(shown(2)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(address).toBe('/pedidos?search=papeleria');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the address of a missing order shows an error and returns to the list', async () => {
  server.refuse(getPedido, 404, { message: 'Pedido no encontrado' });
  open(`/pedidos?pedido=${crypto.randomUUID()}`);
  await expect.element(page.getByRole('alert')).toMatchTextContent('Pedido no encontrado');
  await expect.poll(address).toBe('/pedidos');
});

test('going back from a dialog with typed text asks for confirmation', async () => {
  const field = page.getByRole('dialog', { name: 'Cancelar pedido' }).getByLabelText('Motivo (opcional)');
  open('/pedidos?search=papeleria');
  await page.getByRole('button', { name: `Acciones del pedido ${numberOf(3)}` }).click();
  await page.getByRole('menuitem', { name: 'Cancelar pedido' }).click();
  await field.fill('Ya no lo quiere');
  history.back();
  await press('Seguir editando');
  await expect.element(field).toHaveValue('Ya no lo quiere');
  await expect.poll(address).toContain('pedido=');
  history.back();
  await press('Descartar');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(address).toBe('/pedidos?search=papeleria');
});

test('an open order offers its next step as a button and all other actions under «Más»', async () => {
  open('/pedidos');
  await openRow(3);
  await expect.element(steps.getByRole('button').first()).toBeVisible();
  expect(textsOf(steps.getByRole('button'))).toEqual(['Asignar transportista', 'Completar', 'Anotar pago', 'Más']);
  await press('Más');
  await expect.element(page.getByRole('menuitem').first()).toBeVisible();
  expect(textsOf(page.getByRole('menuitem'))).toEqual([
    'Aplazar la entrega',
    'Cambiar productos',
    'Imprimir albarán',
    'Duplicar',
    'Cancelar pedido',
    'Eliminar',
  ]);
  await expectAccessible();
  // Escape closes the menu, not the order.
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('menuitem').first()).not.toBeInTheDocument();
  await expect.element(shown(3)).toBeVisible();
});

test('the title of a cancelled order shows the amount to refund, and the refund is the next step', async () => {
  pedidos = pedidos.map((pedido) => ({ ...pedido, estado: 'cancelado', pagado: 0, pendiente: 0 }));
  const pago = { ...(emptyOf(pagoSchema) as Pago), fecha: '2026-11-20', estado: 'devolucion_pendiente' as const, importe: 51.7 };
  server.answer(listPagos, { data: [pago] });
  open('/pedidos');
  await openRow(3);
  await expect.element(dialog.getByRole('heading', { name: /51,70\s€ por reembolsar/ })).toBeVisible();
  await steps.getByRole('button', { name: 'Anotar el reembolso' }).click();
  await expect.element(dialog.getByLabelText('Nota (opcional)')).toHaveFocus();
});

test('arrow keys and buttons lead from an open order to its neighbours in the list', async () => {
  open('/pedidos');
  await openRow(3);
  await expect.element(shown(3)).toBeVisible();
  await expect.element(steps).toBeVisible();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(shown(2)).toBeVisible();
  await press('Pedido siguiente de la lista');
  await expect.element(shown(1)).toBeVisible();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(shown(2)).toBeVisible();
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(address).toBe('/pedidos');
});

test('an open order reappears after each step, and a step without a form can be undone', async () => {
  open('/pedidos');
  await openRow(2);
  await steps.getByRole('button', { name: 'Asignar transportista' }).click();
  const assign = page.getByRole('dialog', { name: 'Asignar transportista' });
  await assign.getByRole('combobox', { name: 'Transportista' }).fill('Celia');
  await page.getByRole('option', { name: /Celia Reparte/ }).click();
  await press('Guardar');
  expect(server.asked(assignTransportista)[0]?.body).toMatchObject({ transportista_id: carrier.id, version: 1 });
  // The assigned order reappears in its new state.
  await expect.element(shown(2)).toBeVisible();
  await steps.getByRole('button', { name: 'Empezar a preparar' }).click();
  await expect.element(steps.getByRole('button', { name: 'Salir a reparto' })).toBeVisible();
  const toast = page.getByRole('status').filter({ hasText: 'En Proceso' });
  await toast.getByRole('button', { name: 'Deshacer' }).click();
  await expect.element(steps.getByRole('button', { name: 'Empezar a preparar' })).toBeVisible();
  expect(server.asked(setEstado).map(({ body }) => body.estado)).toEqual(['en_proceso', 'asignado']);
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(address).toBe('/pedidos');
});

test('cancelling a paid order says how much must be refunded', async () => {
  pedidos = pedidos.map((pedido) => ({ ...pedido, pagado: 10.5 }));
  open('/pedidos');
  await page.getByRole('button', { name: `Acciones del pedido ${numberOf(3)}` }).click();
  await page.getByRole('menuitem', { name: 'Cancelar pedido' }).click();
  const question = page.getByRole('dialog', { name: 'Cancelar pedido' });
  await expect.element(question.getByRole('note')).toMatchTextContent('Habrá que reembolsar 10,50');
  await press('Volver');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('an order can be postponed under «Más» until it is completed', async () => {
  const sent: unknown[] = [];
  server.reply(aplazarPedido, ({ params, body }) => {
    sent.push(body);
    return change(params.id, { aviso_cliente: 'Entregar el jueves 26 de noviembre' });
  });
  change(pedidos[1]?.id ?? '', { estado: 'en_ruta' });
  change(pedidos[2]?.id ?? '', { estado: 'completado' });
  open('/pedidos');
  await openRow(2);
  await steps.getByRole('button', { name: 'Más' }).click();
  await page.getByRole('menuitem', { name: 'Aplazar la entrega' }).click();
  const form = page.getByRole('dialog', { name: 'Aplazar la entrega' });
  await form.getByRole('button', { name: 'Aplazar la entrega' }).click();
  await expect.element(form.getByText('Elige un día')).toBeVisible();
  await form.getByLabelText(/^Nuevo día/).fill('2026-11-26');
  await expectAccessible();
  await form.getByRole('button', { name: 'Aplazar la entrega' }).click();
  await expect.element(page.getByText(`${numberOf(2)}: entrega aplazada`)).toBeVisible();
  expect(sent).toEqual([expect.objectContaining({ dia: '2026-11-26', version: find(pedidos[1]?.id ?? '').version - 1 })]);
  await expect.element(shown(2)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await openRow(1);
  await expect.element(shown(1)).toBeVisible();
  await expect.element(steps.getByRole('button', { name: 'Registrar devolución' })).toBeVisible();
  const more = steps.getByRole('button', { name: 'Más' });
  if (more.query()) await more.click();
  await expect.element(page.getByRole('menuitem', { name: 'Aplazar la entrega' })).not.toBeInTheDocument();
});

test('an order that waits for an answer offers the answers, and lists its failed attempts', async () => {
  const sent: unknown[] = [];
  const motivo = 'Ausente';
  server.answer(listIntentos, {
    data: [
      {
        id: crypto.randomUUID(),
        created_at: '2026-11-24T10:00:00.000Z',
        transportista_nombre: carrier.full_name,
        motivo,
        llamado: 'cliente',
        fotos: [{ enviada: true, url: '/api/pruebas/00000000-0000-4000-8000-0000000000c1/fichero' }],
      },
    ],
  });
  server.reply(responderIncidencia, ({ params, body }) => {
    sent.push(body);
    return change(params.id, { incidencia_at: null });
  });
  change(pedidos[1]?.id ?? '', { estado: 'asignado', motivo, incidencia_at: '2026-11-24T10:00:00.000Z' });
  open('/pedidos');
  await openRow(2);
  const situation = shown(2).getByRole('region', { name: 'Situación' });
  await expect.element(situation).toMatchTextContent('Por decidir desde el 24/11');
  const past = shown(2).getByRole('list', { name: 'Historia y comentarios' });
  await expect.element(past).toMatchTextContent(/Celia Reparte · 24\/11\/2026 11:00.*Ausente.*Llamó: al cliente/);
  await expect.element(past.getByRole('img', { name: 'Foto del intento, 24/11/2026 11:00' })).toBeInTheDocument();
  // The answers are the next steps, the first of them the only filled button.
  expect(textsOf(steps.getByRole('button'))).toEqual(['Otro día', 'Otra dirección', 'Lo recogerá en la tienda', 'Más']);
  expect(
    [...shown(2).element().querySelectorAll('button[class*="Button-root"]:is([data-variant="filled"], :not([data-variant]))')].map(
      ({ textContent }) => textContent,
    ),
  ).toEqual(['Otro día']);
  await steps.getByRole('button', { name: 'Otro día' }).click();
  const form = page.getByRole('dialog', { name: '¿Qué hacemos con este pedido?' });
  await form.getByRole('button', { name: 'Decidir' }).click();
  await expect.element(form.getByText('Elige un día')).toBeVisible();
  await form.getByRole('radio', { name: 'Otra dirección' }).click();
  await form.getByLabelText(/^Dirección/).fill('Plaza Nueva 2');
  server.answer(calcularEnvio, { data: { mensaje: 'el envío a Canarias cuesta 45,00 € y el total es ahora 57,50 €' } });
  await form.getByLabelText(/^Código postal/i).fill('35001');
  await expect.element(form.getByText('El envío a Canarias cuesta 45,00 € y el total es ahora 57,50 €.')).toBeVisible();
  await form.getByLabelText(/^Nota para el transportista/).fill('Es el trabajo');
  await expectAccessible();
  await form.getByRole('button', { name: 'Decidir' }).click();
  await expect.element(situation).not.toMatchTextContent('Por decidir');
  expect(sent).toEqual([
    expect.objectContaining({ respuesta: 'otra_direccion', cliente_direccion: 'Plaza Nueva 2', nota: 'Es el trabajo' }),
  ]);
});
