import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getCliente, listClientes } from '../../contract/clientes/clientes.ts';
import { getPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { ROLES, type Role } from '../../contract/policy/policy.ts';
import { listProducts } from '../../contract/products/products.ts';
import { logout } from '../../contract/session/session.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { listUsers } from '../../contract/users/users.ts';
import { address, expectAccessible, open, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aCliente, aPedido, aProduct, aUser, aWholeCliente, listed, pageOf, pedidosAsked, theSettings } from '../../test/web/samples.ts';
import { mayOpen } from '../access.ts';
import { INSIDE, type Screen } from '../routes.ts';

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

test('a screen is found by a few letters of its name', async () => {
  open('/');
  await openBox();
  await expect.element(option('Control de Stock')).toBeVisible();
  await expectAccessible();
  await field.fill('gestion us');
  await expect.poll(() => options.elements()).toHaveLength(1);
  await enter();
  await expect.poll(address).toBe('/gestion-usuarios');
  await expect.element(box).not.toBeInTheDocument();
});

test('the words that people use lead to the screen, the tab or the action', async () => {
  await find('superadmin', '');
  for (const [typed, label] of Object.entries({
    'nuevo pedido': 'Crear pedido',
    'mi cuenta': 'Mi cuenta',
    contraseña: 'Mi cuenta',
    administración: 'Supervisión',
    'resumen transportistas': 'Resumen Transportistas',
    productos: 'Control de Stock',
    packs: 'Control de Stock',
    inventario: 'Control de Stock',
    usuarios: 'Gestión de Usuarios',
    revendedores: 'Revendedores',
    ajustes: 'Configuración',
    'descargar excel': 'Exportar Datos',
    'modo oscuro': 'Cambiar a tema oscuro',
    dark: 'Cambiar a tema oscuro',
    'cerrar sesion': 'Cerrar sesión',
    importar: 'Importar pedidos',
    'stock bajo': 'Ver el stock bajo',
    iban: 'IBAN',
    copia: 'Copias de seguridad',
    webhook: 'Webhooks',
    logs: 'Logs',
    cuadre: 'Cuadre',
    cuadrar: 'Cuadre',
    asignar: 'Pedidos',
    devolver: 'Pedidos',
    festivos: 'Gastos de envío y plazo',
    deudas: 'Por cobrar',
  })) {
    await field.fill(typed);
    await expect.element(options.first()).toMatchTextContent(label);
  }
});

test('a setting whose name is typed comes before people and customers that contain the letters', async () => {
  server.answer(listUsers, listed([aUser('transportista', { full_name: 'Álvaro Rivas Olivar' })]));
  server.answer(listClientes, pageOf([aCliente({ cliente_nombre: 'Cooperativa del Olivar' })]));
  await find('superadmin', 'iva');
  await expect.element(options.filter({ hasText: 'Cooperativa del Olivar' })).toBeVisible();
  await expect.element(options.first()).toMatchTextContent('IVA');
});

// Addresses with a parameter, papers, and the guide of each role are reached from their screen.
const WITHIN = ['/pedidos/imprimir', '/ayuda/administrador', '/ayuda/revendedor', '/ayuda/transportista'];
const FOUND_AS: Record<string, string> = { '/pedidos/nuevo-admin': 'Crear pedido' };
test.each(ROLES)('every screen of a %s is found by its title, also those that left the menu', async (role) => {
  open('/mi-cuenta', role);
  await openBox();
  const mine = INSIDE.filter(({ path, roles }) => !path.includes('$') && !WITHIN.includes(path) && mayOpen({ roles }, { role }));
  // This shop has switched on no optional part, and a menu names the screens of its role only.
  const isHere = ({ nav, path }: Screen) => !nav?.needs && (path !== '/' || role === 'superadmin') && (!nav || nav.roles.includes(role));
  for (const { path, title, nav } of (mine as readonly Screen[]).filter(isHere)) {
    await field.fill(FOUND_AS[path] ?? title);
    await expect.element(options.filter({ hasText: FOUND_AS[path] ?? nav?.label ?? title }).first(), { message: path }).toBeVisible();
  }
});

test('labels that begin with the letters come before labels that contain them', async () => {
  await find('superadmin', 'li');
  await expect.element(options.first()).toMatchTextContent('Liquidaciones');
  await expect.element(options.filter({ hasText: /^Clientes/ }).first()).toBeVisible();
});

test('a setting is opened by its name, with the focus on it', async () => {
  server.answer(getSettings, { data: theSettings() });
  await find('superadmin', 'iban');
  await enter();
  await expect.poll(address).toBe('/configuracion?tab=general&campo=companyIban');
  await expect.element(page.getByRole('textbox', { name: 'IBAN' })).toHaveFocus();
});

test('a tab is opened by its name', async () => {
  await find('superadmin', 'logs');
  await enter();
  await expect.element(page.getByRole('tab', { name: 'Logs' })).toHaveAttribute('aria-selected', 'true');
  await openBox();
  await field.fill('transportistas');
  await expect.element(options.first()).toMatchTextContent('Transportistas');
  await enter();
  await expect.poll(address).toBe('/gestion-usuarios?rol=transportista');
});

test('a reseller finds what a reseller may open', async () => {
  await find('revendedor', 'crear pedido');
  await expect.element(options.first()).toMatchTextContent('Nuevo Pedido');
  await field.fill('mi cuenta');
  await expect.element(options.first()).toMatchTextContent('Mi cuenta');
  for (const foreign of ['logs', 'ajustes', 'transportistas']) {
    await field.fill(foreign);
    await expect.element(box).toMatchTextContent('Nada coincide');
  }
});

test('a carrier finds what a carrier may open, and the orders in hand', async () => {
  const pedido = aPedido({ cliente_nombre: 'Vecina Propia', estado: 'asignado' });
  server.answer(listPedidos, pageOf([pedido]));
  open('/mi-cuenta', 'transportista');
  await openBox();
  await expect.element(option('Pedidos disponibles')).toBeVisible();
  for (const foreign of ['Control de Stock', 'Crear pedido', 'Gestión de Usuarios'])
    await expect.element(option(foreign)).not.toBeInTheDocument();
  await field.fill('vecina');
  await option(`${pedido.numero_orden} · Vecina Propia`).click();
  await expect.poll(address).toBe(`/pedidos-asignados?search=${pedido.numero_orden}`);
  expect(server.asked(listPedidos)[0]?.query).toMatchObject({ search: 'vecina', estado: 'asignado,en_proceso,en_ruta' });
  expect(server.asked(listClientes)).toEqual([]);
});

test('an order is found by its customer, and opens', async () => {
  const pedido = aPedido({ cliente_nombre: 'Úrsula Iguarán' });
  server.reply(listPedidos, ({ query }) => pedidosAsked([pedido], query));
  server.answer(getPedido, { data: pedido });
  await find('superadmin', 'ursula');
  await expect.element(option(`${pedido.numero_orden} · Úrsula Iguarán`)).toHaveAttribute('aria-selected', 'true');
  await expectAccessible();
  await enter();
  await expect.poll(address).toBe(`/pedidos/${pedido.id}`);
});

test('an order of a reseller opens in their list', async () => {
  const pedido = aPedido({ cliente_nombre: 'Úrsula Iguarán' });
  server.answer(listPedidos, pageOf([pedido]));
  await find('revendedor', 'ursula');
  await option(pedido.numero_orden).click();
  await expect.poll(address).toBe(`/mis-pedidos?search=${pedido.numero_orden}`);
});

test('a person is found by name without accents', async () => {
  server.answer(listUsers, listed([aUser('revendedor', { full_name: 'Íñigo Ochoa', email: 'inigo@enruta.test' }), aUser('revendedor')]));
  await find('superadmin', 'inigo');
  await option('Íñigo Ochoa').click();
  await expect.poll(address).toContain('/gestion-usuarios?');
  await expect.element(row('inigo@enruta.test')).toBeVisible();
});

test('a product is found by name, with its stock', async () => {
  server.answer(listProducts, listed([aProduct({ name: 'Turrón blando', stock: 42 }), aProduct({ name: 'Peladillas' })]));
  await find('superadmin', 'turron');
  await expect.element(option('Turrón blando')).toMatchTextContent('42 unidades');
  await option('Turrón blando').click();
  await expect.poll(address).toContain('/control-stock?producto=');
  await expect.element(row('Turrón blando')).toBeVisible();
  await expect.element(row('Peladillas')).not.toBeInTheDocument();
});

test('a customer is found by telephone, with how much they have ordered', async () => {
  const remedios = aCliente({ cliente_nombre: 'Remedios Buendía', cliente_telefono: '600 778 899', pedidos: 1 });
  server.answer(listClientes, pageOf([remedios]));
  server.answer(getCliente, { data: aWholeCliente(remedios) });
  await find('superadmin', '600778899');
  await expect.element(option('Remedios Buendía')).toMatchTextContent('600 778 899 · 1 pedido');
  await option('Remedios Buendía').click();
  await expect.poll(address).toBe(`/clientes/${remedios.id}`);
  expect(server.asked(listClientes)[0]?.query).toMatchObject({ search: '600778899' });
});

test('a search without results says so', async () => {
  await find('superadmin', 'zzzz');
  await expect.element(box).toMatchTextContent('Nada coincide con «zzzz»');
  await expectAccessible();
});

test('Enter before the answer opens what was typed, not what was there', async () => {
  const [first, wanted] = [aPedido({ cliente_nombre: 'Teodora Primera' }), aPedido({ cliente_nombre: 'Segismundo Segundo' })];
  server.reply(listPedidos, ({ query }) => pedidosAsked([first, wanted], query));
  server.answer(getPedido, { data: wanted });
  await find('superadmin', 'teodora');
  await expect.element(option(first.numero_orden)).toBeVisible();
  await field.fill('segismundo');
  await enter();
  await expect.poll(address).toBe(`/pedidos/${wanted.id}`);
});

test('the keyboard alone opens it, moves, closes, and the focus goes back', async () => {
  open('/pedidos');
  const search = page.getByRole('searchbox');
  await search.click();
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

test('letters typed before the box has loaded appear in it, and Escape discards them', async () => {
  open('/pedidos');
  const search = page.getByRole('searchbox');
  await search.click();
  const key = (name: string, more: object = {}) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more }));
  // At once, as on a slow telephone whose box still loads.
  key('k', { ctrlKey: true });
  for (const letter of ['R', 'o', 's', 's', 'Backspace', 'a', 'Enter']) key(letter);
  await expect.element(field).toHaveValue('Rosa');
  await userEvent.keyboard(' Gil');
  await expect.element(field).toHaveValue('Rosa Gil');
  await userEvent.keyboard('{Escape}');
  await expect.element(box).not.toBeInTheDocument();
  key('k', { ctrlKey: true });
  for (const letter of ['x', 'Escape']) key(letter);
  await expect.element(field).toHaveValue('');
});

