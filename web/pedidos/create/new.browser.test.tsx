import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { calcularTotal, createPedido, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { listPacks, type Pack } from '../../../contract/products/products.ts';
import { getUser, login, logout } from '../../../contract/session/session.ts';
import { address, expectAccessible, onPhone, open, reload } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPack, aPedido, aTotal, listed } from '../../../test/web/samples.ts';
import { holdWaits } from '../../../test/web/waits.ts';

/* «Nuevo Pedido»: a reseller creates an order for a customer and shares the payment link. */

let packs: Pack[];
let shipping: number;
beforeEach(() => {
  packs = [miel()];
  shipping = 0;
  localStorage.setItem('mas-datos', 'abierto');
  server.reply(listPacks, () => listed(packs));
  server.reply(calcularTotal, ({ body }) => aTotal(body, packs, shipping));
  server.reply(createPedido, ({ body }) => {
    const { total, lineas } = aTotal({ ...body, envio: undefined, descuento: undefined }, packs, shipping).data;
    const { cliente_nombre } = body;
    return made(
      aPedido({ cliente_nombre, precio_total: total, estado: 'pendiente_pago', lineas, payment_link: 'https://enruta.test/pagar/abc' }),
    );
  });
});

const made = (pedido: Pedido) => ({ ...asDone('Pedido creado', pedido), avisos: [], payment_link: pedido.payment_link });
const miel = (fields: Partial<Pack> = {}) =>
  aPack({ product_name: 'Miel de brezo', name: 'Tarro', pack_price: 12.5, pack_quantity: 2, available: true, quedan: 50, ...fields });
const queso = () => miel({ product_name: 'Queso curado', name: 'Entero', pack_price: 4 });
const MIEL = 'Miel de brezo – Tarro';
const QUESO = 'Queso curado – Entero';

const start = () => open('/pedidos/nuevo', 'revendedor');
const field = (label: string) => page.getByLabelText(new RegExp(`^${label}( \\*)?$`));
const text = (name: string) => page.getByRole('textbox', { name, exact: true });
const picker = (name = 'Pack') => page.getByRole('combobox', { name, exact: true });
const option = (label: string) => page.getByRole('option', { name: new RegExp(label) });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
async function choose(label: string) {
  await picker().fill(label);
  await option(label).click();
  await expect.element(picker()).toHaveValue(label);
}
async function fill(cantidad = '1') {
  await field('Nombre').fill('Ana Ruiz');
  await field('Dirección').fill('Calle Mayor 3');
  await choose(MIEL);
  await text('Cantidad').fill(cantidad);
}
async function write(into: Locator, words: string) {
  await into.click();
  await userEvent.keyboard(words);
}
const created = page.getByRole('dialog', { name: 'Pedido creado' });
const orders = () => server.asked(createPedido).map(({ body }) => body);
const kept = () => JSON.stringify({ ...sessionStorage, ...localStorage });

test('payment on delivery is offered to a reseller with permission, and the server’s refusal is shown', async () => {
  open('/pedidos/nuevo', 'revendedor', { contra_reembolso: true });
  server.refuse(createPedido, 422, { message: 'x', errors: { contra_reembolso: ['No puedes vender así'] } });
  await fill();
  await page.getByRole('radio', { name: 'Al entregar' }).click();
  await press('Crear Pedido');
  await expect.element(page.getByText('No puedes vender así')).toBeVisible();
  expect(orders()).toMatchObject([{ contra_reembolso: true }]);
});

