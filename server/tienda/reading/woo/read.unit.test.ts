import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wooLine, wooOrder } from '../../../../test/woo.ts';
import type { WebOrder } from '../order.ts';
import { readWoo } from './read.ts';

const read = (order: object) => readWoo(order) as WebOrder;
const MESSAGES = join(import.meta.dirname, '../../../../test/woo-messages');

/** What each message of `test/woo-messages` says: WooCommerce 5 to 10, people invented. */
const SAID: Record<string, object> = {
  '5.9-transfer': {
    situacion: 'por_pagar',
    total_cents: 8415,
    envio_cents: 495,
    descuento_cents: 880,
    cuota_cents: 806,
    instrucciones: 'Llamar "antes"',
    pago: null,
    lineas: [{ clave: 'ACEITE-6', cantidad: 2, total_cents: 8800, iva: '10' }],
    cliente: { cliente_nombre: 'Mateo Ruiz', cliente_telefono: '600 11 22 33', cliente_nif: '12345678z', cliente_provincia: 'Valencia' },
  },
  '6.9-cash-on-delivery': {
    situacion: 'pagado',
    contra_reembolso: true,
    pago: null,
    total_cents: 3737,
    lineas: [
      { clave: '#120/123', sku: 'MIEL', nombre: 'Miel - 500 g', cantidad: 3, total_cents: 3000 },
      { nombre: 'Gastos de contra reembolso', total_cents: 242, isFee: true },
    ],
    cliente: { cliente_nombre: 'Iker Etxe', cliente_direccion: 'Kale Nagusia 3', cliente_provincia: 'Bizkaia' },
  },
  '7.9-engraved': {
    total_cents: 2500,
    pago: { metodo: 'tarjeta', referencia: '550123', fecha: '2026-11-20T11:00:58.000Z' },
    lineas: [{ clave: '#130', texto: 'Dedicatoria: Feliz día, Ana & Luis' }],
    cliente: { cliente_nombre: 'Begoña Ñíguez & Cía', cliente_telefono: '981 00 11 22' },
  },
  '8.9-pickup': { total_cents: 4400, recogida: 'Recogida (Obrador) · Obrador · Calle del Horno 2, Madrid', envio_cents: 0 },
  '9.8-refunded-in-part': { total_cents: 9500, devuelto_cents: 4000, cuota_cents: 0, cliente: { cliente_provincia: 'Las Palmas' } },
  '10.2-company-in-france': {
    numero: 'W-2026-6002',
    total_cents: 5200,
    cuota_cents: 0,
    pago: { metodo: 'otro', referencia: '8AB12' },
    cliente: { cliente_pais: 'Francia', cliente_nif: 'FR40303265045', cliente_direccion2: 'Épicerie du Coin' },
  },
};

test.each(readdirSync(MESSAGES))('the message %s is read whole', (file) => {
  const order = read(JSON.parse(readFileSync(join(MESSAGES, file), 'utf8')));
  expect(order).toMatchObject(SAID[file.replace('.json', '')] as object);
  const sum = order.lineas.reduce((all, { total_cents }) => all + total_cents, 0) + order.envio_cents - order.descuento_cents;
  expect(sum).toBe(order.total_cents);
});

test('an order that is paid by card is read whole', () => {
  expect(readWoo(wooOrder())).toStrictEqual({
    externo_id: '7271',
    numero: '7271',
    modificado: '2026-11-20T09:13:02.000Z',
    situacion: 'pagado',
    estado: 'processing',
    moneda: 'EUR',
    cliente: {
      cliente_nombre: 'Mateo Ruiz',
      cliente_telefono: '600 11 22 33',
      cliente_direccion: 'Calle Destino 9',
      cliente_direccion2: '2º B · Taller Ruiz',
      cliente_codigo_postal: '46001',
      cliente_ciudad: 'València',
      cliente_provincia: 'Valencia',
      cliente_pais: 'España',
    },
    instrucciones: null,
    lineas: [{ clave: 'ACEITE-6', sku: 'ACEITE-6', nombre: 'Aceite 6 botellas', cantidad: 1, total_cents: 4400, iva: '10' }],
    envio_cents: 495,
    descuento_cents: 0,
    total_cents: 4895,
    cuota_cents: 486,
    impuestos: [
      { percent: 10, base_cents: 4000, cuota_cents: 400 },
      { percent: 21, base_cents: 409, cuota_cents: 86 },
    ],
    contra_reembolso: false,
    pago: { metodo: 'tarjeta', referencia: '991234', fecha: '2026-11-20T09:13:00.000Z' },
    devuelto_cents: 0,
  });
});

test('what the shop leaves out is not there', () => {
  const { date_modified_gmt: _, date_created_gmt: __, date_paid_gmt: ___, ...order } = wooOrder();
  const fee_lines = [{ name: 'Bolsa', total: '1.00', total_tax: '0.07' }];
  const line_items = [{ ...wooLine({ sku: '' }), subtotal_tax: '0.5', total_tax: '0.5' }];
  const { modificado, pago, lineas } = read({ ...order, line_items, fee_lines, total: '46.52' });
  expect([modificado, pago, ...lineas]).toStrictEqual([
    undefined,
    { metodo: 'tarjeta', referencia: '991234' },
    { clave: '#93', nombre: 'Aceite 6 botellas', cantidad: 1, total_cents: 4050 },
    { clave: '', nombre: 'Bolsa', cantidad: 1, total_cents: 107, isFee: true },
  ]);
  expect(read(order)).not.toHaveProperty('modificado');
});

