import { describe, expect, test } from 'vitest';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { valuesFrom } from '../create/draft.ts';
import { totalMeaning } from './outcome.tsx';
import { EMPTY_LINEA, type LineaValues, lineasBody, lineasFrom, lineasRules, orderedLines, sumLines } from './values.ts';

const pack = { id: 'p', product_name: 'Miel', name: 'Tarro', pack_price: 12.1 } as Pack;
const linea = (fields: Partial<LineaValues>): LineaValues => ({ ...EMPTY_LINEA, ...fields });
const known: Linea[] = [
  { numero: 1, pack_id: 'p', producto: 'Miel – Tarro', cantidad: 2, precio_unitario: 9, precio_total: 18, unidades: 2 },
  // The total was typed, so the unit price is rounded.
  { numero: 2, pack_id: null, producto: 'Grabado', cantidad: 3, precio_unitario: 3.33, precio_total: 10, unidades: 0 },
];

describe('the request for a line', () => {
  test('a line is sent as its pack, as text and price, or as the number of a stored line', () => {
    const [kept] = lineasFrom(known, true);
    const lineas = [linea({ pack_id: 'p', cantidad: '1.200' }), linea({ libre: true, producto: ' Cinta ', precio_unitario: '1,5' })];
    expect(lineasBody(kept ? [...lineas, kept] : [], known)).toEqual([
      { pack_id: 'p', cantidad: 1200 },
      { producto: 'Cinta', precio_unitario: 1.5, cantidad: 1 },
      { numero: 1, cantidad: 2 },
    ]);
  });

  test('an unchanged free line keeps its total to the cent', () => {
    const [, free] = lineasFrom(known, true);
    if (!free) throw new Error('no line');
    expect(lineasBody([free], known)).toEqual([{ numero: 2, producto: 'Grabado', cantidad: 3, precio_unitario: 3.33, precio_total: 10 }]);
    expect(lineasBody([{ ...free, cantidad: '6' }], known)[0]).not.toHaveProperty('precio_total');
    expect(sumLines(orderedLines([free], [], known))).toBe(10);
  });

  test('a free line is sent as its number if the person may not edit it', () => {
    expect(lineasBody(lineasFrom(known, false), known)[1]).toEqual({ numero: 2, cantidad: 3 });
  });
});

test('a new line costs today’s price, and a stored line the price of the order', () => {
  const lineas = [...lineasFrom(known, false), linea({ pack_id: 'p', cantidad: '3' }), linea({ pack_id: 'gone' }), linea({})];
  const ordered = orderedLines(lineas, [pack], known);
  expect(ordered.map(({ words, total }) => [words, total])).toEqual([
    ['Miel – Tarro', 18],
    ['Grabado', 10],
    ['Miel – Tarro', 36.3],
  ]);
  expect(sumLines(ordered)).toBe(64.3);
  expect(sumLines(orderedLines([linea({ pack_id: 'p', cantidad: '0' })], [pack]))).toBeUndefined();
});

test('extra units of a stored line cost today’s price, and have no total if the pack is no longer sold', () => {
  const [kept] = lineasFrom(known, false);
  if (!kept) throw new Error('no line');
  const grown = { ...kept, cantidad: '5' };
  expect(orderedLines([grown], [pack], known)).toMatchObject([{ total: 54.3, more: { cantidad: 3, unit: 12.1 } }]);
  expect(orderedLines([grown], [{ ...pack, pack_price: 9 }], known)[0]).toMatchObject({ total: 45 });
  expect(orderedLines([{ ...kept, cantidad: '1' }], [], known)[0]).toMatchObject({ total: 9 });
  expect(orderedLines([grown], [], known)[0]?.total).toBeUndefined();
});

test('only a new pack line needs a pack, and only a free line needs text and price', () => {
  const rules = lineasRules((id) => (id ? null : 'pack'), 'texto');
  const lineas = [linea({}), linea({ libre: true }), linea({ numero: 1 })];
  const at = (name: keyof typeof rules, i: number) => rules[name](String(lineas[i]?.[name] ?? ''), { lineas }, `lineas.${i}.${name}`);
  expect([0, 1, 2].map((i) => at('pack_id', i))).toEqual(['pack', null, null]);
  expect([0, 1].map((i) => at('producto', i))).toEqual([null, 'texto']);
  expect([0, 1].map((i) => at('precio_unitario', i))).toEqual([null, 'Indica el precio']);
});

test.each([
  ['1', 1],
  ['9.999', 9999],
  ['0', undefined],
  ['10000', undefined],
  ['1,5', undefined],
  ['-3', undefined],
])('a quantity is a whole number from 1 to 9999: «%s»', (typed, cantidad) => {
  const lineas = [linea({ pack_id: 'p', cantidad: typed })];
  const problem = cantidad === undefined ? 'La cantidad debe ser un número entero entre 1 y 9999' : null;
  expect(lineasRules(() => null, '').cantidad(typed)).toBe(problem);
  // An invalid quantity has no price.
  expect(orderedLines(lineas, [pack])).toMatchObject([{ cantidad, total: cantidad && (cantidad * 1210) / 100 }]);
});

describe('a draft', () => {
  test('a draft from before orders had lines becomes one line with its pack', () => {
    const { lineas, cliente_nombre } = valuesFrom({ cliente_nombre: 'Ana', pack_id: 'p', cantidad: '4', nada: 1 });
    expect([cliente_nombre, lineas]).toEqual(['Ana', [linea({ pack_id: 'p', cantidad: '4' })]]);
  });

  test('a malformed draft has one empty line', () => {
    for (const lineas of [[], 'x', [null], [{ cantidad: 3 }]]) expect(valuesFrom({ lineas }).lineas).toEqual([EMPTY_LINEA]);
  });
});

describe('the effect of a new total', () => {
  const order = { estado: 'pendiente', precio_total: 20, pagado: 20 } as const;
  test.each([
    ['the missing amount', order, 25.5, 'Ya hay 20,00 € pagados: faltarán 5,50 € por cobrar.'],
    ['the amount to refund', order, 12, 'Ya hay 20,00 € pagados: sobrarán 8,00 €, que habrá que reembolsar al cliente.'],
    ['that the order is paid', { ...order, precio_total: 30 }, 20, 'Queda pagado: ya hay 20,00 € pagados.'],
    [
      'that the total cannot be lower',
      { ...order, estado: 'pendiente_pago' as const },
      12,
      'Ya se han pagado 20,00 €: el total no puede ser menos.',
    ],
    ['nothing for an unpaid order', { ...order, pagado: 0 }, 12, undefined],
    ['nothing if the total is unchanged', order, 20, undefined],
  ])('the message for a new total says %s', (_, pedido, total, words) => {
    expect(totalMeaning(pedido, total)?.words.replaceAll('\u00a0', ' ')).toBe(words);
  });
});