test('two clicks create one order, whose payment link can be shared, copied and opened', async () => {
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  start();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Nuevo Pedido' })).toBeVisible();
  await expect.element(field('Nombre')).toHaveFocus();
  await expect.element(field('Teléfono')).toHaveAttribute('type', 'tel');
  await expect.element(field('País')).toHaveValue('España');
  await fill('3');
  await field('Código Postal').fill('46001');
  await expect.element(field('Provincia / Estado')).toHaveValue('Valencia');
  await expect.element(page.getByText('3 packs · 6 unidades')).toBeVisible();
  await expect.element(page.getByText('37,50 €')).toBeVisible();
  // Only a reseller with permission may sell on delivery.
  expect(page.getByRole('radio', { name: 'Al entregar' }).elements()).toHaveLength(0);
  const button = page.getByRole('button', { name: 'Crear Pedido' }).element() as HTMLButtonElement;
  button.click();
  button.click();

  await expect.element(page.getByText('🎉 Pedido creado exitosamente!')).toBeVisible();
  await expect.element(created).toMatchTextContent(/ORD-\d{10}.*Ana Ruiz.*37,50\s€/);
  await expectAccessible();
  expect(orders()).toMatchObject([
    {
      cliente_nombre: 'Ana Ruiz',
      cliente_direccion: 'Calle Mayor 3',
      cliente_codigo_postal: '46001',
      cliente_provincia: 'Valencia',
      cliente_telefono: null,
      lineas: [{ pack_id: packs[0]?.id, cantidad: 3 }],
    },
  ]);
  await expect
    .element(created.getByRole('link', { name: 'WhatsApp' }))
    .toHaveAttribute('href', expect.stringMatching(/^https:\/\/wa\.me\/\?text=.*%2Fpagar%2F/));
  await press('Mostrar código QR');
  await expect.element(created.getByRole('img', { name: /^Código QR/ })).toBeVisible();
  await press('Copiar enlace');
  await expect.element(page.getByText('Enlace de pago copiado')).toBeVisible();
  await expect.element(created.getByRole('button', { name: 'Copiado ✓' })).toBeVisible();
  expect(copy.mock.calls).toEqual([['https://enruta.test/pagar/abc']]);
  const pay = created.getByRole('link', { name: 'Pagar ahora' });
  await expect.element(pay).toHaveAttribute('href', 'https://enruta.test/pagar/abc');
  await expect.element(pay).toHaveAttribute('target', '_blank');
  await expect.element(pay).toHaveAttribute('rel', expect.stringContaining('noopener'));
  await created.getByRole('link', { name: 'Ver Mis Pedidos' }).click();
  await expect.poll(address).toBe('/mis-pedidos');
});

test('the form keeps its input after each refusal, and hides the refusal once the order is created', async () => {
  start();
  await press('Crear Pedido');
  await expect.element(page.getByText('Por favor, completa todos los campos obligatorios')).toBeVisible();
  for (const input of [field('Nombre'), field('Dirección'), picker()]) {
    await expect.element(input).toHaveAccessibleDescription('Este campo es obligatorio');
  }
  await expect.element(field('Nombre')).toHaveFocus();
  await expectAccessible();

  expect(orders()).toEqual([]);
  await fill('3');
  const gone = 'Selecciona un pack válido';
  server.refuse(createPedido, 422, { message: gone, errors: { 'lineas.0.pack_id': [gone] } });
  await press('Crear Pedido');
  await expect.element(picker()).toHaveAccessibleDescription(gone);
  server.refuse(createPedido, 500, { message: 'Algo ha fallado' });
  await press('Crear Pedido');
  await expect.element(page.getByText('Error al crear el pedido. Inténtalo de nuevo.')).toBeVisible();
  await expect
    .poll(
      () =>
        page
          .getByRole('alert')
          .elements()
          .map(({ textContent }) => textContent),
      // Shorter than the time after which an error closes automatically.
      { timeout: 4000 },
    )
    .toHaveLength(1);
  await expect.element(field('Nombre')).toHaveValue('Ana Ruiz');

  server.answer(createPedido, made(aPedido()));
  await press('Crear Pedido');
  await expect.element(page.getByText('🎉 Pedido creado exitosamente!')).toBeVisible();
  await expect.element(page.getByRole('alert'), { timeout: 2000 }).not.toBeInTheDocument();
});

