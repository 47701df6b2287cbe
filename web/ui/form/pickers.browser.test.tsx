import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { calcularTotal, getPedido, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { listPacks, listProducts } from '../../../contract/products/products.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { address, expectAccessible, open } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { row, textsOf } from '../../../test/web/list.ts';
import { aPack, aPedido, aProduct, aTotal, aUser, listed, pageOf } from '../../../test/web/samples.ts';

/* Searchable select: typing replaces the label, and Escape restores it. */

let pedido: Pedido;
beforeEach(() => {
  const people = [
    aUser('transportista', { full_name: 'Nuria Núñez' }),
    aUser('transportista', { full_name: 'Óscar Otero' }),
    aUser('revendedor', { full_name: 'Nuria Nadal' }),
    aUser('revendedor', { full_name: 'Rita Sanz' }),
  ];
  const [nuez, miel] = [aProduct({ name: 'Nuez' }), aProduct({ name: 'Miel' })];
  pedido = aPedido({ cliente_nombre: 'Berta Olmo' });
  server.reply(listUsers, ({ query }) => listed(people.filter(({ role }) => !query.role || role === query.role)));
  server.answer(listProducts, listed([nuez, miel]));
  const packs = [
    aPack({ product_id: nuez.id, product_name: 'Nuez', name: 'Caja de nueces', available: true, quedan: 9 }),
    aPack({ product_id: miel.id, product_name: 'Miel', name: 'Tarro', available: true, quedan: 9 }),
  ];
  server.answer(listPacks, listed(packs));
  server.reply(calcularTotal, ({ body }) => aTotal(body, packs));
  server.answer(listPedidos, pageOf([pedido]));
  server.answer(getPedido, { data: pedido });
});

const picker = (name: string | RegExp, within: Pick<Locator, 'getByRole'> = page) => within.getByRole('combobox', { name });
const options = page.getByRole('option');

/** Types into a focused picker that shows `fields`. */
async function replace(field: Locator, fields: string, typed: string, wanted: string) {
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue(fields);
  await userEvent.keyboard(typed);
  await expect.element(field).toHaveValue(typed);
  await expect.poll(() => textsOf(options)).toEqual([expect.stringContaining(wanted)]);
  await userEvent.keyboard('{Escape}');
  await expect.element(field).toHaveValue(fields);
  await expect.element(options).not.toBeInTheDocument();
  await userEvent.keyboard(typed);
  await expect.element(field).toHaveValue(typed);
  await expect.poll(() => textsOf(options)).toEqual([expect.stringContaining(wanted)]);
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue(wanted);
}

test('typing replaces the label in the picker of a filter, focused by mouse or by keyboard', async () => {
  open('/pedidos');
  await expect.element(row('Berta Olmo')).toBeVisible();
  const field = picker('Transportista');
  await field.click();
  await expect.element(page.getByRole('option', { name: 'Óscar Otero' })).toBeVisible();
  await replace(field, 'Transportista: todos', 'nun', 'Nuria Núñez');
  await expect.poll(address).toContain('transportista_id=');
  (picker('Revendedor').element() as HTMLElement).focus();
  await userEvent.tab();
  await replace(field, 'Nuria Núñez', 'osc', 'Óscar Otero');
});

test('the focus moves on even if a busy browser selects the chosen label late', async () => {
  open('/pedidos/nuevo-admin');
  const field = picker('Pack');
  await expect.element(field).toBeEnabled();
  (field.element() as HTMLElement).focus();
  await userEvent.keyboard('nuez');
  await expect.poll(() => options.elements()).toHaveLength(1);
  const { setTimeout: soon } = window;
  const held: (() => void)[] = [];
  vi.spyOn(window, 'setTimeout').mockImplementation(((work: () => void, ms = 0) => (ms ? soon(work, ms) : held.push(work))) as never);
  await userEvent.keyboard('{Enter}');
  await userEvent.tab();
  for (const work of held) work();
  await expect.element(page.getByRole('textbox', { name: 'Cantidad' })).toHaveFocus();
  await expect.element(field).toHaveValue('Nuez – Caja de nueces');
});

test('the picker is focused when the dialog that assigns an order opens, and typing replaces its label', async () => {
  open('/pedidos');
  await row('Berta Olmo')
    .getByRole('button', { name: /^Acciones/ })
    .click();
  await page.getByRole('menuitem', { name: 'Asignar transportista' }).click();
  const dialog = page.getByRole('dialog', { name: 'Asignar transportista' });
  await replace(picker('Transportista', dialog), 'Sin asignar', 'osc', 'Óscar Otero');
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the picker is focused when the dialog that assigns many orders opens, and typing fills it', async () => {
  open('/pedidos');
  await row('Berta Olmo').getByRole('checkbox').click();
  await page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: 'Asignar' }).click();
  await replace(picker('Transportista', page.getByRole('dialog', { name: 'Asignar transportista' })), '', 'nun', 'Nuria Núñez');
});

