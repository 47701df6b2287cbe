import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import { getPedido, listPedidos, type Pedido, setLineas } from '../../../contract/pedidos/pedidos.ts';
import { listPacks } from '../../../contract/products/products.ts';
import { expectAccessible, open, person } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPack, aPedido, listed, pageOf } from '../../../test/web/samples.ts';

/* «Cambiar productos»: edits the lines of an order that has no carrier yet. */

// The price of this pack has risen since the order was created.
const lata = aPack({ product_name: 'Aceite', name: 'Lata', pack_price: 99, available: true, quedan: 50 });
const tarro = aPack({ product_name: 'Miel', name: 'Tarro', pack_price: 4, available: true, quedan: 3 });
const linea = (numero: number, fields: Partial<Linea>): Linea => {
  const { precio_unitario = 10, cantidad = 1 } = fields;
  const of = { pack_id: lata.id, producto: 'Aceite – Lata' };
  return { numero, ...of, cantidad, precio_unitario, precio_total: precio_unitario * cantidad, unidades: cantidad, ...fields };
};

let pedido: Pedido;
beforeEach(() => {
  pedido = aPedido({ producto: 'Aceite – Lata', cantidad: 2, precio_unitario: 10, precio_total: 20, lineas: [linea(1, { cantidad: 2 })] });
  server.answer(listPacks, listed([lata, tarro]));
  server.reply(listPedidos, () => pageOf([{ ...pedido, lineas: undefined }]));
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(setLineas, () => asDone('Pedido actualizado', { ...pedido, version: pedido.version + 1 }));
});

const dialog = page.getByRole('dialog', { name: 'Cambiar productos' });
const field = (name: string) => dialog.getByRole('textbox', { name, exact: true }).or(dialog.getByRole('combobox', { name, exact: true }));
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
const more = page.getByRole('group', { name: 'Acciones del pedido' }).getByRole('button', { name: 'Más' });
const change = page.getByRole('menuitem', { name: 'Cambiar productos' });
async function start(fields: Partial<Pedido> = {}) {
  pedido = { ...pedido, ...fields };
  open(`/pedidos?pedido=${pedido.id}`);
  await more.click();
  await change.click();
  await expect.element(field('Cantidad')).toBeVisible();
}
async function add(words: string, label: string, at: number) {
  await press('Añadir otro producto');
  await userEvent.keyboard(`${words}{Enter}`);
  await expect.element(field(`Pack ${at}`)).toHaveValue(label);
}
const sent = () => server.asked(setLineas).map(({ body }) => body);

test('the effect of changed lines on the total and the payment is shown before saving', async () => {
  await start({ pagado: 20 });
  await expect.element(dialog).toMatchTextContent(/Aceite – Lata a 10,00\s€/);
  await expectAccessible();
  await field('Cantidad').fill('1');
  await expect.element(dialog).toMatchTextContent(/antes 20,00\s€\s*10,00\s€/);
  await expect.element(dialog).toMatchTextContent(/sobrarán 10,00\s€, que habrá que reembolsar al cliente/);
  await add('miel', 'Miel – Tarro', 2);
  await expect.element(field('Pack 2')).toHaveAccessibleDescription(/A 4,00\s€, el precio de hoy/);
  await field('Cantidad 2').fill('3');
  await press('Añadir línea libre');
  await userEvent.keyboard('Grabado');
  await field('Precio 3 (€)').fill('1,5');
  await field('Envío (€)').fill('5');
  await field('Descuento (€)').fill('0,5');
  await expect.element(dialog).toMatchTextContent(/faltarán 8,00\s€ por cobrar/);
  await expectAccessible();
  server.answer(setLineas, asDone('Pedido actualizado: el total es 28,00 €; pagados 20,00 €, faltan 8,00 €', pedido));
  await press('Guardar cambios');
  await expect.element(page.getByText('Pedido actualizado: el total es 28,00 €; pagados 20,00 €, faltan 8,00 €')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent()).toMatchObject([
    {
      lineas: [
        { numero: 1, cantidad: 1 },
        { pack_id: tarro.id, cantidad: 3 },
        { producto: 'Grabado', precio_unitario: 1.5, cantidad: 1 },
      ],
      envio: 5,
      descuento: 0.5,
      version: 1,
    },
  ]);
});

test('insufficient stock is shown as an error of the line', async () => {
  const sentence = 'Stock insuficiente de Miel: quedan 3 packs';
  server.refuse(setLineas, 422, { message: sentence, errors: { 'lineas.1.cantidad': [sentence] } });
  await start();
  await add('miel', 'Miel – Tarro', 2);
  await field('Cantidad 2').fill('4');
  await press('Guardar cambios');
  await expect.element(field('Cantidad 2')).toHaveAccessibleDescription(new RegExp(sentence));
  await expect.element(field('Cantidad 2')).toHaveFocus();
});

