import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getCostumbre, listClientes } from '../../../contract/clientes/clientes.ts';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { getInicio } from '../../../contract/payments/payments.ts';
import { calcularTotal, createPedido, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { ajustarStock, listPacks, listProducts, type Pack, updateProduct } from '../../../contract/products/products.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { address, expectAccessible, open } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aCliente, aPack, aPedido, aProduct, aTotal, aUser, listed, pageOf } from '../../../test/web/samples.ts';

/* «Crear pedido»: a superadmin creates an order. */

let packs: Pack[];
let shipping: number;
beforeEach(() => {
  packs = [lata()];
  shipping = 0;
  localStorage.setItem('mas-datos', 'abierto');
  server.reply(listPacks, () => listed(packs));
  server.reply(calcularTotal, ({ body }) => aTotal(body, packs, shipping));
  server.reply(createPedido, ({ body }) => {
    const { cliente_nombre, estado } = body;
    const pedido = aPedido({ cliente_nombre, estado: estado ?? 'pendiente', payment_link: estado ? '/pagar/abc' : null });
    return { ...asDone('Pedido creado', pedido), avisos: [], payment_link: pedido.payment_link };
  });
});

const lata = (fields: Partial<Pack> = {}) =>
  aPack({ product_name: 'Aceite', name: 'Caja de seis', pack_price: 30.5, pack_quantity: 6, available: true, quedan: 50, ...fields });
const LATA = 'Aceite – Caja de seis';

const start = () => open('/pedidos/nuevo-admin');
// Name and phone are comboboxes, because they suggest known customers.
const field = (name: string) => page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }));
const create = page.getByRole('button', { name: 'Crear pedido', exact: true });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
async function pick(label: string, option: string) {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: new RegExp(option) }).click();
}
async function fill(nombre: string) {
  await field('Nombre').fill(nombre);
  await field('Dirección').fill('Calle Alta, 4');
  await pick('Pack', LATA);
}
const amount = (euros: string) => page.getByText(euros, { exact: true });
const orders = () => server.asked(createPedido).map(({ body }) => body);

test('without active packs only a free line can be ordered, and a double click creates one order', async () => {
  packs = [];
  start();
  for (const name of ['Datos del Cliente', 'Selección de Pack', 'Resumen']) {
    await expect.element(page.getByRole('heading', { name })).toBeVisible();
  }
  await expect.element(page.getByPlaceholder('No hay packs activos')).toBeDisabled();
  await expect.element(create).toBeDisabled();
  await field('Nombre').fill('Luis Libre');
  await field('Dirección').fill('Calle Alta, 5');
  await expect.element(create).toBeDisabled();
  await press('Añadir línea libre');
  await expect.element(field('Descripción')).toHaveFocus();
  await userEvent.keyboard('Reparación');
  await field('Precio (€)').fill('15');
  await create.dblClick();
  await expect.poll(address).toBe('/pedidos');
  expect(orders().map(({ lineas }) => lineas)).toMatchObject([[{ producto: 'Reparación', precio_unitario: 15 }]]);
});

test('a form without packs names the inactive product and offers to activate the product', async () => {
  const aceite = aProduct({ name: 'Aceite', is_active: false });
  packs = [lata({ product_id: aceite.id, available: false })];
  server.answer(listProducts, listed([aceite]));
  server.reply(updateProduct, () => {
    packs = packs.map((pack) => ({ ...pack, available: true }));
    return asDone('Producto actualizado', { ...aceite, is_active: true });
  });
  start();
  await expect.element(page.getByRole('note').filter({ hasText: 'El producto «Aceite» está inactivo' })).toBeVisible();
  await expectAccessible();
  await press('Activarlo');
  await pick('Pack', LATA);
  expect(server.asked(updateProduct)[0]?.body).toEqual({ is_active: true, version: aceite.version });
});