test('keys alone do nothing while typing', async () => {
  open('/pedidos');
  const search = page.getByRole('searchbox');
  await search.click();
  await userEvent.keyboard('n?');
  await expect.element(search).toHaveValue('n?');
  expect(address()).toMatch(/^\/pedidos(\?|$)/);
  await expect.element(help).not.toBeInTheDocument();
});

test('keys alone are listed, are turned off, and stay so', async () => {
  open('/pedidos');
  await expect.element(page.getByRole('main')).toBeVisible();
  await userEvent.keyboard('?');
  for (const does of ['Buscar o ir a', 'Contraer o expandir la navegación', 'Nuevo pedido'])
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
});

test('keys alone are turned on again from the box, and «n» begins an order', async () => {
  localStorage.setItem('atajosDeUnaTecla', 'no');
  await find('superadmin', 'atajos');
  await enter();
  await single.click();
  await expect.element(single).toBeChecked();
  await userEvent.keyboard('{Escape}');
  await expect.element(help).not.toBeInTheDocument();
  await userEvent.keyboard('n');
  await expect.poll(address).toBe('/pedidos/nuevo-admin');
});

test('the theme is changed from the box', async () => {
  await find('superadmin', 'tema');
  await option('Cambiar a tema oscuro').click();
  await expect.poll(theme).toBe('dark');
  await openBox();
  await expect.element(option('Cambiar a tema claro')).toBeVisible();
  await expectAccessible();
  await field.fill('tema');
  await enter();
  await expect.poll(theme).toBe('light');
});

test('a person signs out from the box', async () => {
  server.answer(logout, { success: true, message: 'Sesión cerrada' });
  await find('superadmin', 'cerrar ses');
  await enter();
  await expect.poll(address).toMatch(/^\/auth/);
  expect(server.asked(logout)).toHaveLength(1);
});
