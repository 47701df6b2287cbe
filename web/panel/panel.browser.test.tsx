import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { listLogs } from '../../contract/audit/audit.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import {
  assignTransportista,
  deletePedido,
  duplicatePedido,
  listPedidos,
  type Pedido,
  restorePedido,
} from '../../contract/pedidos/pedidos.ts';
import { transportistasStats } from '../../contract/stats/stats.ts';
import { listUsers, type User } from '../../contract/users/users.ts';
import { address, expectAccessible, open, reload } from '../../test/web/app.tsx';
import { uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { row, rows, textsOf } from '../../test/web/list.ts';
import { aPedido, aUser, listed, pageOf } from '../../test/web/samples.ts';

/* The administration panel: orders, deliveries by carrier, audit log. */

let pedidos: Pedido[];
let people: User[];
function change(id: string, fields: Partial<Pedido>): Pedido {
  pedidos = pedidos.map((pedido) => (pedido.id === id ? { ...pedido, ...fields, version: pedido.version + 1 } : pedido));
  return pedidos.find((pedido) => pedido.id === id) as Pedido;
}
beforeEach(() => {
  [pedidos, people] = [[], []];
  server.reply(listPedidos, () => pageOf(pedidos.filter(({ deleted_at }) => !deleted_at)));
  server.reply(listUsers, ({ query }) => listed(people.filter(({ role }) => !query.role || role === query.role)));
});

const tab = (name: string) => page.getByRole('tab', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const menuButton = ({ numero_orden }: Pedido) => button(`Acciones del pedido ${numero_orden}`);
const rowOf = ({ numero_orden }: Pedido) => row(numero_orden);
async function choose(label: string, option: string) {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
test('each tab of the panel says when its list is empty', async () => {
  open('/admin');
  await expect.element(tab('Pedidos')).toHaveAttribute('aria-selected', 'true');
  await expect.element(page.getByText('Todavía no hay pedidos')).toBeVisible();
  await expectAccessible();
  await tab('Resumen Transportistas').click();
  await expect.element(page.getByText('Ningún pedido completado en este periodo')).toBeVisible();
  await expectAccessible();
  await tab('Logs').click();
  await expect.element(page.getByText('Todavía no hay registros')).toBeVisible();
  open('/admin?tab=logs&entity=pedido');
  await expect.element(page.getByText('Ningún registro coincide con los filtros')).toBeVisible();
});

test('the address keeps the chosen tab of the panel, without the filters of the previous tab', async () => {
  open('/admin?search=nadie');
  await expect.element(tab('Pedidos')).toBeVisible();
  (tab('Pedidos').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(address).toBe('/admin?tab=transportistas');
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(address).toBe('/admin?tab=logs');
  reload();
  await expect.element(tab('Logs')).toHaveAttribute('aria-selected', 'true');
  history.back();
  await expect.element(tab('Resumen Transportistas')).toHaveAttribute('aria-selected', 'true');
});

test('the row of an order in the panel shows customer, people, estado and total', async () => {
  const free = aPedido({ cliente_nombre: 'Óscar Panel', cliente_direccion: 'Calle del Pez, 7', precio_total: 1234.5 });
  pedidos = [free];
  open('/admin');
  for (const text of ['Óscar Panel', 'Calle del Pez, 7', 'Sin asignar', 'Pendiente', '1.234,50']) {
    await expect.element(rowOf(free)).toMatchTextContent(text);
  }
  await expect.element(page.getByText('Página 1 de 1 — 1 pedido', { exact: true })).toBeVisible();
  const [heads] = page.getByRole('table', { name: 'Pedidos' }).getByRole('row').elements() as HTMLTableRowElement[];
  expect([...(heads?.cells ?? [])].map(({ textContent }) => textContent)).toEqual([
    '',
    '#',
    'Cliente',
    'Revendedor',
    'Transportista',
    'Estado',
    'Total',
    'Fecha',
    'Acciones',
  ]);
  await expectAccessible();
});

test('the panel searches orders and filters them by carrier and reseller on the server', async () => {
  const [carrier, reseller] = [aUser('transportista', { full_name: 'Tania Pons' }), aUser('revendedor', { full_name: 'Rita Sanz' })];
  people = [carrier, reseller];
  pedidos = [aPedido(), aPedido()];
  open('/admin');
  const asked = () => server.asked(listPedidos).at(-1)?.query;
  await expect.element(page.getByText('Página 1 de 1 — 2 pedidos')).toBeVisible();
  await page.getByPlaceholder('Buscar por Nº de orden o cliente').fill('oscar pan');
  await expect.poll(asked).toMatchObject({ search: 'oscar pan' });
  await choose('Transportista', 'Tania Pons');
  await expect.poll(asked).toMatchObject({ search: 'oscar pan', transportista_id: carrier.id });
  await choose('Transportista', 'Sin asignar');
  await expect.poll(asked).toMatchObject({ transportista_id: 'sin' });
  await choose('Revendedor', 'Rita Sanz');
  await expect.poll(asked).toMatchObject({ search: 'oscar pan', transportista_id: 'sin', revendedor_id: reseller.id });
  const before = server.asked(listPedidos).length;
  reload();
  await expect.element(page.getByRole('combobox', { name: 'Revendedor' })).toHaveValue('Rita Sanz');
  await expect.poll(() => server.asked(listPedidos).length).toBeGreaterThan(before);
  expect(asked()).toMatchObject({ search: 'oscar pan', transportista_id: 'sin', revendedor_id: reseller.id });
});

test('the panel filters orders by estado, and one button removes all filters', async () => {
  open('/admin?search=oscar');
  await button('Estado: Todos').click();
  await expect
    .poll(() => textsOf(page.getByRole('menuitemcheckbox')))
    .toEqual(['Todos', 'Pendiente', 'Asignado', 'En Ruta', 'Completado', 'Cancelado', 'Pendiente Pago', 'En Proceso']);
  await page.getByRole('menuitemcheckbox', { name: 'En Ruta' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => server.asked(listPedidos).at(-1)?.query).toMatchObject({ search: 'oscar', estado: 'en_ruta' });
  await expect.element(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar filtros' }).first().click();
  await expect.poll(address).toBe('/admin');
});

test('an order is reassigned to another carrier from its row', async () => {
  const [first, second] = ['Prima Gil', 'Segundo Pons'].map((full_name) => aUser('transportista', { full_name })) as [User, User];
  people = [first, second];
  const pedido = aPedido({ estado: 'asignado', transportista_id: first.id, transportista_nombre: 'Prima Gil' });
  pedidos = [pedido];
  server.reply(assignTransportista, () =>
    asDone('Pedido asignado', change(pedido.id, { transportista_id: second.id, transportista_nombre: 'Segundo Pons' })),
  );
  open('/admin');
  await menuButton(pedido).click();
  await expect
    .poll(() => textsOf(page.getByRole('menuitem')))
    .toEqual(expect.arrayContaining(['Ver', 'Reasignar', 'Duplicar', 'Eliminar']));
  await page.getByRole('menuitem', { name: 'Reasignar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reasignar' });
  await dialog.getByRole('combobox', { name: 'Transportista', exact: true }).click();
  await page.getByRole('option', { name: /^Segundo Pons/ }).click();
  await dialog.getByRole('combobox', { name: 'Empresa de transporte' }).click();
  await page.getByRole('option', { name: 'MRW' }).click();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(assignTransportista).map(({ body }) => body)).toEqual([
    { transportista_id: second.id, empresa_transporte: 'mrw', version: 1 },
  ]);
  await expect.element(rowOf(pedido)).toMatchTextContent('Segundo Pons');
  await expect.element(menuButton(pedido)).toHaveFocus();
});

test('the panel can duplicate, delete and restore an order', async () => {
  const pedido = aPedido();
  pedidos = [pedido];
  server.reply(duplicatePedido, () => {
    const copy = aPedido();
    pedidos = [copy, ...pedidos];
    return { ...asDone('Pedido duplicado', copy), avisos: [], payment_link: null };
  });
  server.reply(deletePedido, () => asDone('Pedido eliminado', change(pedido.id, { deleted_at: new Date().toISOString() })));
  server.reply(restorePedido, () => asDone('Pedido restaurado', change(pedido.id, { deleted_at: null })));
  open('/admin');
  await menuButton(pedido).click();
  await page.getByRole('menuitem', { name: 'Duplicar' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicar' }).click();
  await expect.element(page.getByText('Página 1 de 1 — 2 pedidos')).toBeVisible();
  await menuButton(pedido).click();
  await page.getByRole('menuitem', { name: 'Eliminar' }).click();
  await expect.element(page.getByText('Página 1 de 1 — 1 pedido', { exact: true })).toBeVisible();
  await button('Deshacer').click();
  await expect.element(page.getByText('Página 1 de 1 — 2 pedidos')).toBeVisible();
  await expect.element(page.getByText('Pedido restaurado')).toBeVisible();
});

test('the panel shows twenty orders a page', async () => {
  const all = Array.from({ length: 21 }, () => aPedido());
  server.reply(listPedidos, ({ query }) => {
    const at = Number(query.page ?? 1);
    return { ...pageOf(all.slice(20 * (at - 1), 20 * at), 21), current_page: at };
  });
  open('/admin');
  await expect.element(page.getByText('Página 1 de 2 — 21 pedidos')).toBeVisible();
  await expect.poll(() => rows().elements()).toHaveLength(20);
  await expect.element(button('Anterior')).toBeDisabled();
  await button('Siguiente').click();
  await expect.element(page.getByText('Página 2 de 2 — 21 pedidos')).toBeVisible();
  await expect.poll(() => rows().elements()).toHaveLength(1);
  await expect.element(button('Siguiente')).toBeDisabled();
  await expect.poll(address).toBe('/admin?page=2');
});

test('the summary counts each carrier’s completed orders, and links to these orders', async () => {
  const id = uuid();
  server.reply(transportistasStats, ({ query }) => ({
    desde: query.periodo === 'hoy' ? '2026-11-21' : '2026-10-23',
    hasta: '2026-11-21',
    data: [
      { transportista_id: id, nombre: 'Tania Pons', completados: 2, horas_medias: 3.5 },
      { transportista_id: 'sin', nombre: 'Sin asignar', completados: 1, horas_medias: 26 },
    ],
    empresas: [{ empresa: 'Correos', completados: 7, no_entregados: 2, dias_medios: 2.5, comision: 12.3 }],
  }));
  open('/admin?tab=transportistas');
  await expect.element(page.getByRole('combobox', { name: 'Periodo' })).toHaveValue('30 días');
  await expect.element(row('Tania Pons')).toMatchTextContent(/2.*3 h 30 min/);
  await expect.element(row('Sin asignar')).toMatchTextContent(/1.*1 día y 2 h/);
  await expect.element(page.getByText('Del 23/10/2026 al 21/11/2026: 3 pedidos completados')).toBeVisible();
  await expect.element(row('Correos')).toMatchTextContent(/7.*2.*2 días y 12 h.*12,30/);
  await expectAccessible();
  await choose('Periodo', 'Hoy');
  await expect.poll(address).toBe('/admin?tab=transportistas&periodo=hoy');
  await expect.element(page.getByText('Del 21/11/2026 al 21/11/2026: 3 pedidos completados')).toBeVisible();
  expect(server.asked(transportistasStats).map(({ query }) => query.periodo)).toEqual(['30d', 'hoy']);

  await row('Tania Pons').getByRole('link').click();
  await expect.poll(address).toBe(`/pedidos?transportista_id=${id}&completado_desde=2026-11-21`);
  await expect.element(page.getByRole('button', { name: 'Quitar filtro: Completados desde el 21/11/2026' })).toBeVisible();
  await expect.poll(() => server.asked(listPedidos).at(-1)?.query).toMatchObject({ transportista_id: id, completado_desde: '2026-11-21' });
  history.back();
  await row('Sin asignar').getByRole('link').click();
  await expect.poll(address).toBe('/pedidos?transportista_id=sin&completado_desde=2026-11-21');
});

test('a tab of the panel that fails to load offers a retry', async () => {
  for (const endpoint of [listLogs, transportistasStats]) server.refuse(endpoint, 500, { message: 'Ha ocurrido un error inesperado' });
  open('/admin?tab=transportistas');
  await expect.element(page.getByRole('alert').filter({ hasText: 'No se pudo cargar el resumen' })).toBeVisible();
  await tab('Logs').click();
  await expect.element(page.getByRole('alert').filter({ hasText: 'No se pudieron cargar los registros' })).toBeVisible();
  server.answer(listLogs, pageOf([]));
  await button('Reintentar').click();
  await expect.element(page.getByText('Todavía no hay registros')).toBeVisible();
});

test('a reseller who opens the panel is redirected home', async () => {
  open('/admin?tab=logs', 'revendedor');
  await expect.poll(address).toBe('/revendedor-dashboard');
  expect(server.asked(listLogs)).toEqual([]);
});