test.each([
  ['Crea tu primer producto', () => []],
  ['Crea un pack', () => [aProduct()]],
] as const)('a shop with nothing to sell is led to «%s»', async (link, products) => {
  packs = [];
  server.answer(listProducts, listed(products()));
  start();
  await page.getByRole('link', { name: link }).click();
  await expect.poll(address).toBe('/control-stock');
});

test('«Con enlace» is not offered, with the reason, while the shop cannot receive payments', async () => {
  server.answer(getInicio, { data: { faltan: ['cobro'] } });
  start();
  await expect.element(page.getByText(/Para cobrar con enlace falta tu IBAN/)).toBeVisible();
  expect(page.getByRole('radio', { name: 'Con enlace' }).elements()).toHaveLength(0);
  await expect.element(page.getByRole('radio', { name: 'Después' })).toBeChecked();
});

const ways = page.getByRole('radiogroup', { name: '¿Cómo paga?' });
const way = (name: string) => ways.getByRole('radio', { name });

test('how an order is paid is asked in the first block: the usual way is chosen, and what follows is said', async () => {
  localStorage.clear();
  server.answer(getCostumbre, { data: { forma: 'enlace', ultima: null, rechazados: 0, debe: 0 } });
  open('/pedidos/nuevo-admin', 'superadmin', { contra_reembolso: true });
  await expect.element(way('Con enlace')).toBeChecked();
  expect(
    ways
      .getByRole('radio')
      .elements()
      .map((radio) => radio.textContent),
  ).toEqual(['Con enlace', 'Al entregar', 'Ya ha pagado', 'Después']);
  await fill('Paga Como Sea');
  await expect.element(page.getByText(/, si se paga hoy$/)).toBeVisible();
  await way('Al entregar').click();
  await expect.element(page.getByText(/se lo cobra quien lo entrega/)).toBeVisible();
  // Only an order that waits for its payment depends on the day of the payment.
  await expect.element(page.getByText(/si se paga hoy/)).not.toBeInTheDocument();
  await expectAccessible();
  await create.click();
  await expect.poll(orders).toMatchObject([{ contra_reembolso: true }]);
  expect(orders()[0]).not.toHaveProperty('estado');
});

test('«Ya ha pagado» asks how and on which day before the order is created', async () => {
  start();
  await fill('Ya Pagó');
  await way('Ya ha pagado').click();
  await create.click();
  await expect.element(page.getByText('Elige cómo ha pagado').first()).toBeVisible();
  expect(orders()).toEqual([]);
  await page.getByRole('radio', { name: 'Bizum' }).click();
  await expectAccessible();
  await create.click();
  await expect.poll(orders).toMatchObject([{ pago: { metodo: 'bizum', fecha: null } }]);
});

test('a known customer says the last order, debts and refusals, and «Lo mismo» repeats what is sold today', async () => {
  const ana = aCliente({ cliente_nombre: 'Ana Ruiz', cliente_direccion: 'Calle Sol 1', revendedor_id: null });
  server.answer(listClientes, pageOf([ana]));
  const gone = { pack_id: aPack().id, producto: 'Queso – Entero', cantidad: 1 };
  const lineas = [{ pack_id: packs[0]?.id ?? '', producto: LATA, cantidad: 2 }, gone];
  const ultima = { forma: 'al_entregar' as const, fecha_pedido: '2026-11-01T10:00:00Z', total: 61, lineas };
  server.reply(getCostumbre, ({ query }) => ({
    data: query.cliente_id ? { forma: null, ultima, rechazados: 1, debe: 12 } : { forma: null, ultima: null, rechazados: 0, debe: 0 },
  }));
  open('/pedidos/nuevo-admin', 'superadmin', { contra_reembolso: true });
  await field('Nombre').fill('Ana');
  await page.getByRole('option', { name: /Ana Ruiz/ }).click();
  const known = page.getByRole('note').filter({ hasText: 'Cliente conocido' });
  await expect
    .element(known)
    .toMatchTextContent(
      /Debe 12,00\s€.*Ha rechazado un pedido.*La última vez: 2 × Aceite – Caja de seis, 1 × Queso – Entero, 61,00\s€, al entregar/,
    );
  await expect.element(known).toMatchTextContent('Ahora no se vende: Queso – Entero');
  await expectAccessible();
  await press('Lo mismo');
  await expect.element(field('Cantidad')).toHaveValue('2');
  await create.click();
  await expect
    .poll(orders)
    .toMatchObject([{ contra_reembolso: true, cliente_direccion: 'Calle Sol 1', lineas: [{ pack_id: packs[0]?.id, cantidad: 2 }] }]);
});