test('a phone keeps the total and the button in sight, and shows one toast at a time', async () => {
  await onPhone();
  start();
  await fill();
  const amounts = page.getByRole('main').getByText(/^12,50\s€$/);
  await expect.poll(() => amounts.elements()).toHaveLength(2);
  for (const shown of [page.getByRole('button', { name: 'Crear Pedido' }), amounts.last()]) {
    const { top, bottom } = shown.element().getBoundingClientRect();
    expect([top > 0, bottom <= innerHeight]).toEqual([true, true]);
  }
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press('Crear Pedido');
  const success = page.getByText('🎉 Pedido creado exitosamente!');
  await expect.element(success).toBeVisible();
  await press('Copiar enlace');
  // Shorter than the time after which a toast closes automatically.
  await expect.element(success, { timeout: 1500 }).not.toBeInTheDocument();
  await expect.element(page.getByText('Enlace de pago copiado')).toBeVisible();
});

test('the link is copied even without the clipboard API, or a message says that copying failed', async () => {
  const twoSeconds = holdWaits(2000);
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never);
  let copied = '';
  const command = vi.spyOn(document, 'execCommand').mockImplementation(() => {
    copied = (document.activeElement as HTMLTextAreaElement).value;
    return true;
  });
  start();
  await fill();
  await press('Crear Pedido');
  await press('Copiar enlace');
  await expect.element(page.getByText('Enlace de pago copiado')).toBeVisible();
  expect(copied).toBe('https://enruta.test/pagar/abc');
  command.mockReturnValue(false);
  await expect.element(created.getByRole('button', { name: 'Copiado ✓' })).toBeVisible();
  twoSeconds();
  await press('Copiar enlace');
  await expect.element(page.getByText('No se pudo copiar el enlace')).toBeVisible();
});

