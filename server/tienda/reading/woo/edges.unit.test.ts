import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { wooLine, wooOrder } from '../../../../test/woo.ts';
import { readWoo } from './read.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

/** The fields of `wanted` as they are read; a line or customer of which only some fields are wanted is cut to them. */
function read(order: object, wanted: object) {
  const cut = (got: unknown, as: unknown): unknown =>
    typeof as !== 'object' || as === null || typeof got !== 'object' || got === null
      ? got
      : Array.isArray(as)
        ? (got as unknown[]).map((each, i) => cut(each, as[i]))
        : Object.fromEntries(Object.keys(as).map((key) => [key, cut(got[key as keyof typeof got], as[key as keyof typeof as])]));
  return cut(readWoo(wooOrder(order as Record<string, unknown>)), wanted);
}

const charge = (total: string, total_tax = '0', name = 'Bolsa') => ({ name, total, total_tax });
const meta = (key: string, value: unknown) => ({ key, value });
const pickup = (fields: object) => ({ shipping_lines: [{ method_id: 'flat_rate', method_title: 'Envío', meta_data: [], ...fields }] });
const nested = (depth: number): unknown => (depth ? [nested(depth - 1)] : 'Lazo');

describe('payment, state and numbers', () => {
  test.each<[string, object, object]>([
    ['a prefix of the state', { status: 'wc-completed' }, { situacion: 'terminado', estado: 'wc-completed' }],
    ['finished: paid', { status: 'completed' }, { pago: { metodo: 'tarjeta' } }],
    ['an unknown state: not paid', { status: 'preparing' }, { situacion: undefined, pago: null }],
    ['waiting: not paid', { status: 'on-hold' }, { situacion: 'por_pagar', pago: null }],
    [
      'cash on delivery: not paid',
      { payment_method: 'cod', payment_method_title: 'Al recibir' },
      { pago: null, contra_reembolso: true, forma: undefined },
    ],
    ['no number: its id', { number: '' }, { numero: '7271' }],
    ['a number of its own', { number: 'W-1' }, { numero: 'W-1', externo_id: '7271' }],
    ['no currency: euros', { currency: '' }, { moneda: 'EUR' }],
    ['another currency', { currency: 'usd' }, { moneda: 'USD' }],
    ['a note', { customer_note: 'Timbre roto' }, { instrucciones: 'Timbre roto' }],
    ['no transaction: the method’s title', { transaction_id: '' }, { pago: { referencia: 'Tarjeta' } }],
    ['no title either: the method', { transaction_id: '', payment_method_title: '' }, { pago: { referencia: 'redsys' } }],
    ['the longest known beginning', { payment_method: 'redsys_bizum_x' }, { pago: { metodo: 'bizum' } }],
    ['a method in capitals', { payment_method: 'STRIPE_CC' }, { pago: { metodo: 'tarjeta' }, forma: undefined }],
    [
      'an unknown method',
      { payment_method: 'x', payment_method_title: 'Vale' },
      { pago: { metodo: 'otro' }, forma: { clave: 'x', titulo: 'Vale' } },
    ],
    ['an unknown method without title', { payment_method: 'x', payment_method_title: '' }, { forma: { clave: 'x', titulo: 'x' } }],
    ['an unknown method, of a cent', { payment_method: 'x', total: '0.01' }, { forma: { clave: 'x' } }],
    ['an unknown method, of nothing', { payment_method: 'x', total: '0' }, { forma: undefined }],
    ['no date of payment', { date_paid_gmt: '' }, { pago: { fecha: undefined } }],
  ])('%s', (_, fields, wanted) => expect(read(fields, wanted)).toEqual(wanted));
});

