import type { Page } from '@playwright/test';
import { asPage } from '../contract/kit.ts';
import { listPedidos } from '../contract/pedidos.ts';
import { updatePack } from '../contract/products.ts';
import { updateSettings } from '../contract/settings.ts';
import { type Arranger, expect, expectAccessible, expectFilled, type Person, signIn, test } from './fixtures.ts';

/* «Nuevo Pedido»: a reseller orders for a customer and has it paid. */

let serial = 0;
/** A reseller and a pack that nobody else has. */
async function shop(api: Arranger, { name = 'Miel de brezo', stock = 100, pack_price = 12.5, pack_quantity = 2 } = {}) {
  const product = await api.product({ name: `${name} ${++serial}`, stock });
  const pack = await api.pack({ product_id: product.id, name: 'Tarro', pack_price, pack_quantity });
  return { rita: await api.user('revendedor'), pack, label: `${product.name} – Tarro` };
}
const ordersOf = async (api: Arranger, person: Person) => (await (await api.as(person)).call(listPedidos)).body.data;

async function open(page: Page, person: Person) {
  await signIn(page, person.email, person.password);
  await page.goto('/pedidos/nuevo');
}
async function choose(page: Page, label: string) {
  const picker = page.getByRole('combobox', { name: 'Pack' });
  await picker.fill(label);
  await page.getByRole('option', { name: label }).click();
  await expect(picker).toHaveValue(label);
}
async function fill(page: Page, label: string, cantidad = '1') {
  await page.getByLabel('Nombre').fill('Ana Ruiz');
  await page.getByLabel('Dirección').fill('Calle Mayor 3');
  await choose(page, label);
  await page.getByRole('textbox', { name: 'Cantidad' }).fill(cantidad);
}
const submit = (page: Page) => page.getByRole('button', { name: 'Crear Pedido' });
const created = (page: Page) => page.getByRole('dialog', { name: 'Pedido creado' });

test('an order is made, with its total and province filled in on the way', async ({ page, api }) => {
  const { rita, label } = await shop(api);
  await open(page, rita);
  await expect(page.getByRole('heading', { level: 1, name: 'Nuevo Pedido' })).toBeVisible();
  await expect(page.getByLabel('País')).toHaveValue('España');
  await expectAccessible(page);

  await fill(page, label, '3');
  await page.getByLabel('Código Postal').fill('46001');
  await expect(page.getByLabel('Provincia / Estado')).toHaveValue('Valencia');
  await expect(page.getByText('3 packs · 6 unidades')).toBeVisible();
  await expect(page.getByText('37,50 €')).toBeVisible();
  await submit(page).click();

  await expect(page.getByText('🎉 Pedido creado exitosamente!')).toBeVisible();
  const dialog = created(page);
  const [pedido] = await ordersOf(api, rita);
  await expect(dialog).toContainText(pedido?.numero_orden ?? 'none');
  await expect(dialog).toContainText('37,50 €');
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Ver Mis Pedidos' }).click();
  await expect(page).toHaveURL(/\/mis-pedidos$/);
  await expect(page.getByRole('main').getByText('Ana Ruiz')).toBeVisible();
});

test('the payment link of the new order is opened, copied, sent and shown as a code', async ({ page, api, context }) => {
  const { rita, label } = await shop(api);
  await open(page, rita);
  await fill(page, label);
  await submit(page).click();
  const dialog = created(page);
  await expect(dialog.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', /^https:\/\/wa\.me\/\?text=.*%2Fpagar%2F/);
  await dialog.getByRole('button', { name: 'Mostrar código QR' }).click();
  await expect(dialog.getByRole('img', { name: 'Código QR' })).toBeVisible();

  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      document.body.dataset.copied = text;
    };
  });
  await dialog.getByRole('button', { name: 'Copiar enlace' }).click();
  await expect(page.getByText('Enlace de pago copiado')).toBeVisible();
  const copied = (await page.locator('body').getAttribute('data-copied')) ?? 'nothing';
  const pay = dialog.getByRole('link', { name: 'Pagar ahora' });
  await expect(pay).toHaveAttribute('href', copied);
  await expect(pay).toHaveAttribute('rel', /noopener/);
  const [tab] = await Promise.all([context.waitForEvent('page'), pay.click()]);
  await expect(tab).toHaveURL(copied);
});

