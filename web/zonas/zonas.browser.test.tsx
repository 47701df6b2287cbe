import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { lotePedidos } from '../../contract/pedidos/lote.ts';
import { assignTransportista, getPedido, listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { listUsers, updateUser } from '../../contract/users/users.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, aUser, listed, pedidosAsked } from '../../test/web/samples.ts';

const nuria = aUser('transportista', { full_name: 'Nuria', zonas: '280*', pedidos_abiertos: 12 });
const eva = aUser('transportista', { full_name: 'Eva', zonas: '45*, 28013' });
const luis = aUser('transportista', { full_name: 'Luis' });
let pedidos: Pedido[];

beforeEach(() => {
  pedidos = [
    aPedido({ cliente_nombre: 'Ana', cliente_codigo_postal: '28001' }),
    aPedido({ cliente_nombre: 'Bea', cliente_codigo_postal: '28013' }),
    aPedido({ cliente_nombre: 'Cata', cliente_codigo_postal: '07001', cliente_ciudad: 'Palma' }),
  ];
  server.reply(listPedidos, ({ query }) => pedidosAsked(pedidos, query));
  server.reply(getPedido, ({ params }) => ({ data: pedidos.find(({ id }) => id === params.id) as Pedido }));
  server.answer(listUsers, listed([nuria, eva, luis]));
  server.answer(lotePedidos, { message: 'Hecho', hechos: 2, data: [] });
});

const dialog = page.getByRole('dialog');
const proposed = dialog.getByRole('group', { name: 'Propuestos por zona y carga' });

test('assigning several orders proposes carriers by zone and load, to choose with a click', async () => {
  open('/pedidos', 'superadmin', { zonas: 'primero' });
  await row('Ana').getByRole('checkbox').click();
  await row('Bea').getByRole('checkbox').click();
  await page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: 'Asignar', exact: true }).click();
  await expect.element(proposed.getByRole('button', { name: 'Eva · su zona en 1 de 2 · 0 pedidos' })).toBeVisible();
  await expectAccessible();
  await proposed.getByRole('button', { name: 'Nuria · su zona · 12 pedidos' }).click();
  await expect.element(dialog.getByRole('combobox', { name: 'Transportista' })).toHaveValue('Nuria');
  await dialog.getByRole('button', { name: 'Asignar 2 pedidos' }).click();
  await expect.poll(() => server.asked(lotePedidos).at(-1)?.body.accion).toMatchObject({ tipo: 'asignar', transportista_id: nuria.id });
});

test('assigning a single order proposes carriers by zone too', async () => {
  server.reply(assignTransportista, ({ params }) => asDone('Hecho', pedidos.find(({ id }) => id === params.id) as Pedido) as never);
  open(`/pedidos?pedido=${pedidos[1]?.id}&accion=asignar`, 'superadmin', { zonas: 'solo' });
  await proposed.getByRole('button', { name: 'Eva · su zona · 0 pedidos' }).click();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect.poll(() => server.asked(assignTransportista).at(-1)?.body).toMatchObject({ transportista_id: eva.id });
});

test('orders to an island are flagged in list and details', async () => {
  open('/pedidos', 'superadmin', { zonas: 'primero' });
  await expect.element(row('Cata')).toMatchTextContent('Baleares');
  open(`/pedidos/${pedidos[2]?.id}`, 'superadmin', { zonas: 'primero' });
  await expect.element(page.getByText('Baleares: puede tardar y costar más')).toBeVisible();
});

test('typing the postcode of an island in a new order shows a warning', async () => {
  open('/pedidos/nuevo-admin', 'superadmin', { zonas: 'primero' });
  await page.getByRole('textbox', { name: 'Código Postal' }).fill('38001');
  await expect.element(page.getByText('Canarias: puede tardar y costar más')).toBeVisible();
  await page.getByRole('textbox', { name: 'Código Postal' }).fill('28001');
  await expect.element(page.getByText('puede tardar')).not.toBeInTheDocument();
});

test('a shop without zones sees no flags and no proposed carriers', async () => {
  open('/pedidos', 'superadmin');
  await expect.element(row('Cata')).toBeVisible();
  await expect.element(page.getByText('Baleares')).not.toBeInTheDocument();
  await row('Ana').getByRole('checkbox').click();
  await page.getByRole('region', { name: 'Pedidos elegidos' }).getByRole('button', { name: 'Asignar', exact: true }).click();
  await expect.element(dialog.getByRole('button', { name: 'Asignar 1 pedido' })).toBeVisible();
  await expect.element(proposed).not.toBeInTheDocument();
});

test('the dialog of a carrier validates and saves zones', async () => {
  server.reply(updateUser, ({ body }) => asDone('Usuario actualizado', { ...nuria, ...(body as object) }));
  open('/gestion-usuarios?rol=transportista', 'superadmin', { zonas: 'solo' });
  await page.getByRole('button', { name: 'Editar a Nuria' }).click();
  const input = dialog.getByRole('textbox', { name: 'Zonas de reparto' });
  await expect.element(input).toHaveValue('280*');
  await input.fill('Madrid');
  await dialog.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect.element(dialog).toMatchTextContent('Códigos postales separados por comas');
  await input.fill('28*, 45001');
  await dialog.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect.poll(() => server.asked(updateUser).at(-1)?.body).toMatchObject({ zonas: '28*, 45001' });
});