describe('when the order was changed', () => {
  test.each<[string, object, string | undefined]>([
    ['no change: its creation', { date_modified_gmt: '' }, '2026-11-20T09:12:31.000Z'],
    ['no date', { date_modified_gmt: '', date_created_gmt: '' }, undefined],
    ['no instant', { date_modified_gmt: 'ayer' }, undefined],
    ['an instant with its Z', { date_modified_gmt: '2026-11-20T09:13:02Z' }, '2026-11-20T09:13:02.000Z'],
    ['an instant with its offset', { date_modified_gmt: '2026-11-20T09:13:02+01:00' }, '2026-11-20T08:13:02.000Z'],
    ['the beginning of 2000', { date_modified_gmt: '2000-01-01T00:00:00' }, undefined],
    ['the last millisecond of a day ahead', { date_modified_gmt: '2026-11-21T11:59:59.999' }, '2026-11-21T11:59:59.999Z'],
    ['a second later', { date_modified_gmt: '2000-01-01T00:00:01' }, '2000-01-01T00:00:01.000Z'],
    ['less than a day ahead', { date_modified_gmt: '2026-11-21T11:59:59' }, '2026-11-21T11:59:59.000Z'],
    ['a day ahead', { date_modified_gmt: '2026-11-21T12:00:00' }, undefined],
  ])('%s', (_, fields, modificado) => expect(read(fields, { modificado })).toEqual({ modificado }));
});

test('an instant without its zone is of Greenwich, wherever the program runs', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(read({}, { modificado: '' })).toEqual({ modificado: '2026-11-20T09:13:02.000Z' });
});

describe('charges, discounts, refunds and VAT', () => {
  const line = (total: string, total_tax: string, fields: object = {}) => ({ line_items: [{ ...wooLine(), total, total_tax, ...fields }] });
  test.each<[string, object, object]>([
    [
      'a charge is a line',
      { fee_lines: [charge('1', '0.21')] },
      { lineas: [{}, { clave: '', nombre: 'Bolsa', cantidad: 1, total_cents: 121, isFee: true, iva: '21' }] },
    ],
    [
      'a charge of a cent without name',
      { fee_lines: [charge('0.01', '0', '')] },
      { lineas: [{}, { nombre: 'Recargo de la tienda', total_cents: 1, iva: '0' }] },
    ],
    ['a charge of nothing', { fee_lines: [charge('0')] }, { lineas: [{}], descuento_cents: 0 }],
    [
      'a negative charge is a discount',
      { fee_lines: [charge('-2', '-0.42')], discount_total: '1' },
      { lineas: [{}], descuento_cents: 342 },
    ],
    ['a discount with its VAT', { discount_total: '1', discount_tax: '0.1' }, { descuento_cents: 110 }],
    ['a discount of the lines, two cents short', { ...line('20', '2'), total: '26.93' }, { descuento_cents: 2200 }],
    ['a discount of the lines, three cents short', { ...line('20', '2'), total: '26.92' }, { descuento_cents: 0 }],
    ['a discount of the lines, two cents over', { ...line('20', '2'), total: '26.97' }, { descuento_cents: 2200 }],
    ['a discount of the lines, three cents over', { ...line('20', '2'), total: '26.98' }, { descuento_cents: 0 }],
    [
      'a discount of the lines beside a charge',
      { ...line('20', '2'), total: '28.16', fee_lines: [charge('1', '0.21')] },
      { descuento_cents: 2200 },
    ],
    ['lines that cost more than before', { ...line('50', '5'), total: '59.95' }, { descuento_cents: 0 }],
    [
      'lines without total',
      { ...line('', '', { total: undefined, total_tax: undefined }) },
      { descuento_cents: 0, impuestos: [{ base_cents: 4000, cuota_cents: 400 }, {}] },
    ],
    [
      'VAT of what was paid',
      { ...line('20', '2'), shipping_total: '0', shipping_tax: '0' },
      { impuestos: [{ percent: 10, base_cents: 2000, cuota_cents: 200 }] },
    ],
    [
      'VAT of two parts of one rate',
      { fee_lines: [charge('1', '0.21')] },
      { impuestos: [{}, { percent: 21, base_cents: 509, cuota_cents: 107 }] },
    ],
    ['VAT of another country', { shipping_tax: '0.82' }, { impuestos: [{}, { percent: -1, base_cents: 409, cuota_cents: 82 }] }],
    ['no VAT', { total_tax: '0' }, { cuota_cents: 0 }],
    ['VAT that is not said', { total_tax: '' }, { cuota_cents: undefined, impuestos: undefined }],
    ['VAT that is no number', { total_tax: 'x' }, { cuota_cents: undefined, impuestos: undefined }],
    ['VAT that is a list', { total_tax: ['1'] }, { cuota_cents: undefined, impuestos: undefined }],
    [
      'a line without price has no rate',
      { line_items: [wooLine({ subtotal: '0', subtotal_tax: '0' })] },
      { lineas: [{ total_cents: 0, iva: undefined }] },
    ],
    [
      'refunds, written either way',
      {
        refunds: [
          { id: 5, total: '-10' },
          { id: 6, total: '0.5' },
        ],
      },
      {
        devuelto_cents: 1050,
        reembolsos: [
          { id: '5', cents: 1000 },
          { id: '6', cents: 50 },
        ],
      },
    ],
    ['amounts that are empty, null or left out', { shipping_total: '', shipping_tax: null, discount_total: undefined }, { envio_cents: 0 }],
    ['lists that are null', { refunds: null, fee_lines: null, meta_data: null }, { devuelto_cents: 0, lineas: [{}] }],
    ['a refund without id', { refunds: [{ id: '', total: '-1' }] }, { devuelto_cents: 100, reembolsos: [] }],
    ['no refund', {}, { devuelto_cents: 0, reembolsos: undefined }],
  ])('%s', (_, fields, wanted) => expect(read(fields, wanted)).toEqual(wanted));
});

