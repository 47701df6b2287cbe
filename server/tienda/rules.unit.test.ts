import { describe, expect, test } from 'vitest';
import type { DomainError } from '../kit/errors.ts';
import { currentParts } from './office/review.ts';
import { agreedLines, chargedTaxes, hasWrongNif } from './order/create.ts';
import { refuseUnresolved, stateDoubt } from './order/resolve.ts';
import { type WebLine, type WebOrder, withoutPerson } from './reading/order.ts';

const CLIENTE = {
  cliente_nombre: 'Ana',
  cliente_telefono: '600',
  cliente_direccion: 'Sol 1',
  cliente_direccion2: null,
  cliente_codigo_postal: null,
  cliente_ciudad: null,
  cliente_provincia: null,
  cliente_pais: null,
};
const line = (fields: Partial<WebLine> = {}): WebLine => ({
  clave: 'MIEL',
  nombre: 'Miel',
  cantidad: 2,
  total_cents: 1000,
  pack_id: 'k',
  ...fields,
});
const ORDER: WebOrder = {
  externo_id: '7',
  numero: '7',
  situacion: 'pagado',
  estado: 'processing',
  moneda: 'EUR',
  cliente: CLIENTE,
  instrucciones: 'Timbre',
  lineas: [line()],
  envio_cents: 0,
  descuento_cents: 0,
  total_cents: 1000,
  contra_reembolso: false,
  pago: { metodo: 'bizum', referencia: 'R1' },
  devuelto_cents: 0,
};
const order = (fields: Partial<WebOrder> = {}): WebOrder => ({ ...ORDER, ...fields });
const refusal = (ask: () => unknown) => {
  try {
    ask();
    return undefined;
  } catch (error) {
    return (error as DomainError).message.replaceAll('\u00a0', ' ');
  }
};

describe('the lines of a shop’s order, with its prices', () => {
  const cents = (fields: Partial<WebOrder>) => agreedLines(order(fields)).agreed.map((each) => each.cents);
  test('are packs, and charges and what is no merchandise are text', () => {
    const lineas = [
      line({ texto: 'Ana', iva: '10' }),
      line({ isFee: true, nombre: 'a'.repeat(201), cantidad: 1, iva: '21' }),
      line({ sin_mercancia: true, iva: '0', cantidad: 1 }),
      line({ pack_id: undefined }),
    ];
    expect(agreedLines(order({ lineas, total_cents: 4000 }))).toEqual({
      lineas: [
        { producto: null, pack_id: 'k', cantidad: 2 },
        { producto: 'a'.repeat(200), cantidad: 1, precio_total: 10, iva: '21' },
        { producto: 'Miel', cantidad: 1, precio_total: 10, iva: undefined },
        { producto: null, pack_id: '', cantidad: 2 },
      ],
      agreed: [
        { cents: 1000, texto: 'Ana', iva: '10' },
        { cents: 1000, texto: undefined, iva: '21' },
        { cents: 1000, texto: undefined, iva: '0' },
        { cents: 1000, texto: undefined, iva: undefined },
      ],
    });
  });

  test('take the rounding of the shop at the dearest line, a cent for each line and one', () => {
    const two = [line({ total_cents: 400 }), line({ total_cents: 600 })];
    expect(cents({ total_cents: 1002 })).toEqual([1002]);
    expect(cents({ lineas: two, total_cents: 1003 })).toEqual([400, 603]);
    expect(cents({ lineas: two, total_cents: 997 })).toEqual([400, 597]);
    expect(cents({ lineas: two, envio_cents: 500, descuento_cents: 100, total_cents: 1400 })).toEqual([400, 600]);
    for (const total_cents of [1004, 996])
      expect(refusal(() => cents({ lineas: two, total_cents }))).toBe(
        `Las cuentas de la tienda no cuadran: suma 10,00 € y dice ${total_cents === 996 ? '9,96' : '10,04'} €`,
      );
  });

  test.each<[string, WebLine[], string | undefined]>([
    ['half a piece', [line({ cantidad: 0.5 })], 'La cantidad de «Miel» no es un número entero: 0.5'],
    ['no piece', [line({ cantidad: 0 })], 'La cantidad de «Miel» no es un número entero: 0'],
    ['a piece', [line({ cantidad: 1 })], undefined],
    ['fifty lines', Array.from({ length: 50 }, () => line({ total_cents: 20 })), undefined],
    ['fifty-one lines', Array.from({ length: 51 }, () => line()), 'Tiene 51 líneas y aquí caben 50'],
  ])('of %s', (_, lineas, message) => expect(refusal(() => agreedLines(order({ lineas })))).toBe(message));

  test('have the VAT of a shop that has charged some', () => {
    const impuestos = [{ percent: 10, base_cents: 100, cuota_cents: 10 }];
    expect([
      chargedTaxes(order({ impuestos }), true),
      chargedTaxes(order({ impuestos, cuota_cents: 1 }), false),
      chargedTaxes(order({ impuestos, cuota_cents: 0 }), false),
      chargedTaxes(order({ impuestos }), false),
    ]).toEqual([impuestos, impuestos, undefined, undefined]);
  });
});