test('typing replaces the label in the picker of a product', async () => {
  open('/control-stock');
  await page.getByRole('button', { name: 'Nuevo pack' }).click();
  const product = picker('Producto', page.getByRole('dialog', { name: 'Nuevo pack' }));
  await replace(product, '', 'nu', 'Nuez');
  await expect.element(product).toHaveFocus();
  await userEvent.tab({ shift: true });
  await expect.element(product).not.toHaveFocus();
  await userEvent.tab();
  await replace(product, 'Nuez', 'm', 'Miel');
});

test('typing replaces the labels in the pickers of a pack and of a reseller', async () => {
  localStorage.setItem('mas-datos', 'abierto');
  open('/pedidos/nuevo-admin');
  await picker('Pack').click();
  await replace(picker('Pack'), '', 'nuec', 'Nuez – Caja de nueces');
  const reseller = picker(/^Revendedor/);
  await reseller.click();
  await replace(reseller, '', 'nad', 'Nuria Nadal');
  await reseller.click();
  await replace(reseller, 'Nuria Nadal', 'nur', 'Nuria Nadal');
});

test.each(['light', 'dark'])('opened lists, menus and pickers have enough contrast in the %s theme', async (theme) => {
  localStorage.setItem('appConfig', JSON.stringify({ theme }));
  dispatchEvent(new StorageEvent('storage', { key: 'appConfig' }));
  open('/pedidos');
  await expect.element(row('Berta Olmo')).toBeVisible();
  expect(getComputedStyle(document.documentElement).colorScheme).toBe(theme);
  const opened = async (list: Locator) => {
    await expect.element(list).toBeVisible();
    await userEvent.keyboard('{ArrowDown}');
    await expectAccessible();
    await userEvent.keyboard('{Escape}');
  };
  await picker('Transportista').click();
  await opened(page.getByRole('option', { name: 'Óscar Otero' }));
  await page.getByRole('button', { name: /^Estado:/ }).click();
  await opened(page.getByText('Pendiente', { exact: true }).last());
  await page.getByRole('button', { name: 'Vistas' }).click();
  await opened(page.getByRole('menu').or(page.getByRole('dialog')).last());
  await row('Berta Olmo')
    .getByRole('button', { name: /^Acciones/ })
    .click();
  await opened(page.getByRole('menuitem', { name: 'Asignar transportista' }));
  for (const [button, list] of [
    ['Columnas', 'Columnas'],
    ['Avisos', 'Avisos'],
    [/^Ada Ruiz/, undefined],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await opened(list ? page.getByRole('dialog', { name: list }) : page.getByRole('menu'));
  }
  await userEvent.keyboard('{Control>}k{/Control}');
  await opened(page.getByRole('dialog').getByRole('option').first());
  open('/pedidos/nuevo-admin');
  await picker('Pack').click();
  await opened(page.getByRole('option', { name: /Caja de nueces/ }));
  open('/pedidos?fecha_desde=2026-11-10&fecha_hasta=2026-11-20');
  await page.getByRole('button', { name: /^Fecha: / }).click();
  await opened(page.getByRole('dialog', { name: /^Fecha: / }));
  open(`/pedidos/${pedido.id}`);
  await page.getByRole('button', { name: 'Más', exact: true }).click();
  await opened(page.getByRole('menuitem', { name: 'Aplazar la entrega' }));
  await page.getByRole('button', { name: 'Más', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Aplazar la entrega' }).click();
  await page.getByRole('button', { name: 'Elegir en el calendario' }).click();
  await opened(page.getByRole('dialog', { name: 'Elegir en el calendario' }));
});