test('a sold-out pack takes stock inside the order, which keeps what was typed', async () => {
  packs = [lata({ quedan: 0 })];
  server.reply(ajustarStock, ({ body }) => {
    packs = packs.map((pack) => ({ ...pack, quedan: Math.floor(body.unidades / 6) }));
    return asDone('Existencias apuntadas', aProduct({ stock: body.unidades }));
  });
  start();
  await field('Nombre').fill('Al Teléfono');
  await field('Dirección').fill('Calle Alta, 4');
  await pick('Pack', LATA);
  const note = page.getByRole('note').filter({ hasText: 'Agotado.' });
  await expect.element(note).toBeVisible();
  await expectAccessible();
  await field('Unidades de Aceite que entran').fill('12');
  await press('Apuntar existencias');
  await expect.element(note).not.toBeInTheDocument();
  expect(server.asked(ajustarStock)[0]?.body).toMatchObject({ unidades: 12 });
  await create.click();
  await expect.poll(orders).toMatchObject([{ cliente_nombre: 'Al Teléfono' }]);
});

test('an order needs only pack, name and address, and can belong to an active reseller', async () => {
  packs = [...packs, lata({ name: 'Caja retirada', is_active: false, available: false })];
  const [rita, gone] = [aUser('revendedor'), aUser('revendedor', { is_active: false })];
  server.answer(listUsers, listed([rita, gone]));
  start();
  await expect.element(create).toBeDisabled();
  await field('Nombre').fill('  Cova Nueva ');
  await field('Dirección').fill('Calle Alta, 4');
  await field('Referencia externa').fill('WEB-7');
  await field('Código Postal').fill('33001');
  await expect.element(field('Provincia / Estado')).toHaveValue('Asturias');
  await expect.element(create).toBeDisabled();
  await field('Pack').click();
  await expect.element(page.getByRole('option', { name: new RegExp(LATA) })).toBeVisible();
  await expect.element(page.getByRole('option', { name: /Caja retirada/ })).not.toBeInTheDocument();
  await page.getByRole('option', { name: new RegExp(LATA) }).click();
  await field('Cantidad').fill('3');
  await page.getByRole('combobox', { name: 'Revendedor (opcional)' }).click();
  await expect.element(page.getByRole('option', { name: gone.full_name })).not.toBeInTheDocument();
  await page.getByRole('option', { name: rita.full_name }).click();
  await expect.element(page.getByRole('definition').filter({ hasText: LATA })).toBeVisible();
  await expect.element(amount('91,50 €')).toBeVisible();
  await expectAccessible();

  await field('Nombre').fill(' ');
  await expect.element(create).toBeDisabled();
  await field('Nombre').fill('  Cova Nueva ');
  await create.click();
  await expect.element(page.getByText('Pedido creado correctamente')).toBeVisible();
  await expect.poll(address).toBe('/pedidos');
  expect(orders()).toMatchObject([
    {
      cliente_nombre: 'Cova Nueva',
      cliente_provincia: 'Asturias',
      cliente_telefono: null,
      referencia_externa: 'WEB-7',
      lineas: [{ pack_id: packs[0]?.id, cantidad: 3 }],
      revendedor_id: rita.id,
    },
  ]);
});