describe('what a person must say first', () => {
  test.each<[string, Partial<WebOrder>, string | null, RegExp | undefined]>([
    ['paid', {}, null, undefined],
    ['an unknown state', { situacion: undefined }, null, /^No se conoce el estado «processing»/],
    ['deleted', { situacion: 'borrado' }, null, /^La tienda lo ha borrado/],
    ['finished', { situacion: 'terminado' }, null, /^La tienda ya lo da por terminado/],
    ['given back whole', { devuelto_cents: 1000 }, null, /^La tienda lo ha reembolsado entero/],
    ['given back but for a cent', { devuelto_cents: 999 }, null, undefined],
    ['of a cent, given back', { total_cents: 1, devuelto_cents: 1 }, null, /reembolsado entero/],
    ['of nothing', { total_cents: 0 }, null, undefined],
    ['deleted before', {}, 'borrado', /^La tienda lo había borrado/],
    ['cancelled before', {}, 'cancelado', undefined],
  ])('about an order that is %s', (_, fields, leida, sentence) => {
    const sentenceNow = stateDoubt(order(fields), leida);
    if (sentence) expect(sentenceNow).toMatch(sentence);
    else expect(sentenceNow).toBeUndefined();
  });

  const unknown = line({ pack_id: undefined });
  test.each<[string, Partial<WebOrder>, 'enviar' | undefined, string | undefined]>([
    ['nothing', {}, undefined, undefined],
    ['a product', { lineas: [line(), unknown] }, undefined, 'Falta decir qué pack es «Miel»'],
    ['a charge', { lineas: [{ ...unknown, isFee: true }] }, undefined, undefined],
    ['what is no merchandise', { lineas: [{ ...unknown, sin_mercancia: true }] }, undefined, undefined],
    ['a payment', { forma: { clave: 'x', titulo: 'Vale' } }, undefined, 'Falta decir cómo se paga «Vale»'],
    ['a payment without name', { forma: { clave: '', titulo: '' } }, undefined, 'Falta decir cómo se paga «sin forma de pago»'],
    ['another currency', { moneda: 'USD' }, undefined, 'Está en USD y aquí todo va en euros'],
    ['a pickup', { recogida: 'Obrador' }, undefined, 'El cliente lo recoge en la tienda («Obrador»): di si se envía o lo recoge'],
    ['a pickup with its answer', { recogida: 'Obrador' }, 'enviar', undefined],
  ])('about %s', (_, fields, entrega, message) => expect(refusal(() => refuseUnresolved(order(fields), entrega as never))).toBe(message));

  test('about a NIF that is wrong, and about none', () => {
    const wrong = (cliente_nif?: string) =>
      hasWrongNif(order({ cliente: { ...CLIENTE, ...(cliente_nif !== undefined && { cliente_nif }) } }));
    expect([wrong('12345678Z'), wrong('12345678A'), wrong(''), wrong()]).toEqual([false, true, false, false]);
  });
});

test('who agrees with an order agrees with the payment only if it was asked', () => {
  const parts = (cambios: string[], acordado: object | null, fields: Partial<WebOrder> = {}) =>
    currentParts({ contenido: order(fields), cambios, acordado }).pago;
  expect([parts(['pago'], null), parts([], { pago: ['pagado', true] }), parts([], null), parts([], null, { pago: null })]).toEqual([
    ['pagado', true],
    ['pagado', true],
    ['pagado', false],
    null,
  ]);
});

test('an order without its person has no name, note, text and reference', () => {
  const kept = withoutPerson(order({ elegido: [{ que: 'Día', texto: 'lunes' }], recogida: 'Obrador', lineas: [line({ texto: 'Ana' })] }));
  expect(kept).toEqual({
    ...ORDER,
    cliente: { ...CLIENTE, cliente_nombre: '', cliente_telefono: null, cliente_direccion: '' },
    instrucciones: null,
    pago: { metodo: 'bizum', referencia: '' },
  });
  expect(withoutPerson(order({ pago: null })).pago).toBeNull();
});
