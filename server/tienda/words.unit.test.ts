import { describe, expect, test } from 'vitest';
import type { PedidoRow } from '../pedidos/lectura/row.ts';
import type { Line } from '../pedidos/lineas/lineas.ts';
import { webOrderChanges, webOrderInWords } from './office/describe.ts';
import { agreedParts, changesNotice, valuesDiffer } from './order/changes.ts';
import type { WebOrder } from './reading/order.ts';

const CLIENTE = {
  cliente_nombre: 'Ana',
  cliente_telefono: '600',
  cliente_direccion: 'Sol 1',
  cliente_direccion2: '2º',
  cliente_codigo_postal: '28013',
  cliente_ciudad: 'Madrid',
  cliente_provincia: 'Madrid',
  cliente_pais: 'España',
};
const ORDER: WebOrder = {
  externo_id: '7',
  numero: '7',
  situacion: 'pagado',
  estado: 'processing',
  moneda: 'EUR',
  cliente: CLIENTE,
  instrucciones: null,
  lineas: [{ clave: 'MIEL', nombre: 'Miel', cantidad: 2, total_cents: 1000 }],
  envio_cents: 0,
  descuento_cents: 0,
  total_cents: 1000,
  contra_reembolso: false,
  pago: null,
  devuelto_cents: 0,
};
const NOBODY = {
  cliente_nombre: '',
  cliente_telefono: null,
  cliente_direccion: '',
  cliente_direccion2: null,
  cliente_codigo_postal: null,
  cliente_ciudad: null,
  cliente_provincia: null,
  cliente_pais: null,
};
const euros = (text: unknown) => String(text).replaceAll('\u00a0', ' ');

describe('a message in words', () => {
  const wordsOf = (fields: Partial<WebOrder> = {}) =>
    Object.fromEntries(webOrderInWords({ ...ORDER, ...fields }).map(({ que, texto }) => [que, euros(texto)]));
  test('has what is there, and nothing else', () => {
    expect(wordsOf()).toEqual({
      Para: 'Ana, 600 · Sol 1, 2º · 28013, Madrid, Madrid, España',
      Productos: '2 × Miel: 10,00 €',
      Importe: '10,00 €',
      Pago: 'Por cobrar',
      'Estado en la tienda': 'processing',
    });
  });
  test('has all that can be there', () => {
    const all = wordsOf({
      cliente: { ...CLIENTE, cliente_nif: '1Z' },
      instrucciones: 'Timbre',
      lineas: [...ORDER.lineas, { clave: '', nombre: 'Té', texto: 'Verde', cantidad: 1, total_cents: 5 }],
      envio_cents: 1,
      descuento_cents: 1,
      recogida: 'Obrador',
      elegido: [{ que: 'Día', texto: 'lunes' }],
      devuelto_cents: 1,
    });
    expect(all).toMatchObject({
      NIF: '1Z',
      Nota: 'Timbre',
      Productos: '2 × Miel: 10,00 €; 1 × Té (Verde): 0,05 €',
      Importe: '10,00 €, envío 0,01 €, descuento 0,01 €',
      Recogida: 'Obrador',
      Día: 'lunes',
      Devuelto: '0,01 €',
    });
  });
  test.each<[Partial<WebOrder>, string]>([
    [{ forma: { clave: 'x', titulo: 'Vale' }, contra_reembolso: true }, '«Vale»'],
    [{ forma: { clave: 'x', titulo: '' } }, '«sin forma de pago»'],
    [{ contra_reembolso: true }, 'Se cobra al entregar'],
    [{ pago: { metodo: 'bizum', referencia: 'R1' } }, 'Bizum en la tienda: 10,00 € (R1)'],
    [{ pago: { metodo: 'bizum', referencia: '' } }, 'Bizum en la tienda: 10,00 €'],
  ])('says how %j is paid', (fields, pago) => expect(wordsOf(fields).Pago).toBe(pago));
  test('leaves out an address that nobody knows', () => {
    expect(wordsOf({ cliente: NOBODY })).not.toHaveProperty('Para');
  });
});

