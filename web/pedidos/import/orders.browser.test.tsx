import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { importPedidos } from '../../../contract/pedidos/import.ts';
import { expectAccessible, open } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import {
  ANA,
  caja,
  create,
  done,
  EVA,
  field,
  made,
  openShop,
  paste,
  pick,
  picker,
  press,
  sent,
  start,
  status,
  TITLES,
  tarro,
} from '../../../test/web/importing.ts';

/* «Importar pedidos»: questions about a sheet, and orders of several rows. */

beforeEach(openShop);

test('an import asks once about unknown columns and words, and remembers the answers', async () => {
  const rows = [
    ['Nombre', 'Dirección', 'Pack', 'Bultos', 'Pagado'],
    ['Ana', 'Calle 1', 'Tarro', '2', 'Ingresado'],
    ['Eva', 'Calle 2', 'Tarro', '3', 'No'],
  ];
  const question = page.getByRole('group', { name: '1 fila dice «Ingresado» en «Pagado»' });
  open('/pedidos/importar', 'superadmin');
  await paste(rows);
  await expect.element(status).toMatchTextContent('2 pedidos · Cantidad: 1 en todas · 2 preguntas por contestar');
  await expect.element(create).toBeDisabled();
  await expectAccessible();
  await pick('Bultos', 'Cantidad');
  await expect.element(question).toMatchTextContent('Por ejemplo, la fila 2: Ana · Calle 1 · Tarro');
  await question.getByRole('button', { name: 'Pagado', exact: true }).click();
  await expect.element(create).toBeEnabled();
  await press('Empezar de nuevo');
  await page.getByRole('dialog').getByRole('button', { name: 'Empezar de nuevo' }).click();
  await paste([...rows, ['Luis', 'Calle 3', 'Caja grande', '1', 'Bizum hecho']]);
  await expect.element(page.getByRole('group', { name: '1 fila dice «Bizum hecho» en «Pagado»' })).toBeVisible();
  await expect.element(status).toMatchTextContent('3 pedidos · 1 ya pagado · 1 pregunta por contestar');
  await pick('Otro significado de «Bizum hecho»', 'Pagado con bizum');
  // A word that was known or answered can be changed.
  await page.getByText(/^Como la última vez:/).click();
  await pick('1 fila dice «Ingresado»', 'Por cobrar');
  await create.click();
  await expect
    .poll(() => sent()[0]?.filas.map(({ cantidad, pago }) => [cantidad, pago?.metodo]))
    .toEqual([
      [2, undefined],
      [3, undefined],
      [1, 'bizum'],
    ]);
});

test('rows with one order number become one order with several lines, whose customer is corrected once', async () => {
  start();
  await paste([
    ['Nº pedido', ...TITLES],
    ['#1001', ...ANA, 'Tarro', '2'],
    ['#1002', '', ...EVA.slice(1), 'Tarro', '1'],
    ['#1001', '', '', '', '', '', 'Caja grande', '1'],
    ['#1002', '', '', '', '', '', 'Caja grande', 'varios'],
  ]);
  await expect.element(status).toMatchTextContent('2 pedidos · 2 filas por corregir');
  await press('Todas (4)');
  await expect.element(page.getByText('Del pedido de la fila 2')).toBeVisible();
  expect(page.getByText('Pedido de 2 líneas').elements()).toHaveLength(2);
  await expectAccessible();
  await field('Nombre, fila 3').fill('Eva Gil');
  await field('Cantidad, fila 5').fill('2');
  await expect.element(status).toMatchTextContent(/^2 pedidos · Total 217,50\s€$/);
  // The server's refusal of a line is shown in its row.
  server.refuse(importPedidos, 422, { message: 'Fila 2: no', errors: { 'filas.1.lineas.1.pack_id': ['Selecciona un pack válido'] } });
  await create.click();
  await expect.element(picker('Pack, fila 5')).toHaveAccessibleDescription('Selecciona un pack válido');
  server.reply(importPedidos, ({ body }) => made(body));
  await pick('Pack, fila 5', /Tarro/);
  await expect.element(page.getByText('Mismo pack que la fila 3, en el mismo pedido')).toBeVisible();
  await press('Dejar así');
  await create.click();
  await expect.element(done('Se han creado 2 pedidos')).toBeVisible();
  const line = (pack_id: string, cantidad: number) => ({ pack_id, cantidad });
  expect(sent().at(-1)?.filas).toMatchObject([
    { cliente_nombre: 'Ana Ruiz', lineas: [line(tarro.id, 2), line(caja.id, 1)] },
    { cliente_nombre: 'Eva Gil', lineas: [line(tarro.id, 1), line(tarro.id, 2)] },
  ]);
});

