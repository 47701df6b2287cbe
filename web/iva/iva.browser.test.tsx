import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ponerTipos } from '../../contract/facturables/facturables.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { calcularTotal, createPedido, getPedido, listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { listPacks, listProducts, type Product, updateProduct } from '../../contract/products/products.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPack, aPedido, aProduct, aTotal, listed, pageOf } from '../../test/web/samples.ts';

/* VAT on screens of other features, and its absence in a shop without VAT. */

const ON = { iva: true } as const;
const packs = [aPack({ product_name: 'Aceite', name: 'Caja', available: true, quedan: 9 })];
let order: Pedido;
let products: Product[];
beforeEach(() => {
  order = aPedido();
  products = [aProduct({ name: 'Aceite' })];
  server.reply(getPedido, () => ({ data: order }));
  server.answer(listPacks, listed(packs));
  server.reply(listProducts, () => listed(products));
  server.reply(updateProduct, ({ body }) => asDone('Producto actualizado', { ...(products[0] as Product), ...(body as Partial<Product>) }));
});

const line = (numero: number, iva: '10' | null) => ({
  numero,
  pack_id: null,
  producto: `Cesta ${numero}`,
  cantidad: 1,
  precio_unitario: 11,
  precio_total: 11,
  unidades: 0,
  iva,
});

test('an open order shows base and VAT, and offers to fill in missing rates', async () => {
  order = aPedido({
    lineas: [line(1, '10'), line(2, null)],
    num_lineas: 2,
    iva: [
      { tipo: '10', base: 10, cuota: 1, total: 11 },
      { tipo: 'sin_tipo', base: 11, cuota: 0, total: 11 },
    ],
  });
  server.reply(ponerTipos, () => {
    order = { ...order, lineas: [line(1, '10'), line(2, '10')], iva: [{ tipo: '10', base: 20, cuota: 2, total: 22 }] };
    return asDone('Puesto en 1 línea', { lineas: 1, sin_tipo: [] });
  });
  open(`/pedidos/${order.id}`, 'superadmin', ON);
  await expect.element(page.getByText('Base 10,00 € · IVA 10 % 1,00 €')).toBeVisible();
  await expect.element(page.getByText('1 línea sin tipo de IVA')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Poner el tipo del producto' }).click();
  await expect.element(page.getByText('Base 20,00 € · IVA 10 % 2,00 €')).toBeVisible();
  await expect.element(page.getByText('sin tipo de IVA')).not.toBeInTheDocument();
  expect(server.asked(ponerTipos)[0]?.body).toEqual({ pedido_id: order.id });
});

test('a missing VAT rate is not shown to a reseller, who cannot fill it in', async () => {
  order = aPedido({ lineas: [line(1, null)], iva: [{ tipo: 'sin_tipo', base: 11, cuota: 0, total: 11 }] });
  const { lineas: _, iva: __, ...listedRow } = order;
  server.reply(listPedidos, () => pageOf([listedRow as Pedido]));
  open('/mis-pedidos', 'revendedor', ON);
  await page.getByRole('link', { name: order.numero_orden, exact: true }).click();
  await expect.element(page.getByRole('dialog', { name: new RegExp(order.numero_orden) })).toBeVisible();
  await expect.element(page.getByText('1 línea sin tipo de IVA')).not.toBeInTheDocument();
});

test('a product’s dialog asks for the VAT rate, and says that existing orders keep theirs', async () => {
  open('/control-stock', 'superadmin', ON);
  await row('Aceite', page.getByRole('region', { name: 'Productos', exact: true }).first())
    .getByRole('button', { name: /^Editar/ })
    .click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/Los pedidos ya hechos conservan el suyo/)).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Tipo de IVA' }).click();
  await page.getByRole('option', { name: '10 %' }).click();
  await dialog.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect.poll(() => server.asked(updateProduct)[0]?.body).toMatchObject({ iva: '10' });
});

test('the form of a new order checks the NIF, and asks for the VAT rate of a free line', async () => {
  localStorage.setItem('mas-datos', 'abierto');
  server.reply(calcularTotal, ({ body }) => aTotal(body, packs, 0));
  server.reply(createPedido, () => ({ ...asDone('Pedido creado', aPedido()), avisos: [], payment_link: null }));
  open('/pedidos/nuevo-admin', 'superadmin', ON);
  await page.getByRole('button', { name: 'Añadir línea libre' }).click();
  await page.getByRole('textbox', { name: 'Descripción' }).fill('Cesta');
  await page.getByRole('textbox', { name: 'Precio (€)' }).fill('11');
  await page.getByRole('combobox', { name: 'Tipo de IVA' }).click();
  await page.getByRole('option', { name: '4 %' }).click();
  await page
    .getByRole('combobox', { name: 'Nombre', exact: true })
    .or(page.getByRole('textbox', { name: 'Nombre', exact: true }))
    .fill('Ana');
  await page.getByRole('textbox', { name: 'Dirección', exact: true }).fill('Calle 1');
  const nif = page.getByRole('textbox', { name: 'NIF' });
  await nif.fill('12345678A');
  await page.getByRole('button', { name: 'Crear pedido', exact: true }).click();
  await expect.element(page.getByText('El NIF no es válido: comprueba su letra o su número').first()).toBeVisible();
  await nif.fill('12345678Z');
  await page.getByRole('button', { name: 'Crear pedido', exact: true }).click();
  await expect
    .poll(() => server.asked(createPedido)[0]?.body)
    .toMatchObject({ cliente_nif: '12345678Z', lineas: [{ producto: 'Cesta', iva: '4' }] });
});

test('a shop without VAT sees no field and no figure of VAT', async () => {
  localStorage.setItem('mas-datos', 'abierto');
  open('/pedidos/nuevo-admin');
  await page.getByRole('button', { name: 'Añadir línea libre' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Descripción' })).toBeVisible();
  await expect.element(page.getByRole('textbox', { name: 'País' })).toBeVisible();
  expect(document.body.textContent).not.toMatch(/IVA|NIF/);
  open(`/pedidos/${order.id}`);
  await expect.element(page.getByRole('heading', { name: new RegExp(order.cliente_nombre) }).first()).toBeVisible();
  expect(document.body.textContent).not.toMatch(/IVA|NIF/);
});
