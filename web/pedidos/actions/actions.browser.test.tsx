import { beforeEach, expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { anotarPago } from '../../../contract/payments/payments.ts';
import { calcularDevolucion, lotePedidos } from '../../../contract/pedidos/lote.ts';
import {
  assignTransportista,
  deletePedido,
  duplicatePedido,
  getPedido,
  listPedidos,
  type Pedido,
  restorePedido,
  setEstado,
} from '../../../contract/pedidos/pedidos.ts';
import { listUsers, type User } from '../../../contract/users/users.ts';
import { address, expectAccessible, open } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { row, rows, takeStep, textsOf } from '../../../test/web/list.ts';
import { aPedido, aUser, listed, pageOf } from '../../../test/web/samples.ts';

/* Actions of a superadmin on the orders of a list. */

let pedidos: Pedido[];
let carriers: User[];
const find = (id: string) => pedidos.find((pedido) => pedido.id === id) as Pedido;
function change(id: string, fields: Partial<Pedido>): Pedido {
  pedidos = pedidos.map((pedido) => (pedido.id === id ? { ...pedido, ...fields, version: pedido.version + 1 } : pedido));
  return find(id);
}
function put(fields: Partial<Pedido> = {}): Pedido {
  const pedido = aPedido(fields);
  pedidos = [pedido, ...pedidos];
  return pedido;
}
beforeEach(() => {
  [pedidos, carriers] = [[], []];
  server.reply(listPedidos, ({ query }) => pageOf(pedidos.filter(({ deleted_at }) => !!deleted_at === (query.eliminados === 'si'))));
  server.reply(listUsers, () => listed(carriers));
  server.reply(getPedido, ({ params }) => ({ data: find(params.id) }));
  server.reply(setEstado, ({ params, body }) => asDone('Estado actualizado', change(params.id, { estado: body.estado })));
  server.reply(assignTransportista, ({ params, body }) => {
    const carrier = carriers.find(({ id }) => id === body.transportista_id);
    const empresa_transporte = body.empresa_transporte ?? 'manual';
    const holder = { transportista_id: carrier?.id ?? null, transportista_nombre: carrier?.full_name ?? null, empresa_transporte };
    return asDone('Pedido asignado exitosamente', change(params.id, { ...holder, estado: carrier ? 'asignado' : 'pendiente' }));
  });
  server.reply(deletePedido, ({ params }) => asDone('Pedido eliminado', change(params.id, { deleted_at: new Date().toISOString() })));
  server.reply(restorePedido, ({ params }) => asDone('Pedido restaurado', change(params.id, { deleted_at: null })));
});

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const menuButton = ({ numero_orden }: Pedido) => button(`Acciones del pedido ${numero_orden}`);
const item = (name: string) => page.getByRole('menuitem', { name });
const rowOf = ({ numero_orden }: Pedido) => row(numero_orden);
async function choose(pedido: Pedido, name: string) {
  await menuButton(pedido).click();
  await item(name).click();
}
async function press(on: Locator, keys = '{Enter}') {
  await expect.element(on).toBeVisible();
  // An opening menu moves the focus a moment later, so retry until the focus stays.
  const keepsFocus = () => {
    const kept = document.activeElement === on.element();
    (on.element() as HTMLElement).focus();
    return kept;
  };
  await expect.poll(keepsFocus).toBe(true);
  await userEvent.keyboard(keys);
}

/** Chooses an action that the open order offers and its row does not. */
async function chooseInside(pedido: Pedido, name: string) {
  await choose(pedido, 'Ver');
  await takeStep(name);
}
const offered = () => textsOf(page.getByRole('menuitem'));

test('the menu of a row begins with the next step and offers only possible actions', async () => {
  const waiting = put({ estado: 'pendiente_pago' });
  const [done, pending] = [put({ estado: 'completado' }), put()];
  server.reply(anotarPago, () => asDone('Pago anotado', change(waiting.id, { estado: 'pendiente', pagado: 25, pendiente: 0 })));
  open('/pedidos');
  await menuButton(waiting).click();
  await expect.element(item('Ver')).toBeVisible();
  expect(offered()).toEqual(['Anotar pago', 'Ver', 'Editar', 'Imprimir albarán', 'Duplicar', 'Cancelar pedido', 'Eliminar']);
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await menuButton(done).click();
  await expect
    .poll(offered)
    .toEqual(['Anotar pago', 'Pedir el pago', 'Ver', 'Editar', 'Deshacer la entrega', 'Imprimir albarán', 'Duplicar', 'Eliminar']);
  await userEvent.keyboard('{Escape}');
  await menuButton(pending).click();
  await expect
    .poll(offered)
    .toEqual(['Asignar transportista', 'Ver', 'Editar', 'Imprimir albarán', 'Duplicar', 'Cancelar pedido', 'Eliminar']);
  await item('Cancelar pedido').click();
  const cancel = dialog('Cancelar pedido');
  await cancel.getByRole('textbox', { name: 'Motivo (opcional)' }).fill('Ya no lo quiere');
  await expectAccessible();
  await cancel.getByRole('button', { name: 'Cancelar pedido' }).click();
  await expect.element(rowOf(pending)).toMatchTextContent('Cancelado');
  expect(server.asked(setEstado)[0]?.body).toMatchObject({ estado: 'cancelado', motivo: 'Ya no lo quiere' });
  await menuButton(pending).click();
  await expect.poll(offered).toEqual(['Ver', 'Reabrir el pedido', 'Imprimir albarán', 'Duplicar', 'Eliminar']);
  await userEvent.keyboard('{Escape}');

  await choose(waiting, 'Anotar pago');
  const paid = dialog('Anotar pago');
  const reference = paid.getByRole('textbox', { name: 'Referencia (opcional)' });
  const pay = async (metodo: string) => {
    await paid.getByRole('combobox', { name: 'Método' }).click();
    await page.getByRole('option', { name: metodo }).click();
  };
  // Cash has no reference. Closing the dialog with a typed reference asks for confirmation.
  await pay('Efectivo');
  await expect.element(reference).not.toBeInTheDocument();
  await pay('Transferencia');
  await expectAccessible();
  await reference.fill('Transferencia 4711');
  await userEvent.keyboard('{Escape}');
  await dialog('Descartar los cambios').getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(reference).toHaveValue('Transferencia 4711');
  await press(reference);
  await expect.element(paid).not.toBeInTheDocument();
  expect(server.asked(anotarPago).map(({ body }) => body)).toEqual([
    expect.objectContaining({ metodo: 'transferencia', importe: 25, referencia: 'Transferencia 4711' }),
  ]);
});

test('printing labels adds no item to the menu of a row: label and delivery note share a submenu', async () => {
  const assigned = put({ estado: 'asignado', transportista_id: aUser('transportista').id, transportista_nombre: 'Tomás Gil' });
  open('/pedidos', 'superadmin', { etiquetas: true });
  await menuButton(assigned).click();
  const eight = ['Empezar a preparar', 'Ver', 'Editar', 'Asignar transportista', 'Imprimir', 'Duplicar', 'Cancelar pedido', 'Eliminar'];
  await expect.poll(offered).toEqual(eight);
  await item('Imprimir').hover();
  await expect.element(item('Imprimir etiqueta')).toBeVisible();
  await expect.element(item('Imprimir albarán')).toBeVisible();
});

test('the keyboard reaches disabled menu items, and a dismissed dialog returns the focus to the menu button', async () => {
  const [waiting, sealed] = [put({ estado: 'pendiente_pago' }), put({ estado: 'cancelado', anonimizado_at: '2026-01-01T00:00:00Z' })];
  open('/admin');
  await press(menuButton(sealed));
  await expect.element(item('Ver')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  // A disabled item takes the focus; choosing it does nothing.
  const edit = page.getByRole('menuitem', { name: /^Editar/ });
  await expect.element(edit).toHaveFocus();
  await expect.element(edit).toHaveAccessibleDescription('Los datos del cliente están anonimizados');
  await userEvent.keyboard('{Enter}');
  await expect.element(edit).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(menuButton(sealed)).toHaveFocus();

  await press(menuButton(waiting));
  await press(item('Duplicar'));
  await expect.element(dialog('Duplicar pedido')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(menuButton(waiting)).toHaveFocus();
});

test('«Deshacer» and Ctrl+Z restore a deleted order, unless another person deleted the order first', async () => {
  const [gone, other, pedido] = [put(), put(), put()];
  open('/pedidos');
  await expect.element(rowOf(pedido)).toBeVisible();
  await userEvent.keyboard('?');
  await expect.element(dialog('Atajos de teclado')).toMatchTextContent('Deshacer la última eliminación');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Atajos de teclado')).not.toBeInTheDocument();
  await choose(pedido, 'Eliminar');
  await expect.element(rowOf(pedido)).not.toBeInTheDocument();
  const notice = page.getByRole('status').filter({ hasText: 'Pedido eliminado' });
  await expect.element(notice).toMatchTextContent(pedido.numero_orden);
  await notice.getByRole('button', { name: 'Deshacer' }).click();
  await expect.element(rowOf(pedido)).toBeVisible();
  await expect.element(notice).not.toBeInTheDocument();
  const restored = page.getByRole('status').filter({ hasText: 'Pedido restaurado' });
  await expect.element(restored).toBeVisible();
  expect(server.asked(restorePedido).map(({ params }) => params.id)).toEqual([pedido.id]);
  await restored.getByRole('button', { name: 'Cerrar aviso' }).click();
  await expect.element(restored).not.toBeInTheDocument();

  await press(menuButton(other));
  await press(item('Eliminar'));
  await expect.element(rowOf(other)).not.toBeInTheDocument();
  await expect.element(page.getByRole('table', { name: 'Pedidos' })).toHaveFocus();
  await expect.element(notice).toBeVisible();
  // A checkbox has no native undo, so Ctrl+Z still reaches the list.
  (rowOf(gone).getByRole('checkbox').element() as HTMLElement).focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(rowOf(other)).toBeVisible();
  await expect.element(restored).toBeVisible();

  await menuButton(gone).click();
  server.refuse(deletePedido, 404, { message: 'No encontrado' });
  pedidos = pedidos.filter(({ id }) => id !== gone.id);
  await item('Eliminar').click();
  await expect.element(page.getByText('Otra persona ya había eliminado este pedido')).toBeVisible();
  await expect.element(rowOf(gone)).not.toBeInTheDocument();
  await expect.element(button('Deshacer')).not.toBeInTheDocument();
});

test('an order is assigned to active carriers or unassigned, unless another person changes the order first', async () => {
  const [tania, prima] = ['Tania Transportes', 'Prima Gana'].map((full_name) => aUser('transportista', { full_name })) as [User, User];
  carriers = [tania, prima, aUser('transportista', { full_name: 'Tadeo Retirado', is_active: false })];
  const pedido = put();
  open('/pedidos');
  const assign = dialog('Asignar transportista');
  const carrier = assign.getByRole('combobox', { name: 'Transportista', exact: true });
  const save = () => assign.getByRole('button', { name: 'Guardar' }).click();
  await choose(pedido, 'Asignar transportista');
  await carrier.fill('ta');
  await expect.element(page.getByRole('option', { name: /^Tania Transportes/ })).toBeVisible();
  await expect.element(page.getByRole('option', { name: /Tadeo/ })).not.toBeInTheDocument();
  await page.getByRole('option', { name: /^Tania Transportes/ }).click();
  await assign.getByRole('combobox', { name: 'Empresa de transporte' }).click();
  await page.getByRole('option', { name: 'Correos' }).click();
  await expectAccessible();
  await save();
  await expect.element(page.getByText('Pedido asignado exitosamente')).toBeVisible();
  expect(server.asked(assignTransportista).map(({ body }) => body)).toEqual([
    { transportista_id: tania.id, empresa_transporte: 'correos', version: 1 },
  ]);
  await expect.element(rowOf(pedido)).toMatchTextContent(/Tania Transportes.*Asignado/);
  await expect.element(menuButton(pedido)).toHaveFocus();

  await choose(pedido, 'Asignar transportista');
  await expect.element(assign.getByRole('combobox', { name: 'Empresa de transporte' })).toHaveValue('Correos');
  await carrier.click();
  await page.getByRole('option', { name: 'Sin asignar' }).click();
  await save();
  await expect.element(rowOf(pedido)).toMatchTextContent(/Sin asignar.*Pendiente/);
  expect(server.asked(assignTransportista).at(-1)?.body.transportista_id).toBeNull();
  await expect.element(assign).not.toBeInTheDocument();

  await choose(pedido, 'Asignar transportista');
  change(pedido.id, { transportista_id: prima.id, transportista_nombre: 'Prima Gana', estado: 'asignado' });
  server.refuse(assignTransportista, 409, { message: 'Otra persona ha cambiado este pedido', code: 'version' });
  await carrier.fill('Tania Transportes');
  await page.getByRole('option', { name: /^Tania Transportes/ }).click();
  await save();
  await expect.element(page.getByRole('alert').filter({ hasText: 'Otra persona ha cambiado este pedido' })).toBeVisible();
  await expect.element(assign).not.toBeInTheDocument();
  await expect.element(rowOf(pedido)).toMatchTextContent('Prima Gana');
  expect(server.asked(assignTransportista).at(-1)?.body).toMatchObject({ transportista_id: tania.id, version: 3 });
  expect(address()).toBe('/pedidos');
});

test('the open order offers the steps of its delivery, and a failed attempt requires a reason', async () => {
  const pedido = put({ estado: 'asignado', transportista_id: aUser('transportista').id, transportista_nombre: 'Tomás Gil' });
  open('/pedidos');
  await chooseInside(pedido, 'Salir a reparto');
  await dialog('Salir a reparto').getByRole('button', { name: 'Salir a reparto' }).click();
  await expect.element(rowOf(pedido)).toMatchTextContent('En Ruta');

  // The open order reappears after a step.
  await expect.element(dialog(new RegExp(`Pedido ${pedido.numero_orden}$`))).toBeVisible();
  await takeStep('Intento fallido');
  const failed = dialog('Intento fallido');
  await failed.getByRole('button', { name: 'Intento fallido' }).click();
  await expect.element(failed.getByRole('textbox', { name: 'Motivo' })).toHaveAccessibleDescription(/Indica el motivo del intento fallido/);
  await failed.getByRole('textbox', { name: 'Motivo' }).fill('No había nadie');
  await failed.getByRole('button', { name: 'Intento fallido' }).click();
  await expect.element(rowOf(pedido)).toMatchTextContent('Asignado');
  expect(server.asked(setEstado).at(-1)?.body).toMatchObject({ estado: 'asignado', motivo: 'No había nadie' });
});

test('an order in «Eliminados» says that it is deleted, and is restored from its menu', async () => {
  const pedido = put({ deleted_at: new Date().toISOString() });
  open('/pedidos?search=braulio&eliminados=si');
  await choose(pedido, 'Ver');
  const shown = dialog(new RegExp(`Pedido ${pedido.numero_orden}$`));
  await expect.element(shown.getByRole('region', { name: 'Situación' })).toMatchTextContent('Eliminado el');
  await userEvent.keyboard('{Escape}');
  await choose(pedido, 'Restaurar');
  await expect.element(page.getByText('Pedido restaurado')).toBeVisible();
  await expect.element(rowOf(pedido)).not.toBeInTheDocument();
  open('/pedidos?search=braulio');
  await expect.element(rowOf(pedido)).toBeVisible();
});

test('closing the result of a batch by keyboard moves the focus to the list', async () => {
  const many = put();
  server.answer(calcularDevolucion, { pagados: 0, importe: 0 });
  server.reply(lotePedidos, () => {
    const { id, numero_orden } = change(many.id, { estado: 'cancelado' });
    return { message: 'Hecho', hechos: 1, data: [{ id, numero_orden, ok: true, message: 'Cancelado' }] };
  });
  open('/pedidos');
  await press(rowOf(many).getByRole('checkbox'), ' ');
  await press(page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: 'Cancelar pedidos' }));
  await press(dialog('Cancelar pedidos').getByRole('button', { name: 'Cancelar 1 pedido' }));
  await expect.element(dialog('Cancelar pedidos')).toMatchTextContent('Hecho: 1 pedido.');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('table', { name: 'Pedidos' })).toHaveFocus();
});

test('a duplicate is a new order of the same customer', async () => {
  const pedido = put({ cliente_nombre: 'Dolores Repetida' });
  server.reply(duplicatePedido, () => {
    const copy = put({ cliente_nombre: 'Dolores Repetida', estado: 'pendiente_pago' });
    return { ...asDone(`Pedido duplicado como ${copy.numero_orden}`, copy), avisos: [], payment_link: null };
  });
  open('/pedidos');
  await chooseInside(pedido, 'Duplicar');
  await expect.element(dialog('Duplicar pedido')).toMatchTextContent(`para Dolores Repetida con lo mismo que ${pedido.numero_orden}`);
  await expectAccessible();
  await dialog('Duplicar pedido').getByRole('button', { name: 'Duplicar' }).click();
  await expect.element(page.getByText(/Mostrando 2 de 2 pedidos/)).toBeVisible();
  await expect.element(page.getByText(`Pedido duplicado como ${pedidos[0]?.numero_orden}`)).toBeVisible();
  expect(textsOf(rows())).toEqual([expect.stringContaining('Dolores Repetida'), expect.stringContaining('Dolores Repetida')]);
  expect(server.asked(duplicatePedido).map(({ params }) => params.id)).toEqual([pedido.id]);
});
