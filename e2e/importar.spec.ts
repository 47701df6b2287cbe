import type { Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { listPedidos } from '../contract/pedidos.ts';
import { type Arranger, expect, expectAccessible, expectFits, type Person, SUPERADMIN, signIn, test } from './fixtures.ts';

/* «Importar pedidos»: many at once from a sheet, corrected where they stand, all created or none. */

let serial = 0;
/** A reseller and a product of two packs that nobody else has. */
async function shop(api: Arranger, { stock = 100 } = {}) {
  const product = await api.product({ name: `Miel ${++serial}`, stock });
  const jar = await api.pack({ product_id: product.id, name: `Tarro ${serial}`, alias: `T${serial}`, pack_price: 12.5 });
  const box = await api.pack({ product_id: product.id, name: `Caja ${serial}`, alias: `C${serial}`, pack_price: 60, pack_quantity: 6 });
  return { rita: await api.user('revendedor'), product, jar, box };
}
async function open(page: Page, person: Pick<Person, 'email' | 'password'>) {
  await signIn(page, person.email, person.password);
  await page.goto('/pedidos/importar');
}
async function paste(page: Page, rows: readonly (readonly string[])[]) {
  await page.getByLabel('Filas de la hoja').fill(rows.map((row) => row.join('\t')).join('\n'));
  await page.getByRole('button', { name: 'Leer las filas' }).click();
}
const choose = (page: Page, name: string, content: Uint8Array) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
const create = (page: Page) => page.getByRole('region', { name: 'Crear los pedidos' }).getByRole('button', { name: /^Crear/ });
const status = (page: Page) => page.getByRole('region', { name: 'Crear los pedidos' }).getByRole('status');
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
async function ordersOf(api: Arranger, person: Person) {
  return (await (await api.as(person)).call(listPedidos)).body;
}

const TITLES = ['Cliente', 'Móvil', 'Calle', 'N.º', 'C.P.', 'Pack', 'Unidades'];
const ANA = ['Ana Ruiz', '600112233', 'Calle Mayor', '3', '28013'];
const EVA = ['Eva Gil', '611223344', 'Gran Vía', '12', '46001'];

test('a reseller pastes rows, corrects what is wrong in place and creates them all', async ({ page, api }) => {
  const { rita, jar, box } = await shop(api);
  await signIn(page, rita.email, rita.password);
  await page.goto('/mis-pedidos');
  await page.getByRole('link', { name: 'Importar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Importar pedidos' })).toBeVisible();
  await paste(page, [
    TITLES,
    [...ANA, jar.name, '2'],
    ['', ...EVA.slice(1), 'el grande', ''],
    ['Luis Sanz', '', 'Plaza Nueva', '1', '1001', jar.alias, 'dos'],
  ]);

  await expect(status(page)).toContainText('3 pedidos · 2 filas por corregir');
  await expect(create(page)).toBeDisabled();
  await expect(field(page, 'Nombre, fila 3')).toHaveAccessibleDescription('Falta el nombre');
  await expect(field(page, 'Cantidad, fila 4')).toHaveAccessibleDescription('La cantidad debe ser un número entero entre 1 y 9999');
  await expect(page.getByText('«el grande» no es ningún pack: elige cuál es')).toBeVisible();
  await expectAccessible(page);

  const unknown = page.getByRole('combobox', { name: '«el grande»' });
  await unknown.click();
  await page.getByRole('option', { name: box.name }).click();
  await field(page, 'Nombre, fila 3').fill('Eva Gil');
  // What is right now stays in sight while the rest is corrected.
  await expect(field(page, 'Nombre, fila 3')).toBeVisible();
  await field(page, 'Cantidad, fila 4').fill('2');
  await expect(status(page)).toHaveText(/^3 pedidos · Total 110,00\s€$/);
  await create(page).click();
  await expect(page.getByRole('heading', { name: 'Se han creado 3 pedidos' })).toBeVisible();
  await page.getByRole('link', { name: 'Ver los pedidos' }).click();
  await expect(page).toHaveURL('/mis-pedidos');

  const { data } = await ordersOf(api, rita);
  const byName = Object.fromEntries(data.map((pedido) => [pedido.cliente_nombre, pedido]));
  expect(Object.keys(byName).sort()).toEqual(['Ana Ruiz', 'Eva Gil', 'Luis Sanz']);
  expect(byName['Ana Ruiz']).toMatchObject({
    cliente_direccion: 'Calle Mayor 3',
    cliente_provincia: 'Madrid',
    cantidad: 2,
    estado: 'pendiente_pago',
  });
  expect(byName['Eva Gil']).toMatchObject({ pack_id: box.id, cantidad: 1 });
  expect(byName['Luis Sanz']).toMatchObject({ cliente_codigo_postal: '01001', cliente_provincia: 'Álava' });

  // The pack is known the next time.
  await page.goto('/pedidos/importar');
  await paste(page, [TITLES, ['Otra Ana', '622334455', 'Calle Baja', '9', '28013', 'El grande', '1']]);
  await expect(page.getByRole('combobox', { name: '«El grande»' })).toHaveValue(`${box.product_name} – ${box.name}`);
  await expect(create(page)).toBeEnabled();
});