test.each([
  ['in the bin', { status: 'trash' }],
  ['without a state', { status: '' }],
])('an order %s without lines and total is a deletion', (_, fields) => {
  expect(readWoo(wooOrder({ ...fields, line_items: [], total: '0' }))).toEqual({ externo_id: '7271', borrado: true });
});

test.each([
  ['lines of nothing, in the bin', { status: 'trash', total: '0' }, { situacion: 'borrado', total_cents: 0 }],
  ['lines, in the bin', { status: 'trash' }, { situacion: 'borrado', estado: 'trash' }],
  ['a total, in the bin', { status: 'trash', line_items: [] }, { situacion: 'borrado', total_cents: 4895 }],
  ['a state, without lines and total', { line_items: [], total: '0' }, { situacion: 'pagado', lineas: [] }],
])('an order with %s is no deletion', (_, fields, wanted) => {
  expect(read(wooOrder(fields))).toMatchObject(wanted);
});

describe('what is no order', () => {
  const NONE = 'Lo que ha enviado la tienda no es un pedido de WooCommerce';
  test.each([
    [{ ...wooOrder(), status: '' }, 'El pedido de WooCommerce viene sin su estado'],
    [{}, NONE],
    [null, NONE],
    ['texto', NONE],
    [{ message: '<b>No puedes</b> ver pedidos' }, `${NONE}: dice «No puedes ver pedidos»`],
    [{ message: 'a'.repeat(201) }, `${NONE}: dice «${'a'.repeat(200)}»`],
  ])('%j is refused with its sentence', (content, message) => {
    expect(() => readWoo(content)).toThrow(expect.objectContaining({ message }));
  });
});

describe('texts of a line', () => {
  test.each([
    ['a list', ['Ana', 'Luis'], 'Ana, Luis'],
    ['an object of a plugin', [{ name: 'Lazo', value: 'rojo' }], 'Lazo, rojo'],
    ['a word of the product’s name', 'miel', 'miel'],
    ['paragraphs', '<p>Feliz <b>día</b></p><p>Luis</p>', 'Feliz día Luis'],
    ['a text escaped twice', 'Ana &amp;amp; Luis', 'Ana & Luis'],
    ['zero', 0, '0'],
  ])('%s stands at the line', (_, value, text) => {
    const [line] = read(
      wooOrder({ line_items: [{ ...wooLine({ name: 'Tarro de miel' }), meta_data: [{ key: 'Grabado', value }] }] }),
    ).lineas;
    expect(line?.texto).toBe(`Grabado: ${text}`);
  });

  test('a size that is already in the name of the variation is left out', () => {
    const meta_data = [{ key: 'pa_peso', value: '500-g', display_key: 'Peso', display_value: '500 g' }];
    const [line] = read(wooOrder({ line_items: [{ ...wooLine({ name: 'Miel - 500 g', variation_id: 5 }), meta_data }] })).lineas;
    expect(line?.texto).toBeUndefined();
  });
});

test.each([
  'Retiro en tienda',
  'Lo recojo yo',
  'Recogerlo en el obrador',
  'Pasaré a buscarlo',
  'Click &amp; Collect',
  'Entrega en mano en la tienda',
])('an order with the shipping method «%s» is collected by its customer', (method_title) => {
  expect(read(wooOrder({ shipping_lines: [{ method_title, method_id: 'flat_rate' }] })).recogida).toBeTruthy();
});

test.each(['Pago contra reembolso', 'Pagar al recibir', 'Pago en la entrega'])(
  'a known payment method that the shop calls «%s» is asked, not taken as paid',
  (payment_method_title) => {
    expect(read(wooOrder({ payment_method: 'bacs', payment_method_title }))).toMatchObject({ forma: { clave: 'bacs' } });
  },
);

test('a discount that a plugin writes only at the lines is read', () => {
  const line_items = [{ ...wooLine(), total: '20.00', total_tax: '2.00' }];
  expect(read(wooOrder({ line_items, total: '26.95' })).descuento_cents).toBe(2200);
});

test.each(['_billing_nif', 'NIF/CIF', 'billing_nif_dni', '_billing_eu_vat', 'nif-cif', 'billing_tax_id', 'vat_number'])(
  'the NIF that a plugin stores as «%s» is read',
  (key) => expect(read(wooOrder({ meta_data: [{ key, value: '12345678Z' }] })).cliente.cliente_nif).toBe('12345678Z'),
);

test('the field for VAT exemption is not read as a NIF', () => {
  expect(
    read(
      wooOrder({
        meta_data: [
          { key: 'is_vat_exempt', value: 'no' },
          { key: '_vat_number', value: '' },
        ],
      }),
    ).cliente.cliente_nif,
  ).toBeUndefined();
});