test('each difference has its value here and in the shop', () => {
  const row = {
    ...CLIENTE,
    cliente_nif: null,
    cliente_ciudad: 'Getafe',
    precio_total_cents: 900,
    envio_cents: 5,
    descuento_cents: 0,
    instrucciones: 'Timbre',
    pagado_cents: 100,
    deleted_at: null,
    estado: 'asignado',
  } as unknown as PedidoRow;
  const lines = [{ cantidad: 1, producto: 'Miel – 6', precio_total_cents: 895 }] as Line[];
  const changes = (here: object, order: Partial<WebOrder> = {}) =>
    Object.fromEntries(
      webOrderChanges(
        ['direccion', 'nif', 'productos', 'importe', 'instrucciones', 'pago', 'estado'],
        { row: { ...row, ...here }, lines },
        { ...ORDER, ...order },
      ).map(({ parte, antes, ahora }) => [parte, [euros(antes), euros(ahora)]]),
    );
  expect(changes({}, { cliente: { ...CLIENTE, cliente_nif: '1Z' } })).toEqual({
    direccion: ['Ana, 600 · Sol 1, 2º · 28013, Getafe, Madrid, España', 'Ana, 600 · Sol 1, 2º · 28013, Madrid, Madrid, España'],
    nif: ['—', '1Z'],
    productos: ['1 × Miel – 6: 8,95 €', '2 × Miel: 10,00 €'],
    importe: ['9,00 €, envío 0,05 €', '10,00 €'],
    instrucciones: ['Timbre', '—'],
    pago: ['Aquí hay cobrados 1,00 €', 'Por cobrar'],
    estado: ['Asignado', 'Por cobrar'],
  });
  expect(changes({ deleted_at: '2026-11-25', cliente_nif: '2Z', instrucciones: null }, { instrucciones: 'Timbre' })).toMatchObject({
    nif: ['2Z', '—'],
    instrucciones: ['—', 'Timbre'],
    estado: ['Eliminado', 'Por cobrar'],
  });
});

describe('what was agreed to', () => {
  const parts = (fields: Partial<WebOrder> = {}, annulled = false) => agreedParts({ ...ORDER, ...fields }, { annulled });
  test('has each part once', () => {
    expect(parts({ elegido: [{ que: 'Día', texto: 'lunes' }], cliente: { ...CLIENTE, cliente_nif: '1Z' } })).toEqual({
      direccion: CLIENTE,
      nif: '1Z',
      productos: [['MIEL', 'Miel', '', 2, 1000]],
      importe: [0, 0, 1000],
      instrucciones: [null, 'Día: lunes'],
      pago: null,
      estado: 'pagado',
    });
    expect(parts().nif).toBeNull();
  });
  test('tells an annulled payment from a payment, and not one reference from another', () => {
    const paid = (referencia: string, annulled = false) => parts({ pago: { metodo: 'bizum', referencia } }, annulled).pago;
    expect([valuesDiffer(paid('a'), paid('b')), valuesDiffer(paid('a'), paid('a', true)), valuesDiffer(paid('a'), parts().pago)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

test.each<[string | null, string[], string[], string[], string | null]>([
  [null, [], [], [], null],
  [null, [], ['nif'], [], 'En la tienda ha cambiado el NIF'],
  ['En la tienda ha cambiado el NIF', ['nif'], [], [], null],
  [
    'Falta algo. En la tienda ha cambiado el NIF',
    ['nif'],
    ['nif', 'importe'],
    ['Otra cosa'],
    'Falta algo. Otra cosa. En la tienda ha cambiado el NIF, el importe',
  ],
  ['Falta algo', [], [], ['Falta algo'], 'Falta algo'],
])('the notice %j with the changes %j, then %j and %j, is %j', (aviso, before, after, notices, wanted) => {
  expect(changesNotice(aviso, before, after, notices)).toBe(wanted);
});
