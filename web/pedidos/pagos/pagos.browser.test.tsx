import { beforeEach, expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { anotarPago, listPagos, type Pago, reembolsarSobra } from '../../../contract/payments/payments.ts';
import { pago } from '../../../contract/payments/schemas.ts';
import {
  calcularTotal,
  createPedido,
  duplicatePedido,
  getPedido,
  listPedidos,
  type Pedido,
  separarVenta,
} from '../../../contract/pedidos/pedidos.ts';
import { listPacks } from '../../../contract/products/products.ts';
import { expectAccessible, open } from '../../../test/web/app.tsx';
import { emptyOf } from '../../../test/web/empty-answer.ts';
import { server } from '../../../test/web/fake-server.ts';
import { row } from '../../../test/web/list.ts';
import { aPack, aPedido, aTotal, listed, pageOf } from '../../../test/web/samples.ts';

/* Payments of an order, managed by a superadmin. */

const aPago = (fields: Partial<Pago>): Pago => ({ ...(emptyOf(pago) as Pago), fecha: '2026-11-20', estado: 'pagado', ...fields });

let pedido: Pedido;
let pagos: Pago[];
beforeEach(() => {
  pedido = aPedido({ cliente_nombre: 'Lola Partes', precio_total: 100, payment_link: 'https://enruta.test/pagar/una-llave' });
  pagos = [];
  server.reply(listPedidos, () => pageOf([pedido]));
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(listPagos, () => ({ data: pagos }));
});

const press = (name: string, within: Pick<Locator, 'getByRole'> = page) => within.getByRole('button', { name, exact: true }).click();
const mine = () => row(pedido.numero_orden);
const steps = page.getByRole('group', { name: 'Acciones del pedido' });
const sum = (text: string) => page.getByRole('row', { name: new RegExp(`^${text}\\s€$`) });
const dialog = (name: string) => page.getByRole('dialog', { name });

test('an order shows the amount due, which its payment link and form propose', async () => {
  open('/pedidos');
  await expect.element(mine()).toMatchTextContent('Por cobrar');
  await mine().getByRole('link', { name: pedido.numero_orden }).click();
  const section = page.getByRole('region', { name: 'Pagos' });
  await expect.element(sum('Por cobrar 100,00')).toBeVisible();
  await press('Enlace de pago', section);
  await expect.element(section.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', expect.stringMatching(/100%2C00/));
  await expect.element(section.getByRole('link', { name: 'Pagar ahora' })).toHaveAttribute('href', 'https://enruta.test/pagar/una-llave');
  await press('Anotar pago', steps);
  await expect.element(page.getByRole('form', { name: 'Anotar pago' }).getByLabelText(/^Importe/)).toHaveValue('100,00');
  await expectAccessible();
});

test('an order offers «Anotar pago» once: as a step, or under «Más» if its carrier collects the payment', async () => {
  const buttons = () => page.getByRole('button', { name: 'Anotar pago', exact: true }).elements().length;
  const inMenu = async () => {
    await press('Más');
    await expect.element(page.getByRole('menuitem').first()).toBeVisible();
    return page.getByRole('menuitem', { name: 'Anotar pago' }).elements().length;
  };
  for (const estado of ['pendiente_pago', 'pendiente', 'completado'] as const) {
    pedido = { ...pedido, estado, version: pedido.version + 1 };
    open(`/pedidos/${pedido.id}?${estado}`);
    await expect.element(steps.getByRole('button', { name: 'Anotar pago' })).toBeVisible();
    expect(buttons()).toBe(1);
    expect(await inMenu()).toBe(0);
  }
  pedido = { ...pedido, estado: 'pendiente', contra_reembolso: true, version: 9 };
  open(`/pedidos/${pedido.id}?`);
  await expect.element(page.getByRole('row', { name: /^Se cobra al entregar 100,00/ })).toBeVisible();
  expect(buttons()).toBe(0);
  expect(await inMenu()).toBe(1);
});

test('«Es otra venta» is offered if the order shares the legal cash limit with other orders', async () => {
  server.reply(listPagos, () => ({ data: [], venta_conjunta: true }));
  open(`/pedidos/${pedido.id}`);
  await press('Más');
  await page.getByRole('menuitem', { name: 'Es otra venta' }).click();
  const asking = dialog('Es otra venta');
  server.answer(separarVenta, asDone('Guardado', pedido));
  await press('Es otra venta', asking);
  await asking.getByRole('textbox', { name: 'Por qué son dos ventas' }).fill('Son dos personas');
  await press('Es otra venta', asking);
  await expect.poll(() => server.asked(separarVenta).map(({ body }) => body)).toEqual([{ motivo: 'Son dos personas' }]);
});

test('an announced transfer is shown in the list and in the order until its payment is recorded', async () => {
  pedido = { ...pedido, transferencia_avisada_at: '2026-11-20T09:30:00.000Z' };
  open('/pedidos');
  await expect.element(mine()).toMatchTextContent('Transferencia avisada');
  await mine().getByRole('link', { name: pedido.numero_orden }).click();
  await expect
    .element(page.getByRole('region', { name: 'Situación' }))
    .toMatchTextContent(/El cliente dice que ha hecho la transferencia el 20\/11: faltan por llegar 100,00\s€/);
  await expect.element(page.getByRole('button', { name: 'Ha llegado' })).toBeVisible();
  await expectAccessible();
  pedido = { ...pedido, pagado: 100, pendiente: 0, version: 2 };
  open('/pedidos');
  await expect.element(mine()).toMatchTextContent('Pagado');
  await expect.element(mine()).not.toMatchTextContent('Transferencia avisada');
});

test('a partial payment is recorded and shown in the order and in the list', async () => {
  server.reply(anotarPago, ({ body: { importe, referencia } }) => {
    pagos = [aPago({ proveedor: 'bizum', proveedor_nombre: 'Bizum', importe: Number(importe), referencia: referencia ?? '' })];
    pedido = { ...pedido, pagado: Number(importe), pendiente: 100 - Number(importe), version: 2 };
    return asDone('Pago anotado', pedido);
  });
  open(`/pedidos?pedido=${pedido.id}`);
  const section = page.getByRole('region', { name: 'Pagos' });
  await press('Anotar pago', steps);
  const form = page.getByRole('form', { name: 'Anotar pago' });
  await form.getByLabelText(/^Importe/).fill('40');
  await form.getByRole('combobox', { name: 'Método' }).click();
  await page.getByRole('option', { name: 'Bizum' }).click();
  await form.getByLabelText('Referencia (opcional)').fill('B-7');
  await press('Anotar pago', form);
  await expect.element(sum('Pagado −40,00')).toBeVisible();
  await expect.element(sum('Por cobrar 60,00')).toBeVisible();
  await expect.element(section.getByRole('listitem')).toMatchTextContent('Ref. B-7');
  expect(server.asked(anotarPago)[0]?.body).toMatchObject({ metodo: 'bizum', importe: 40, referencia: 'B-7' });
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(mine()).toMatchTextContent(/Pagado 40,00\s€/);
});

test('a payment of zero, or above the amount due, is refused at the amount field', async () => {
  const message = 'Como máximo lo que falta por pagar: 100,00 €';
  server.refuse(anotarPago, 422, { message, errors: { importe: [message] } });
  open(`/pedidos?pedido=${pedido.id}`);
  await press('Anotar pago', steps);
  const form = page.getByRole('form', { name: 'Anotar pago' });
  const importe = form.getByLabelText(/^Importe/);
  await importe.fill('0');
  await press('Anotar pago', form);
  await expect.element(importe).toHaveAccessibleDescription(/Indica cuánto se ha pagado/);
  await importe.fill('100,01');
  await press('Anotar pago', form);
  await expect.element(importe).toHaveAccessibleDescription(/Como máximo lo que falta por pagar: 100,00\s€/);
});

test('an overpaid amount is shown and can be recorded as refunded', async () => {
  pedido = { ...pedido, precio_total: 17.5, pagado: 255, pendiente: 0, por_reembolsar: 237.5 };
  server.reply(reembolsarSobra, ({ body: { importe } }) => {
    pedido = { ...pedido, pagado: 17.5, por_reembolsar: 0, version: 2 };
    pagos = [aPago({ importe: 255, devuelto: Number(importe), proveedor_nombre: 'Bizum', nota: 'TR-9' })];
    return asDone('Reembolso anotado', pedido);
  });
  open(`/pedidos?pedido=${pedido.id}`);
  const section = page.getByRole('region', { name: 'Pagos' });
  await expect.element(section).toMatchTextContent(/Sobran 237,50\s€/);
  await press('Anotar el reembolso');
  const form = section.getByRole('form', { name: 'Marcar como reembolsado' });
  await expect.element(form.getByLabelText(/^Reembolso/)).toHaveValue('237,50');
  await form.getByLabelText('Referencia (opcional)').fill('TR-9');
  await expectAccessible();
  await press('Marcar como reembolsado', form);
  await expect.element(section.getByRole('listitem')).toMatchTextContent(/Reembolsados 237,50\s€ que sobraban: «TR-9»/);
  await expect.element(section).not.toMatchTextContent(/Sobran/);
  expect(server.asked(reembolsarSobra)[0]?.body).toEqual({ importe: 237.5, referencia: 'TR-9' });
});

test('the list can be filtered by payment, and its filters fit the window', async () => {
  server.reply(listPedidos, ({ query }) => pageOf(query.pagado === 'parte' ? [pedido] : []));
  open('/pedidos?pagado=parte');
  await expect.element(mine()).toBeVisible();
  open('/pedidos?pagado=si');
  await expect.element(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
});

test('an order to pay on delivery says so in the list', async () => {
  pedido = { ...pedido, contra_reembolso: true };
  open('/pedidos');
  await expect.element(mine()).toMatchTextContent('Se cobra al entregar');
});

test('duplicating an order says that the copy is unpaid', async () => {
  const copy = aPedido({ payment_link: null });
  const message = `Pedido duplicado como ${copy.numero_orden}: la copia está sin pagar`;
  server.answer(duplicatePedido, { ...asDone(message, copy), avisos: [], payment_link: null });
  open(`/pedidos/${pedido.id}`);
  await press('Más');
  await page.getByRole('menuitem', { name: 'Duplicar' }).click();
  await expect.element(dialog('Duplicar pedido')).toMatchTextContent('La copia queda sin pagar.');
  await press('Duplicar', dialog('Duplicar pedido'));
  await expect.element(page.getByText(message)).toBeVisible();
});

test('an order created to be paid by link waits for its payment and shows the link at once', async () => {
  const packs = [aPack({ product_name: 'Aceite', name: 'Caja enlazada', pack_price: 12, available: true, quedan: 50 })];
  server.answer(listPacks, listed(packs));
  server.reply(calcularTotal, ({ body }) => aTotal(body, packs));
  server.reply(createPedido, ({ body: { cliente_nombre, estado } }) => {
    const made = aPedido({ cliente_nombre, estado: estado ?? 'pendiente', payment_link: '/pagar/una-llave' });
    return { ...asDone('Pedido creado', made), avisos: [], payment_link: made.payment_link };
  });
  localStorage.setItem('mas-datos', 'abierto');
  open('/pedidos/nuevo-admin');
  await page.getByLabelText(/^Nombre( \*)?$/).fill('Enrique Enlace');
  await page.getByLabelText(/^Dirección( \*)?$/).fill('Calle Alta, 4');
  await page.getByRole('combobox', { name: 'Pack', exact: true }).click();
  await page.getByRole('option', { name: /Caja enlazada/ }).click();
  await page.getByRole('radio', { name: 'Con enlace' }).click();
  await press('Crear pedido');
  await expect.element(dialog('Pedido creado').getByRole('link', { name: 'WhatsApp' })).toBeVisible();
  expect(server.asked(createPedido)[0]?.body).toMatchObject({ cliente_nombre: 'Enrique Enlace', estado: 'pendiente_pago' });
});