test('a superadmin opens a CSV as Excel saves it, and leaves what is repeated by choice', async ({ page, api }) => {
  const { rita, jar } = await shop(api);
  const there = await api.pedido({ pack_id: jar.id, cliente_telefono: '600 11 22 33', cliente_nombre: 'Íñigo Peña' });
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto('/pedidos');
  await page.getByRole('link', { name: 'Importar' }).click();
  const csv = `Cliente;Teléfono;Dirección;Población;Artículo\r\nÍñigo Peña;+34 600112233;Calle Mayor, 3;Cáceres;${jar.name}\r\nNuria Núñez;611000111;Calle Nueva, 4;León;${jar.name}\r\nNuria Núñez;611000111;Calle Nueva, 4;León;${jar.name}\r\n`;
  await choose(page, 'pedidos.csv', Buffer.from(csv, 'latin1'));

  await expect(page.getByText(`Mismo teléfono y pack que el pedido ${there.numero_orden}`)).toBeVisible();
  await expect(page.getByText('Mismo teléfono y pack que la fila 3')).toBeVisible();
  await expect(create(page)).toBeDisabled();
  await page.getByRole('button', { name: 'Quitar la fila 2' }).click();
  await page.getByRole('button', { name: 'Dejar así' }).click();
  await page.getByRole('combobox', { name: 'Revendedor (opcional)' }).click();
  await page.getByRole('option', { name: rita.full_name }).click();
  await page.getByRole('checkbox', { name: 'Cobrar con enlace' }).check();
  await expect(create(page)).toHaveText('Crear 2 pedidos');
  await create(page).click();
  await expect(page.getByRole('heading', { name: 'Se han creado 2 pedidos' })).toBeVisible();
  const { data } = await ordersOf(api, rita);
  expect(data.map((pedido) => [pedido.cliente_nombre, pedido.cliente_ciudad, pedido.estado])).toEqual([
    ['Nuria Núñez', 'León', 'pendiente_pago'],
    ['Nuria Núñez', 'León', 'pendiente_pago'],
  ]);
});

/** A workbook of a sheet with a title and one with these rows. */
function workbook(rows: readonly (readonly string[])[]): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const sheet = (all: readonly (readonly string[])[]) =>
    `<worksheet xmlns="${main}"><sheetData>${all.map((row, i) => `<row r="${i + 1}">${row.map((text, j) => cell(text).replace('<c ', `<c r="${String.fromCharCode(65 + j)}${i + 1}" `)).join('')}</row>`).join('')}</sheetData></worksheet>`;
  return zipSync({
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${main}" xmlns:r="${rel}"><sheets><sheet name="Portada" sheetId="1" r:id="rId1"/><sheet name="Pedidos" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${[1, 2].map((n) => `<Relationship Id="rId${n}" Type="${rel}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join('')}</Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(sheet([['Pedidos del mes']])),
    'xl/worksheets/sheet2.xml': strToU8(sheet(rows)),
  });
}

