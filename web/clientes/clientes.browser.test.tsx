import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  bloquearCliente,
  type Cliente,
  type ClienteEntero,
  getCliente,
  listClientes,
  separarCliente,
  unirCliente,
} from '../../contract/clientes/clientes.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getPedido, listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { address, expectAccessible, open, person, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { aCliente, aPedido, aWholeCliente, pageOf } from '../../test/web/samples.ts';

/* Known customers: suggested in a new order, and their own page. */

const newPedido = () => open('/pedidos/nuevo', 'revendedor');
const input = (name: string) => page.getByRole('combobox', { name, exact: true });
const field = (label: string) => page.getByLabelText(new RegExp(`^${label}( \\*)?$`));
const options = page.getByRole('listbox', { name: 'Clientes conocidos' }).getByRole('option');
const note = (title: string) => page.getByRole('note').filter({ hasText: title });
const hers = { revendedor_id: person('revendedor').id };

const begona = (fields: Partial<Cliente> = {}) =>
  aCliente({
    cliente_nombre: 'Begoña Solís',
    cliente_telefono: '655 44 33 22',
    cliente_direccion: 'Calle Luna 8',
    cliente_ciudad: 'Soria',
    cliente_codigo_postal: '42001',
    ...hers,
    ...fields,
  });

test('a known customer is offered by name and fills the form, except for fields that belong to one order', async () => {
  localStorage.setItem('mas-datos', 'abierto');
  server.answer(listClientes, pageOf([begona()]));
  newPedido();
  await input('Nombre').click();
  await userEvent.keyboard('bego');
  await expect.element(options).toMatchTextContent('655 443 322 · Calle Luna 8');
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(options).not.toBeInTheDocument();
  await expect.element(input('Nombre')).toHaveValue('bego');
  await userEvent.keyboard('{Backspace}');
  await expect.element(options).toBeVisible();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(input('Nombre')).toHaveValue('Begoña Solís');
  await expect.element(options).not.toBeInTheDocument();
  await expect.element(field('Dirección')).toHaveValue('Calle Luna 8');
  await expect.element(field('Código Postal')).toHaveValue('42001');
  await expect.element(field('País')).toHaveValue('España');
  await expect.element(field('Instrucciones')).toHaveValue('');
  await expect.element(page.getByRole('textbox', { name: 'Cantidad' })).toHaveValue('1');
  await expect.element(input('Pack')).toHaveValue('');
});

test('a known customer is offered by telephone', async () => {
  server.reply(listClientes, ({ query }) => pageOf(query.search === '65544' ? [begona()] : []));
  newPedido();
  await input('Teléfono').fill('65544');
  await options.click();
  await expect.element(input('Teléfono')).toHaveValue('655 44 33 22');
  await expect.element(input('Nombre')).toHaveValue('Begoña Solís');
});

test('suggested customers that fail to load or arrive late never interrupt typing', async () => {
  const fetched = vi.spyOn(window, 'fetch');
  const cancelled = () => fetched.mock.calls.find(([url]) => String(url).includes('search=lenta'))?.[1]?.signal?.aborted;
  // This request is never answered.
  server.hold(listClientes);
  newPedido();
  await input('Nombre').fill('lenta');
  await expect.poll(cancelled).toBe(false);
  server.refuse(listClientes, 500, { message: 'x' });
  await input('Nombre').fill('falla');
  await expect.poll(cancelled).toBe(true);
  await userEvent.tab();
  await expect.element(input('Teléfono')).toHaveFocus();
  await expect.element(input('Nombre')).toHaveValue('falla');
  await expect.element(options).not.toBeInTheDocument();
});

test('notes on a customer are shown in a new order as soon as the telephone matches', async () => {
  server.answer(listClientes, pageOf([begona({ nota: 'Perro suelto en el patio', avisar_antes: true })]));
  newPedido();
  await input('Teléfono').fill('+34 655443322');
  await expect.element(note('Cliente conocido')).toMatchTextContent(/Avisar antes.*Perro suelto en el patio/);
});

test('a new order shows the reseller why a customer is blocked', async () => {
  server.answer(listClientes, pageOf([begona({ bloqueado_motivo: 'Dos impagos' })]));
  newPedido();
  await input('Teléfono').fill('655 44 33 22');
  await expect.element(note('Cliente bloqueado')).toMatchTextContent(/Dos impagos.*No puedes crear pedidos suyos/);
});

