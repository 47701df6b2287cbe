import type { Page } from '@playwright/test';
import { anotarPago } from '../contract/payments.ts';
import { createPedido, getPedido, setEstado, setLineas } from '../contract/pedidos.ts';
import { updatePack } from '../contract/products.ts';
import { type Arranger, expect, expectAccessible, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Cambiar productos»: the lines of an order that nobody has taken. */

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Cambiar productos' });
const field = (page: Page, name: string) =>
  dialog(page)
    .getByRole('textbox', { name, exact: true })
    .or(dialog(page).getByRole('combobox', { name, exact: true }));
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Guardar cambios' });

/** A pack at 10 €, another at 4 €, and an order of two of the first. */
async function shop(api: Arranger, given: object = {}) {
  const [oil, honey] = [await api.product({ name: 'Aceite' }), await api.product({ name: 'Miel', stock: 3 })];
  const [can, jar] = [
    await api.pack({ product_id: oil.id, name: 'Lata', pack_price: 10 }),
    await api.pack({ product_id: honey.id, name: `Tarro ${honey.id.slice(0, 4)}`, pack_price: 4 }),
  ];
  const pedido = await api.pedido({ pack_id: can.id, cantidad: 2, ...given });
  return { can, jar, pedido };
}
const read = async (api: Arranger, id: string) => (await api.admin.call(getPedido, { params: { id } })).body.data;

async function open(page: Page, { id }: { id: string }) {
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/pedidos?pedido=${id}`);
  await page.getByRole('group', { name: 'Acciones del pedido' }).getByRole('button', { name: 'Cambiar productos' }).click();
  await expect(dialog(page)).toBeVisible();
}
async function add(page: Page, name: string) {
  await dialog(page).getByRole('button', { name: 'Añadir otro producto' }).click();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

test('lines keep their price, new ones have today’s, and what it means for the payment is said before and after', async ({ page, api }) => {
  const { can, jar, pedido } = await shop(api);
  const fecha = new Date().toISOString().slice(0, 10);
  await api.admin.call(anotarPago, { params: { id: pedido.id }, body: { metodo: 'efectivo', importe: 20, fecha } });
  await api.admin.call(updatePack, { params: { id: can.id }, body: { pack_price: 99 } });
  await open(page, pedido);
  await expect(dialog(page)).toContainText(/Aceite – Lata a 10,00\s€/);
  await expectAccessible(page);
  await field(page, 'Cantidad').fill('1');
  await expect(dialog(page)).toContainText(/antes 20,00\s€\s*10,00\s€/);
  await expect(dialog(page)).toContainText(/sobrarán 10,00\s€, que habrá que devolver al cliente/);
  await add(page, jar.name);
  await expect(field(page, 'Pack 2')).toHaveAccessibleDescription(/A 4,00\s€, el precio de hoy/);
  await field(page, 'Cantidad 2').fill('3');
  await dialog(page).getByRole('button', { name: 'Añadir línea libre' }).click();
  await page.keyboard.type('Grabado');
  await field(page, 'Precio 3 (€)').fill('1,5');
  await field(page, 'Envío (€)').fill('5');
  await field(page, 'Descuento (€)').fill('0,5');
  await expect(dialog(page)).toContainText(/faltarán 8,00\s€ por cobrar/);
  await expectAccessible(page);
  await save(page).click();
  await expect(page.getByText(/Pedido actualizado: el total es 28,00\s€; pagados 20,00\s€, faltan 8,00\s€/)).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  const { lineas, ...now } = (await read(api, pedido.id)) as { lineas?: object[] };
  expect(now).toMatchObject({ envio: 5, descuento: 0.5, precio_total: 28 });
  expect(lineas).toMatchObject([
    { cantidad: 1, precio_unitario: 10 },
    { pack_id: jar.id, cantidad: 3 },
    { producto: 'Grabado', pack_id: null, precio_total: 1.5 },
  ]);
});

test('too little stock is said under its line, and what is left unsaved is asked about', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422/);
  const { jar, pedido } = await shop(api);
  await open(page, pedido);
  await add(page, jar.name);
  await field(page, 'Cantidad 2').fill('4');
  await save(page).click();
  await expect(field(page, 'Cantidad 2')).toHaveAccessibleDescription(/Stock insuficiente de Miel: quedan 3 packs/);
  await expect(field(page, 'Cantidad 2')).toBeFocused();

  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(question).toBeHidden();
  await page.goBack();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(field(page, 'Cantidad 2')).toHaveValue('4');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(dialog(page)).toBeHidden();
  expect(await read(api, pedido.id)).toMatchObject({ cantidad: 2, version: 1 });

  // Untouched, or changed and put back, it closes without a question.
  await page.getByRole('group', { name: 'Acciones del pedido' }).getByRole('button', { name: 'Cambiar productos' }).click();
  await add(page, jar.name);
  await dialog(page).getByRole('button', { name: 'Quitar la línea 2' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Añadir otro producto' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
});

test('of what somebody else has saved meanwhile nothing is overwritten unasked', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const { jar, pedido } = await shop(api);
  const params = { id: pedido.id };
  await open(page, pedido);
  await field(page, 'Cantidad').fill('5');
  const lineas = [{ pack_id: jar.id }, { numero: 1, cantidad: 2 }];
  expect((await api.admin.call(setLineas, { params, body: { lineas, envio: 3, version: 1 } })).status).toBe(200);
  await save(page).click();
  await expect(dialog(page).getByText('Otra persona ha cambiado este pedido mientras lo editabas')).toBeVisible();
  const products = dialog(page).getByRole('group', { name: 'Productos' });
  await expect(products).toContainText(/5 × Aceite – Lata a 10,00\s€/);
  await expect(products).toContainText(/1 × Miel – Tarro \w+ a 4,00\s€; 2 × Aceite – Lata a 10,00\s€/);
  // What only the other has changed is taken over, what this one has typed stays.
  await expect(field(page, 'Envío (€)')).toHaveValue('3,00');
  await expect(field(page, 'Cantidad')).toHaveValue('5');
  await expectAccessible(page);
  await products.getByRole('button', { name: 'Usar lo guardado' }).click();
  await expect(field(page, 'Cantidad 2')).toHaveValue('2');
  await products.getByRole('button', { name: 'Mantener lo mío' }).click();
  await expect(field(page, 'Cantidad')).toHaveValue('5');
  await save(page).click();
  await expect(dialog(page)).toBeHidden();
  expect(await read(api, pedido.id)).toMatchObject({ precio_total: 53, lineas: [{ cantidad: 5, precio_unitario: 10 }] });
});

test('whoever is too late is told why, and nothing is asked about what can no longer be saved', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 409/);
  const { pedido } = await shop(api);
  await open(page, pedido);
  await field(page, 'Cantidad').fill('5');
  const done = { estado: 'completado', metodo_entrega: 'manual' } as const;
  expect((await api.admin.call(setEstado, { params: { id: pedido.id }, body: done })).status).toBe(200);
  await expect(dialog(page).getByText('Los productos solo se pueden cambiar mientras el pedido está sin pagar o pendiente.')).toBeVisible();
  await expect(save(page)).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Cerrar' }).last().click();
  await expect(dialog(page)).toBeHidden();
});

test('a reseller keeps what a superadmin has written, and changes the rest', async ({ page, api }) => {
  const { can } = await shop(api);
  const rita = await api.user('revendedor');
  const lineas = [{ producto: 'Cesta a medida', cantidad: 2, precio_unitario: 30 }, { pack_id: can.id }];
  const body = {
    cliente_nombre: 'Ana',
    cliente_direccion: 'Calle Alta 1',
    revendedor_id: rita.id,
    estado: 'pendiente_pago',
    lineas,
  } as const;
  const { data } = (await api.admin.call(createPedido, { body: { ...body, lineas: [...lineas] } })).body;
  await signIn(page, rita.email, rita.password);
  await page.goto(`/mis-pedidos?pedido=${data.id}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Cambiar productos' }).click();
  await expect(field(page, 'Cantidad')).toBeDisabled();
  await expect(field(page, 'Cantidad')).toHaveAccessibleDescription('La ha puesto un administrador');
  await expect(dialog(page).getByRole('button', { name: 'Añadir línea libre' })).toHaveCount(0);
  await expect(field(page, 'Envío (€)')).toHaveCount(0);
  await field(page, 'Cantidad 2').fill('3');
  await save(page).click();
  await expect(page.getByText(/Pedido actualizado: el total es 90,00\s€/)).toBeVisible();
  await expect(dialog(page)).toBeHidden();
});
