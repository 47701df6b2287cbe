import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getCliente, listClientes } from '../../contract/clientes/clientes.ts';
import { getPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import type { Role } from '../../contract/policy/policy.ts';
import { listProducts } from '../../contract/products/products.ts';
import { logout } from '../../contract/session/session.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { listUsers } from '../../contract/users/users.ts';
import { address, expectAccessible, open, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aCliente, aPedido, aProduct, aUser, aWholeCliente, listed, pageOf, pedidosAsked, theSettings } from '../../test/web/samples.ts';

/* «Buscar o ir a»: finds screens, orders, people and actions by a few letters; keyboard shortcuts. */

const box = page.getByRole('dialog', { name: 'Buscar o ir a' });
const field = page.getByRole('combobox', { name: 'Buscar o ir a' });
const options = box.getByRole('option');
const option = (begins: string) => box.getByRole('option', { name: new RegExp(`^${begins}`) });
const help = page.getByRole('dialog', { name: 'Atajos de teclado' });
const single = help.getByRole('switch', { name: /^Atajos de una sola tecla/ });
const theme = () => getComputedStyle(document.documentElement).colorScheme;
async function openBox() {
  await page.getByRole('button', { name: /^Buscar o ir a/ }).click();
  await expect.element(field).toHaveFocus();
}
async function find(role: Role, typed: string) {
  open('/mi-cuenta', role);
  await openBox();
  await field.fill(typed);
}
const enter = () => userEvent.keyboard('{Enter}');

test('the command box finds and opens screens, settings and tabs by a few letters', async () => {
  server.answer(getSettings, { data: theSettings() });
  open('/');
  await openBox();
  await expect.element(option('Control de Stock')).toBeVisible();
  await expectAccessible();
  await field.fill('zzzz');
  await expect.element(box).toMatchTextContent('Nada coincide con «zzzz»');
  await expectAccessible();
  await field.fill('gestion us');
  await expect.poll(() => options.elements()).toHaveLength(1);
  await enter();
  await expect.poll(address).toBe('/gestion-usuarios');
  await expect.element(box).not.toBeInTheDocument();

  await openBox();
  await field.fill('iban');
  await enter();
  await expect.poll(address).toBe('/configuracion?tab=general&campo=companyIban');
  await expect.element(page.getByRole('textbox', { name: 'IBAN' })).toHaveFocus();

  await openBox();
  await field.fill('logs');
  await enter();
  await expect.element(page.getByRole('tab', { name: 'Logs' })).toHaveAttribute('aria-selected', 'true');
  await openBox();
  await field.fill('transportistas');
  await expect.element(options.first()).toMatchTextContent('Transportistas');
  await enter();
  await expect.poll(address).toBe('/gestion-usuarios?rol=transportista');
});

test('the command box finds a carrier’s open orders, but no customers', async () => {
  const pedido = aPedido({ cliente_nombre: 'Vecina Propia', estado: 'asignado' });
  server.answer(listPedidos, pageOf([pedido]));
  open('/mi-cuenta', 'transportista');
  await openBox();
  await field.fill('vecina');
  await option(`${pedido.numero_orden} · Vecina Propia`).click();
  await expect.poll(address).toBe(`/pedidos-asignados?search=${pedido.numero_orden}`);
  expect(server.asked(listPedidos)[0]?.query).toMatchObject({ search: 'vecina', estado: 'asignado,en_proceso,en_ruta' });
  expect(server.asked(listClientes)).toEqual([]);
});

test('an order that a reseller finds opens in the list of their orders', async () => {
  const pedido = aPedido({ cliente_nombre: 'Úrsula Iguarán' });
  server.answer(listPedidos, pageOf([pedido]));
  await find('revendedor', 'ursula');
  await option(pedido.numero_orden).click();
  await expect.poll(address).toBe(`/mis-pedidos?search=${pedido.numero_orden}`);
});

test('the command box finds records by name, and Enter waits for the results of the last letter', async () => {
  const pedido = aPedido({ cliente_nombre: 'Úrsula Iguarán' });
  const [first, wanted] = [aPedido({ cliente_nombre: 'Teodora Primera' }), aPedido({ cliente_nombre: 'Segismundo Segundo' })];
  const remedios = aCliente({ cliente_nombre: 'Remedios Buendía', cliente_telefono: '600 778 899', pedidos: 1 });
  server.reply(listPedidos, ({ query }) => pedidosAsked([pedido, first, wanted], query));
  server.answer(getPedido, { data: wanted });
  server.answer(listUsers, listed([aUser('revendedor', { full_name: 'Íñigo Ochoa', email: 'inigo@enruta.test' }), aUser('revendedor')]));
  server.answer(listProducts, listed([aProduct({ name: 'Turrón blando', stock: 42 }), aProduct({ name: 'Peladillas' })]));
  server.reply(listClientes, ({ query }) => pageOf(query.search === '600778899' ? [remedios] : []));
  server.answer(getCliente, { data: aWholeCliente(remedios) });

  await find('superadmin', 'inigo');
  await option('Íñigo Ochoa').click();
  await expect.poll(address).toContain('/gestion-usuarios?');
  await expect.element(row('inigo@enruta.test')).toBeVisible();

  await openBox();
  await field.fill('turron');
  await expect.element(option('Turrón blando')).toMatchTextContent('42 unidades');
  await option('Turrón blando').click();
  await expect.poll(address).toContain('/control-stock?producto=');
  await expect.element(row('Turrón blando')).toBeVisible();
  await expect.element(row('Peladillas')).not.toBeInTheDocument();

  await openBox();
  await field.fill('600778899');
  await expect.element(option('Remedios Buendía')).toMatchTextContent('600 778 899 · 1 pedido');
  await option('Remedios Buendía').click();
  await expect.poll(address).toBe(`/clientes/${remedios.id}`);

  await openBox();
  await field.fill('ursula');
  await expect.element(option(`${pedido.numero_orden} · Úrsula Iguarán`)).toHaveAttribute('aria-selected', 'true');
  await expectAccessible();

  await field.fill('teodora');
  await expect.element(option(first.numero_orden)).toBeVisible();
  await field.fill('segismundo');
  await enter();
  await expect.poll(address).toBe(`/pedidos/${wanted.id}`);
});

test('the command box works by keyboard, and single-key shortcuts do nothing in a field', async () => {
  open('/pedidos');
  const search = page.getByRole('searchbox');
  await search.click();
  await userEvent.keyboard('n?');
  await expect.element(search).toHaveValue('n?');
  expect(address()).toMatch(/^\/pedidos(\?|$)/);
  await expect.element(help).not.toBeInTheDocument();

  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveFocus();
  await expect.element(options.first()).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  await expect.element(option('Cerrar sesión')).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Escape}');
  await expect.element(box).not.toBeInTheDocument();
  await expect.element(search).toHaveFocus();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(box).not.toBeInTheDocument();
});