test('a large workbook is read from its fitting sheet, created with a moving bar; what is none is refused', async ({ page, api }) => {
  const { rita, jar } = await shop(api, { stock: 1000 });
  await open(page, rita);
  await choose(page, 'nada.xlsx', strToU8('PK nothing'));
  await expect(page.getByRole('alert')).toContainText('No se pudo leer el archivo');
  // More than half a megabyte unpacked, which a library would give to a worker that the content policy refuses.
  const rows = Array.from({ length: 400 }, (_, i) => [
    `Cliente ${i}`,
    `Calle Mayor ${i}`,
    jar.name,
    'Tocar el timbre dos veces. '.repeat(30),
  ]);
  await choose(page, 'pedidos.xlsx', workbook([['Nombre', 'Dirección', 'Pack', 'Notas'], ...rows]));
  await expect(page.getByText('pedidos.xlsx')).toBeVisible();
  await expect(status(page)).toHaveText(/^400 pedidos · Total 5\.000,00\s€$/);
  await expect(page.getByText('Mostrando 50 de 400 filas')).toBeVisible();
  const bar = page.getByRole('progressbar', { name: 'Creando 400 pedidos' });
  await page.route('**/importar', async (route) => {
    const response = await route.fetch();
    await expect(bar).toHaveJSProperty('position', 1);
    await route.fulfill({ response });
  });
  await create(page).click();
  await expect(page.getByRole('heading', { name: 'Se han creado 400 pedidos' })).toBeVisible();
});

test('pressed while the rows are still being checked, the button creates what passes and shows what does not', async ({ page, api }) => {
  const { rita, jar, product } = await shop(api, { stock: 2 });
  await open(page, rita);
  let checked = () => {};
  const held = new Promise<void>((resolve) => {
    checked = resolve;
  });
  await page.route('**/api/pedidos/importar/comprobar', (route) => held.then(() => route.continue()), { times: 1 });
  const rows = [
    ['Nombre', 'Dirección', 'Pack', 'Cantidad'],
    ['Ana', 'Calle 1', jar.name, '3'],
  ];
  await paste(page, rows);
  await expect(status(page)).toContainText('comprobando');
  await create(page).click();
  checked();
  await expect(page.getByText(`${product.name}: hacen falta 3 unidades y quedan 2`)).toBeVisible();
  await expect(create(page)).toBeDisabled();
  expect((await ordersOf(api, rita)).total).toBe(0);

  await page.getByRole('button', { name: 'Cantidad, fila 2: 3' }).click();
  await field(page, 'Cantidad, fila 2').fill('2');
  await create(page).click();
  await expect(page.getByRole('heading', { name: 'Se ha creado 1 pedido' })).toBeVisible();
});

test('a double click creates once', async ({ page, api }) => {
  const { rita, jar } = await shop(api);
  await open(page, rita);
  await choose(
    page,
    'pedidos.xlsx',
    workbook([
      ['Nombre', 'Dirección', 'Pack'],
      ['Ana', 'Calle 1', jar.name],
      ['Eva', 'Calle 2', jar.name],
    ]),
  );
  await expect(create(page)).toBeEnabled();
  await create(page).dblclick();
  await expect(page.getByRole('heading', { name: 'Se han creado 2 pedidos' })).toBeVisible();
  expect((await ordersOf(api, rita)).total).toBe(2);
});

test('what the server refuses stands in its row, and an answer that gets lost creates nothing twice', async ({
  page,
  api,
  allowErrors,
}) => {
  allowErrors(/status of 422/, /ERR_FAILED/);
  const { rita, jar } = await shop(api);
  await open(page, rita);
  await paste(page, [
    ['Nombre', 'Dirección', 'Pack'],
    ['Ana', 'Calle 1', jar.name],
    ['Eva', 'Calle 2', jar.name],
  ]);
  const refusal = { message: 'Fila 2: este nombre no vale', errors: { 'filas.1.cliente_nombre': ['Este nombre no vale'] } };
  await page.route('**/api/pedidos/importar', (route) => route.fulfill({ status: 422, json: refusal }), { times: 1 });
  await create(page).click();
  await expect(field(page, 'Nombre, fila 3')).toHaveAccessibleDescription('Este nombre no vale');
  await expect(create(page)).toBeDisabled();
  await field(page, 'Nombre, fila 3').fill('Eva Gil');
  await page.route('**/api/pedidos/importar', async (route) => void (await route.fetch().then(() => route.abort())), { times: 1 });
  await create(page).click();
  await expect(page.getByText('Puedes enviarlo otra vez: no se guardará dos veces.')).toBeVisible();
  await create(page).click();
  await expect(page.getByRole('heading', { name: 'Se han creado 2 pedidos' })).toBeVisible();
  expect((await ordersOf(api, rita)).data.map((pedido) => pedido.cliente_nombre).sort()).toEqual(['Ana', 'Eva Gil']);
});