test('the form of an order shows at most eight fields, and «Más datos» sums up the folded values', async () => {
  localStorage.clear();
  server.answer(listClientes, pageOf([aCliente({ cliente_nombre: 'Íñigo Casas', cliente_provincia: 'Soria', revendedor_id: null })]));
  start();
  const more = page.getByRole('button', { name: 'Más datos' });
  await expect.element(more).toHaveAttribute('aria-expanded', 'false');
  await expect.element(field('Pack')).toBeVisible();
  const inputs = page.getByRole('form', { name: 'Crear pedido' }).element().querySelectorAll('input, textarea');
  expect([...inputs].filter((input) => input.checkVisibility()).length).toBeLessThanOrEqual(8);
  await field('Nombre').fill('Íñigo');
  await page.getByRole('option', { name: /Íñigo Casas/ }).click();
  await expect.element(field('Pack')).toHaveFocus();
  await expect.element(page.getByText('Soria')).toBeVisible();
  await expectAccessible();
  await more.click();
  await expect.element(field('Provincia / Estado')).toHaveValue('Soria');
  start();
  await expect.element(more).toHaveAttribute('aria-expanded', 'true');
});

test('the form unfolds a refused field, and hides the refusal once the order is created', async () => {
  localStorage.clear();
  start();
  await fill('Lola Plegada');
  const above = 'El descuento no puede superar el importe del pedido';
  const refusal = { message: above, errors: { descuento: [above] } };
  server.refuse(createPedido, 422, refusal);
  await create.click();
  // The refused field is in «Más datos», which unfolds.
  await expect.element(field('Descuento (€)')).toHaveFocus();
  server.refuse(calcularTotal, 422, refusal);
  await field('Descuento (€)').fill('40');
  await expect.element(page.getByRole('alert').filter({ hasText: above })).toBeVisible();
  await create.click();
  await expect.element(field('Descuento (€)')).toHaveAccessibleDescription(above);
  server.reply(calcularTotal, ({ body }) => aTotal(body, packs, shipping));
  await field('Descuento (€)').fill('');

  server.refuse(createPedido, 500, { message: 'Ha ocurrido un error inesperado' });
  await create.click();
  const failure = page.getByRole('alert').filter({ hasText: 'No se pudo crear el pedido' });
  await expect.element(failure).toBeVisible();
  await expect.element(field('Nombre')).toHaveValue('Lola Plegada');
  await expect.element(create).toBeEnabled();

  server.answer(createPedido, { ...asDone('Pedido creado', aPedido()), avisos: [], payment_link: null });
  await create.click();
  await expect.poll(address).toBe('/pedidos');
  // Shorter than the time after which an error closes automatically.
  await expect.element(failure, { timeout: 3000 }).not.toBeInTheDocument();
});

