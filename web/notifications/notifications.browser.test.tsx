import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listNotifications, type Notification, readNotifications } from '../../contract/notifications/notifications.ts';
import { getPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { listPacks, updatePack } from '../../contract/products/products.ts';
import { address, expectAccessible, open } from '../../test/web/app.tsx';
import { uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPack, aPedido, listed, pageOf } from '../../test/web/samples.ts';
import { queryClient } from '../api.ts';

/* The bell and its notifications; the toasts and how long they stay. */

let notices: Notification[];
const aNotice = (fields: Partial<Notification>): Notification => ({
  id: uuid(),
  tipo: 'pedido_tomado',
  texto: 'Tomás Gil lleva el pedido ORD-1',
  enlace: '/mis-pedidos',
  created_at: new Date().toISOString(),
  read_at: null,
  ...fields,
});
beforeEach(() => {
  notices = [];
  server.reply(listNotifications, () => ({ data: notices, unread: notices.filter(({ read_at }) => !read_at).length }));
  server.reply(readNotifications, ({ body: { ids } }) => {
    notices = notices.map((notice) => (!ids || ids.includes(notice.id) ? { ...notice, read_at: new Date().toISOString() } : notice));
    return { success: true as const, message: 'Avisos leídos' };
  });
});

const bell = page.getByRole('button', { name: /^Avisos/ });
const panel = page.getByRole('dialog', { name: /^Avisos/ });
const items = panel.getByRole('listitem');
const allRead = panel.getByRole('button', { name: 'Marcar todo como leído' });

test('following a notice of the bell opens its order and marks the notice as read', async () => {
  const [mine, other] = [aPedido(), aPedido()];
  server.reply(listPedidos, ({ query: { search } }) => pageOf([mine, other].filter((pedido) => !search || pedido.numero_orden === search)));
  notices = [
    aNotice({ texto: `Tomás Gil lleva el pedido ${mine.numero_orden}`, enlace: `/mis-pedidos?search=${mine.numero_orden}` }),
    aNotice({ texto: `Pedido pagado: ${other.numero_orden}` }),
  ];
  open('/mis-pedidos', 'revendedor');
  await expect.element(row(other.numero_orden)).toBeVisible();
  await expect.element(bell).toHaveAccessibleName('Avisos: 2 sin leer');
  await bell.click();
  await expect.poll(() => items.elements()).toHaveLength(2);
  await expect.element(items.first()).toMatchTextContent(`Tomás Gil lleva el pedido ${mine.numero_orden}`);
  await expect.element(items.first()).toMatchTextContent('sin leer');
  // Content behind the panel is partly covered, so only the panel is checked.
  await expectAccessible(panel.element());
  await items.first().getByRole('button').click();
  await expect.poll(address).toBe(`/mis-pedidos?search=${mine.numero_orden}`);
  await expect.element(row(mine.numero_orden)).toBeVisible();
  await expect.element(row(other.numero_orden)).not.toBeInTheDocument();
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(bell).toHaveAccessibleName('Avisos: 1 sin leer');
  await bell.click();
  await expect.element(items.first()).not.toMatchTextContent('sin leer');
  await allRead.click();
  await expect.element(bell).toHaveAccessibleName('Avisos');
});

test('an empty bell says which notices will appear', async () => {
  open('/mis-pedidos', 'revendedor');
  await bell.click();
  await expect.element(panel).toMatchTextContent('No hay avisos. Aquí verás lo que pase con tus pedidos.');
  await expect.element(allRead).toBeDisabled();
});

test('the bell shows 99+ for a hundred unread notices', async () => {
  server.answer(listNotifications, { data: [], unread: 100 });
  open('/mis-pedidos', 'revendedor');
  await expect.element(bell).toHaveAccessibleName('Avisos: 99+ sin leer');
});

test('opening an order marks its notice as read, and Escape closes the panel of notices', async () => {
  const pedido = aPedido();
  notices = [aNotice({ texto: `Pedido nuevo: ${pedido.numero_orden}`, enlace: `/pedidos/${pedido.id}` })];
  server.answer(listPedidos, pageOf([pedido]));
  server.answer(getPedido, { data: pedido });
  open('/pedidos');
  await expect.element(bell).toHaveAccessibleName('Avisos: 1 sin leer');
  await row(pedido.numero_orden).getByRole('link').first().click();
  await expect.element(bell).toHaveAccessibleName('Avisos');
  expect(server.asked(readNotifications).map(({ body }) => body)).toEqual([{ pedido_id: pedido.id }]);

  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  notices = [aNotice({})];
  await queryClient.invalidateQueries({ queryKey: [listNotifications.path] });

  await bell.click();
  await allRead.click();
  await expect.element(allRead).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(bell).toHaveFocus();
});

test('a repeated error shows a single message, which closes once the retry succeeds', async () => {
  const pack = aPack({ name: 'Caja', alias: 'CA' });
  server.answer(listPacks, listed([pack]));
  server.refuse(updatePack, 500, { message: 'Error interno del servidor' });
  open('/control-stock');
  await row('Caja').click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Guardar cambios' });
  await dialog.getByLabelText(/^Alias/).fill('CJ');
  for (const times of [1, 2, 3]) {
    await save.click();
    await expect.poll(() => server.asked(updatePack)).toHaveLength(times);
    await expect.element(save).toBeEnabled();
    await expect.poll(() => page.getByRole('alert').elements()).toHaveLength(1);
  }
  server.answer(updatePack, asDone('Pack actualizado', { ...pack, alias: 'CJ' }));
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  // Shorter than the eight seconds that an error stays.
  await expect.element(page.getByRole('alert'), { timeout: 3000 }).not.toBeInTheDocument();
});

test('the dialog of «Cancelar pedido» has a red button, and «Volver» instead of «Cancelar»', async () => {
  server.answer(listPedidos, pageOf([aPedido()]));
  open('/pedidos?estado=pendiente');
  await page.getByRole('button', { name: /^Acciones/ }).click();
  await page.getByRole('menuitem', { name: 'Cancelar pedido' }).click();
  const dialog = page.getByRole('dialog');
  const cancel = dialog.getByRole('button', { name: 'Cancelar pedido' });
  await expect.element(cancel).toBeVisible();
  const colour = getComputedStyle(cancel.element()).backgroundColor;
  const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
  expect(red, colour).toBeGreaterThan(green + blue / 2);
  await expect.element(dialog.getByRole('button', { name: 'Cancelar', exact: true })).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Volver' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});