describe('what a line is', () => {
  test.each<[string, object, object]>([
    ['a variation', { variation_id: 5 }, { clave: '#93/5', sku: 'ACEITE-6' }],
    ['a product without SKU', { sku: '' }, { clave: '#93', sku: undefined }],
    ['an empty variation', { variation_id: '' }, { clave: 'ACEITE-6' }],
    ['a line without SKU and product', { sku: '', product_id: 0 }, { clave: '' }],
    ['no name: the SKU', { name: '' }, { nombre: 'ACEITE-6' }],
    ['no name and no SKU', { name: '', sku: '' }, { nombre: 'Artículo sin nombre' }],
    ['no texts', { meta_data: [meta('', 'a'), meta('_plugin', 'b'), meta('Talla', '')] }, { texto: undefined }],
    ['an attribute, and a text', { meta_data: [meta('pa_color', 'azul'), meta('Nota', 'a  b')] }, { texto: 'color: azul · Nota: a b' }],
    [
      'words as they are shown',
      { meta_data: [{ ...meta('pa_c', 'az'), display_key: 'Color', display_value: 'Azul' }] },
      { texto: 'Color: Azul' },
    ],
    [
      'words of the name',
      { name: 'Té - Verde, Grande', meta_data: [meta('a', 'verde'), meta('b', 'Grande'), meta('c', 'té')] },
      { texto: 'c: té' },
    ],
    ['texts in lists of lists', { meta_data: [meta('a', nested(4))] }, { texto: 'a: Lazo' }],
    ['texts that are deeper', { meta_data: [meta('a', nested(5))] }, { texto: undefined }],
    ['lists with gaps', { meta_data: [meta('a', ['x', '', null, 'y'])] }, { texto: 'a: x, y' }],
  ])('%s', (_, fields, wanted) => {
    const order = { line_items: [{ ...wooLine(), ...fields }] };
    expect(read(order, { lineas: [wanted] })).toEqual({ lineas: [wanted] });
  });
});

