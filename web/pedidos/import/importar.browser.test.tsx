import { zipSync } from 'fflate';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { checkImport, deshacerImport, importPedidos, listImports } from '../../../contract/pedidos/import.ts';
import { logout } from '../../../contract/session/session.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { address, expectAccessible, onPhone, open, reload } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import {
  ANA,
  caja,
  check,
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
  shop,
  start,
  status,
  TITLES,
  tarro,
} from '../../../test/web/importing.ts';
import { aUser, listed } from '../../../test/web/samples.ts';

/* «Importar pedidos»: rows of a sheet are corrected in place, and all orders are created or none. */

beforeEach(openShop);

async function choose(name: string, content: BlobPart) {
  await expect.element(page.getByRole('button', { name: 'Elegir archivo' })).toBeVisible();
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, new File([content], name));
}
const TWO = [
  ['Nombre', 'Dirección', 'Pack'],
  ['Ana', 'Calle 1', 'Tarro'],
  ['Eva', 'Calle 2', 'Tarro'],
];

test('an import reads payments and amounts, and shows the rows and columns left out', async () => {
  open('/pedidos/importar', 'superadmin');
  const titles = [...TITLES, 'Pagado', 'Método de pago', 'Portes', 'Total', 'Talla'];
  await paste([
    titles,
    [...ANA, 'Tarro', '2', 'Sí', 'Bizum', '0,00', '25,00', 'L'],
    [...EVA, 'Tarro', '1', 'No', 'Contra reembolso', '0,00', '15,00', ''],
    ['Total', '', '', '', '', '', '3', '', '', '', '40,00', ''],
  ]);
  await press('No se usa');
  await press('No, quedan fuera');
  await expect.element(page.getByText('1 fila no es un pedido')).toBeVisible();
  await expect.element(page.getByText('sin dirección ni producto: Total (fila 4)')).toBeVisible();
  await expect.element(page.getByText('La columna «Talla» no se usa.')).toBeVisible();
  await expect.element(page.getByText('La hoja dice 15,00 € y el pedido suma 12,50 €')).toBeVisible();
  await press('Dejar así');
  await expect.element(status).toMatchTextContent(/^2 pedidos · 1 ya pagado · 1 contra reembolso · Total 37,50\s€$/);
  await create.click();
  await expect.element(done('Se han creado 2 pedidos')).toBeVisible();
  expect(sent()).toMatchObject([
    {
      filas: [
        { pago: { metodo: 'bizum' }, envio: 0 },
        { contra_reembolso: true, envio: 0 },
      ],
    },
  ]);
  expect(sent()[0]?.filas[1]).not.toHaveProperty('pago');
});

test('a text that resembles a pack is matched after a confirmation', async () => {
  start();
  await paste([TITLES, [...ANA, '2 x tarros de miel', ''], [...EVA, 'miel en tarro', '1']]);
  await page.getByRole('button', { name: 'Sí, es Miel – Tarro' }).first().click();
  await page.getByRole('button', { name: 'Sí, es Miel – Tarro' }).click();
  await expect.element(create).toBeEnabled();
  await create.click();
  await expect.element(done('Se han creado 2 pedidos')).toBeVisible();
  expect(sent()).toMatchObject([
    {
      filas: [
        { pack_id: tarro.id, cantidad: 2 },
        { pack_id: tarro.id, cantidad: 1 },
      ],
    },
  ]);
});