test('the command box takes the next letter after Ctrl+K, and closing it gives the focus back', async () => {
  open('/pedidos');
  const search = page.getByRole('searchbox');
  await search.click();
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }));
  expect(document.activeElement).toBe(field.element());
  await userEvent.keyboard('Rosa Gil');
  await expect.element(field).toHaveValue('Rosa Gil');
  await userEvent.keyboard('{Escape}');
  await expect.element(box).not.toBeInTheDocument();
  await expect.element(search).toHaveFocus();
});

test('single-key shortcuts can be turned off, and on again from the command box', async () => {
  open('/pedidos');
  await expect.element(page.getByRole('main')).toBeVisible();
  await userEvent.keyboard('?');
  for (const does of ['Buscar o ir a', 'Contraer o expandir la navegación', 'Crear pedido'])
    await expect.element(help).toMatchTextContent(does);
  await expectAccessible();
  await single.click();
  await expect.element(single).not.toBeChecked();
  await userEvent.keyboard('{Escape}');
  await expect.element(help).not.toBeInTheDocument();
  await userEvent.keyboard('n');
  reload();
  await expect.element(page.getByRole('searchbox')).toBeVisible();
  await userEvent.keyboard('n?');
  await expect.element(help).not.toBeInTheDocument();
  expect(address()).toMatch(/^\/pedidos(\?|$)/);

  await openBox();
  await field.fill('atajos');
  await enter();
  await single.click();
  await expect.element(single).toBeChecked();
  await userEvent.keyboard('{Escape}');
  await expect.element(help).not.toBeInTheDocument();
  await userEvent.keyboard('n');
  await expect.poll(address).toBe('/pedidos/nuevo-admin');
});

test('the command box can change the theme and sign the person out', async () => {
  await find('superadmin', 'tema');
  await option('Cambiar a tema oscuro').click();
  await expect.poll(theme).toBe('dark');
  await openBox();
  await expect.element(option('Cambiar a tema claro')).toBeVisible();
  await expectAccessible();
  await field.fill('tema');
  await enter();
  await expect.poll(theme).toBe('light');

  server.answer(logout, { success: true, message: 'Sesión cerrada' });
  await openBox();
  await field.fill('cerrar ses');
  await enter();
  await expect.poll(address).toMatch(/^\/auth/);
  expect(server.asked(logout)).toHaveLength(1);
});