test('without a clipboard to write to, the link is copied all the same, or it says that it could not', async ({ page, api }) => {
  const { rita, label } = await shop(api);
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await open(page, rita);
  await fill(page, label);
  await submit(page).click();
  await created(page).getByRole('button', { name: 'Copiar enlace' }).click();
  await expect(page.getByText('Enlace de pago copiado')).toBeVisible();

  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await created(page).getByRole('button', { name: 'Copiar enlace' }).click();
  await expect(page.getByText('No se pudo copiar el enlace')).toBeVisible();
});

test('what is missing is said above and under its field, and nothing is sent', async ({ page, api }) => {
  const { rita, label } = await shop(api);
  await open(page, rita);
  await submit(page).click();
  await expect(page.getByText('Por favor, completa todos los campos obligatorios')).toBeVisible();
  for (const field of [page.getByLabel('Nombre'), page.getByLabel('Dirección'), page.getByRole('combobox', { name: 'Pack' })]) {
    await expect(field).toHaveAccessibleDescription('Este campo es obligatorio');
  }
  await expect(page.getByLabel('Nombre')).toBeFocused();
  await expectAccessible(page);

  // When only the quantity is wrong, the sentence is the quantity's.
  await fill(page, label, '0');
  await submit(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'La cantidad debe ser un número entero entre 1 y 9999' })).toBeVisible();
  expect(await ordersOf(api, rita)).toEqual([]);
});

test('a refusal of the server stands under the quantity and nothing typed is lost', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422 .*\/api\/pedidos$/);
  const { rita, label } = await shop(api, { stock: 5 });
  await open(page, rita);
  await fill(page, label, '3');
  await submit(page).click();
  await expect(page.getByRole('textbox', { name: 'Cantidad' })).toHaveAccessibleDescription(
    /Stock insuficiente de Miel de brezo \d+: quedan 2 packs/,
  );
  await expect(page.getByLabel('Nombre')).toHaveValue('Ana Ruiz');
  await page.getByRole('textbox', { name: 'Cantidad' }).fill('2');
  await submit(page).click();
  await expect(created(page)).toBeVisible();
});