test('leaving unsaved lines by Escape or the back button asks first', async () => {
  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  open('/pedidos');
  await page.getByRole('button', { name: `Acciones del pedido ${pedido.numero_orden}` }).click();
  await page.getByRole('menuitem', { name: 'Ver' }).click();
  await more.click();
  await change.click();
  await add('miel', 'Miel – Tarro', 2);
  await field('Cantidad 2').fill('4');
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(question).not.toBeInTheDocument();
  history.back();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(field('Cantidad 2')).toHaveValue('4');
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent()).toEqual([]);
});

test('a form whose changes were reverted closes without confirmation', async () => {
  await start();
  await add('miel', 'Miel – Tarro', 2);
  await press('Quitar la línea 2');
  await expect.element(dialog.getByRole('button', { name: 'Añadir otro producto' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a conflict with another person’s change offers the stored and the typed lines', async () => {
  await start();
  await field('Cantidad').fill('5');
  server.refuse(setLineas, 409, { message: 'x', code: 'version' });
  const theirs = [linea(1, { pack_id: tarro.id, producto: 'Miel – Tarro', precio_unitario: 4 }), linea(2, { cantidad: 2 })];
  pedido = { ...pedido, lineas: theirs, envio: 3, num_lineas: 2, precio_total: 27, version: 2 };
  await press('Guardar cambios');
  await expect.element(dialog.getByText('Otra persona ha cambiado este pedido mientras lo editabas')).toBeVisible();
  const products = dialog.getByRole('group', { name: 'Productos' });
  await expect.element(products).toMatchTextContent(/5 × Aceite – Lata a 10,00\s€/);
  await expect.element(products).toMatchTextContent(/1 × Miel – Tarro a 4,00\s€; 2 × Aceite – Lata a 10,00\s€/);
  // Fields that only the other person changed are updated; typed fields stay.
  await expect.element(field('Envío (€)')).toHaveValue('3,00');
  await expect.element(field('Cantidad')).toHaveValue('5');
  await expectAccessible();
  await products.getByRole('button', { name: 'Usar lo guardado' }).click();
  await expect.element(field('Cantidad 2')).toHaveValue('2');
  await products.getByRole('button', { name: 'Mantener lo mío' }).click();
  await expect.element(field('Cantidad')).toHaveValue('5');
  server.answer(setLineas, asDone('Pedido actualizado', { ...pedido, version: 3 }));
  await press('Guardar cambios');
  await expect.element(dialog).not.toBeInTheDocument();
  // The line of «Aceite – Lata» is now the second.
  expect(sent()[1]).toMatchObject({ lineas: [{ numero: 2, cantidad: 5 }], envio: 3, version: 2 });
});

test('the form of an order that can no longer be changed says why, and closes without confirmation', async () => {
  await start();
  await field('Cantidad').fill('5');
  pedido = { ...pedido, estado: 'completado', metodo_entrega: 'manual', version: 2 };
  new BroadcastChannel('enruta-live').postMessage({ kind: 'change', topic: 'pedidos' });
  const reason = 'Los productos solo se pueden cambiar mientras el pedido está sin pagar o pendiente.';
  await expect.element(dialog.getByText(reason)).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Guardar cambios' })).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Cerrar' }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a reseller cannot change a line written by a superadmin, but can change other lines', async () => {
  const cesta = { pack_id: null, producto: 'Cesta a medida', cantidad: 2, precio_unitario: 30, unidades: 0 };
  const lineas = [linea(1, cesta), linea(2, {})];
  pedido = { ...pedido, estado: 'pendiente_pago', revendedor_id: person('revendedor').id, lineas, num_lineas: 2, precio_total: 70 };
  open(`/mis-pedidos?pedido=${pedido.id}`, 'revendedor');
  await page.getByRole('dialog').getByRole('button', { name: 'Más' }).click();
  await page.getByRole('menuitem', { name: 'Cambiar productos' }).click();
  await expect.element(field('Cantidad')).toBeDisabled();
  await expect.element(field('Cantidad')).toHaveAccessibleDescription('La ha puesto un administrador');
  await expect.element(dialog.getByRole('button', { name: 'Añadir línea libre' })).not.toBeInTheDocument();
  await expect.element(field('Envío (€)')).not.toBeInTheDocument();
  await field('Cantidad 2').fill('3');
  await press('Guardar cambios');
  await expect.element(page.getByText('Pedido actualizado')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent()).toEqual([
    {
      lineas: [expect.objectContaining({ numero: 1, cantidad: 2 }), expect.objectContaining({ numero: 2, cantidad: 3 })],
      version: 1,
    },
  ]);
});