test('several products can be ordered by keyboard alone, even after a line is refused', async () => {
  packs = [...packs, queso()];
  start();
  await fill('3');
  await userEvent.tab();
  await expect.element(page.getByRole('button', { name: 'Añadir otro producto' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(picker('Pack 2')).toHaveFocus();
  await userEvent.keyboard('queso{Enter}');
  await expect.element(picker('Pack 2')).toHaveValue(QUESO);
  await userEvent.tab();
  await expect.element(text('Cantidad 2')).toHaveFocus();
  await userEvent.keyboard('4');
  // Removing a line keeps the focus among the lines.
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await expect.element(picker('Pack 3')).toHaveFocus();
  await expectAccessible();
  await userEvent.tab();
  await userEvent.tab();
  await expect.element(page.getByRole('button', { name: 'Quitar la línea 3' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(picker('Pack 3')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Añadir otro producto' })).toHaveFocus();
  await expect.element(page.getByRole('definition').filter({ hasText: /^16,00\s€$/ })).toBeVisible();
  await expect.element(page.getByText('53,50 €', { exact: true })).toBeVisible();

  const sentence = 'Stock insuficiente de Queso curado: quedan 3 packs';
  server.refuse(createPedido, 422, { message: sentence, errors: { 'lineas.1.cantidad': [sentence] } });
  await press('Crear Pedido');
  await expect.element(text('Cantidad 2')).toHaveAccessibleDescription(new RegExp(sentence));
  await expect.element(text('Cantidad 2')).toHaveFocus();
  await userEvent.keyboard('{Control>}a{/Control}2{Enter}');
  await expect.poll(orders).toHaveLength(2);
  expect(orders()[1]?.lineas?.map(({ pack_id, cantidad }) => [pack_id, cantidad])).toEqual([
    [packs[0]?.id, 3],
    [packs[1]?.id, 2],
  ]);
});

test('removing the first line moves the next line up with its error', async () => {
  packs = [...packs, queso()];
  start();
  await fill();
  const removers = page.getByRole('button', { name: /^Quitar la línea/ });
  await expect.element(removers).not.toBeInTheDocument();
  await press('Añadir otro producto');
  await userEvent.keyboard('queso{Enter}');
  await text('Cantidad 2').fill('0');
  await press('Crear Pedido');
  await expect.element(page.getByRole('alert').filter({ hasText: 'La cantidad debe ser un número entero' })).toBeVisible();
  await expect.element(text('Cantidad 2')).toHaveAccessibleDescription(/debe ser un número entero/);
  expect(orders()).toEqual([]);
  await press('Quitar la línea 1');
  await expect.element(picker()).toHaveValue(QUESO);
  await expect.element(text('Cantidad')).toHaveAccessibleDescription(/debe ser un número entero/);
  await expect.element(removers).not.toBeInTheDocument();
  reload('revendedor');
  await expect.element(picker()).toHaveValue(QUESO);
});

test('the total includes the shipping to the address, and is marked if only estimated', async () => {
  start();
  await fill();
  await expect.element(page.getByRole('main').getByText('12,50 €').last()).toBeVisible();
  await expect.element(page.getByText('Envío')).not.toBeInTheDocument();
  shipping = 9.9;
  await field('Código Postal').fill('07001');
  await expect.element(page.getByRole('definition').filter({ hasText: /^9,90\s€$/ })).toBeVisible();
  await expect.element(page.getByText('22,40 €', { exact: true })).toBeVisible();
  await expect
    .poll(() => server.asked(calcularTotal).at(-1)?.body)
    .toMatchObject({ cliente_codigo_postal: '07001', cliente_provincia: 'Baleares' });
  server.refuse(calcularTotal, 500, { message: 'x' });
  await text('Cantidad').fill('3');
  await expect.element(page.getByText('No se pudo calcular el total')).toBeVisible();
  await expect.element(page.getByText('Total estimado')).toBeVisible();
  await expect.element(page.getByText('37,50 €')).toBeVisible();
});

test('a sold-out pack cannot be chosen, and a pack with low stock says how many are left', async () => {
  packs = [miel({ quedan: 3 }), miel({ name: 'Caja de diez', quedan: 0 })];
  start();
  await picker().fill('Miel de brezo');
  const out = option('Caja de diez');
  await expect.element(out).toMatchTextContent('Agotado');
  await expect.element(out).toHaveAttribute('aria-disabled', 'true');
  await expect.element(option(MIEL)).toMatchTextContent('Quedan 3 packs');
  await choose(MIEL);
  await expect.element(text('Cantidad')).toHaveAccessibleDescription(/Quedan 3 packs/);
  // The last packs are sold meanwhile.
  packs = packs.map((pack) => ({ ...pack, quedan: 0 }));
  new BroadcastChannel('enruta-live').postMessage({ kind: 'change', topic: 'products' });
  await expect.element(text('Cantidad')).toHaveAccessibleDescription(/Agotado/);
});

test('a superseded request for the total is cancelled', async () => {
  const fetched = vi.spyOn(window, 'fetch');
  const cancelled = () =>
    fetched.mock.calls.filter(([url]) => String(url).endsWith(calcularTotal.path)).map(([, init]) => init?.signal?.aborted);
  start();
  await choose(MIEL);
  const answer = server.hold(calcularTotal);
  await text('Cantidad').fill('7');
  await expect.poll(() => server.asked(calcularTotal).at(-1)?.body.lineas?.[0]?.cantidad).toBe(7);
  const at = cancelled().length - 1;
  expect(cancelled()[at]).toBe(false);
  await text('Cantidad').fill('2');
  await expect.poll(() => cancelled()[at]).toBe(true);
  answer();
  await expect.element(page.getByText('25,00 €')).toBeVisible();
});

test('the retry of an order reuses the idempotency key, and the next order gets a new key', async () => {
  const keys = () => server.asked(createPedido).map(({ headers }) => headers.get('idempotency-key'));
  const pedido = aPedido({ estado: 'pendiente_pago' });
  start();
  await fill();
  server.lose(createPedido);
  await press('Crear Pedido');
  await expect.element(page.getByText('Error al crear el pedido. Inténtalo de nuevo.')).toBeVisible();
  await expect.element(field('Nombre')).toHaveValue('Ana Ruiz');
  // The draft keeps the key even across a reload.
  server.answer(createPedido, made(pedido));
  reload('revendedor');
  await expect.element(field('Nombre')).toHaveValue('Ana Ruiz');
  await press('Crear Pedido');
  await expect.element(created).toBeVisible();
  await press('Crear otro');
  await expect.element(created).not.toBeInTheDocument();
  await fill();
  await press('Crear Pedido');
  await expect.poll(keys).toHaveLength(3);
  const [first, second, third] = keys();
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(orders()[1]).toEqual(orders()[0]);
});

test('a form changed after a lost answer says that the first order exists before creating another order', async () => {
  start();
  await fill();
  server.refuse(createPedido, 409, { message: 'x', code: 'idempotency' });
  await press('Crear Pedido');
  await expect.element(page.getByText(/El envío anterior de este formulario sí creó un pedido/)).toBeVisible();
  await press('Crear Pedido');
  await expect.poll(orders).toHaveLength(2);
  const [first, second] = server.asked(createPedido).map(({ headers }) => headers.get('idempotency-key'));
  expect(second).not.toBe(first);
});

test('a draft survives leaving the page, and can be discarded', async () => {
  start();
  await fill('4');
  open('/mis-pedidos', 'revendedor');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Mis Pedidos' })).toBeVisible();
  start();
  await expect.element(page.getByText('Se ha recuperado el borrador que dejaste a medias.')).toBeVisible();
  await expect.element(field('Nombre')).toHaveValue('Ana Ruiz');
  await expect.element(picker()).toHaveValue(MIEL);
  await expect.element(page.getByText('50,00 €')).toBeVisible();
  await press('Descartar borrador');
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click();
  await expect.element(field('Nombre')).toHaveValue('');
  reload('revendedor');
  await expect.element(field('Nombre')).toHaveValue('');
});

test('signing out removes the draft from the browser and notifies other tabs', async () => {
  server.answer(logout, { success: true, message: '' });
  const tab = new BroadcastChannel('enruta-signed-out');
  const onMessage = vi.fn();
  tab.onmessage = onMessage;
  start();
  await field('Nombre').fill('Ana Ruiz');
  await expect.poll(kept).toContain('Ana Ruiz');
  await page.getByRole('button', { name: /Rita Sanz/ }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect.poll(address).toBe('/auth');
  expect(kept()).not.toContain('Ana Ruiz');
  await expect.poll(() => onMessage.mock.calls).toHaveLength(1);
  tab.close();
});

test('a draft is removed when its person signs out in another tab or another person signs in', async () => {
  start();
  await field('Nombre').fill('Ana Ruiz');
  await expect.poll(kept).toContain('Ana Ruiz');
  open('/pedidos', 'superadmin');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(kept()).not.toContain('Ana Ruiz');
  start();
  await field('Nombre').fill('Ana Ruiz');
  await expect.poll(kept).toContain('Ana Ruiz');
  server.refuse(getUser, 401, { message: 'No autenticado' });
  new BroadcastChannel('enruta-signed-out').postMessage(null);
  await expect.poll(address).toMatch(/^\/auth/);
  expect(kept()).not.toContain('Ana Ruiz');
});

test('an expired session leads to the sign-in, and the form afterwards still has its input', async () => {
  start();
  await fill();
  server.refuse(createPedido, 401, { message: 'Usuario no autenticado' });
  await press('Crear Pedido');
  await expect.element(page.getByText('Usuario no autenticado')).toBeVisible();
  await expect.poll(address).toMatch(/^\/auth\?volver=/);
  server.answer(login, { success: true, message: '' });
  await field('Email o usuario').fill('rita@enruta.test');
  await page.getByLabelText('Contraseña', { exact: true }).fill('secreta');
  await press('Iniciar Sesión');
  await expect.poll(address).toBe('/pedidos/nuevo');
  await expect.element(field('Nombre')).toHaveValue('Ana Ruiz');
});

test('a postcode fills in its province and its only town without replacing typed values', async () => {
  start();
  const [codigo, provincia, ciudad] = [field('Código Postal'), field('Provincia / Estado'), field('Ciudad')];
  await expect.element(codigo).toHaveAttribute('inputmode', 'numeric');
  await write(codigo, '28013');
  await expect.element(provincia).toHaveValue('Madrid');
  await expect.element(ciudad).toHaveValue('Madrid');
  await write(codigo, '{End}{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}44382');
  await expect.element(provincia).toHaveValue('Teruel');
  // The postcode has several towns, which the field suggests.
  await expect.element(ciudad).toHaveValue('');
  await expect.poll(() => (ciudad.element() as HTMLInputElement).list?.options.length).toBe(3);
  await ciudad.fill('Madriz');
  await codigo.fill('08001');
  await expect.element(provincia).toHaveValue('Barcelona');
  await expect.element(ciudad).toHaveValue('Madriz');
  await provincia.fill('Gironès');
  await codigo.fill('17001');
  await expect.element(provincia).toHaveValue('Gironès');
  await field('País').fill('Portugal');
  await expect.element(codigo).toHaveAttribute('inputmode', 'text');
  await provincia.fill('');
  await codigo.fill('1000-001');
  await expect.element(codigo).toHaveValue('1000-001');
  await expect.element(provincia).toHaveValue('');
});

test('a town is only suggested while the person types it', async () => {
  start();
  await expect.element(field('Ciudad')).toBeVisible();
  const [codigo, ciudad] = [field('Código Postal').element(), field('Ciudad').element()] as HTMLInputElement[];
  // The table of towns loads after the postcode's last digit, when a quick person has gone on.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(codigo, '28013');
  codigo?.dispatchEvent(new InputEvent('input', { bubbles: true }));
  ciudad?.focus();
  await expect.poll(() => (field('Ciudad').element() as HTMLInputElement).list?.options.length).toBe(1);
  await userEvent.keyboard('Getafe');
  await expect.element(field('Ciudad')).toHaveValue('Getafe');
});

test('a pasted chat message fills in the order after a preview', async () => {
  packs = [...packs, queso()];
  start();
  await press('Pegar de un chat');
  const dialog = page.getByRole('dialog', { name: 'Pegar de un chat' });
  await dialog
    .getByLabelText('Mensaje')
    .fill(
      'Hola! soy Marta Gómez Ruiz, quiero 2 tarros de miel. mi tlf es 612 34 56 78 y vivo en C/ Gran Vía 24, 3º izda, 28013 madrid. dejar en portería. gracias 😘',
    );
  await expect.element(dialog.getByLabelText('Ciudad')).toHaveValue('Madrid');
  await expect.element(dialog.getByLabelText(/^Pack:/)).toHaveValue(MIEL);
  await expectAccessible();
  await dialog.getByLabelText(/^Nombre/).fill('Marta Gómez');
  await dialog.getByRole('button', { name: 'Rellenar el pedido' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(field('Nombre')).toHaveValue('Marta Gómez');
  await expect.element(field('Dirección')).toHaveValue('C/ Gran Vía 24');
  await expect.element(field('Piso / Puerta / Oficina')).toHaveValue('3º izda');
  await expect.element(field('Instrucciones')).toHaveValue('Dejar en portería');
  await expect.element(field('Teléfono')).toHaveValue('612 34 56 78');
  await expect.element(field('Código Postal')).toHaveValue('28013');
  await expect.element(picker()).toHaveValue(MIEL);
  await expect.element(text('Cantidad')).toHaveValue('2');
  // Filling in neither validates nor sends the form.
  await expect.element(page.getByText('Este campo es obligatorio')).not.toBeInTheDocument();
  expect(orders()).toEqual([]);
});