test('rows of one customer can be joined into one order, and separated again', async () => {
  start();
  await paste([TITLES, [...ANA, 'Tarro', '2'], [...EVA, 'Tarro', '1'], [...ANA, 'Caja grande', '1']]);
  const question = page.getByRole('group', { name: '1 cliente tiene varias filas: ¿juntarlas en un pedido?' });
  await expect.element(question.getByText('Ana Ruiz: filas 2, 4')).toBeVisible();
  await expect.element(status).toMatchTextContent('3 pedidos · 1 pregunta por contestar');
  await expect.element(create).toBeDisabled();
  await expectAccessible();
  await question.getByRole('button', { name: 'Juntar' }).click();
  await expect.element(create).toMatchTextContent(/^Crear 2 pedidos$/);
  const joined = page.getByRole('checkbox', { name: 'Juntar en un pedido las filas de cada cliente' });
  await joined.click();
  await expect.element(create).toMatchTextContent(/^Crear 3 pedidos$/);
  await joined.click();
  await create.click();
  await expect.element(done('Se han creado 2 pedidos')).toBeVisible();
  expect(sent()[0]?.filas).toMatchObject([{ lineas: [{ cantidad: 2 }, { cantidad: 1 }] }, { pack_id: tarro.id }]);
});

/** Counts a person's clicks from now on; programs' own clicks are none. */
function clicks(): () => number {
  let n = 0;
  document.addEventListener('click', ({ isTrusted, detail }) => {
    if (isTrusted && detail > 0) n += 1;
  });
  return () => n;
}

test('ten faults of a sheet take fifteen clicks, and the next sheet of its program three', async () => {
  const titles = ['Cliente', 'Calle', 'Pack', 'Bultos', 'Talla', 'Estado del pedido', 'Pagado', 'Fecha de pago'];
  open('/pedidos/importar', 'superadmin');
  await expect.element(page.getByRole('button', { name: 'Leer las filas' })).toBeVisible();
  const first = clicks();
  await paste([
    titles,
    // Two columns, a word of two rows, one of payments, an empty cell, a day, a pack, a customer of two rows, a name, a total row.
    ['Ana Ruiz', 'Calle Mayor 3', 'Tarro', '2', 'L', 'Unshipped', 'Ingresado', '05/11/2026'],
    ['Eva Gil', 'Gran Vía 12', 'miel en tarro', '1', '', 'Shipped – Delivered to Buyer', 'No', ''],
    ['Luz Sanz', 'Plaza 4', 'Tarro', '1', '', 'Shipped – Delivered to Buyer', '', ''],
    ['Leo Mas', 'Calle Sol 9', 'miel en tarro', '1', '', 'Unshipped', '', ''],
    ['Leo Mas', 'Calle Sol 9', 'Caja grande', '1', '', 'Unshipped', 'No', ''],
    ['', 'Calle Luna 2', 'Tarro', '1', '', 'Unshipped', 'No', ''],
    ['Total', '', '', '6', '', '', '', ''],
  ]);
  await pick('Bultos', 'Cantidad');
  await press('No se usa');
  const answer = (question: RegExp, button: string) =>
    page.getByRole('group', { name: question }).getByRole('button', { name: button, exact: true }).click();
  await answer(/Delivered to Buyer/, 'Queda fuera');
  await answer(/«Ingresado»/, 'Pagado');
  await answer(/no dicen? nada en «Pagado»/, 'Por cobrar');
  await answer(/¿Qué día es 05\/11\/2026\?/, '5 de noviembre');
  await answer(/no tiene dirección ni producto/, 'No, quedan fuera');
  await answer(/tiene varias filas/, 'Juntar');
  await press('Sí, es Miel – Tarro');
  await field('Nombre, fila 7').click();
  await field('Nombre, fila 7').fill('Mia Paz');
  await expect.element(create).toBeEnabled();
  await create.click();
  await expect.element(done('Se han creado 3 pedidos')).toBeVisible();
  expect(sent()[0]?.filas.map(({ cliente_nombre, pago }) => [cliente_nombre, pago?.fecha])).toEqual([
    ['Ana Ruiz', '2026-11-05'],
    ['Leo Mas', undefined],
    ['Mia Paz', undefined],
  ]);
  expect(first()).toBeLessThanOrEqual(15);

  const second = clicks();
  await paste([
    titles,
    ['Rita Pla', 'Calle Mar 1', 'miel en tarro', '3', 'M', 'Unshipped', 'Ingresado', '06/11/2026'],
    ['Pau Roca', 'Calle Río 2', 'Tarro', '1', '', 'Shipped – Delivered to Buyer', '', ''],
    ['Total', '', '', '4', '', '', '', ''],
  ]);
  await create.click();
  await expect.element(done('Se ha creado 1 pedido')).toBeVisible();
  expect(sent()[1]?.filas).toMatchObject([{ cliente_nombre: 'Rita Pla', cantidad: 3, pago: { fecha: '2026-11-06' } }]);
  expect(second()).toBeLessThanOrEqual(3);
});
