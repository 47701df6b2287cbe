import { describe, expect, test } from 'vitest';
import type { WebOrder } from '../order.ts';
import { readPlain } from './read.ts';

const CLIENTE = { nombre: 'Ana', direccion: 'Sol 1' };
const ORDER = { id: 'A-1', situacion: 'por_pagar', cliente: CLIENTE, lineas: [{ sku: 'MIEL', cantidad: 2, total: 19.99 }], total: 19.99 };
const read = (fields: object = {}) => readPlain({ ...ORDER, ...fields }) as WebOrder;

test('an order with what must be there is read whole', () => {
  expect(read()).toEqual({
    externo_id: 'A-1',
    numero: 'A-1',
    situacion: 'por_pagar',
    estado: 'por_pagar',
    moneda: 'EUR',
    cliente: {
      cliente_nombre: 'Ana',
      cliente_telefono: null,
      cliente_direccion: 'Sol 1',
      cliente_direccion2: null,
      cliente_codigo_postal: null,
      cliente_ciudad: null,
      cliente_provincia: null,
      cliente_pais: null,
    },
    instrucciones: null,
    lineas: [{ clave: 'MIEL', nombre: 'MIEL', cantidad: 2, total_cents: 1999 }],
    envio_cents: 0,
    descuento_cents: 0,
    total_cents: 1999,
    contra_reembolso: false,
    pago: null,
    devuelto_cents: 0,
  });
});

test('an order with all that can be there is read whole', () => {
  const cliente = {
    ...CLIENTE,
    telefono: '600',
    direccion2: '2º',
    codigo_postal: '28013',
    ciudad: 'Madrid',
    provincia: 'M',
    pais: 'España',
    nif: 'X',
  };
  const all = {
    id: 7,
    numero: 'W-7',
    modificado: '2026-11-20T10:00:00+01:00',
    situacion: 'pagado',
    cliente,
    instrucciones: 'Timbre',
    lineas: [{ sku: 'MIEL', nombre: 'Miel', texto: 'Ana', cantidad: 1, total: 10 }],
    envio: 4.95,
    descuento: 1.1,
    total: 13.85,
    recogida: 'Obrador',
    cuota_iva: 2.4,
    devuelto: 0.5,
    pago: { metodo: 'bizum', referencia: 'R1', fecha: '2026-11-20' },
  };
  expect(read(all)).toEqual({
    externo_id: '7',
    numero: 'W-7',
    modificado: '2026-11-20T09:00:00.000Z',
    situacion: 'pagado',
    estado: 'pagado',
    moneda: 'EUR',
    cliente: {
      cliente_nombre: 'Ana',
      cliente_telefono: '600',
      cliente_direccion: 'Sol 1',
      cliente_direccion2: '2º',
      cliente_codigo_postal: '28013',
      cliente_ciudad: 'Madrid',
      cliente_provincia: 'M',
      cliente_pais: 'España',
      cliente_nif: 'X',
    },
    instrucciones: 'Timbre',
    lineas: [{ clave: 'MIEL', nombre: 'Miel', texto: 'Ana', cantidad: 1, total_cents: 1000 }],
    envio_cents: 495,
    descuento_cents: 110,
    total_cents: 1385,
    contra_reembolso: false,
    recogida: 'Obrador',
    cuota_cents: 240,
    pago: { metodo: 'bizum', referencia: 'R1', fecha: '2026-11-20' },
    devuelto_cents: 50,
  });
});

test('what is said empty is not there', () => {
  const lineas = [{ sku: 'MIEL', nombre: '', texto: '', cantidad: 2, total: 19.99 }];
  const empty = {
    numero: '',
    modificado: null,
    cliente: { ...CLIENTE, nif: '', ciudad: '' },
    recogida: '',
    lineas,
    pago: { metodo: 'bizum', fecha: null },
  };
  expect(read(empty)).toStrictEqual({ ...read(), pago: { metodo: 'bizum', referencia: '' } });
});

const UNSAID = { pago: { metodo: 'otro', referencia: '' }, forma: { clave: 'sin pago', titulo: 'Pagado, sin decir cómo' } };
const NONE = { pago: null, forma: undefined };
describe('how an order is paid', () => {
  test.each<[string, object, object]>([
    ['paid, without how', { situacion: 'pagado' }, UNSAID],
    ['paid, of a cent', { situacion: 'pagado', total: 0.01 }, UNSAID],
    ['paid, of nothing', { situacion: 'pagado', total: 0 }, { ...UNSAID, forma: undefined }],
    ['finished, without how', { situacion: 'terminado' }, UNSAID],
    ['finished, to be paid at the door', { situacion: 'terminado', contra_reembolso: true }, NONE],
    ['paid, and to be paid at the door', { situacion: 'pagado', contra_reembolso: true }, UNSAID],
    ['cancelled', { situacion: 'cancelado' }, NONE],
    ['a payment without reference and day', { pago: { metodo: 'bizum' } }, { pago: { metodo: 'bizum', referencia: '' }, forma: undefined }],
    [
      'paid by its payment',
      { situacion: 'pagado', pago: { metodo: 'tarjeta' } },
      { pago: { metodo: 'tarjeta', referencia: '' }, forma: undefined },
    ],
    ['VAT of nothing', { cuota_iva: 0 }, { cuota_cents: 0 }],
    ['VAT that is not said', { cuota_iva: null }, { cuota_cents: undefined }],
  ])('%s', (_, fields, wanted) => {
    const order = read(fields);
    expect(Object.fromEntries(Object.keys(wanted).map((key) => [key, order[key as keyof WebOrder]]))).toEqual(wanted);
  });
});

test('a deletion has only its id', () => {
  expect(readPlain({ id: 'A-1', situacion: 'borrado', total: 'x' })).toEqual({ externo_id: 'A-1', borrado: true });
});

test.each<[string, unknown]>([
  ['lineas', { lineas: [] }],
  ['lineas.0.sku', { lineas: [{ sku: ' ', cantidad: 1, total: 1 }] }],
  ['lineas.0.sku', { lineas: [{ sku: 'a'.repeat(201), cantidad: 1, total: 1 }] }],
  ['lineas.0.cantidad', { lineas: [{ sku: 'a', total: 1 }] }],
  ['id', { id: '' }],
  ['id', { id: 'a'.repeat(201) }],
  ['total', { total: -0.01 }],
  ['total', { total: 1_000_000.01 }],
  ['modificado', { modificado: '2026-11-20T10:00:00' }],
  ['situacion', { situacion: 'enviado' }],
  ['cliente.nombre', { cliente: { direccion: 'Sol 1' } }],
  ['pedido', { otro: 1 }],
])('a wrong %s is named', (field, fields) => {
  expect(() => read(fields as object)).toThrow(expect.objectContaining({ message: `El pedido de la tienda no se entiende: ${field}` }));
});

test('the shortest id is read', () => {
  expect(read({ id: 'A' })).toMatchObject({ externo_id: 'A', numero: 'A' });
});

test('the longest ids and the largest amount are read', () => {
  const long = 'a'.repeat(200);
  expect(read({ id: long, total: 1_000_000, lineas: [{ sku: long, cantidad: 1, total: 1_000_000 }] })).toMatchObject({
    externo_id: long,
    total_cents: 100_000_000,
  });
});
