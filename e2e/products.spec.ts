import type { Page } from '@playwright/test';
import { createPedido } from '../contract/pedidos.ts';
import { listPacks, listProducts, MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS, updatePack } from '../contract/products.ts';
import { type Arranger, expect, expectAccessible, row, rows, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Control de Stock»: products, what there is of them, and the packs in which they are sold. */

async function open(page: Page, search = '') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/control-stock${search}`);
}
const section = (page: Page, name: 'Productos' | 'Packs') => page.getByRole('region', { name, exact: true }).first();
/** The row on a desktop, the card on a phone. */
const product = (page: Page, name: string) => row(section(page, 'Productos'), name);
const pack = (page: Page, name: string) => row(section(page, 'Packs'), name);
const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page, label: string) => dialog(page).getByLabel(new RegExp(`^${label.replace(/[()]/g, '\\$&')}( \\*)?$`));
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
async function choose(page: Page, label: string, option: string) {
  await dialog(page).getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
/** On a phone a notice lies over the head of a dialog until it goes. */
async function dismissNotice(page: Page) {
  await page.getByRole('button', { name: 'Cerrar aviso' }).click();
  await expect(page.getByRole('button', { name: 'Cerrar aviso' })).toBeHidden();
}
/** The summary card: its label and its figure, and nothing else. */
const card = (page: Page, label: string) =>
  page
    .getByRole('main')
    .locator('div, a')
    .filter({ hasText: new RegExp(`^${label}[\\d.]+$`) });
const order = async (api: Arranger, pack_id: string, cantidad: number) => {
  const body = { pack_id, cantidad, cliente_nombre: 'Clara', cliente_direccion: 'Calle Mayor 1' };
  const reply = await api.admin.call(createPedido, { body });
  expect(reply.status, reply.text).toBe(201);
};
const stockOf = async (api: Arranger, id: string) => {
  const { body } = await api.admin.call(listProducts);
  return body.data.find((one) => one.id === id)?.stock;
};

test('the first product and its first pack', async ({ page, api }) => {
  await open(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Control de Stock' })).toBeVisible();
  await expect(page.getByText('No hay productos')).toBeVisible();
  await expect(page.getByText('No hay packs')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nuevo pack' })).toBeDisabled();
  for (const label of ['Productos', 'Unidades', 'Bajo Stock', 'Activos']) await expect(card(page, label)).toContainText('0');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Nuevo producto' }).click();
  await expect(field(page, 'Nombre')).toBeFocused();
  await expect(dialog(page).getByRole('combobox', { name: 'Estado' })).toHaveValue('Inactivo');
  await field(page, 'Stock').fill('-1');
  await field(page, 'Stock mínimo').fill('dos');
  await press(page, 'Crear producto');
  await expect(field(page, 'Nombre')).toHaveAccessibleDescription('El nombre es obligatorio');
  await expect(field(page, 'Stock')).toHaveAccessibleDescription(/Stock inicial inválido/);
  await expect(field(page, 'Stock mínimo')).toHaveAccessibleDescription(/Stock mínimo inválido/);
  await expect(field(page, 'Nombre')).toBeFocused();
  await expectAccessible(page);

  await field(page, 'Nombre').fill('  Aceite virgen  ');
  await field(page, 'Descripción').fill('Botella de 750 ml');
  await field(page, 'Stock').fill('1.200');
  await field(page, 'Stock mínimo').fill('');
  await choose(page, 'Estado', 'Activo');
  await press(page, 'Crear producto');
  await expect(page.getByText('Producto creado exitosamente')).toBeVisible();
  await dismissNotice(page);
  await expect(dialog(page)).toBeHidden();
  await expect(product(page, 'Aceite virgen')).toContainText('Botella de 750 ml');
  await expect(product(page, 'Aceite virgen')).toContainText('1.200');
  await expect(card(page, 'Unidades')).toContainText('1.200');
  await expect(card(page, 'Activos')).toContainText('1');

  await page.getByRole('button', { name: 'Nuevo pack' }).click();
  await expect(field(page, 'Cantidad')).toHaveValue('1');
  await expect(field(page, 'Precio (€)')).toHaveValue('0,00');
  await expect(dialog(page).getByRole('combobox', { name: 'Estado' })).toHaveValue('Activo');
  await field(page, 'Cantidad').fill('0');
  await field(page, 'Precio (€)').fill('gratis');
  await press(page, 'Crear pack');
  await expect(dialog(page).getByText('Producto y nombre son obligatorios')).toHaveCount(2);
  await expect(field(page, 'Alias')).toHaveAccessibleDescription(/Alias es obligatorio/);
  await expect(field(page, 'Cantidad')).toHaveAccessibleDescription(/Cantidad o precio inválidos/);
  await expect(field(page, 'Precio (€)')).toHaveAccessibleDescription(/Cantidad o precio inválidos/);
  await expectAccessible(page);

  await choose(page, 'Producto', 'Aceite virgen');
  await field(page, 'Nombre del pack').fill('Caja de 6');
  await field(page, 'Alias').fill('AC6');
  await field(page, 'Cantidad').fill('6');
  await field(page, 'Precio (€)').fill('1.234,5');
  await field(page, 'Precio (€)').blur();
  await expect(field(page, 'Precio (€)')).toHaveValue('1234,50');
  await press(page, 'Crear pack');
  await expect(page.getByText('Pack creado')).toBeVisible();
  await expect(pack(page, 'Caja de 6')).toContainText('Aceite virgen');
  await expect(pack(page, 'Caja de 6')).toContainText('AC6');
  await expect(pack(page, 'Caja de 6')).toContainText(/1\.234,50\s€/);
  await expectAccessible(page);

  // What was typed with a comma is what a reseller is offered.
  const reseller = await api.as(await api.user('revendedor'));
  const { body } = await reseller.call(listPacks);
  expect(body.data).toMatchObject([{ name: 'Caja de 6', pack_quantity: 6, pack_price: 1234.5, available: true }]);
});

test('a product is edited and deactivated: its packs are no longer offered, and the table says so', async ({ page, api }) => {
  const queso = await api.product({ name: 'Queso manchego', description: 'Curado', stock: 40, min_stock: 5 });
  await api.pack({ product_id: queso.id, name: 'Queso entero', alias: 'QE' });
  await open(page);
  await expect(pack(page, 'Queso entero')).not.toContainText('No se ofrece');
  await page.getByRole('button', { name: 'Editar Queso manchego' }).click();
  await expect(dialog(page).getByRole('heading', { name: 'Editar producto' })).toBeVisible();
  await expect(field(page, 'Descripción')).toHaveValue('Curado');
  await expectAccessible(page);
  await field(page, 'Nombre').fill('Queso curado');
  await field(page, 'Stock').press('ArrowUp');
  await expect(field(page, 'Stock')).toHaveValue('41');
  await choose(page, 'Estado', 'Inactivo');
  await press(page, 'Guardar cambios');
  await expect(page.getByText('Producto actualizado')).toBeVisible();
  await expect(product(page, 'Queso curado')).toContainText('Inactivo');
  await expect(pack(page, 'Queso entero')).toContainText('No se ofrece: producto inactivo');
  expect(await stockOf(api, queso.id)).toBe(41);
  const reseller = await api.as(await api.user('revendedor'));
  const { body } = await reseller.call(listPacks);
  expect(body.data.map(({ name }) => name)).not.toContain('Queso entero');
});

test('a pack is edited: its product is read only, its price steps by a cent', async ({ page, api }) => {
  const vino = await api.product({ name: 'Vino tinto' });
  await api.pack({ product_id: vino.id, name: 'Estuche', alias: 'VT3', pack_quantity: 3, pack_price: 29.99 });
  await open(page);
  await page.getByRole('button', { name: 'Editar Estuche' }).click();
  await expect(field(page, 'Producto')).toHaveValue('Vino tinto');
  await expect(field(page, 'Producto')).not.toBeEditable();
  await expectAccessible(page);
  await field(page, 'Precio (€)').press('ArrowUp');
  await expect(field(page, 'Precio (€)')).toHaveValue('30,00');
  await field(page, 'Alias').fill('VT4');
  await choose(page, 'Estado', 'Inactivo');
  await press(page, 'Guardar cambios');
  await expect(page.getByText('Pack actualizado')).toBeVisible();
  await expect(pack(page, 'Estuche')).toContainText('VT4');
  await expect(pack(page, 'Estuche')).toContainText(/30,00\s€/);
  await expect(pack(page, 'Estuche')).toContainText('Inactivo');
  await expect(pack(page, 'Estuche')).not.toContainText('No se ofrece');
});

test('a name that is taken is pointed out, and neither dialog closes over what was typed', async ({ page, api }) => {
  await api.product({ name: 'Melón piel de sapo' });
  await open(page);
  await page.getByRole('button', { name: 'Nuevo producto' }).click();
  await field(page, 'Nombre').fill('MELON piel de sapo ');
  await expect(field(page, 'Nombre')).toHaveAccessibleDescription('Ya hay un producto con ese nombre');
  await expectAccessible(page);
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(question).toBeHidden();
  // Two may have one name.
  await press(page, 'Crear producto');
  await expect(page.getByText('Producto creado exitosamente')).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);

  await page.getByRole('button', { name: 'Nuevo pack' }).click();
  await field(page, 'Alias').fill('MP');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(dialog(page)).toHaveCount(0);
});

test('low stock has a sign of its own, and the figure opens the products it counts', async ({ page, api }) => {
  await api.product({ name: 'Justo en el mínimo', stock: 5, min_stock: 5 });
  await api.product({ name: 'Uno por encima', stock: 6, min_stock: 5 });
  await open(page);
  await expect(product(page, 'Justo en el mínimo')).toContainText('Bajo stock');
  await expect(product(page, 'Uno por encima')).not.toContainText('Bajo stock');
  const { body } = await api.admin.call(listProducts);
  const low = body.data.filter(({ stock, min_stock }) => stock <= min_stock).length;
  await expect(card(page, 'Bajo Stock')).toContainText(String(low));
  await card(page, 'Bajo Stock').click();
  await expect(page).toHaveURL(/ver=bajo/);
  await expect(product(page, 'Uno por encima')).toBeHidden();
  await expect(section(page, 'Productos').getByRole('button', { name: /^Editar / })).toHaveCount(low);
  await page.reload();
  await expect(product(page, 'Justo en el mínimo')).toBeVisible();
  await expect(product(page, 'Uno por encima')).toBeHidden();
});

test('an order placed during an edit is not undone', async ({ page, api }) => {
  const miel = await api.product({ name: 'Miel de romero', stock: 10 });
  const tarro = await api.pack({ product_id: miel.id, name: 'Tarro', alias: 'MI1' });
  await open(page);
  await page.getByRole('button', { name: 'Editar Miel de romero' }).click();
  await order(api, tarro.id, 3);
  await field(page, 'Stock').fill('15');
  await press(page, 'Guardar cambios');
  await expect(page.getByText('El stock se movió mientras editabas: ahora hay 12 unidades de Miel de romero')).toBeVisible();
  await expect(product(page, 'Miel de romero')).toContainText('12');
  expect(await stockOf(api, miel.id)).toBe(12);
});

test('taking away more than there is left is refused with what is left', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422/);
  const sal = await api.product({ name: 'Sal en escamas', stock: 10 });
  const bolsa = await api.pack({ product_id: sal.id, name: 'Bolsa', alias: 'SAL' });
  await open(page);
  await page.getByRole('button', { name: 'Editar Sal en escamas' }).click();
  await order(api, bolsa.id, 8);
  await field(page, 'Stock').fill('4');
  await press(page, 'Guardar cambios');
  await expect(field(page, 'Stock')).toHaveAccessibleDescription(/Stock insuficiente: quedan 2 unidades/);
  await expect(field(page, 'Stock')).toHaveValue('4');
  await expect(field(page, 'Stock')).toBeFocused();
  await expect(dialog(page)).toContainText('había 10 y ahora hay 2');
  await dismissNotice(page);
  await expectAccessible(page);
  await press(page, 'Partir de 2');
  await expect(field(page, 'Stock')).toHaveValue('2');
  await field(page, 'Stock').fill('4');
  await press(page, 'Guardar cambios');
  await expect(dialog(page)).toBeHidden();
  await expect.poll(() => stockOf(api, sal.id)).toBe(4);
});

test('products are found by name, packs by name or alias, and the search stands in the address', async ({ page, api }) => {
  const a = await api.product({ name: 'Piñón de Castilla' });
  const b = await api.product({ name: 'Almendra marcona' });
  await api.pack({ product_id: a.id, name: 'Saco grande', alias: 'PIN-S' });
  await api.pack({ product_id: b.id, name: 'Lata chica', alias: 'ALM-L' });
  await open(page);
  await page.getByRole('searchbox', { name: 'Buscar producto por nombre' }).fill('pinon');
  await expect(product(page, 'Almendra marcona')).toBeHidden();
  await expect(product(page, 'Piñón de Castilla')).toBeVisible();
  await expect(pack(page, 'Lata chica')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Buscar pack por nombre o alias' }).fill('alm-l');
  await expect(pack(page, 'Saco grande')).toBeHidden();
  await page.getByRole('searchbox', { name: 'Buscar pack por nombre o alias' }).fill('saco');
  await expect(pack(page, 'Saco grande')).toBeVisible();
  await expect(pack(page, 'Lata chica')).toBeHidden();
  await expect(page).toHaveURL(/producto=pinon.*pack=saco/);
  await page.reload();
  await expect(pack(page, 'Saco grande')).toBeVisible();
  await expect(pack(page, 'Lata chica')).toBeHidden();
  await page.getByRole('searchbox', { name: 'Buscar producto por nombre' }).fill('nada así');
  await expect(page.getByText('Ningún producto coincide con los filtros')).toBeVisible();
});

test('a failure to load offers another try; a reseller has no business here', async ({ page, api, openAs, allowErrors }) => {
  allowErrors(/status of 500/);
  await open(page);
  await page.route('**/api/product*', (route) => route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado' } }));
  await page.reload();
  await expect(page.getByText('No se pudieron cargar los productos')).toBeVisible();
  await expect(page.getByText('No se pudieron cargar los packs')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/product*');
  await section(page, 'Packs').getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByText('No se pudieron cargar los packs')).toBeHidden();

  const reseller = await openAs(await api.user('revendedor'));
  await reseller.goto('/control-stock');
  await expect(reseller).toHaveURL(/\/revendedor-dashboard$/);
});

test('a long list comes in pages', async ({ page, api }) => {
  const lote = await api.product({ name: 'Lote largo' });
  for (let i = 1; i <= 24; i++) await api.pack({ product_id: lote.id, name: `Lote n.º ${i}`, alias: `LOTE-${i}` });
  await open(page, '?pack=lote');
  await expect(section(page, 'Packs')).toContainText('Mostrando 20 de 24 packs');
  await section(page, 'Packs').getByRole('button', { name: 'Siguiente' }).click();
  await expect(page).toHaveURL(/pack_page=2/);
  await expect(section(page, 'Packs')).toContainText('Mostrando 4 de 24 packs');
  // A new search starts at its first page.
  await page.getByRole('searchbox', { name: 'Buscar pack por nombre o alias' }).fill('lote-2');
  await expect(pack(page, 'LOTE-2').first()).toBeVisible();
  await expect(page).not.toHaveURL(/pack_page/);
});

test('@desktop «Estado» sorts by what is read: Activo, then Inactivo', async ({ page, api }) => {
  const { product_id } = await api.pack({ name: 'Letra A', alias: 'letra' });
  const off = await api.pack({ name: 'Letra B', alias: 'letra', product_id });
  await api.admin.call(updatePack, { params: { id: off.id }, body: { is_active: false } });
  await open(page, '?pack=letra');
  const packs = section(page, 'Packs');
  await packs.getByRole('columnheader', { name: 'Estado' }).click();
  await expect(packs.getByRole('columnheader', { name: 'Estado' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows(packs)).toHaveText([/Letra A.*Activo/, /Letra B.*Inactivo/]);
  await packs.getByRole('columnheader', { name: 'Estado' }).click();
  await expect(rows(packs)).toHaveText([/Letra B.*Inactivo/, /Letra A.*Activo/]);
});

/** A photograph of a telephone: large, of every colour. */
const photograph = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 1600;
    canvas.height = 1200;
    const context = canvas.getContext('2d');
    for (let i = 0; context && i < 400; i += 1) {
      context.fillStyle = `hsl(${i * 47} 80% 50%)`;
      context.fillRect((i * 71) % 1600, (i * 131) % 1200, 240, 180);
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });

test('a product’s picture is made small, and shown where its pack is chosen', async ({ page, api, openAs }) => {
  const { product_id, product_name, name } = await api.pack();
  await open(page, `?producto=${product_name}`);
  const buffer = Buffer.from(await photograph(page), 'base64');
  expect(buffer.length).toBeGreaterThan(MAX_PICTURE_BYTES);
  await product(page, product_name).getByRole('button', { name: 'Editar' }).click();
  const choose = page.waitForEvent('filechooser');
  await press(page, 'Elegir imagen');
  await (await choose).setFiles({ name: 'notas.txt', mimeType: 'image/png', buffer: Buffer.from('no es una foto') });
  await expect(dialog(page)).toContainText('No se pudo leer la imagen');
  const again = page.waitForEvent('filechooser');
  await press(page, 'Elegir imagen');
  await (await again).setFiles({ name: 'foto.png', mimeType: 'image/png', buffer });
  await expect(dialog(page).getByRole('button', { name: 'Quitar imagen' })).toBeVisible();
  await expectAccessible(page);
  await press(page, 'Guardar cambios');
  await expect(page.getByText('Producto actualizado')).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  const { picture } = (await api.admin.call(listProducts)).body.data.find(({ id }) => id === product_id) ?? {};
  const stored = await page.request.get(picture ?? '');
  expect((await stored.body()).length).toBeLessThanOrEqual(MAX_PICTURE_BYTES);

  const reseller = await openAs(await api.user('revendedor'));
  await reseller.goto('/pedidos/nuevo');
  await reseller.getByRole('combobox', { name: 'Pack' }).fill(product_name);
  const option = reseller.getByRole('option', { name: `${product_name} – ${name}` });
  const shown = await option
    .locator('img')
    .evaluate((img: HTMLImageElement) => img.decode().then(() => [img.naturalWidth, img.naturalHeight]));
  expect(Math.max(...shown)).toBeLessThanOrEqual(MAX_PICTURE_PIXELS);
  expect(Math.min(...shown)).toBeGreaterThan(100);
  await expectAccessible(reseller);

  await page.reload();
  await product(page, product_name).getByRole('button', { name: 'Editar' }).click();
  await press(page, 'Quitar imagen');
  await press(page, 'Guardar cambios');
  await expect(dialog(page)).toBeHidden();
  await expect.poll(async () => (await page.request.get(picture ?? '', { headers: { 'cache-control': 'no-cache' } })).status()).toBe(404);
});

test('a reseller has a price of their own, which the form shows and the order keeps', async ({ page, openAs, api }) => {
  const reseller = await api.user('revendedor');
  const pack = await api.pack({ pack_price: 20 });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/control-stock?pack=${encodeURIComponent(pack.name)}`);
  await page.getByRole('button', { name: `Precios por revendedor de ${pack.name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Precios por revendedor: ${pack.name}` });
  await expect(dialog.getByText('Ningún revendedor tiene un precio propio')).toBeVisible();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(dialog.getByText('Elige un revendedor')).toBeVisible();
  await dialog.getByLabel('Revendedor').fill(reseller.full_name);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Precio (€)').fill('17,5');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  const own = dialog.getByRole('list', { name: 'Precios propios' }).getByRole('listitem');
  await expect(own).toHaveText(new RegExp(`${reseller.full_name}.*Vigente.*17,50`));
  await expectAccessible(page, { within: '[role="dialog"]' });

  const theirs = await openAs(reseller);
  await theirs.goto('/pedidos/nuevo');
  await theirs.getByRole('combobox', { name: 'Pack' }).click();
  await expect(theirs.getByRole('option', { name: new RegExp(pack.name) })).toContainText('17,50');

  await own.getByRole('button', { name: /^Quitar el precio de/ }).click();
  await expect(dialog.getByText('Ningún revendedor tiene un precio propio')).toBeVisible();
});