test('several products are ordered without leaving the keyboard', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422 .*\/api\/pedidos$/);
  const { rita, label } = await shop(api);
  await shop(api, { name: 'Queso curado', stock: 6, pack_price: 4 });
  await open(page, rita);
  await fill(page, label, '3');
  const line = (name: string) => page.getByRole('combobox', { name, exact: true }).or(page.getByRole('textbox', { name, exact: true }));
  await line('Cantidad').press('Tab');
  await expect(page.getByRole('button', { name: 'Añadir otro producto' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(line('Pack 2')).toBeFocused();
  await page.keyboard.type('queso');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(line('Cantidad 2')).toBeFocused();
  await page.keyboard.type('4');
  // A line that was too much goes again, and the focus stays at the lines.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(line('Pack 3')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Quitar la línea 3' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(line('Pack 3')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Añadir otro producto' })).toBeFocused();

  await expect(page.getByRole('definition').filter({ hasText: /^16,00\s€$/ })).toBeVisible();
  await expect(page.getByText(/^53,50\s€$/)).toBeVisible();
  await submit(page).click();
  await expect(line('Cantidad 2')).toHaveAccessibleDescription(/Stock insuficiente de .*: quedan 3 packs/);
  await expect(line('Cantidad 2')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect(created(page)).toContainText('45,50 €');
  const [pedido] = await ordersOf(api, rita);
  expect(pedido).toMatchObject({ producto: `${label} y 1 más`, cantidad: 5, precio_total: 45.5 });
});

test('a first line can go too: what is left moves up, with what is said of it', async ({ page, api }) => {
  const [{ rita, label }, other] = [await shop(api), await shop(api, { name: 'Membrillo' })];
  await open(page, rita);
  await fill(page, label);
  await expect(page.getByRole('button', { name: /^Quitar la línea/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Añadir otro producto' }).click();
  await page.keyboard.type('membri');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Cantidad 2' }).fill('0');
  await submit(page).click();
  await expect(page.getByRole('textbox', { name: 'Cantidad 2' })).toHaveAccessibleDescription(/debe ser un número entero/);
  await page.getByRole('button', { name: 'Quitar la línea 1' }).click();
  await expect(page.getByRole('combobox', { name: 'Pack' })).toHaveValue(other.label);
  await expect(page.getByRole('textbox', { name: 'Cantidad' })).toHaveAccessibleDescription(/debe ser un número entero/);
  await expect(page.getByRole('button', { name: /^Quitar la línea/ })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Pack' })).toHaveValue(other.label);
});

test('the shipping to the address is in the total', async ({ page, api }) => {
  const { rita, label } = await shop(api);
  const rates = (euros: number) => api.admin.call(updateSettings, { body: { shippingBaleares: euros } });
  expect((await rates(9.9)).status).toBe(200);
  await open(page, rita);
  await fill(page, label);
  await expect(page.getByText('Envío')).toHaveCount(0);
  await page.getByLabel('Código Postal').fill('07001');
  await expect(page.getByRole('definition').filter({ hasText: /^9,90\s€$/ })).toBeVisible();
  await expect(page.getByText(/^22,40\s€$/)).toBeVisible();
  await submit(page).click();
  await expect(created(page)).toContainText('22,40 €');
  await rates(0);
});

test('what is sold out is said and cannot be chosen, and near the end how many packs are left', async ({ page, api }) => {
  const { rita, pack, label } = await shop(api, { stock: 7, pack_quantity: 2 });
  const big = await api.pack({ product_id: pack.product_id, name: 'Caja de diez', pack_quantity: 10, pack_price: 99 });
  await open(page, rita);
  const picker = page.getByRole('combobox', { name: 'Pack' });
  await picker.fill('Miel de brezo');
  const out = page.getByRole('option', { name: big.name }).filter({ hasText: pack.product_name });
  await expect(out).toContainText('Agotado');
  await expect(out).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('option', { name: label })).toContainText('Quedan 3 packs');
  await choose(page, label);
  await expect(page.getByRole('textbox', { name: 'Cantidad' })).toHaveAccessibleDescription(/Quedan 3 packs/);
  // Somebody else buys the last ones meanwhile.
  await api.pedido({ pack_id: pack.id, cantidad: 3 });
  await expect(page.getByRole('textbox', { name: 'Cantidad' })).toHaveAccessibleDescription(/Agotado/);
});

test('a telephone and a postcode that look wrong are asked about before they are saved', async ({ page, api }) => {
  const { rita, label } = await shop(api);
  await open(page, rita);
  await fill(page, label);
  await expect(page.getByLabel('Teléfono')).toHaveAttribute('type', 'tel');
  await expect(page.getByLabel('Código Postal')).toHaveAttribute('inputmode', 'numeric');
  await page.getByLabel('Teléfono').fill('6112233');
  await page.getByLabel('Código Postal').fill('2801');
  await submit(page).click();
  const question = page.getByRole('dialog', { name: 'Revisa los datos' });
  await expect(question).toContainText('El teléfono 6112233 no parece completo.');
  await expect(question).toContainText('El código postal 2801 no es de España.');
  await question.getByRole('button', { name: 'Corregir' }).click();
  expect(await ordersOf(api, rita)).toEqual([]);
  await page.getByLabel('Código Postal').fill('28013');
  await submit(page).click();
  await expect(question).not.toContainText('código postal');
  await question.getByRole('button', { name: 'Guardar de todas formas' }).click();
  await expect(created(page)).toBeVisible();
  const [pedido] = await ordersOf(api, rita);
  expect(pedido).toMatchObject({ cliente_telefono: '6112233' });
});

test('a foreign address is not measured by Spain’s rules', async ({ page, api }) => {
  const { rita, label } = await shop(api);
  await open(page, rita);
  await fill(page, label);
  await page.getByLabel('País').fill('Portugal');
  await expect(page.getByLabel('Código Postal')).toHaveAttribute('inputmode', 'text');
  await page.getByLabel('Teléfono').fill('+351 912 345 678');
  await page.getByLabel('Código Postal').fill('1000-205');
  await submit(page).click();
  await expect(created(page)).toBeVisible();
});

test('when the total cannot be calculated, an estimate says that it is one', async ({ page, api, allowErrors }) => {
  allowErrors(/calcular-total/);
  const { rita, label } = await shop(api, { pack_price: 10.01 });
  await page.route('**/api/pedidos/calcular-total', (route) => route.fulfill({ status: 500, json: { message: 'x' } }));
  await open(page, rita);
  await fill(page, label, '3');
  await expect(page.getByText('No se pudo calcular el total')).toBeVisible();
  await expect(page.getByText('Total estimado')).toBeVisible();
  await expect(page.getByText('30,03 €')).toBeVisible();
});

test('a superseded calculation is cancelled', async ({ page, api }) => {
  const { rita, label } = await shop(api);
  let held = 0;
  await page.route('**/api/pedidos/calcular-total', async (route) => {
    // Never answered: only giving it up ends it.
    if (route.request().postDataJSON().lineas[0].cantidad === 7) held += 1;
    else await route.fallback();
  });
  await open(page, rita);
  await fill(page, label, '7');
  await expect.poll(() => held).toBe(1);
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/calcular-total'));
  await page.getByRole('textbox', { name: 'Cantidad' }).fill('2');
  expect((await cancelled).postDataJSON()).toMatchObject({ lineas: [{ cantidad: 7 }] });
  await expect(page.getByText('25,00 €')).toBeVisible();
});

test('two clicks make one order', async ({ page, api }) => {
  const { rita, label } = await shop(api);
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && request.url().endsWith('/api/pedidos') && sent.push(request.url()));
  await open(page, rita);
  await fill(page, label);
  await submit(page).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(created(page)).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(await ordersOf(api, rita)).toHaveLength(1);
});

test('an order whose answer was lost is not made twice, and the next one is another', async ({ page, api, allowErrors }) => {
  allowErrors(/net::ERR_FAILED.*\/api\/pedidos/);
  const { rita, label } = await shop(api);
  await open(page, rita);
  await fill(page, label);
  await page.route(
    '**/api/pedidos',
    async (route) => {
      await route.fetch();
      await route.abort('failed');
    },
    { times: 1 },
  );
  await submit(page).click();
  await expect(page.getByText('Error al crear el pedido. Inténtalo de nuevo.')).toBeVisible();
  await expect(page.getByLabel('Nombre')).toHaveValue('Ana Ruiz');
  expect(await ordersOf(api, rita)).toHaveLength(1);
  // The page is even loaded again in between: the draft keeps the key.
  await page.reload();
  await expect(page.getByLabel('Nombre')).toHaveValue('Ana Ruiz');
  await submit(page).click();
  await expect(created(page)).toBeVisible();
  expect(await ordersOf(api, rita)).toHaveLength(1);

  await page.getByRole('button', { name: 'Crear otro' }).click();
  await fill(page, label);
  await submit(page).click();
  await expect(created(page)).toBeVisible();
  expect(await ordersOf(api, rita)).toHaveLength(2);
});

test('a draft from before orders had lines is still one', async ({ page, api }) => {
  const { rita, pack, label } = await shop(api);
  await open(page, rita);
  await fill(page, label);
  const [name] = await page.evaluate(() => Object.keys(sessionStorage).filter((key) => sessionStorage[key].includes('Ana Ruiz')));
  const values = { cliente_nombre: 'Olga Antigua', pack_id: pack.id, cantidad: '7' };
  await page.evaluate(([key, draft]) => sessionStorage.setItem(key, draft), [
    name ?? '',
    JSON.stringify({ key: 'k'.repeat(32), values }),
  ] as const);
  await page.reload();
  await expect(page.getByLabel('Nombre')).toHaveValue('Olga Antigua');
  await expect(page.getByRole('combobox', { name: 'Pack' })).toHaveValue(label);
  await expect(page.getByRole('textbox', { name: 'Cantidad' })).toHaveValue('7');
});

test('a draft outlives leaving the page, and can be discarded', async ({ page, api }) => {
  const { rita, label } = await shop(api);
  await open(page, rita);
  await fill(page, label, '4');
  await page.goto('/mis-pedidos');
  await page.goto('/pedidos/nuevo');
  await expect(page.getByText('Se ha recuperado el borrador que dejaste a medias.')).toBeVisible();
  await expect(page.getByLabel('Nombre')).toHaveValue('Ana Ruiz');
  await expect(page.getByRole('combobox', { name: 'Pack' })).toHaveValue(label);
  await expect(page.getByText('50,00 €')).toBeVisible();

  await page.getByRole('button', { name: 'Descartar borrador' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click();
  await expect(page.getByLabel('Nombre')).toHaveValue('');
  await page.reload();
  await expect(page.getByLabel('Nombre')).toHaveValue('');
});

/** Whatever this tab keeps for later. */
const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));

test('a draft leaves the browser with the person, from every tab, and is not there for another', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 401/);
  const { rita, label } = await shop(api);
  const eva = await api.user('revendedor');
  await open(page, rita);
  await fill(page, label);
  expect(await kept(page)).toContain('Ana Ruiz');
  const tab = await page.context().newPage();
  await tab.goto('/pedidos/nuevo');
  await fill(tab, label);
  expect(await kept(tab)).toContain('Ana Ruiz');

  await page.getByRole('button', { name: rita.full_name }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect(page).toHaveURL('/auth');
  for (const each of [page, tab]) {
    await expect(each).toHaveURL(/\/auth/);
    expect(await kept(each)).not.toContain('Ana Ruiz');
  }
  await tab.close();

  // Her session ends without her, and somebody else signs in.
  await open(page, rita);
  await expect(page.getByLabel('Nombre')).toHaveValue('');
  await fill(page, label);
  // Leaves first, for an answer under way would bring a cookie back.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await open(page, eva);
  await expect(page.getByLabel('Nombre')).toHaveValue('');
  expect(await kept(page)).not.toContain('Ana Ruiz');
});

test('when the session is gone it says so, and what was typed waits behind the sign-in', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 401/);
  const { rita, label } = await shop(api);
  await open(page, rita);
  // Known customers and the total are asked for while the form is filled in: the next to ask the server must be the order.
  await page.route(/\/api\/clientes/, (route) => route.fulfill({ json: asPage([], 0, { page: 1, per_page: 20 }) }));
  await fill(page, label);
  await expectFilled(page);
  await page.context().clearCookies({ name: /enruta/ });
  await submit(page).click();
  await expect(page.getByText('Usuario no autenticado')).toBeVisible();
  await expect(page).toHaveURL(/\/auth\?volver=/);
  await page.getByLabel('Email o usuario').fill(rita.email);
  await page.getByLabel('Contraseña', { exact: true }).fill(rita.password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL(/\/pedidos\/nuevo/);
  await expect(page.getByLabel('Nombre')).toHaveValue('Ana Ruiz');
});

test('a pack that is for sale no more is refused where it was chosen', async ({ page, api, allowErrors }) => {
  allowErrors(/status of 422/);
  const { rita, pack, label } = await shop(api);
  await open(page, rita);
  await fill(page, label);
  const { name, alias, pack_quantity, pack_price } = pack;
  await api.admin.call(updatePack, { params: { id: pack.id }, body: { name, alias, pack_quantity, pack_price, is_active: false } });
  await submit(page).click();
  await expect(page.getByRole('combobox', { name: 'Pack' })).toHaveAccessibleDescription('Selecciona un pack válido');
});

test('a postcode fills in the province only while nobody wrote another, and follows a correction', async ({ page, api }) => {
  const { rita } = await shop(api);
  await open(page, rita);
  const codigo = page.getByLabel('Código Postal');
  const provincia = page.getByLabel('Provincia / Estado');
  await codigo.pressSequentially('28013');
  await expect(provincia).toHaveValue('Madrid');
  for (let i = 0; i < 5; i += 1) await codigo.press('Backspace');
  await codigo.pressSequentially('08');
  await expect(provincia).toHaveValue('Barcelona');
  await provincia.fill('Gironès');
  await codigo.fill('17001');
  await expect(provincia).toHaveValue('Gironès');
  await page.getByLabel('País').fill('Portugal');
  await provincia.fill('');
  await codigo.fill('1000-001');
  await expect(provincia).toHaveValue('');
});

test('a postcode fills in its only town while nobody wrote another, and offers those of several', async ({ page, api }) => {
  const { rita } = await shop(api);
  await open(page, rita);
  const codigo = page.getByLabel('Código Postal');
  const ciudad = page.getByLabel('Ciudad');
  await codigo.pressSequentially('29620');
  await expect(ciudad).toHaveValue('Torremolinos');
  await codigo.fill('44382');
  await expect(ciudad).toHaveValue('');
  await expect(ciudad).toHaveRole('combobox');
  await expect(page.locator('datalist option')).toHaveCount(3);
  await codigo.fill('28013');
  await expect(ciudad).toHaveValue('Madrid');
  await ciudad.fill('Madriz');
  await codigo.fill('08001');
  await expect(page.getByLabel('Provincia / Estado')).toHaveValue('Barcelona');
  await expect(ciudad).toHaveValue('Madriz');
});

test('what a customer wrote in a chat fills the form in, after a look at it', async ({ openAs, api }) => {
  const page = await openAs(await api.user('revendedor'));
  await page.goto('/pedidos/nuevo');
  await page.getByRole('button', { name: 'Pegar de un chat' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pegar de un chat' });
  await dialog.getByLabel('Mensaje').fill('Hola, soy Lucía Pérez Gil\nCalle Mayor 12, 3º B\n28013 Madrid\n600 11 22 33');
  await expect(dialog.getByLabel('Teléfono')).toHaveValue('600 11 22 33');
  await dialog.getByLabel('Nombre').fill('Lucía Pérez');
  await dialog.getByRole('button', { name: 'Rellenar el pedido' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Teléfono')).toHaveValue('600 11 22 33');
  await expect(page.getByLabel(/^Nombre/)).toHaveValue('Lucía Pérez');
  await expect(page.getByLabel('Código Postal')).toHaveValue('28013');
  // Filling in sends nothing.
  await expect(page.getByText('Este campo es obligatorio')).toHaveCount(0);
});
