import type { Page } from '@playwright/test';
import { assignTransportista, getPedido } from '../contract/pedidos.ts';
import { type Arranger, expect, expectAccessible, row, rows, SUPERADMIN, signIn, test } from './fixtures.ts';

/* Three hundred orders a day: the list as each person wants it, and going through it. */

async function open(page: Page, search = '') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/pedidos${search}`);
}
const heads = (page: Page) => page.getByRole('columnheader');
const view = (page: Page) => page.getByRole('dialog', { name: 'Columnas' });
async function many(api: Arranger, n: number, name: string) {
  const pack_id = (await api.pack()).id;
  for (let i = 1; i <= n; i += 1) await api.pedido({ pack_id, cliente_nombre: `${name} ${i}` });
}

test('each person chooses, orders and widens the columns, and finds them so again', async ({ page, api, openAs }) => {
  const pack = await api.pack({ name: 'Caja de vino' });
  const pedido = await api.pedido({ pack_id: pack.id, cantidad: 3, cliente_nombre: 'Vinos Ribera' });
  await open(page, '?search=vinos+ribera');
  await page.getByRole('button', { name: 'Columnas' }).click();
  for (const name of ['Producto', 'Pagado', 'Hora', 'Prometido']) await view(page).getByRole('checkbox', { name }).check();
  await view(page).getByRole('checkbox', { name: 'Revendedor' }).uncheck();
  await view(page).getByRole('button', { name: 'Subir Producto' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Columnas' })).toBeFocused();
  const chosen = [
    '',
    'ID Pedido',
    'Producto',
    'Cliente',
    'Transportista',
    'Estado',
    'Total',
    'Pagado',
    'Fecha',
    'Hora',
    'Prometido',
    'Acciones',
  ];
  await expect(heads(page)).toHaveText(chosen);
  await expect(row(page, pedido.numero_orden)).toContainText(/3 × .*Caja de vino/);
  await expect(row(page, pedido.numero_orden)).toContainText('Sin pagar');
  await expect(row(page, pedido.numero_orden)).toContainText(/\d\d:\d\d/);

  const product = page.getByRole('columnheader', { name: 'Producto' });
  const before = (await product.boundingBox())?.width ?? 0;
  const handle = await product.getByTitle(/Arrastra para cambiar el ancho/).boundingBox();
  const [x, y] = [(handle?.x ?? 0) + 3, (handle?.y ?? 0) + 8];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y, { steps: 4 });
  await page.mouse.up();
  const width = async () => Math.round((await product.boundingBox())?.width ?? 0);
  await expect.poll(width).toBeGreaterThan(before + 20);
  const wider = await width();
  await page.reload();
  await expect(heads(page)).toHaveText(chosen);
  await expect.poll(async () => Math.abs((await width()) - wider)).toBeLessThan(4);

  const other = await openAs(await api.user('superadmin'));
  await open(other, '?search=vinos+ribera');
  await expect(heads(other).nth(4)).toHaveText('Transportista');

  await page.getByRole('button', { name: 'Columnas' }).click();
  await view(page).getByRole('button', { name: 'Restablecer columnas y anchos' }).click();
  await expect(heads(page)).toHaveText(['', 'ID Pedido', 'Cliente', 'Revendedor', 'Transportista', 'Estado', 'Total', 'Fecha', 'Acciones']);
});

test('rows of one line, more of them on a page, and straight to a page', async ({ page, api }) => {
  await many(api, 45, 'Droguería');
  await open(page, '?search=drogueria');
  const first = rows(page.getByRole('table')).first();
  const height = async () => (await first.boundingBox())?.height ?? 0;
  await expect(first).toContainText('Droguería 45');
  expect(await height()).toBeGreaterThan(50);
  await page.getByRole('button', { name: 'Columnas' }).click();
  await view(page).getByRole('checkbox', { name: 'Filas de una línea' }).check();
  await page.keyboard.press('Escape');
  await expect.poll(height).toBeLessThan(34);

  const page2 = page.getByRole('textbox', { name: 'Ir a la página, de 1 a 3' });
  await page2.fill('3');
  await page2.press('Enter');
  await expect(page).toHaveURL(/page=3/);
  await expect(row(page, 'Droguería 1').first()).toBeVisible();
  await expect(page.getByText('Mostrando 5 de 45 pedidos')).toBeVisible();

  await page.getByRole('combobox', { name: 'Filas por página' }).click();
  await page.getByRole('option', { name: '50 por página' }).click();
  await expect(page.getByText('Mostrando 45 de 45 pedidos')).toBeVisible();
  await expect(page).not.toHaveURL(/page=/);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText('Mostrando 45 de 45 pedidos')).toBeVisible();
  await expect.poll(height).toBeLessThan(34);
});

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const button = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const read = async (api: Arranger, id: string) => (await api.admin.call(getPedido, { params: { id } })).body.data;

test('an open order stands in the address: it is shared, reloaded, and closed by going back', async ({
  page,
  api,
  openAs,
  allowErrors,
}) => {
  const pedido = await api.pedido({ cliente_nombre: 'Marta Enlace' });
  await open(page, '?search=marta+enlace');
  await row(page, pedido.numero_orden).getByText('Marta Enlace').click();
  const shown = dialog(page, `Pedido ${pedido.numero_orden}`);
  await expect(shown).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`pedido=${pedido.id}`));
  await page.reload();
  await expect(shown).toBeVisible();
  const other = await openAs(await api.user('superadmin'));
  await other.goto(page.url());
  await expect(dialog(other, `Pedido ${pedido.numero_orden}`)).toBeVisible();
  await other.keyboard.press('Escape');
  await expect(other).toHaveURL('/pedidos?search=marta+enlace');

  await page.goBack();
  await expect(shown).toBeHidden();
  await expect(page).toHaveURL('/pedidos?search=marta+enlace');
  await expect(row(page, pedido.numero_orden)).toBeVisible();

  // Whose orders are none of theirs finds a list of their own, and nothing in it.
  const reseller = await openAs(await api.user('revendedor'));
  await reseller.goto(`/pedidos?pedido=${pedido.id}`);
  await expect(reseller).toHaveURL('/revendedor-dashboard');
  allowErrors(/status of 404/);
  await page.goto(`/pedidos?pedido=${crypto.randomUUID()}`);
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page).toHaveURL('/pedidos');
});

test('what was typed in a dialog is not lost by going back without a question', async ({ page, api }) => {
  const pedido = await api.pedido({ cliente_nombre: 'Iria Teclea' });
  await open(page, '?search=iria+teclea');
  await page.getByRole('button', { name: `Acciones del pedido ${pedido.numero_orden}` }).click();
  await page.getByRole('menuitem', { name: 'Cancelar pedido' }).click();
  await dialog(page, 'Cancelar pedido').getByLabel('Motivo (opcional)').fill('Ya no lo quiere');
  await page.goBack();
  await button(page, 'Seguir editando').click();
  await expect(dialog(page, 'Cancelar pedido').getByLabel('Motivo (opcional)')).toHaveValue('Ya no lo quiere');
  await page.goBack();
  await button(page, 'Descartar').click();
  await expect(dialog(page, 'Cancelar pedido')).toBeHidden();
  await expect(page).toHaveURL('/pedidos?search=iria+teclea');
});

test('the open order takes all its steps, and leads up and down the list', async ({ page, api }) => {
  const carrier = await api.user('transportista');
  await many(api, 3, 'Papelería');
  await open(page, '?search=papeleria');
  await expect(row(page, 'Papelería 1')).toBeVisible();
  const [third, second, first] = await Promise.all([3, 2, 1].map((n) => row(page, `Papelería ${n}`).getByRole('link').textContent()));
  await row(page, 'Papelería 3').getByText('Papelería 3').click();
  const steps = page.getByRole('group', { name: 'Acciones del pedido' });
  await expect(dialog(page, `Pedido ${third}`)).toBeVisible();
  const labels = ['Cambiar productos', 'Asignar transportista', 'Completar', 'Imprimir albarán', 'Duplicar', 'Cancelar pedido', 'Eliminar'];
  await expect(steps.getByRole('button')).toHaveText(labels);
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await expect(dialog(page, `Pedido ${second}`)).toBeVisible();
  await button(page, 'Pedido siguiente de la lista').click();
  await expect(dialog(page, `Pedido ${first}`)).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(dialog(page, `Pedido ${second}`)).toBeVisible();

  await steps.getByRole('button', { name: 'Asignar transportista' }).click();
  await dialog(page, 'Asignar transportista').getByRole('combobox', { name: 'Transportista', exact: true }).fill(carrier.full_name);
  await page.getByRole('option', { name: carrier.full_name }).click();
  await button(page, 'Guardar').click();
  // Back at the order, which has gone on a step.
  await expect(dialog(page, `Pedido ${second}`)).toBeVisible();
  await steps.getByRole('button', { name: 'Empezar a preparar' }).click();
  await expect(steps.getByRole('button', { name: 'Volver a asignado' })).toBeVisible();
  await page.getByRole('status').filter({ hasText: 'En Proceso' }).getByRole('button', { name: 'Deshacer' }).click();
  await expect(steps.getByRole('button', { name: 'Empezar a preparar' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/pedidos?search=papeleria');
});

const bar = (page: Page) => page.getByRole('region', { name: 'Pedidos elegidos' });
const tick = (page: Page, text: string) => row(page, text).getByRole('checkbox').check();
async function change(page: Page, step: string) {
  await bar(page).getByRole('button', { name: 'Cambiar estado' }).click();
  await page.getByRole('menuitem', { name: step }).click();
}

test('many at once: paid, prepared, sent out, completed; what could not be stays chosen', async ({ page, api }) => {
  const carrier = await api.user('transportista');
  const [one, two] = [await api.pedido({ cliente_nombre: 'Ferretería Uno' }), await api.pedido({ cliente_nombre: 'Ferretería Dos' })];
  await api.admin.call(assignTransportista, { params: { id: one.id }, body: { transportista_id: carrier.id } });
  await open(page, '?search=ferreteria');
  for (const name of ['Uno', 'Dos']) await tick(page, `Ferretería ${name}`);
  await change(page, 'Marcar como pagados');
  await dialog(page, 'Marcar como pagados').getByLabel('Referencia (opcional)').fill('Remesa 7');
  await expectAccessible(page);
  await button(page, 'Cobrar 2 pedidos').click();
  await expect(page.getByRole('dialog')).toContainText('Hecho: 2 pedidos.');
  await button(page, 'Cerrar').last().click();
  await expect(row(page, 'Ferretería Dos')).toContainText('Pagado');
  await expect(bar(page)).toBeHidden();

  for (const name of ['Uno', 'Dos']) await tick(page, `Ferretería ${name}`);
  await change(page, 'Empezar a preparar');
  await expect(page.getByRole('dialog')).toContainText('Hecho: 1 de 2 pedidos. 1 no se pudo cambiar.');
  await button(page, 'Cerrar').last().click();
  await expect(bar(page)).toContainText('1 pedido elegido');
  await expect(row(page, 'Ferretería Dos').getByRole('checkbox')).toBeChecked();
  await expect(row(page, 'Ferretería Uno')).toContainText('En Proceso');

  await bar(page).getByRole('button', { name: 'Quitar selección' }).click();
  await tick(page, 'Ferretería Uno');
  await change(page, 'Salir a reparto');
  await button(page, 'Salir a reparto').click();
  await expect(page.getByRole('dialog')).toContainText('Hecho: 1 pedido.');
  await button(page, 'Cerrar').last().click();
  for (const name of ['Uno', 'Dos']) await tick(page, `Ferretería ${name}`);
  await change(page, 'Completar');
  await button(page, 'Completar 2 pedidos').click();
  await expect(page.getByRole('dialog')).toContainText('Por favor, selecciona un método de entrega');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Método de entrega' }).click();
  await page.getByRole('option', { name: 'MRW' }).click();
  await button(page, 'Completar 2 pedidos').click();
  await expect(page.getByRole('dialog')).toContainText('Hecho: 2 pedidos.');
  for (const { id } of [one, two]) expect(await read(api, id)).toMatchObject({ estado: 'completado', metodo_entrega: 'mrw' });
});

test('many are deleted without a question, and all of them come back with one press', async ({ page, api }) => {
  await many(api, 3, 'Mercería');
  await open(page, '?search=merceria');
  for (const n of [1, 2]) await tick(page, `Mercería ${n}`);
  await bar(page).getByRole('button', { name: 'Eliminar' }).click();
  await expect(page.getByText('Mostrando 1 de 1 pedidos')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('status').filter({ hasText: '2 pedidos eliminados' }).getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('Mostrando 3 de 3 pedidos')).toBeVisible();
});

test('the badge of a ticked row stands out from its row', async ({ page, api }) => {
  const carrier = await api.user('transportista');
  const pedido = await api.pedido({ cliente_nombre: 'Azul Marino' });
  await api.admin.call(assignTransportista, { params: { id: pedido.id }, body: { transportista_id: carrier.id } });
  await open(page, '?search=azul+marino');
  await tick(page, 'Azul Marino');
  const grounds = await row(page, 'Azul Marino')
    .getByText('Asignado')
    .evaluate((text) => {
      const [badge, line] = [text.parentElement, text.closest('tr')];
      return [badge, line].map((element) => element && getComputedStyle(element).backgroundColor);
    });
  expect(grounds[0]).not.toBe(grounds[1]);
});

test('the filters say what they filter by, whatever is chosen', async ({ page }) => {
  await open(page, '?empresa_transporte=mrw&pagado=no');
  await page.getByRole('button', { name: 'Más filtros puestos: 2' }).click();
  for (const [label, name] of [
    ['Empresa de transporte', 'Empresa:'],
    ['Pago', 'Pago:'],
  ] as const) {
    const field = page.getByRole('combobox', { name: label });
    const [value, said] = [await field.boundingBox(), await page.getByText(name, { exact: true }).boundingBox()];
    expect(said?.x).toBeGreaterThanOrEqual(value?.x ?? 0);
    expect((said?.x ?? 0) + (said?.width ?? 0)).toBeLessThanOrEqual((value?.x ?? 0) + (value?.width ?? 0) / 2);
  }
});

test('@desktop the filters share one line, none of them set and all of them', async ({ page, api }) => {
  const [reseller, carrier] = [await api.user('revendedor'), await api.user('transportista')];
  const people = `revendedor_id=${reseller.id}&transportista_id=${carrier.id}`;
  const filters = page.getByRole('group', { name: 'Filtros' });
  for (const width of [1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const search of ['', `?estado=pendiente_pago&${people}&fecha_desde=2026-11-01&fecha_hasta=2026-11-20&pagado=no`]) {
      await open(page, search);
      await expect(filters.getByRole('combobox', { name: 'Transportista' })).toHaveValue(search ? carrier.full_name : /todos/);
      const fields = await filters.locator(':is(input, button):visible').all();
      const tops = await Promise.all(fields.map(async (field) => (await field.boundingBox())?.y ?? 0));
      expect(Math.max(...tops) - Math.min(...tops), `${width} ${search}`).toBeLessThan(12);
    }
  }
  // Named although they are set.
  for (const name of ['Revendedor:', 'Transportista:']) await expect(filters.getByText(name, { exact: true })).toBeInViewport();
});

test('in a narrow window every column is there, in «Pedidos» and in «Entregas»', async ({ page, api }) => {
  await api.pedido({ cliente_direccion: 'Avenida de la Constitución, 148' });
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const [path, count] of [
    ['/pedidos', 9],
    ['/entregas', 11],
  ] as const) {
    await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
    await page.goto(path);
    await expect(heads(page).filter({ visible: true })).toHaveCount(count);
    await expect(page.getByRole('columnheader', { name: 'Acciones' })).toBeInViewport({ ratio: 0.9 });
  }
  for (const name of ['Dirección', 'Producto']) {
    expect((await page.getByRole('columnheader', { name }).boundingBox())?.width, name).toBeGreaterThan(140);
  }
});

test('a list uses the room of a wide window', async ({ page, api }) => {
  await api.pedido();
  await page.setViewportSize({ width: 1920, height: 1000 });
  await open(page);
  const table = page.getByRole('table', { name: 'Pedidos' });
  const spare = async () => 1920 - ((await table.boundingBox())?.x ?? 0) - ((await table.boundingBox())?.width ?? 0);
  await expect.poll(spare).toBeLessThan(40);
  await page.getByRole('button', { name: 'Contraer la navegación' }).click();
  await expect.poll(async () => (await table.boundingBox())?.x ?? 0).toBeLessThan(90);
  await expect.poll(spare).toBeLessThan(40);
});

test('beside an order stand its payments and its history', async ({ page, api }) => {
  const pedido = await api.pedido();
  await open(page, `/${pedido.id}`);
  const facts = await page.getByLabel('Número de orden').boundingBox();
  const history = await page.getByRole('heading', { name: 'Historial' }).boundingBox();
  expect(history?.x).toBeGreaterThan((facts?.x ?? 0) + 500);
});