test('an order typed into the pack field fills in packs and quantities', async () => {
  packs = [
    lata(),
    lata({ name: 'Lata', pack_quantity: 1, pack_price: 6 }),
    lata({ product_name: 'Miel', name: 'Tarro', pack_quantity: 1 }),
  ];
  start();
  await field('Nombre').fill('Tere Teclado');
  await field('Dirección').fill('Calle Alta, 4');
  await field('Pack').click();
  await field('Pack').fill('2 aceite 6, 3 miel');
  await expect.element(page.getByRole('option', { name: /2 × Aceite – Caja de seis y 3 × Miel – Tarro/ })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Cantidad')).toHaveValue('2');
  await expect.element(field('Pack 2')).toHaveValue('Miel – Tarro');
  await expect.element(field('Cantidad 2')).toHaveValue('3');
  // Typing the same pack again changes its quantity.
  await field('Pack').fill('5 cajas de aceite de 6');
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Cantidad')).toHaveValue('5');
  await create.click();
  await expect.poll(orders).toMatchObject([
    {
      lineas: [
        { pack_id: packs[0]?.id, cantidad: 5 },
        { pack_id: packs[2]?.id, cantidad: 3 },
      ],
    },
  ]);
});

test('a superadmin can add a free line, shipping and a discount', async () => {
  packs = [lata({ pack_price: 20 })];
  shipping = 4.95;
  start();
  await fill('Lola Libre');
  await expect.element(field('Envío (€)')).toHaveAttribute('placeholder', '4,95');
  await press('Añadir línea libre');
  await expect.element(field('Descripción 2')).toHaveFocus();
  await expect.element(create).toBeDisabled();
  await userEvent.keyboard('Grabado');
  await create.click();
  await expect.element(field('Precio 2 (€)')).toHaveAccessibleDescription('Indica el precio');
  await expect.element(field('Precio 2 (€)')).toHaveFocus();
  await userEvent.keyboard('4,5');
  await field('Cantidad 2').fill('2');
  await expect.element(amount('33,95 €')).toBeVisible();
  await field('Envío (€)').fill('0');
  await field('Descuento (€)').fill('1,5');
  await expect.element(amount('27,50 €')).toBeVisible();
  await expectAccessible();
  await create.click();
  await expect.poll(address).toBe('/pedidos');
  expect(orders()).toMatchObject([
    {
      lineas: [{ pack_id: packs[0]?.id }, { producto: 'Grabado', precio_unitario: 4.5, cantidad: 2 }],
      envio: 0,
      descuento: 1.5,
    },
  ]);
});

test('what was typed stays when the form is left, until the order is created or the draft discarded', async () => {
  start();
  await fill('A Medias');
  await press('Cancelar');
  await expect.poll(address).toBe('/pedidos');
  await page.getByRole('link', { name: 'Crear pedido' }).first().click();
  await expect.element(page.getByText('Se ha recuperado el borrador que dejaste a medias.')).toBeVisible();
  await expect.element(field('Nombre')).toHaveValue('A Medias');
  await create.click();
  await expect.poll(address).toBe('/pedidos');
  start();
  await expect.element(field('Nombre')).toHaveValue('');
  await field('Nombre').fill('Otra Vez');
  await press('Descartar borrador');
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click();
  await expect.element(field('Nombre')).toHaveValue('');
});

test('suggested customers show their reseller, and choosing a customer fills in the reseller', async () => {
  const rita = aUser('revendedor', { full_name: 'Rita Sanz' });
  server.answer(listUsers, listed([rita]));
  const hers = aCliente({ cliente_nombre: 'Íñigo Rivas', revendedor_id: rita.id, revendedor_nombre: rita.full_name, avisar_antes: true });
  const ours = aCliente({ cliente_nombre: 'Íñigo Casas', revendedor_id: null, revendedor_nombre: null });
  const within = aCliente({ cliente_nombre: 'Taberna de Íñigo', revendedor_id: null });
  server.answer(listClientes, pageOf([within, hers, ours]));
  start();
  await expect.element(field('Nombre')).toHaveFocus();
  await userEvent.keyboard('Íñigo');
  await expect.element(page.getByRole('option', { name: /Íñigo Casas de la tienda/ })).toBeVisible();
  // Names that begin with the text come first.
  await expect.element(page.getByRole('option').nth(2)).toMatchTextContent(/^Taberna de Íñigo/);
  await page.getByRole('option', { name: /Íñigo Rivas de Rita Sanz/ }).click();
  const reseller = page.getByRole('combobox', { name: 'Revendedor (opcional)' });
  await expect.element(reseller).toHaveValue('Rita Sanz');
  await expect.element(page.getByRole('note').filter({ hasText: 'Cliente conocido' })).toBeVisible();
  await pick('Pack', LATA);
  await create.click();
  await expect.poll(orders).toMatchObject([{ cliente_nombre: 'Íñigo Rivas', revendedor_id: rita.id }]);
});

test('a doubtful value is pointed out while typing and must be confirmed to create the order', async () => {
  const before = aPedido({ cliente_nombre: 'Rafa Repetido', cliente_telefono: '+34 611 22 33 44' });
  server.reply(listPedidos, ({ query }) => pageOf(query.search === '611223344' ? [before] : []));
  start();
  const warnings = page.getByRole('note').filter({ hasText: 'Revisa antes de crear' });
  await fill('Otro Nombre');
  await field('Código Postal').fill('99999');
  await expect.element(warnings).toMatchTextContent('El código postal 99999 no es de España.');
  await create.click();
  const question = page.getByRole('dialog', { name: 'Revisa los datos' });
  await expect.element(question).toMatchTextContent('El código postal 99999 no es de España.');
  await question.getByRole('button', { name: 'Corregir' }).click();
  expect(orders()).toEqual([]);
  await field('Código Postal').fill('28013');
  // The postcode fills in its town.
  await expect.element(field('Ciudad')).toHaveValue('Madrid');
  await field('Ciudad').fill('Getafe');
  await field('Provincia / Estado').fill('Toledo');
  await field('Teléfono').fill('6112233');
  for (const doubt of ['es de Madrid, no de Getafe.', 'es de Madrid, no de Toledo.', 'El teléfono 6112233 no parece completo.'])
    await expect.element(warnings).toMatchTextContent(doubt);
  await field('Ciudad').fill('Madrid');
  await field('Teléfono').fill('611 22 33 44');
  await expect.element(warnings).toMatchTextContent(`Puede ser el mismo que ${before.numero_orden}`);
  await expect.element(warnings).not.toMatchTextContent(/Getafe|completo/);
  await expectAccessible();
  await create.click();
  await press('Guardar de todas formas');
  await expect.poll(address).toBe('/pedidos');
  expect(orders()).toHaveLength(1);
});

test('packs that failed to load can be loaded again', async () => {
  server.refuse(listPacks, 500, { message: 'Ha ocurrido un error inesperado' });
  start();
  await expect.element(page.getByRole('alert').filter({ hasText: 'No se pudieron cargar datos iniciales' })).toBeVisible();
  server.answer(listPacks, listed(packs));
  await press('Reintentar');
  await pick('Pack', LATA);
});

test('a new order with a payment link stays on screen, and is not reported as its own duplicate', async () => {
  let made: Pedido[] = [];
  server.reply(listPedidos, () => pageOf(made));
  server.reply(createPedido, ({ body: { cliente_nombre, cliente_direccion } }) => {
    const pedido = aPedido({ cliente_nombre, cliente_direccion, estado: 'pendiente_pago', payment_link: 'https://enruta.test/pagar/abc' });
    made = [pedido];
    return { ...asDone('Pedido creado', pedido), avisos: [], payment_link: pedido.payment_link };
  });
  start();
  await fill('Una Vez');
  await way('Con enlace').click();
  await expect.poll(() => server.asked(calcularTotal).length).toBeGreaterThan(0);
  await expect.poll(() => server.asked(listPedidos).length).toBeGreaterThan(0);
  const [totals, searches] = [server.asked(calcularTotal).length, server.asked(listPedidos).length];
  await create.click();
  const created = page.getByRole('dialog', { name: 'Pedido creado' });
  await expect.element(created.getByRole('link', { name: 'Pagar ahora' })).toHaveAttribute('href', 'https://enruta.test/pagar/abc');
  await expect.element(created.getByRole('link', { name: 'Ver pedidos' })).toBeVisible();
  expect(orders()).toMatchObject([{ estado: 'pendiente_pago' }]);
  await expect.poll(() => server.asked(listPedidos).length).toBeGreaterThan(searches);
  // A separate chunk draws the QR code, and loads after the answer to the search.
  await page.getByRole('button', { name: 'Mostrar código QR' }).click();
  await expect.element(page.getByRole('img', { name: /^Código QR/ })).toBeVisible();
  await expect.element(page.getByText('Revisa antes de crear')).not.toBeInTheDocument();
  expect(server.asked(calcularTotal)).toHaveLength(totals);
  await created.getByRole('button', { name: 'Crear otro' }).click();
  await expect.element(field('Nombre')).toHaveValue('');
});