describe('where and when the customer wants the order', () => {
  const choices = (...elegido: [que: string, texto: string][]) => ({ elegido: elegido.map(([que, texto]) => ({ que, texto })) });
  test.each<[string, object, object]>([
    ['no pickup', pickup({}), { recogida: undefined }],
    ['a pickup by its method', pickup({ method_id: 'local_pickup' }), { recogida: 'Envío' }],
    ['a pickup without title', pickup({ method_id: 'pickup', method_title: '' }), { recogida: 'Recogida' }],
    [
      'a pickup with its place',
      pickup({
        method_id: 'pickup',
        meta_data: [
          meta('_pickup_location', 'Obrador'),
          meta('pickup_address', 'Sol 1'),
          meta('x_pickup_address', 'no'),
          meta('pickup_location', ''),
          meta('pickup_location_id', '7'),
        ],
      }),
      { recogida: 'Envío · Obrador · Sol 1' },
    ],
    ['nothing chosen', {}, { elegido: undefined }],
    [
      'a day and an hour',
      { meta_data: [meta('delivery_date', ' 24 de  noviembre'), meta('Franja', ['9', '11'])] },
      choices(['Día de entrega', '24 de noviembre'], ['Hora de entrega', '9, 11']),
    ],
    ['a gift, yes', { meta_data: [meta('gift_wrap', 'yes'), meta('Es regalo', '1')] }, choices(['Mensaje de regalo', 'sí'])],
    ['a gift, true', { meta_data: [meta('gift_wrap', true)] }, choices(['Mensaje de regalo', 'sí'])],
    [
      'a gift, no',
      { meta_data: [meta('gift_wrap', 'No'), meta('regalo', 0), meta('gift', false), meta('gift_note', '')] },
      { elegido: undefined },
    ],
    [
      'words that begin with no',
      { meta_data: [meta('gift_note', 'No llamar'), meta('other', 'x')] },
      choices(['Mensaje de regalo', 'No llamar']),
    ],
    [
      'two texts of a kind',
      { meta_data: [meta('gift_from', 'Ana'), meta('gift_to', 'Luis')] },
      choices(['Mensaje de regalo', 'Ana'], ['Mensaje de regalo', 'Luis']),
    ],
    [
      'one text of two kinds',
      { meta_data: [meta('gift', 'hoy'), meta('delivery day', 'hoy')] },
      choices(['Mensaje de regalo', 'hoy'], ['Día de entrega', 'hoy']),
    ],
    ['a long text', { meta_data: [meta('gift', 'a'.repeat(301))] }, choices(['Mensaje de regalo', 'a'.repeat(300)])],
    ['meta of the shipping', pickup({ meta_data: [meta('punto de recogida', 'Kiosco')] }), choices(['Recogida', 'Kiosco'])],
  ])('%s', (_, fields, wanted) => expect(read(fields, wanted)).toEqual(wanted));
});

describe('whose order it is', () => {
  const { shipping, billing } = wooOrder();
  const at = (fields: object) => ({ shipping: { ...shipping, ...fields } });
  test.each<[string, object, object]>([
    [
      'no address to ship to',
      at({ address_1: '' }),
      { cliente_nombre: 'Lola Prado', cliente_direccion: 'Calle Factura 1', cliente_direccion2: null, cliente_provincia: 'Madrid' },
    ],
    ['a telephone of the address', at({ phone: '911' }), { cliente_telefono: '911' }],
    ['no telephone', { ...at({}), billing: { ...billing, phone: '' } }, { cliente_telefono: null }],
    ['a company without person', at({ first_name: '', last_name: '' }), { cliente_nombre: 'Taller Ruiz', cliente_direccion2: '2º B' }],
    ['no name at all', at({ first_name: '', last_name: '', company: '' }), { cliente_nombre: 'Lola Prado' }],
    ['a first name alone', at({ last_name: '' }), { cliente_nombre: 'Mateo' }],
    ['no door and company', at({ address_2: '', company: '' }), { cliente_direccion2: null }],
    [
      'no postcode, town, region and country',
      at({ postcode: '', city: '', state: '', country: '' }),
      { cliente_codigo_postal: null, cliente_ciudad: null, cliente_provincia: null, cliente_pais: null },
    ],
    [
      'a street alone',
      { shipping: { address_1: 'Sol 1' } },
      { cliente_direccion: 'Sol 1', cliente_ciudad: null, cliente_provincia: null, cliente_pais: null },
    ],
    ['a street and its country', { shipping: { address_1: 'Sol 1', country: 'ES' } }, { cliente_provincia: null, cliente_pais: 'España' }],
    ['another country', at({ country: 'FR', state: 'V' }), { cliente_provincia: 'V', cliente_pais: 'Francia' }],
    ['a province that is no code', at({ state: 'Huerta' }), { cliente_provincia: 'Huerta' }],
    ['a NIF without figures', { meta_data: [meta('nif', 'pendiente'), meta('nif', '12345678Z')] }, { cliente_nif: '12345678Z' }],
    ['a key that only contains the word', { meta_data: [meta('nif_checked', '1')] }, { cliente_nif: undefined }],
    ['addresses that are null', { shipping: null, billing: null }, { cliente_nombre: '', cliente_direccion: '', cliente_pais: null }],
    ['no address at all', { shipping: [], billing: '' }, { cliente_nombre: '', cliente_direccion: '', cliente_pais: null }],
  ])('%s', (_, fields, cliente) => expect(read(fields, { cliente })).toEqual({ cliente }));
});
