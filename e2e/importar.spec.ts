import { strToU8, zipSync } from 'fflate';
import { listPedidos } from '../contract/pedidos/pedidos.ts';
import { expect, signIn, test } from './fixtures.ts';

/* «Importar pedidos» with a real server. The screen itself is tested in web/pedidos/import/importar.browser.test.tsx. */

/** A workbook with a title sheet and a sheet of these rows. */
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

test('the orders of a large workbook are found and created under a progress bar', async ({ page, api }) => {
  const product = await api.product({ name: 'Miel' });
  const jar = await api.pack({ product_id: product.id, name: 'Tarro', pack_price: 12.5 });
  const rita = await api.user('revendedor');
  await signIn(page, rita.email, rita.password);
  await page.goto('/pedidos/importar');
  // Over half a megabyte unpacked: above that size the library would start a worker, which the content policy blocks.
  const rows = Array.from({ length: 400 }, (_, i) => [
    `Cliente ${i}`,
    `Calle Mayor ${i}`,
    jar.name,
    'Tocar el timbre dos veces. '.repeat(30),
  ]);
  const buffer = Buffer.from(workbook([['Nombre', 'Dirección', 'Pack', 'Notas'], ...rows]));
  await page.locator('input[type=file]').setInputFiles({ name: 'pedidos.xlsx', mimeType: 'application/octet-stream', buffer });
  await expect(page.getByText('pedidos.xlsx')).toBeVisible();
  const bottom = page.getByRole('region', { name: 'Crear los pedidos' });
  await expect(bottom.getByRole('status')).toHaveText(/^400 pedidos · Cantidad: 1 en todas · Total 5\.000,00\s€$/);
  await expect(page.getByText('Mostrando 50 de 400 filas')).toBeVisible();
  const bar = page.getByRole('progressbar', { name: 'Creando 400 pedidos' });
  await page.route('**/importar', async (route) => {
    const response = await route.fetch();
    await expect(bar).toHaveJSProperty('position', 1);
    await route.fulfill({ response });
  });
  await bottom.getByRole('button', { name: 'Crear 400 pedidos' }).click();
  await expect(page.getByRole('heading', { name: 'Se han creado 400 pedidos' })).toBeVisible();
  await page.getByRole('link', { name: 'Ver los pedidos' }).click();
  await expect(page.getByRole('main').getByText('Mostrando 20 de 400 pedidos')).toBeVisible();
  const { body } = await (await api.as(rita)).call(listPedidos, { query: { search: 'Cliente 399' } });
  const last = { cliente_direccion: 'Calle Mayor 399', pack_id: jar.id, cantidad: 1, estado: 'pendiente_pago' };
  expect(body.data.find(({ cliente_nombre }) => cliente_nombre === 'Cliente 399')).toMatchObject(last);
});
