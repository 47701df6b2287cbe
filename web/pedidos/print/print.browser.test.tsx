import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import { listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { listPacks, type Pack } from '../../../contract/products/products.ts';
import { getSettings } from '../../../contract/settings/settings.ts';
import { address, expectAccessible, open, reload } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { row, textsOf } from '../../../test/web/list.ts';
import { aPack, aPedido, listed, pedidosAsked, theSettings } from '../../../test/web/samples.ts';

/* Delivery notes, picking list and route sheets of chosen orders. The only amount on them is the amount to collect at the door. */

let pedidos: Pedido[];
beforeEach(() => {
  pedidos = [];
  server.answer(getSettings, { data: theSettings({ companyName: 'Enruta, S. L.' }) });
  server.reply(listPedidos, ({ query: { ids, ...query } }) =>
    pedidosAsked(ids ? pedidos.filter(({ id }) => ids.split(',').includes(id)) : pedidos, query),
  );
});

/** Returns an order with these quantities of packs. */
function orderOf(lines: [Pack, number][], fields: Partial<Pedido> = {}): Pedido {
  const lineas = lines.map(
    ([pack, cantidad], i): Linea => ({
      numero: i + 1,
      pack_id: pack.id,
      producto: `${pack.product_name} – ${pack.name}`,
      cantidad,
      precio_unitario: 77.7,
      precio_total: 77.7 * cantidad,
      unidades: pack.pack_quantity * cantidad,
    }),
  );
  return aPedido({ lineas, num_lineas: lines.length, ...fields });
}
const main = page.getByRole('main');
const sheet = (name: string) => page.getByRole('article', { name });
const openSheet = (name: string) => page.getByRole('tab', { name }).click();
const openAll = (search: string) => open(`/pedidos/imprimir?todos=si&search=${search}`);

test('each order has a delivery note with the data that a carrier needs and without prices', async () => {
  const box = aPack({ product_name: 'Vino', name: 'Caja de doce', pack_quantity: 12 });
  const pedido = orderOf([[box, 3]], { cliente_nombre: 'Bodega Alta', instrucciones: 'Timbre roto', cliente_telefono: '600 10 20 30' });
  const other = orderOf([[box, 1]], { cliente_nombre: 'Bodega Baja' });
  pedidos = [pedido, other, orderOf([[box, 1]])];
  open(`/pedidos/imprimir?ids=${pedido.id},${other.id}`);
  const note = sheet(`Albarán ${pedido.numero_orden}`);
  for (const text of ['Bodega Alta', '600 102 030', 'Vino – Caja de doce3', 'Timbre roto', 'Firma'])
    await expect.element(note).toMatchTextContent(text);
  await expect.element(note.getByRole('img', { name: `Código de barras ${pedido.numero_orden}` })).toBeVisible();
  expect(page.getByRole('article').elements()).toHaveLength(2);
  await expect.element(page.getByText('2 pedidos, uno por hoja')).toBeVisible();
  await expect.element(main).not.toMatchTextContent(/€|77,7|233,1/);
  expect(server.asked(listPedidos).at(-1)?.query).toMatchObject({ con: 'lineas', per_page: '100' });
  await expectAccessible();
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  await page.getByRole('button', { name: 'Imprimir' }).click();
  expect(print).toHaveBeenCalledOnce();
});

test('all orders that match a filter are printed', async () => {
  const pack = aPack();
  pedidos = ['Bodega Alta', 'Bodega Baja', 'Otra'].map((cliente_nombre) => orderOf([[pack, 1]], { cliente_nombre }));
  openAll('bodega');
  await expect.element(sheet(`Albarán ${pedidos[0]?.numero_orden}`)).toBeVisible();
  expect(page.getByRole('article').elements()).toHaveLength(2);
});

test('the sender on every sheet is the shop with NIF, address and logo, without the logo of Enruta', async () => {
  const logo = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  const company = { companyName: 'Almazara Sur', companyNif: 'b-58.378.431', companyAddress: 'Calle Mayor 1, 28013 Madrid', logo };
  server.answer(getSettings, { data: theSettings(company) });
  server.answer(listPacks, listed([]));
  pedidos = [orderOf([[aPack(), 1]])];
  openAll('');
  for (const tab of ['Albaranes', 'Preparación', 'Hoja de ruta']) {
    await openSheet(tab);
    const paper = page.getByRole('article');
    await expect.element(paper).toMatchTextContent(/Almazara Sur.*NIF B58378431.*Calle Mayor 1, 28013 Madrid/);
    expect(paper.element().querySelector('img')?.getAttribute('src')).toBe(logo);
    expect(paper.element().querySelectorAll('svg[viewBox="0 0 32 32"]')).toHaveLength(0);
  }
});

test('a print view without orders says that there is nothing to print', async () => {
  open('/pedidos/imprimir');
  await expect.element(page.getByText('No hay pedidos que imprimir')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Imprimir' })).toBeDisabled();
});

test('a carrier who opens the print view is sent to the carrier’s home page', async () => {
  open('/pedidos/imprimir?todos=si', 'transportista');
  await expect.poll(address).toBe('/transportista-dashboard');
});

test('the picking list sums the units of each product and skips completed orders', async () => {
  const box = aPack({ product_name: 'Vino', name: 'Caja de seis', pack_quantity: 6 });
  server.answer(listPacks, listed([box]));
  pedidos = [
    orderOf([[box, 2]]),
    orderOf([[box, 1]]),
    orderOf([[box, 1]], { estado: 'en_ruta' }),
    orderOf([[box, 1]], { estado: 'completado' }),
  ];
  openAll('');
  await openSheet('Preparación');
  const lines = sheet('Lista de preparación').getByRole('row');
  await expect.element(lines.last()).toMatchTextContent(/^Vino4 × Caja de seis24$/);
  expect(lines.elements()).toHaveLength(2);
  await expect.element(page.getByText(/1 pedido sin contar: entregados o cancelados$/)).toBeVisible();
  await expectAccessible();
});

test('each carrier has a route sheet sorted by postcode, which survives a reload', async () => {
  const pack = aPack({ product_name: 'Vino', name: 'Caja' });
  const rosa = { estado: 'asignado', transportista_id: crypto.randomUUID(), transportista_nombre: 'Rosa Ruta' } as const;
  const to = (cliente_nombre: string, cliente_codigo_postal: string, n: number, fields: Partial<Pedido> = {}) =>
    orderOf([[pack, n]], { cliente_nombre, cliente_codigo_postal, cliente_telefono: '600 11 22 33', ...fields });
  pedidos = [to('Fonda Sur', '41001', 2, rosa), to('Fonda Norte', '08001', 1, rosa), to('Fonda Este', '46001', 1)];
  openAll('fonda');
  await openSheet('Hoja de ruta');
  const stops = sheet('Hoja de ruta: Rosa Ruta').getByRole('row');
  await expect.element(stops.first()).toMatchTextContent('C. P.');
  const inOrder = [/C\. P\./, /08001.*Fonda Norte.*600 112 233/, /41001.*Fonda Sur.*2 × Vino – Caja/];
  expect(textsOf(stops)).toEqual(inOrder.map((text) => expect.stringMatching(text)));
  await expect.element(sheet('Hoja de ruta: Sin asignar')).toMatchTextContent('Fonda Este');
  await expect.element(main).not.toMatchTextContent('€');
  await expectAccessible();
  reload();
  await expect.element(stops.nth(2)).toBeVisible();
});

test('every sheet shows all lines of an order', async () => {
  const soap = { product_id: crypto.randomUUID(), product_name: 'Jabón' };
  const bar = aPack({ ...soap, name: 'Pastilla', pack_quantity: 1 });
  const box = aPack({ ...soap, name: 'Caja', pack_quantity: 12 });
  const jar = aPack({ product_name: 'Incienso', name: 'Tarro', pack_quantity: 2 });
  server.answer(listPacks, listed([bar, box, jar]));
  const pedido = orderOf(
    [
      [bar, 3],
      [jar, 1],
      [box, 2],
    ],
    { envio: 5 },
  );
  pedidos = [pedido, orderOf([[box, 1]])];
  openAll('');
  const lines = sheet(`Albarán ${pedido.numero_orden}`).getByRole('row');
  await expect.element(lines.first()).toBeVisible();
  expect(textsOf(lines)).toEqual(['ProductoCantidad', 'Jabón – Pastilla3', 'Incienso – Tarro1', 'Jabón – Caja2']);
  await expect.element(main).not.toMatchTextContent(/€|77,7/);
  await openSheet('Preparación');
  const picks = sheet('Lista de preparación').getByRole('row');
  await expect.element(picks.nth(2)).toBeVisible();
  expect(textsOf(picks).slice(1)).toEqual(['Incienso1 × Tarro2', 'Jabón3 × Caja3 × Pastilla39']);
  await openSheet('Hoja de ruta');
  await expect
    .element(page.getByRole('row').filter({ hasText: pedido.numero_orden }))
    .toMatchTextContent(/3 × Jabón – Pastilla.*1 × Incienso – Tarro.*2 × Jabón – Caja/);
  await expect.element(main).not.toMatchTextContent('€');
});

test('every sheet shows the amount to collect for orders paid on delivery only', async () => {
  const pack = aPack({ product_name: 'Vino', name: 'Caja' });
  const rosa = { estado: 'asignado', transportista_id: crypto.randomUUID(), transportista_nombre: 'Rosa Ruta' } as const;
  const atDoor = (cliente_nombre: string, por_cobrar: number) =>
    orderOf([[pack, 1]], { cliente_nombre, contra_reembolso: true, por_cobrar, ...rosa });
  const [first, second] = [atDoor('Fonda Sur', 29.4), atDoor('Fonda Norte', 1000)];
  const settled = orderOf([[pack, 1]], { cliente_nombre: 'Fonda Este', contra_reembolso: true, por_cobrar: 0, ...rosa });
  const bank = orderOf([[pack, 1]], { cliente_nombre: 'Fonda Oeste', contra_reembolso: false, por_cobrar: 0, ...rosa });
  pedidos = [first, second, settled, bank];
  openAll('');
  await expect.element(sheet(`Albarán ${first.numero_orden}`)).toMatchTextContent(/Cobrar 29,40 €/);
  for (const { numero_orden } of [settled, bank]) await expect.element(sheet(`Albarán ${numero_orden}`)).not.toMatchTextContent(/Cobrar|€/);
  await openSheet('Hoja de ruta');
  const route = sheet('Hoja de ruta: Rosa Ruta');
  await expect.element(route).toMatchTextContent(/Cobrar 1\.029,40 € en 2 paradas/);
  await expect.element(page.getByRole('row').filter({ hasText: second.numero_orden })).toMatchTextContent(/Cobrar 1\.000,00 €/);
  await expect.element(page.getByRole('row').filter({ hasText: bank.numero_orden })).not.toMatchTextContent('€');
  await openSheet('Preparación');
  const picking = sheet('Lista de preparación');
  await expect.element(picking).toMatchTextContent(/Se cobra al entregarCliente1\.029,40 €/);
  expect(textsOf(picking.getByRole('row')).filter((text) => text.includes('ORD-'))).toEqual([
    `${first.numero_orden}Fonda Sur29,40\u00a0€`,
    `${second.numero_orden}Fonda Norte1.000,00\u00a0€`,
  ]);
  await expectAccessible();
});

test('selected orders, and an order from its menu, are printed in a new tab', async () => {
  pedidos = [aPedido(), aPedido()];
  const [first, second] = pedidos as [Pedido, Pedido];
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  open('/pedidos');
  for (const { numero_orden } of [first, second]) await row(numero_orden).getByRole('checkbox').click();
  const link = page.getByRole('link', { name: 'Imprimir' });
  await expect.element(link).toHaveAttribute('target', '_blank');
  expect(decodeURIComponent(link.element().getAttribute('href') ?? '')).toBe(`/pedidos/imprimir?ids=${first.id},${second.id}`);
  await page.getByRole('button', { name: `Acciones del pedido ${first.numero_orden}` }).click();
  await page.getByRole('menuitem', { name: 'Imprimir albarán' }).click();
  expect(opened).toHaveBeenCalledExactlyOnceWith(`/pedidos/imprimir?ids=${first.id}`, '_blank', 'noopener');
});