test('a reseller creates orders from pasted rows after correcting the errors in place', async () => {
  open('/mis-pedidos', 'revendedor');
  await page.getByRole('link', { name: 'Importar' }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Importar pedidos' })).toBeVisible();
  await paste([
    TITLES,
    [...ANA, 'Tarro', '2'],
    ['', ...EVA.slice(1), 'el grande', ''],
    ['Luis Sanz', '', 'Plaza Nueva', '1', '1001', 'T1', 'varios'],
  ]);
  await expect.element(status).toMatchTextContent('3 pedidos · 2 filas por corregir');
  await expect.element(create).toBeDisabled();
  await expect.element(field('Nombre, fila 3')).toHaveAccessibleDescription('Falta el nombre');
  await expect.element(field('Cantidad, fila 4')).toHaveAccessibleDescription('La cantidad debe ser un número entero entre 1 y 9999');
  await expect.element(page.getByText('«el grande» no es ningún pack: elige cuál es')).toBeVisible();
  await expectAccessible();

  await pick('«el grande»', /Caja grande/);
  await field('Nombre, fila 3').fill('Eva Gil');
  // A corrected row stays visible while others are corrected.
  await expect.element(field('Nombre, fila 3')).toBeVisible();
  await field('Cantidad, fila 4').fill('2');
  await expect.element(page.getByText('Sin cantidad en la hoja: se entiende 1')).toBeVisible();
  await press('Dejar así');
  await expect.element(status).toMatchTextContent(/^3 pedidos · Total 110,00\s€$/);
  await create.click();
  await expect.element(done('Se han creado 3 pedidos')).toBeVisible();
  expect(sent()).toMatchObject([
    {
      filas: [
        { cliente_nombre: 'Ana Ruiz', cliente_direccion: 'Calle Mayor 3', cliente_provincia: 'Madrid', pack_id: tarro.id, cantidad: 2 },
        { cliente_nombre: 'Eva Gil', pack_id: caja.id, cantidad: 1 },
        { cliente_nombre: 'Luis Sanz', cliente_codigo_postal: '01001', cliente_provincia: 'Álava', pack_id: tarro.id, cantidad: 2 },
      ],
      cobrar: false,
    },
  ]);
  await page.getByRole('link', { name: 'Ver los pedidos' }).click();
  await expect.poll(address).toBe('/mis-pedidos');
});

test('a pack chosen for a text is remembered for the next import', async () => {
  start();
  await paste([TITLES, [...ANA, 'el grande', '1']]);
  await pick('«el grande»', /Caja grande/);
  await expect.element(create).toBeEnabled();
  await press('Empezar de nuevo');
  await page.getByRole('dialog').getByRole('button', { name: 'Empezar de nuevo' }).click();
  await paste([TITLES, ['Otra Ana', '622334455', 'Calle Baja', '9', '28013', 'El grande', '1']]);
  await expect.element(picker('«El grande»')).toHaveValue('Miel – Caja grande');
  await expect.element(create).toBeEnabled();
});

test('a CSV saved by Excel is imported once its repeated orders are removed or accepted', async () => {
  const rita = aUser('revendedor');
  server.answer(listUsers, listed([rita]));
  server.reply(checkImport, ({ body }) => {
    const [first, ...rest] = body.filas;
    const known = first?.cliente_nombre === 'Íñigo Peña' ? [{ fila: 0, numero_orden: 'ORD-2026000007', como_fila: null }] : [];
    const repetidas = [...known, { fila: rest.length, numero_orden: null, como_fila: rest.length - 1 }];
    return { data: { ...check(body), repetidas } };
  });
  open('/pedidos');
  await page.getByRole('link', { name: 'Importar' }).click();
  const csv = `Cliente;Teléfono;Dirección;Población;Artículo\r\nÍñigo Peña;+34 600112233;Calle Mayor, 3;Cáceres;Tarro\r\nNuria Núñez;611000111;Calle Nueva, 4;León;Tarro\r\nNuria Núñez;611000111;Calle Nueva, 4;León;Tarro\r\n`;
  await choose(
    'pedidos.csv',
    Uint8Array.from(csv, (letter) => letter.charCodeAt(0)),
  );
  await press('Un pedido por fila');
  await expect.element(page.getByText(/^Mismo teléfono y pack que el pedido ORD-2026000007/)).toBeVisible();
  await expect.element(page.getByText('Mismo teléfono y pack que la fila 3')).toBeVisible();
  await expect.element(create).toBeDisabled();
  await press('Quitar la fila 2');
  await press('Dejar así');
  await pick('Revendedor (opcional)', rita.full_name);
  await page.getByRole('checkbox', { name: 'Cobrar con enlace' }).click();
  await expect.element(create).toMatchTextContent(/^Crear 2 pedidos$/);
  await create.click();
  await expect.element(done('Se han creado 2 pedidos')).toBeVisible();
  const nuria = { cliente_nombre: 'Nuria Núñez', cliente_direccion: 'Calle Nueva, 4', cliente_ciudad: 'León' };
  expect(sent()).toMatchObject([{ filas: [nuria, nuria], revendedor_id: rita.id, cobrar: true }]);
});

test('a file that is not a sheet, or that unpacks to a huge size, is refused with a message', async () => {
  start();
  await choose('nada.xlsx', 'PK nothing');
  await expect.element(page.getByRole('alert')).toMatchTextContent('No se pudo leer el archivo');

  const packed = zipSync({ 'xl/workbook.xml': new Uint8Array(60_000_000) });
  await choose('bomba.xlsx', packed.slice());
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('El archivo ocupa demasiado: deja en él solo las filas que hacen falta.');
});

test('pressing «Crear» during the check creates the orders if the check passes, and otherwise shows the problems', async () => {
  shop.stock = 2;
  const checked = server.hold(checkImport);
  start();
  await paste([
    ['Nombre', 'Dirección', 'Pack', 'Cantidad'],
    ['Ana', 'Calle 1', 'Tarro', '3'],
  ]);
  await expect.element(status).toMatchTextContent('comprobando');
  await create.click();
  checked();
  await expect.element(page.getByText('Miel: hacen falta 3 unidades y quedan 2')).toBeVisible();
  await expect.element(create).toBeDisabled();
  expect(sent()).toEqual([]);
  await press('Cantidad, fila 2: 3');
  await field('Cantidad, fila 2').fill('2');
  await create.click();
  await expect.element(done('Se ha creado 1 pedido')).toBeVisible();
});

test('an import that was refused or whose answer was lost is sent again without creating orders twice', async () => {
  server.refuse(importPedidos, 422, {
    message: 'Fila 2: este nombre no vale',
    errors: { 'filas.1.cliente_nombre': ['Este nombre no vale'] },
  });
  start();
  await paste(TWO);
  await create.click();
  await expect.element(field('Nombre, fila 3')).toHaveAccessibleDescription('Este nombre no vale');
  await expect.element(create).toBeDisabled();
  await field('Nombre, fila 3').fill('Eva Gil');
  server.lose(importPedidos);
  await create.click();
  await expect.element(page.getByText(/Puedes enviarlo otra vez: no se guardará dos veces\./)).toBeVisible();
  server.reply(importPedidos, ({ body }) => made(body));
  await expect.element(status).toMatchTextContent('Total');
  await create.dblClick();
  await expect.element(done('Se han creado 2 pedidos')).toBeVisible();
  const [, lost, again] = server.asked(importPedidos);
  expect(sent()).toHaveLength(3);
  expect(again?.body).toEqual(lost?.body);
  expect(again?.headers.get('idempotency-key')).toBe(lost?.headers.get('idempotency-key'));
});

test('columns without headings are assigned by hand', async () => {
  start();
  await paste([
    [...ANA.slice(0, 2), 'Calle Mayor 3', 'Tarro'],
    [...EVA.slice(0, 2), 'Gran Vía 12', 'Tarro'],
  ]);
  await expect.element(page.getByText('Di en qué columna está: nombre, dirección, pack.')).toBeVisible();
  for (const [column, target] of [
    ['Columna 1', 'Nombre'],
    ['Columna 2', 'Teléfono'],
    ['Columna 3', 'Dirección'],
    ['Columna 4', 'Pack'],
  ] as const) {
    await picker(column).click();
    await page.getByRole('option', { name: target, exact: true }).click();
  }
  await expect.element(create).toBeEnabled();
});

test('an import blocked by missing stock keeps its corrections across a reload', async () => {
  shop.stock = 1;
  start();
  await paste(TWO);
  await expect.element(page.getByText('Miel: hacen falta 2 unidades y quedan 1')).toBeVisible();
  await expect.element(create).toBeDisabled();
  await press('Nombre, fila 3: Eva');
  await field('Nombre, fila 3').fill('Eva Gil Sanz');
  reload('revendedor');
  await expect.element(page.getByRole('button', { name: 'Nombre, fila 3: Eva Gil Sanz' })).toBeVisible();
  await press('Quitar la fila 2');
  await expect.element(create).toMatchTextContent(/^Crear 1 pedido$/);
  await create.click();
  await expect.element(done('Se ha creado 1 pedido')).toBeVisible();
  expect(sent().map(({ filas }) => filas.map((fila) => fila.cliente_nombre))).toEqual([['Eva Gil Sanz']]);
});

test('the data of an import survives leaving the screen, until the person signs out', async () => {
  server.answer(logout, { success: true, message: '' });
  const kept = () => JSON.stringify({ ...sessionStorage, ...localStorage });
  start();
  await paste([
    ['Nombre', 'Dirección', 'Pack'],
    ['Ana Secreta', 'Calle 1', 'Tarro'],
    ['', 'Calle 2', 'Tarro'],
  ]);
  await expect.element(status).toMatchTextContent('1 fila por corregir');
  await page.getByRole('link', { name: 'Mis Pedidos' }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Mis Pedidos' })).toBeVisible();
  expect(kept()).toContain('Ana Secreta');
  history.back();
  await field('Nombre, fila 3').fill('Eva Secreta');
  await expect.poll(kept).toContain('Eva Secreta');
  await page.getByRole('button', { name: /Rita Sanz/ }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect.poll(address).toMatch(/^\/auth/);
  expect(kept()).not.toContain('Secreta');
});

test('each row is a card with fields to correct in place on a telephone', async () => {
  await onPhone();
  const fits = () => document.documentElement.scrollWidth <= innerWidth;
  start();
  await paste([TITLES, [...ANA, '', '1'], ['', ...EVA.slice(1), 'Tarro', '1']]);
  await expect.element(picker('Pack, fila 2')).toHaveAccessibleDescription('Falta el pack');
  expect(fits()).toBe(true);
  await expectAccessible();
  await pick('Pack, fila 2', /Tarro/);
  await field('Nombre, fila 3').fill('Eva Gil');
  await create.click();
  await expect.element(done('Se han creado 2 pedidos')).toBeVisible();
  expect(fits()).toBe(true);
});

test('the server’s refusal of payment on delivery is shown in the row that asks for it', async () => {
  open('/pedidos/importar', 'revendedor', { contra_reembolso: true });
  const titles = ['Nombre', 'Dirección', 'Pack', 'Contra reembolso'];
  await paste([titles, ['Ana', 'Calle 1', 'Tarro', 'sí'], ['Eva', 'Calle 2', 'Tarro', 'no'], ['Luis', 'Calle 3', 'Tarro', 'quizá']]);
  await expect.element(page.getByRole('group', { name: '1 fila dice «quizá» en «Contra reembolso»' })).toBeVisible();
  const message = 'No puedes vender contra reembolso';
  server.refuse(checkImport, 422, { message, errors: { 'filas.0.contra_reembolso': [message] } });
  await press('No se paga al recibir');
  await expect.element(field('Contra reembolso, fila 2')).toHaveAccessibleDescription('No puedes vender contra reembolso');
  server.reply(checkImport, ({ body }) => ({ data: check(body) }));
  await field('Contra reembolso, fila 2').fill('si');
  await create.click();
  await expect.poll(() => sent()[0]?.filas.map(({ contra_reembolso = false }) => contra_reembolso)).toEqual([true, false, false]);
});

test('an import is undone after a question that says how many orders it deletes', async () => {
  const id = '00000000-0000-4000-8000-0000000000e1';
  server.answer(listImports, { success: true, data: [{ id, created_at: '2026-11-27T10:00:00.000Z', quien: null, pedidos: 3 }] });
  server.answer(deshacerImport, { success: true, message: 'Deshecha' });
  open('/pedidos/importar', 'superadmin');
  await page.getByRole('button', { name: /^Deshacer la importación/ }).click();
  const asking = page.getByRole('dialog', { name: 'Deshacer la importación' });
  await expect.element(asking).toMatchTextContent(/Se eliminan 3 pedidos/);
  expect(server.asked(deshacerImport)).toEqual([]);
  await asking.getByRole('button', { name: 'Deshacer', exact: true }).click();
  await expect.poll(() => server.asked(deshacerImport).map(({ params }) => params)).toEqual([{ id }]);
});
