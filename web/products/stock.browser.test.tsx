import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import {
  createPack,
  createProduct,
  listPacks,
  listProducts,
  type Pack,
  type Product,
  updatePack,
  updateProduct,
} from '../../contract/products/products.ts';
import { address, expectAccessible, open, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { head, row, rows, sortOf, textsOf } from '../../test/web/list.ts';
import { aPack, aProduct, listed } from '../../test/web/samples.ts';

/* «Control de Stock»: products, their stock and their packs. */

let products: Product[];
let packs: Pack[];
beforeEach(() => {
  [products, packs] = [[], []];
  server.reply(listProducts, () => listed(products));
  server.reply(listPacks, () => listed(packs));
  server.reply(createProduct, ({ body }) => {
    const made = aProduct(body as Partial<Product>);
    products = [...products, made];
    return asDone('Producto creado exitosamente', made);
  });
  acceptPacks();
  server.reply(updateProduct, ({ params, body }) => {
    products = products.map((product) => (product.id === params.id ? { ...product, ...(body as Partial<Product>) } : product));
    return asDone('Producto actualizado', products.find(({ id }) => id === params.id) as Product);
  });
  server.reply(updatePack, ({ params, body }) => {
    packs = packs.map((pack) => (pack.id === params.id ? { ...pack, ...(body as Partial<Pack>) } : pack));
    return asDone('Pack actualizado', packs.find(({ id }) => id === params.id) as Pack);
  });
});

const acceptPacks = () =>
  server.reply(createPack, ({ body }) => {
    const product_name = products.find(({ id }) => id === body.product_id)?.name ?? '';
    const made = aPack({ ...(body as Partial<Pack>), product_name, available: true });
    packs = [...packs, made];
    return asDone('Pack creado', made);
  });

const section = (name: 'Productos' | 'Packs') => page.getByRole('region', { name, exact: true }).first();
const product = (name: string) => row(name, section('Productos'));
const pack = (name: string) => row(name, section('Packs'));
const dialog = page.getByRole('dialog');
const field = (label: string) => dialog.getByLabelText(new RegExp(`^${label.replace(/[()]/g, '\\$&')}( \\*)?$`));
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
async function choose(label: string, option: string) {
  await dialog.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('a new product needs a name and whole numbers, and its price makes a pack of one unit', async () => {
  open('/control-stock');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Control de Stock' })).toBeVisible();
  await expect.element(page.getByText('No hay productos')).toBeVisible();
  await expect.element(page.getByText('No hay packs')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Nuevo pack' })).toBeDisabled();
  await expectAccessible();

  await page.getByRole('button', { name: 'Nuevo producto' }).click();
  await expect.element(field('Nombre')).toHaveFocus();
  await expect.element(dialog.getByRole('combobox', { name: 'Estado' })).toHaveValue('Inactivo');
  await field('Stock').fill('-1');
  await field('Stock mínimo').fill('dos');
  await press('Crear producto');
  await expect.element(field('Nombre')).toHaveAccessibleDescription('El nombre es obligatorio');
  await expect.element(field('Stock')).toHaveAccessibleDescription(/Stock inicial inválido/);
  await expect.element(field('Stock mínimo')).toHaveAccessibleDescription(/Stock mínimo inválido/);
  await expect.element(field('Nombre')).toHaveFocus();
  await expectAccessible();

  await field('Nombre').fill('  Aceite virgen  ');
  await field('Descripción').fill('Botella de 750 ml');
  await field('Stock').fill('1.200');
  await field('Stock mínimo').fill('');
  await choose('Estado', 'Activo');
  await press('Crear producto');
  await expect.element(page.getByText('Producto creado exitosamente')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(createProduct).map(({ body }) => body)).toEqual([
    { name: 'Aceite virgen', description: 'Botella de 750 ml', stock: 1200, min_stock: 0, is_active: true },
  ]);
  await expect.element(product('Aceite virgen')).toMatchTextContent(/Botella de 750 ml.*1\.200/);

  await page.getByRole('button', { name: 'Nuevo producto' }).click();
  await field('Nombre').fill('ACEITE vírgen ');
  await expect.element(field('Nombre')).toHaveAccessibleDescription('Ya hay un producto con ese nombre');
  await expectAccessible();
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(question).not.toBeInTheDocument();
  // Two products may share a name.
  await field('Precio (€)').fill('12,50');
  await press('Crear producto');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(createPack).map(({ body }) => body)).toMatchObject([
    { name: 'Unidad', alias: 'ACEITE vírgen', pack_quantity: 1, pack_price: 12.5, is_active: true },
  ]);
  await expect.element(page.getByRole('status').filter({ hasText: 'Aún no se vende: está inactivo.' })).toBeVisible();
  await page.getByRole('button', { name: 'Activarlo' }).click();
  await expect.element(page.getByText('Producto actualizado')).toBeVisible();
  const made = products.at(-1);
  expect(server.asked(updateProduct)).toMatchObject([{ params: { id: made?.id }, body: { is_active: true, version: made?.version } }]);

  server.refuse(createPack, 422, { message: 'Ese alias ya existe' });
  await page.getByRole('button', { name: 'Nuevo producto' }).click();
  await field('Nombre').fill('Miel');
  await field('Precio (€)').fill('4');
  await press('Crear producto');
  await expect.element(page.getByRole('alert').filter({ hasText: 'El producto se ha creado, pero no su pack' })).toBeVisible();
  await expect.element(product('Miel')).toBeVisible();
});

test('products and packs can be created and edited, and a pack of an inactive product is not offered', async () => {
  const queso = aProduct({ name: 'Queso manchego', description: 'Curado', stock: 40, metadata: { sku: 'Q-7' } });
  products = [queso, aProduct()];
  packs = [aPack({ product_id: queso.id, product_name: queso.name, name: 'Queso entero', available: true })];
  open('/control-stock');
  await page.getByRole('button', { name: 'Nuevo pack' }).click();
  await expect.element(dialog.getByRole('combobox', { name: 'Producto' })).toHaveFocus();
  await expect.element(field('Cantidad')).toHaveValue('1');
  await expect.element(field('Precio (€)')).toHaveValue('0,00');
  await expect.element(dialog.getByRole('combobox', { name: 'Estado' })).toHaveValue('Activo');
  await field('Cantidad').fill('0');
  await field('Precio (€)').fill('gratis');
  await press('Crear pack');
  await expect.poll(() => dialog.getByText('Producto y nombre son obligatorios').elements()).toHaveLength(2);
  await expect.element(field('Alias')).toHaveAccessibleDescription(/Alias es obligatorio/);
  await expect.element(field('Cantidad')).toHaveAccessibleDescription(/Cantidad o precio inválidos/);
  await expect.element(field('Precio (€)')).toHaveAccessibleDescription(/Cantidad o precio inválidos/);
  await expectAccessible();

  await userEvent.keyboard('{Escape}');
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await choose('Producto', 'Queso manchego');
  await field('Nombre del pack').fill('Caja de 6');
  await field('Alias').fill('AC6');
  await field('Cantidad').fill('6');
  await field('Precio (€)').fill('1.234,5');
  await userEvent.tab();
  await expect.element(field('Precio (€)')).toHaveValue('1234,50');
  await press('Crear pack');
  await expect.element(page.getByText('Pack creado')).toBeVisible();
  expect(server.asked(createPack)[0]?.body).toMatchObject({ name: 'Caja de 6', alias: 'AC6', pack_quantity: 6, pack_price: 1234.5 });
  await expect.element(pack('Caja de 6')).toMatchTextContent(/Queso manchego.*AC6.*1\.234,50\s€/);

  await page.getByRole('button', { name: 'Editar Caja de 6' }).click();
  await expect.element(field('Producto')).toHaveValue('Queso manchego');
  await expect.element(field('Producto')).toHaveAttribute('readonly');
  await expectAccessible();
  await field('Precio (€)').click();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(field('Precio (€)')).toHaveValue('1234,51');
  await field('Alias').fill('VT4');
  await choose('Estado', 'Inactivo');
  await press('Guardar cambios');
  await expect.element(page.getByText('Pack actualizado')).toBeVisible();
  await expect.element(pack('Caja de 6')).toMatchTextContent(/VT4.*1\.234,51\s€.*Inactivo/);
  await expect.element(pack('Caja de 6')).not.toMatchTextContent('No se ofrece');

  await expect.element(pack('Queso entero')).not.toMatchTextContent('No se ofrece');
  await page.getByRole('button', { name: 'Editar Queso manchego' }).click();
  await expect.element(dialog.getByRole('heading', { name: 'Editar producto' })).toBeVisible();
  await expect.element(field('Descripción')).toHaveValue('Curado');
  await expect.element(dialog.getByRole('region', { name: 'Datos de programas' })).toMatchTextContent(/sku\s*Q-7/);
  await expectAccessible();
  await field('Nombre').fill('Queso curado');
  await field('Stock').click();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(field('Stock')).toHaveValue('41');
  await choose('Estado', 'Inactivo');
  packs = packs.map((pack) => ({ ...pack, available: false }));
  await press('Guardar cambios');
  await expect.element(page.getByText('Producto actualizado')).toBeVisible();
  expect(server.asked(updateProduct)[0]?.body).toMatchObject({
    name: 'Queso curado',
    stock: 41,
    stock_visto: 40,
    is_active: false,
    version: 1,
  });
  expect(server.asked(updateProduct)[0]?.body).not.toHaveProperty('metadata');
  await expect.element(product('Queso curado')).toMatchTextContent('Inactivo');
  await expect.element(pack('Queso entero')).toMatchTextContent('No se ofrece: producto inactivo');
});

test('«Para empezar» opens the form of the first product, and the first pack leads to the first order', async () => {
  open('/control-stock?primero=si');
  await expect.element(page.getByRole('dialog', { name: 'Nuevo producto' })).toBeVisible();
  await expect.poll(address).toBe('/control-stock');
  await field('Nombre').fill('Queso fresco');
  await press('Crear producto');
  await page.getByRole('button', { name: 'Nuevo pack' }).click();
  await expect.element(dialog.getByRole('combobox', { name: 'Producto' })).toHaveValue('Queso fresco (inactivo)');
  await expect.element(field('Nombre del pack')).toHaveFocus();
  await userEvent.keyboard('Entero');
  await field('Alias').fill('QE');
  server.reply(createPack, ({ body }) => asDone('Pack creado', aPack({ ...(body as Partial<Pack>), available: true, quedan: 5 })));
  await press('Crear pack');
  await page.getByRole('button', { name: 'Crear un pedido' }).click();
  await expect.poll(address).toBe('/pedidos/nuevo-admin');
  await expect.element(page.getByRole('combobox', { name: 'Nombre', exact: true })).toHaveFocus();
  // The same address opens no form once there is a product.
  open('/control-stock?primero=si');
  await expect.poll(address).toBe('/control-stock');
  await expect.element(product('Queso fresco')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('removing more than the remaining stock is refused, and stock moved meanwhile is reported', async () => {
  const sal = aProduct({ name: 'Sal en escamas', stock: 10 });
  products = [sal];
  open('/control-stock');
  await page.getByRole('button', { name: 'Editar Sal en escamas' }).click();
  products = [{ ...sal, stock: 2 }];
  server.refuse(updateProduct, 422, {
    message: 'Stock insuficiente: quedan 2 unidades',
    errors: { stock: ['Stock insuficiente: quedan 2 unidades'] },
  });
  await field('Stock').fill('4');
  await press('Guardar cambios');
  expect(server.asked(updateProduct)[0]?.body).toMatchObject({ stock: 4, stock_visto: 10 });
  await expect.element(field('Stock')).toHaveAccessibleDescription(/Stock insuficiente: quedan 2 unidades/);
  await expect.element(field('Stock')).toHaveValue('4');
  await expect.element(field('Stock')).toHaveFocus();
  await expect.element(dialog).toMatchTextContent('había 10 y ahora hay 2');
  await press('Partir de 2');
  await expect.element(field('Stock')).toHaveValue('2');

  server.answer(updateProduct, asDone('Producto actualizado', { ...sal, stock: 12 }));
  await field('Stock').fill('15');
  await press('Guardar cambios');
  await expect.element(page.getByText('El stock se movió mientras editabas: ahora hay 12 unidades de Sal en escamas')).toBeVisible();
  expect(server.asked(updateProduct).at(-1)?.body).toMatchObject({ stock: 15, stock_visto: 2 });
});

test('the lists of products and packs offer a retry if they fail to load', async () => {
  server.refuse(listProducts, 500, { message: 'Ha ocurrido un error inesperado' });
  server.refuse(listPacks, 500, { message: 'Ha ocurrido un error inesperado' });
  open('/control-stock');
  await expect.element(page.getByText('No se pudieron cargar los productos')).toBeVisible();
  await expect.element(page.getByText('No se pudieron cargar los packs')).toBeVisible();
  await expectAccessible();
  server.answer(listPacks, { success: true, data: [] });
  await section('Packs').getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(page.getByText('No se pudieron cargar los packs')).not.toBeInTheDocument();
});

test('a reseller who opens the stock is redirected home', async () => {
  open('/control-stock', 'revendedor');
  await expect.poll(address).toBe('/revendedor-dashboard');
});

test('search, sorting, pages and the low-stock filter of the lists are kept in the address', async () => {
  products = [
    aProduct({ name: 'Piñón de Castilla', stock: 5, min_stock: 5 }),
    aProduct({ name: 'Almendra marcona', stock: 6, min_stock: 5 }),
  ];
  packs = [
    aPack({ name: 'Saco grande letra A', alias: 'PIN-S', is_active: true }),
    aPack({ name: 'Lata chica letra B', alias: 'ALM-L', is_active: false }),
    ...Array.from({ length: 24 }, (_, i) => aPack({ name: `Lote n.º ${i + 1}`, alias: `LOTE-${i + 1}` })),
  ];
  open('/control-stock?pack=lote');
  await expect.element(product('Piñón de Castilla')).toMatchTextContent('Bajo stock');
  await expect.element(product('Almendra marcona')).not.toMatchTextContent('Bajo stock');

  await expect.element(section('Packs')).toMatchTextContent('Mostrando 20 de 24 packs');
  await section('Packs').getByRole('button', { name: 'Siguiente' }).click();
  await expect.element(section('Packs')).toMatchTextContent('Mostrando 4 de 24 packs');
  await expect.poll(address).toContain('pack_page=2');
  await page.getByRole('searchbox', { name: 'Buscar pack por nombre o alias' }).fill('lote-2');
  await expect.element(pack('LOTE-24')).toBeVisible();
  await expect.poll(address).not.toContain('pack_page');

  await page.getByRole('searchbox', { name: 'Buscar pack por nombre o alias' }).fill('letra');

  const [A, B] = [expect.stringMatching(/letra A.*Activo/), expect.stringMatching(/letra B.*Inactivo/)];
  await head('Estado', section('Packs')).click();
  await expect.poll(() => sortOf('Estado', section('Packs'))).toBe('ascending');
  await expect.poll(() => textsOf(rows(section('Packs')))).toEqual([A, B]);
  await head('Estado', section('Packs')).click();
  await expect.poll(() => textsOf(rows(section('Packs')))).toEqual([B, A]);

  await page.getByRole('searchbox', { name: 'Buscar producto por nombre' }).fill('pinon');
  await expect.element(product('Almendra marcona')).not.toBeInTheDocument();
  await expect.element(product('Piñón de Castilla')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Buscar pack por nombre o alias' }).fill('alm-l');
  await expect.element(pack('Saco grande')).not.toBeInTheDocument();
  await page.getByRole('searchbox', { name: 'Buscar pack por nombre o alias' }).fill('saco');
  await expect.element(pack('Saco grande')).toBeVisible();
  await expect.element(pack('Lata chica')).not.toBeInTheDocument();
  await expect.poll(address).toContain('producto=pinon');
  expect(address()).toContain('pack=saco');
  reload();
  await expect.element(pack('Saco grande')).toBeVisible();
  await expect.element(pack('Lata chica')).not.toBeInTheDocument();
  await page.getByRole('searchbox', { name: 'Buscar producto por nombre' }).fill('nada así');
  await expect.element(page.getByText('Ningún producto coincide con los filtros')).toBeVisible();

  const low = page.getByRole('link', { name: /^Bajo Stock/ });
  await expect.element(low).toMatchTextContent('1');
  await low.click();
  await expect.element(product('Almendra marcona')).not.toBeInTheDocument();
  await expect.poll(address).toContain('ver=bajo');
  reload();
  await expect.element(product('Piñón de Castilla')).toBeVisible();
  await expect.element(product('Almendra marcona')).not.toBeInTheDocument();
});