test('missing stock and a reload keep everything, and columns without headings are chosen by hand', async ({ page, api }) => {
  const { rita, jar, product } = await shop(api, { stock: 1 });
  await open(page, rita);
  await paste(page, [
    [...ANA.slice(0, 3), jar.name],
    [...EVA.slice(0, 3), jar.name],
  ]);
  await expect(page.getByText('Di en qué columna está: nombre, dirección, pack.')).toBeVisible();
  for (const [column, target] of [
    ['Columna 1', 'Nombre'],
    ['Columna 2', 'Teléfono'],
    ['Columna 3', 'Dirección'],
    ['Columna 4', 'Pack'],
  ] as const) {
    await page.getByRole('combobox', { name: column }).click();
    await page.getByRole('option', { name: target, exact: true }).click();
  }
  await expect(page.getByText(`${product.name}: hacen falta 2 unidades y quedan 1`)).toBeVisible();
  await expect(create(page)).toBeDisabled();
  await page.getByRole('button', { name: 'Nombre, fila 2: Eva Gil' }).click();
  await field(page, 'Nombre, fila 2').fill('Eva Gil Sanz');

  await page.reload();
  await expect(page.getByRole('button', { name: 'Nombre, fila 2: Eva Gil Sanz' })).toBeVisible();
  await page.getByRole('button', { name: 'Quitar la fila 1' }).click();
  await expect(create(page)).toHaveText('Crear 1 pedido');
  await create(page).click();
  await expect(page.getByRole('heading', { name: 'Se ha creado 1 pedido' })).toBeVisible();
  expect((await ordersOf(api, rita)).data.map((pedido) => pedido.cliente_nombre)).toEqual(['Eva Gil Sanz']);
});

test('whoever signs out leaves no customer behind in the browser', async ({ page, api }) => {
  const { rita, jar } = await shop(api);
  await open(page, rita);
  await paste(page, [
    ['Nombre', 'Dirección', 'Pack'],
    ['Ana Secreta', 'Calle 1', jar.name],
    ['', 'Calle 2', jar.name],
  ]);
  await expect(status(page)).toContainText('1 fila por corregir');
  const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  // The draft of somebody on another screen waits for them.
  await page.getByRole('link', { name: 'Mis Pedidos' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Pedidos' })).toBeVisible();
  expect(await kept()).toContain('Ana Secreta');
  await page.goBack();
  await expect(field(page, 'Nombre, fila 3')).toBeVisible();
  await page.getByRole('button', { name: new RegExp(rita.full_name) }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect(page).toHaveURL(/\/auth/);
  expect(await kept()).not.toContain('Ana Secreta');
});

test('on a telephone every row is a card that is corrected in place', { tag: '@desktop' }, async ({ page, api }) => {
  const { rita, jar } = await shop(api);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, rita);
  await paste(page, [TITLES, [...ANA, '', '1'], ['', ...EVA.slice(1), jar.name, '1']]);
  await expect(page.getByRole('combobox', { name: 'Pack, fila 2' })).toHaveAccessibleDescription('Falta el pack');
  await expectFits(page, 'the rows fit a telephone');
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Pack, fila 2' }).click();
  await page.getByRole('option', { name: jar.name }).click();
  await field(page, 'Nombre, fila 3').fill('Eva Gil');
  await create(page).click();
  await expect(page.getByRole('heading', { name: 'Se han creado 2 pedidos' })).toBeVisible();
  await expectFits(page, 'the result fits a telephone');
});
