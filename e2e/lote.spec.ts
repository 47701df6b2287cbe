import type { Page } from '@playwright/test';
import { anotarPago } from '../contract/payments.ts';
import { assignTransportista, getHistorial, getPedido, setEstado } from '../contract/pedidos.ts';
import { type Arranger, expect, expectAccessible, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Many orders at once: choosing them, assigning, cancelling, and printing their delivery notes. */

async function open(page: Page, search = '') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/pedidos${search}`);
}
const bar = (page: Page) => page.getByRole('region', { name: 'Pedidos elegidos' });
const tick = (page: Page, text: string) => row(page, text).getByRole('checkbox').check();
const results = (page: Page) => page.getByRole('list', { name: 'Resultado de cada pedido' });
const button = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const read = async (api: Arranger, id: string) => (await api.admin.call(getPedido, { params: { id } })).body.data;

test('assigning three: what can be is done, and the rest says why not', async ({ page, api }) => {
  const carrier = await api.user('transportista', { full_name: 'Celia Reparte' });
  const [one, two, done] = [await api.pedido(), await api.pedido(), await api.pedido()];
  await api.admin.call(setEstado, { params: { id: done.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  await open(page);
  await expect(bar(page)).toBeHidden();
  for (const { numero_orden } of [one, two, done]) await tick(page, numero_orden);
  await expect(bar(page)).toContainText('3 pedidos elegidos');
  await expectAccessible(page);

  await bar(page).getByRole('button', { name: 'Asignar' }).click();
  await expect(page.getByRole('dialog')).toContainText('Se asignarán 3 pedidos');
  await button(page, 'Asignar 3 pedidos').click();
  await expect(page.getByRole('dialog')).toContainText('Elige un transportista');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Transportista' }).click();
  await page.getByRole('option', { name: 'Celia Reparte' }).click();
  await button(page, 'Asignar 3 pedidos').click();

  await expect(page.getByRole('dialog')).toContainText('Hecho: 2 de 3 pedidos. 1 no se pudo cambiar.');
  await expect(results(page).getByRole('listitem')).toHaveCount(3);
  await expect(results(page).getByRole('listitem').first()).toContainText(done.numero_orden);
  await expect(results(page).getByRole('listitem').first()).toContainText('El pedido está en estado «Completado»');
  await expectAccessible(page);
  await button(page, 'Cerrar').last().click();
  await expect(bar(page)).toContainText('1 pedido elegido');
  await expect(row(page, one.numero_orden)).toContainText('Celia Reparte');
  expect(await read(api, two.id)).toMatchObject({ estado: 'asignado', transportista_id: carrier.id });
});

test('cancelling asks first and says how many; «Volver» leaves everything as it is', async ({ page, api }) => {
  const orders = [await api.pedido({ cliente_nombre: 'Hotel Norte' }), await api.pedido({ cliente_nombre: 'Hotel Sur' })];
  await open(page, '?search=hotel');
  for (const { numero_orden } of orders) await tick(page, numero_orden);
  await bar(page).getByRole('button', { name: 'Cancelar' }).click();
  await expect(page.getByRole('dialog')).toContainText('¿Cancelar 2 pedidos?');
  await button(page, 'Volver').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await read(api, orders[0]?.id ?? '')).toMatchObject({ estado: 'pendiente' });

  await bar(page).getByRole('button', { name: 'Cancelar' }).click();
  await button(page, 'Cancelar 2 pedidos').click();
  await expect(page.getByRole('dialog')).toContainText('Hecho: 2 pedidos.');
  for (const { id } of orders) expect(await read(api, id)).toMatchObject({ estado: 'cancelado' });
});

test('before paid orders are cancelled, one or many, it is said how much will be owed, and why is asked', async ({ page, api }) => {
  const orders = [];
  for (const n of [1, 2, 3, 4]) {
    const pedido = await api.pedido({ cliente_nombre: `Imprenta ${n}` });
    if (n < 4)
      await api.admin.call(anotarPago, { params: { id: pedido.id }, body: { metodo: 'bizum', importe: 10.5, fecha: '2026-01-05' } });
    orders.push(pedido);
  }
  await open(page, '?search=imprenta');
  for (const n of [1, 2, 4]) await tick(page, `Imprenta ${n}`);
  await bar(page).getByRole('button', { name: 'Cancelar' }).click();
  const many = page.getByRole('dialog', { name: 'Cancelar pedidos' });
  await expect(many.getByRole('note')).toContainText('Habrá que devolver 21,00');
  await expect(many.getByRole('note')).toContainText('2 de ellos están pagados');
  await many.getByLabel('Motivo (opcional)').fill('La máquina se ha roto');
  await expectAccessible(page);
  await button(page, 'Cancelar 3 pedidos').click();
  await expect(page.getByRole('dialog')).toContainText('Hecho: 3 pedidos.');
  await button(page, 'Cerrar').last().click();
  const { data } = (await api.admin.call(getHistorial, { params: { id: orders[3]?.id ?? '' } })).body;
  expect(data[0]).toMatchObject({ estado_nuevo: 'cancelado', nota: 'La máquina se ha roto' });

  await page.getByRole('button', { name: `Acciones del pedido ${orders[2]?.numero_orden}` }).click();
  await page.getByRole('menuitem', { name: 'Cancelar pedido' }).click();
  const one = page.getByRole('dialog', { name: 'Cancelar pedido' });
  await expect(one.getByRole('note')).toContainText('Habrá que devolver 10,50');
  await one.getByRole('button', { name: 'Volver' }).click();
});

test('@desktop deleted together, they are brought back by Ctrl+Z from any screen, or found in «Eliminados»', async ({ page, api }) => {
  const orders = [];
  for (const n of [1, 2]) orders.push(await api.pedido({ cliente_nombre: `Herrería ${n}` }));
  const names = orders.map(({ numero_orden }) => numero_orden);
  const undone = () => page.getByRole('status').filter({ hasText: '2 pedidos restaurados' });
  await open(page, '?search=herreria');
  const remove = async () => {
    for (const name of names) await tick(page, name);
    await bar(page).getByRole('button', { name: 'Eliminar' }).click();
    await expect(page.getByText('2 pedidos eliminados')).toBeVisible();
    await expect(row(page, names[0] ?? '')).toBeHidden();
  };
  await remove();
  await page.getByRole('button', { name: 'Cerrar aviso' }).click();
  await expect(page.getByRole('button', { name: 'Deshacer' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Control de Stock' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Control de Stock' })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(undone()).toBeVisible();
  await page.goBack();
  await expect(row(page, names[0] ?? '')).toBeVisible();

  await remove();
  await page.getByRole('button', { name: /^Estado: / }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Eliminados' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/eliminados=si/);
  for (const name of names) await tick(page, name);
  await expect(bar(page).getByRole('button', { name: 'Asignar' })).toBeHidden();
  await expectAccessible(page);
  await bar(page).getByRole('button', { name: 'Restaurar' }).click();
  await expect(page.getByRole('dialog')).toContainText('Hecho: 2 pedidos.');
  await button(page, 'Cerrar').last().click();
  await expect(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar filtro: Eliminados' }).click();
  await expect(row(page, names[1] ?? '')).toBeVisible();
});

test('all that match a filter, beyond the page; another filter forgets the choice', async ({ page, api }) => {
  const pack = await api.pack();
  for (let i = 0; i < 22; i++) await api.pedido({ pack_id: pack.id, cliente_nombre: `Colmado ${i}` });
  await open(page, '?search=colmado');
  await row(page, 'Colmado 21').getByRole('checkbox').check();
  await bar(page).getByRole('button', { name: 'Seleccionar los 22 que coinciden' }).click();
  await expect(bar(page)).toContainText('22 pedidos elegidos');
  await expect(row(page, 'Colmado 20').getByRole('checkbox')).toBeChecked();
  await expect(bar(page).getByRole('link', { name: 'Exportar' })).toHaveAttribute('href', '/exportar-datos?search=colmado');
  await bar(page).getByRole('button', { name: 'Quitar selección' }).click();
  await expect(bar(page)).toBeHidden();

  await row(page, 'Colmado 21').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(row(page, 'Colmado 21')).toBeHidden();
  await row(page, 'Colmado 1').getByRole('checkbox').check();
  await expect(bar(page)).toContainText('2 pedidos elegidos');
  await page.getByRole('searchbox').fill('colmado 2');
  await expect(bar(page)).toBeHidden();
});

test('@desktop what is ticked while another page is on its way stays ticked', async ({ page, api }) => {
  const pack = await api.pack();
  for (let i = 10; i < 31; i++) await api.pedido({ pack_id: pack.id, cliente_nombre: `Ultramarinos ${i}` });
  await open(page, '?search=ultramarinos');
  await expect(row(page, 'Ultramarinos 30')).toBeVisible();
  let arrive = () => {};
  const wait = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/page=2/, async (route) => {
    await wait;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Siguiente' }).click();
  for (const name of ['Ultramarinos 30', 'Ultramarinos 29']) {
    await tick(page, name);
    await expect(row(page, name).getByRole('checkbox')).toBeChecked();
  }
  arrive();
  await expect(row(page, 'Ultramarinos 10')).toBeVisible();
  await expect(bar(page)).toContainText('2 pedidos elegidos');
});

test('those ticked one by one are exported, and no others', async ({ page, api }) => {
  const pack = await api.pack();
  const orders = [];
  for (const n of [1, 2, 3]) orders.push(await api.pedido({ pack_id: pack.id, cliente_nombre: `Mercería ${n}` }));
  await open(page, '?search=merceria');
  for (const n of [1, 3]) await tick(page, `Mercería ${n}`);
  await bar(page).getByRole('link', { name: 'Exportar' }).click();
  await expect(page.getByText('Se exportan solo los pedidos elegidos en la tabla.')).toBeVisible();
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/api/exports') && request.method() === 'POST'),
    page.waitForEvent('download'),
    page.getByRole('main').getByRole('button', { name: 'Exportar', exact: true }).click(),
  ]);
  const { filtro, conjuntos } = asked.postDataJSON() as { filtro: { ids: string }; conjuntos: string[] };
  expect(conjuntos).toEqual(['pedidos', 'lineas']);
  expect(filtro.ids.split(',').sort()).toEqual([orders[0]?.id, orders[2]?.id].sort());
  await expect(page.getByRole('status').filter({ hasText: 'Se han exportado 4 registros' })).toBeVisible();
});

test('when another number has come to match, nothing is done and the person is told', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const orders = [await api.pedido({ cliente_nombre: 'Taller Uno' }), await api.pedido({ cliente_nombre: 'Taller Dos' })];
  await open(page, '?search=taller');
  await tick(page, 'Taller Uno');
  await bar(page).getByRole('button', { name: 'Seleccionar los 2 que coinciden' }).click();
  await api.pedido({ cliente_nombre: 'Taller Tres' });
  await bar(page).getByRole('button', { name: 'Cancelar' }).click();
  await button(page, 'Cancelar 2 pedidos').click();
  await expect(page.getByText('La lista ha cambiado mientras tanto: vuelve a mirarla antes de seguir')).toBeVisible();
  await expect(row(page, 'Taller Tres')).toBeVisible();
  await expect(bar(page)).toBeHidden();
  for (const { id } of orders) expect(await read(api, id)).toMatchObject({ estado: 'pendiente' });
});

test('delivery notes: a sheet an order, without a price', async ({ page, api, openAs }) => {
  const pack = await api.pack({ name: 'Caja de doce', pack_price: 77.7 });
  const [one, two] = [
    await api.pedido({
      pack_id: pack.id,
      cantidad: 3,
      cliente_nombre: 'Bodega Alta',
      instrucciones: 'Timbre roto',
      cliente_telefono: '600 10 20 30',
    }),
    await api.pedido({ pack_id: pack.id, cliente_nombre: 'Bodega Baja' }),
  ];
  await open(page, '?search=bodega');
  for (const { numero_orden } of [one, two]) await tick(page, numero_orden);
  const tab = page.context().waitForEvent('page');
  await bar(page).getByRole('link', { name: 'Imprimir' }).click();
  const sheets = await tab;
  await expect(sheets.getByRole('article')).toHaveCount(2);
  const sheet = sheets.getByRole('article', { name: `Albarán ${one.numero_orden}` });
  for (const text of ['Bodega Alta', '600 10 20 30', 'Caja de doce', '3', 'Timbre roto', 'Firma']) await expect(sheet).toContainText(text);
  await expect(sheet.getByRole('img', { name: `Código de barras ${one.numero_orden}` })).toBeVisible();
  await expect(sheets.getByRole('main')).not.toContainText(/€|77,7|233,1/);
  await expectAccessible(sheets);

  // `toBeVisible` sees what the printer would print.
  await sheets.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  await expect(sheets.getByRole('heading', { name: 'Imprimir' })).toBeHidden();
  await expect(sheets.getByRole('tab')).toHaveCount(0);
  await expect(sheets.getByRole('button', { name: 'Imprimir' })).toBeHidden();
  await expect(sheets.getByRole('navigation')).toBeHidden();

  await open(page, '?search=bodega');
  await tick(page, one.numero_orden);
  await bar(page).getByRole('button', { name: 'Seleccionar los 2 que coinciden' }).click();
  await expect(bar(page).getByRole('link', { name: 'Imprimir' })).toHaveAttribute('href', '/pedidos/imprimir?todos=si&search=bodega');
  await page.goto('/pedidos/imprimir?todos=si&search=bodega');
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.goto('/pedidos/imprimir');
  await expect(page.getByText('No hay pedidos que imprimir')).toBeVisible();

  const carrier = await openAs(await api.user('transportista'));
  await carrier.goto('/pedidos/imprimir?todos=si');
  await expect(carrier).toHaveURL('/transportista-dashboard');
});

test('a picking list of units by product, and a route sheet for each carrier by postcode', async ({ page, api }) => {
  const carrier = await api.user('transportista', { full_name: 'Rosa Ruta' });
  const pack = await api.pack({ name: 'Caja de seis', pack_quantity: 6 });
  const to = (cliente_nombre: string, cliente_codigo_postal: string, cantidad = 1) =>
    api.pedido({ pack_id: pack.id, cantidad, cliente_nombre, cliente_codigo_postal, cliente_telefono: '600 11 22 33' });
  const [far, near, open_, done] = [
    await to('Fonda Sur', '41001', 2),
    await to('Fonda Norte', '08001'),
    await to('Fonda Este', '46001'),
    await to('Fonda Fin', '28001'),
  ];
  for (const { id } of [far, near]) {
    await api.admin.call(assignTransportista, { params: { id }, body: { transportista_id: carrier.id } });
  }
  await api.admin.call(setEstado, { params: { id: done.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  await open(page, '?search=fonda');
  for (const { numero_orden } of [far, near, open_, done]) await tick(page, numero_orden);
  const tab = page.context().waitForEvent('page');
  await bar(page).getByRole('link', { name: 'Imprimir' }).click();
  const sheets = await tab;

  await sheets.getByRole('tab', { name: 'Preparación' }).click();
  const picking = sheets.getByRole('article', { name: 'Lista de preparación' });
  await expect(picking.getByRole('row')).toHaveCount(2);
  await expect(picking.getByRole('row').last()).toContainText('4 × Caja de seis');
  await expect(picking.getByRole('row').last().getByRole('cell', { name: '24', exact: true })).toBeVisible();
  await expect(sheets.getByText('1 pedido sin contar: entregados o cancelados')).toBeVisible();
  await expectAccessible(sheets);

  await sheets.getByRole('tab', { name: 'Hoja de ruta' }).click();
  await expect(sheets.getByRole('article')).toHaveCount(2);
  const stops = sheets.getByRole('article', { name: 'Hoja de ruta: Rosa Ruta' }).getByRole('row');
  await expect(stops).toHaveText([/C\. P\./, /08001.*Fonda Norte.*600 11 22 33/, /41001.*Fonda Sur.*2 × /]);
  await expect(sheets.getByRole('article', { name: 'Hoja de ruta: Sin asignar' })).toContainText('Fonda Este');
  await expect(sheets.getByRole('main')).not.toContainText('€');
  await expectAccessible(sheets);
  await sheets.reload();
  await expect(stops).toHaveCount(3);
  await sheets.emulateMedia({ media: 'print' });
  await expect(stops.last()).toBeVisible();
  await expect(sheets.getByRole('tab')).toHaveCount(0);
});

test('of an order of several lines every sheet has them all', async ({ page, api }) => {
  const soap = await api.product({ name: 'Jabón' });
  const [bar, box] = [
    await api.pack({ product_id: soap.id, name: 'Pastilla', pack_quantity: 1, pack_price: 77.7 }),
    await api.pack({ product_id: soap.id, name: 'Caja', pack_quantity: 12, pack_price: 77.7 }),
  ];
  const other = await api.pack({ product_id: (await api.product({ name: 'Incienso' })).id, name: 'Tarro', pack_quantity: 2 });
  const lineas = [
    { pack_id: bar.id, cantidad: 3 },
    { pack_id: other.id, cantidad: 1 },
    { pack_id: box.id, cantidad: 2 },
  ];
  const { numero_orden } = await api.pedido({ cliente_nombre: 'Perfumería Uno', lineas, envio: 5 });
  await api.pedido({ cliente_nombre: 'Perfumería Dos', pack_id: box.id });
  await open(page, '/imprimir?todos=si&search=perfumeria');
  const lines = page.getByRole('article', { name: `Albarán ${numero_orden}` }).getByRole('row');
  await expect(lines).toHaveText(['ProductoCantidad', 'Jabón – Pastilla3', 'Incienso – Tarro1', 'Jabón – Caja2']);
  await expect(page.getByRole('main')).not.toContainText(/€|77,7/);
  await page.getByRole('tab', { name: 'Preparación' }).click();
  const picking = page.getByRole('article', { name: 'Lista de preparación' }).getByRole('row');
  await expect(picking).toHaveText([/Producto/, /^Incienso1 × Tarro2$/, /^Jabón3 × Caja3 × Pastilla39$/]);
  await page.getByRole('tab', { name: 'Hoja de ruta' }).click();
  const stop = page.getByRole('row').filter({ hasText: numero_orden });
  await expect(stop).toContainText(/3 × Jabón – Pastilla.*1 × Incienso – Tarro.*2 × Jabón – Caja/);
  await expect(page.getByRole('main')).not.toContainText('€');
});

test('the delivery note of one order, from its menu', async ({ page, api }) => {
  const { numero_orden } = await api.pedido();
  await open(page);
  await page.getByRole('button', { name: `Acciones del pedido ${numero_orden}` }).click();
  const tab = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Imprimir albarán' }).click();
  await expect((await tab).getByRole('article', { name: `Albarán ${numero_orden}` })).toBeVisible();
});