test('an order links to its customer, whose page opens a new order with their data filled in', async () => {
  const cliente = aWholeCliente({ cliente_nombre: 'Pablo Rey', cliente_telefono: '622 33 44 55', cliente_direccion: 'Calle del Pez 3' });
  const { id: cliente_id, cliente_nombre } = cliente;
  const pedido = aPedido({ cliente_nombre, cliente_id, cliente_nota: null, avisar_antes: false });
  server.answer(getPedido, { data: pedido });
  server.answer(getCliente, { data: cliente });
  open(`/pedidos/${pedido.id}`);
  await page.getByRole('link', { name: 'Pablo Rey' }).click();
  await expect.poll(address).toBe(`/clientes/${cliente_id}`);
  await expect.element(page.getByText('Calle del Pez 3')).toBeVisible();
  await page.getByRole('button', { name: 'Crear pedido' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent(/^Crear pedido$/);
  await expect.element(input('Teléfono')).toHaveValue('622 33 44 55');
  await expect.element(field('Dirección')).toHaveValue('Calle del Pez 3');
});

test('metadata of programs is shown in an order and on its customer’s page', async () => {
  const kept = page.getByRole('region', { name: 'Datos de programas' });
  const cliente = aWholeCliente({ cliente_nombre: 'Pablo Rey', metadata: { crm_id: '4471' } });
  const pedido = aPedido({ cliente_nombre: 'Pablo Rey', cliente_id: cliente.id, metadata: { woo_id: '10482', canal: 'web' } });
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(getCliente, () => ({ data: cliente }));
  open(`/pedidos/${pedido.id}`);
  await expect.element(kept).toMatchTextContent(/woo_id\s*10482\s*canal\s*web/);
  await page.getByRole('link', { name: 'Pablo Rey' }).click();
  await expect.element(kept).toMatchTextContent(/crm_id\s*4471/);
  Object.assign(cliente, { metadata: null });
  await reload();
  await expect.element(page.getByRole('heading', { name: 'Direcciones' })).toBeVisible();
  await expect.element(kept).not.toBeInTheDocument();
});

/** Opens a customer's page, with the server's answers about that customer. */
function sonia() {
  let cliente = aWholeCliente({ cliente_nombre: 'Sonia Mora', ...hers });
  let pedidos: Pedido[] = [aPedido()];
  const change = (fields: Partial<ClienteEntero>) => {
    cliente = { ...cliente, ...fields };
    return asDone('Hecho', cliente);
  };
  server.reply(getCliente, () => ({ data: cliente }));
  server.reply(listPedidos, () => pageOf(pedidos));
  open(`/clientes/${cliente.id}`);
  return { cliente, change, orders: (now: Pedido[]) => void (pedidos = now), first: pedidos[0] as Pedido };
}

test('two merged customers show the orders of both, and can be separated again', async () => {
  const { cliente, change, orders, first } = sonia();
  const [twin, other] = [aCliente({ cliente_nombre: 'Sonia M.', ...hers }), aPedido()];
  const { id, cliente_nombre: nombre, cliente_telefono: telefono, pedidos, total, ultimo_pedido } = twin;
  const words = { nota: null, avisar_antes: false, bloqueado_motivo: null, metadata: null };
  const ficha = { id, nombre, telefono, ciudad: null, pedidos, total, ultimo_pedido, ...words, version: 1 };
  server.answer(listClientes, pageOf<Cliente>([cliente, twin]));
  server.reply(unirCliente, () => {
    orders([first, other]);
    return change({ unidos: [ficha] });
  });
  server.reply(separarCliente, () => {
    orders([first]);
    return change({ unidos: [] });
  });
  await page.getByRole('button', { name: 'Unir con otro cliente' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unir con otro cliente' });
  await dialog.getByLabelText('Buscar al otro cliente').fill('sonia');
  await expect.poll(() => dialog.getByRole('radio').elements()).toHaveLength(1);
  await dialog.getByRole('radio', { name: 'Sonia M.' }).click();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Unir', exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(listClientes).at(-1)?.query).toMatchObject({ search: 'sonia', ...hers });
  expect(server.asked(unirCliente)).toMatchObject([{ params: { id: cliente.id }, body: { cliente_id: twin.id } }]);
  const joined = page.getByRole('region', { name: 'Unidos a este cliente' });
  await expect.element(joined).toMatchTextContent('Sonia M.');
  for (const { numero_orden } of [first, other]) await expect.element(page.getByText(numero_orden)).toBeVisible();
  await joined.getByRole('button', { name: 'Separar a Sonia M.' }).click();
  await expect.element(joined).not.toBeInTheDocument();
  await expect.element(page.getByText(other.numero_orden)).not.toBeInTheDocument();
  expect(server.asked(separarCliente)).toMatchObject([{ params: { id: twin.id } }]);
});

test('a customer is blocked with a reason, and unblocked', async () => {
  const { change } = sonia();
  server.reply(bloquearCliente, ({ body }) => change({ bloqueado_motivo: body.motivo }));
  await page.getByRole('button', { name: 'Bloquear', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Bloquear a Sonia Mora' });
  await dialog.getByRole('button', { name: 'Bloquear' }).click();
  await expect.element(dialog.getByText('Escribe el motivo')).toBeVisible();
  await expectAccessible();
  await dialog.getByLabelText(/^Motivo/).fill('Dos impagos');
  await dialog.getByRole('button', { name: 'Bloquear' }).click();
  await expect.element(note('Cliente bloqueado')).toMatchTextContent('Dos impagos');
  await expect.element(page.getByRole('button', { name: 'Bloquear', exact: true })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Desbloquear' }).click();
  await expect.element(page.getByRole('button', { name: 'Bloquear', exact: true })).toBeVisible();
  await expect.element(page.getByText('Dos impagos')).not.toBeInTheDocument();
  expect(server.asked(bloquearCliente).map(({ body }) => body)).toEqual([{ motivo: 'Dos impagos' }, { motivo: null }]);
});
