import { describe, expect, test } from 'vitest';
import { MAX_LINEAS } from '../../../contract/pedidos/fields.ts';
import type { DomainError } from '../../kit/errors.ts';
import { type Line, packsById, priceLines, summarizeLines, unitsFor } from './lineas.ts';

const PACK = { pack_id: 'k', product_id: 'p', pack_quantity: 6, precio_unitario_cents: 1000, producto: 'Miel – 6', iva: '10' };
const packs = packsById([PACK]);
/** Line 1 of the order: two packs of six at 900 each. */
const KEPT: Line = {
  numero: 1,
  pack_id: 'k',
  product_id: 'p',
  producto: 'Miel – 6 (antes)',
  cantidad: 2,
  unidades: 12,
  precio_unitario_cents: 900,
  precio_total_cents: 1800,
  iva: '10',
} as Line;
const TEXT: Line = { ...KEPT, pack_id: null, product_id: null, producto: 'Porte', unidades: 0, iva: null };
type Wanted = Parameters<typeof priceLines>[0][number];
const wanted = (fields: object) => fields as Wanted;
const price = (lines: object[], by: object = {}) => priceLines(lines.map(wanted), { packs, free: true, known: [], ...by });
/** The sentence of each field that an error refuses. */
const refusedFields = (error: unknown) =>
  Object.fromEntries(Object.entries((error as DomainError).body.errors ?? {}).map(([field, [sentence]]) => [field, sentence]));
const refusal = (lines: object[], by: object = {}) => {
  try {
    return price(lines, by);
  } catch (error) {
    return refusedFields(error);
  }
};

describe('a new line', () => {
  test('of a pack has the price, units and rate of today', () => {
    expect(price([{ pack_id: 'k', cantidad: 3 }])).toEqual([
      {
        numero: 1,
        pack_id: 'k',
        product_id: 'p',
        producto: 'Miel – 6',
        iva: '10',
        cantidad: 3,
        precio_unitario_cents: 1000,
        precio_total_cents: 3000,
        unidades: 18,
      },
    ]);
  });

  test.each([
    ['the price of each', { precio_unitario: 1.5 }, { precio_unitario_cents: 150, precio_total_cents: 450 }],
    ['the total', { precio_total: 10 }, { precio_unitario_cents: 333, precio_total_cents: 1000 }],
    [
      'both, less than a cent each apart',
      { precio_unitario: 3.33, precio_total: 10.01 },
      { precio_unitario_cents: 333, precio_total_cents: 1001 },
    ],
    ['nothing to pay', { precio_unitario: 0 }, { precio_unitario_cents: 0, precio_total_cents: 0 }],
    ['a rate', { precio_unitario: 1, iva: '4' }, { iva: '4' }],
    ['no rate', { precio_unitario: 1 }, { iva: null }],
  ])('of an administrator’s own text says %s', (_, fields, priced) => {
    expect(price([{ producto: 'Porte', cantidad: 3, ...fields }])).toMatchObject([
      { producto: 'Porte', pack_id: null, product_id: null, unidades: 0, cantidad: 3, ...priced },
    ]);
  });

  test.each<[string, object, object, object]>([
    ['a pack that is not sold', { pack_id: 'x', cantidad: 1 }, {}, { 'lineas.0.pack_id': 'Selecciona un pack válido' }],
    ['no pack, of the order’s one product', { cantidad: 1 }, { free: false, single: true }, { pack_id: 'Selecciona un pack válido' }],
    ['no text', { cantidad: 1, precio_total: 1 }, {}, { 'lineas.0.pack_id': 'Selecciona un pack válido' }],
    [
      'a text of a reseller',
      { producto: 'Porte', cantidad: 1, precio_total: 1 },
      { free: false },
      { 'lineas.0.pack_id': 'Selecciona un pack válido' },
    ],
    ['a text without price', { producto: 'Porte', cantidad: 1 }, {}, { 'lineas.0.precio_total': 'Indica el precio del pedido' }],
    [
      'prices a cent each apart',
      { producto: 'Porte', cantidad: 3, precio_unitario: 3.33, precio_total: 10.02 },
      {},
      { 'lineas.0.precio_total': 'El total no coincide con el precio unitario por la cantidad' },
    ],
    [
      'another rate than its product’s',
      { pack_id: 'k', cantidad: 1, iva: '4' },
      {},
      { 'lineas.0.iva': 'El tipo de IVA de un pack es el de su producto' },
    ],
  ])('is refused with %s', (_, line, by, fields) => expect(refusal([line], by)).toEqual(fields));

  test('is refused beyond the most lines of an order', () => {
    const lines = Array.from({ length: MAX_LINEAS }, () => ({ pack_id: 'k', cantidad: 1 }));
    expect(price(lines).map(({ numero }) => numero)).toEqual(lines.map((_, i) => i + 1));
    expect(refusal([...lines, { pack_id: 'k', cantidad: 1 }])).toEqual({ lineas: `Un pedido tiene como máximo ${MAX_LINEAS} líneas` });
  });
});

describe('a line that the order has', () => {
  const changed = (fields: object, { kept = KEPT, by = {} }: { kept?: Line; by?: object } = {}) =>
    refusal([{ numero: 1, cantidad: kept.cantidad, ...fields }], { known: [kept], ...by });
  const one = (packs_: object) => ({ by: { packs: packsById([{ ...PACK, ...packs_ }]) } });

  test.each<[string, object, Parameters<typeof changed>[1], object[]]>([
    ['keeps its price, name and rate', {}, {}, [KEPT]],
    ['keeps them with its pack named', { pack_id: 'k' }, {}, [KEPT]],
    ['keeps its price for fewer', { cantidad: 1 }, {}, [{ ...KEPT, cantidad: 1, unidades: 6, precio_total_cents: 900 }]],
    [
      'has more at the price of today, as a line of its own',
      { cantidad: 5 },
      {},
      [
        KEPT,
        { ...KEPT, numero: 2, producto: 'Miel – 6', cantidad: 3, unidades: 18, precio_unitario_cents: 1000, precio_total_cents: 3000 },
      ],
    ],
    [
      'grows itself if nothing has changed',
      { cantidad: 5 },
      one({ precio_unitario_cents: 900 }),
      [{ ...KEPT, cantidad: 5, unidades: 30, precio_total_cents: 4500 }],
    ],
    [
      'has more apart if the pack has another size',
      { cantidad: 3 },
      one({ precio_unitario_cents: 900, pack_quantity: 4 }),
      [KEPT, { ...KEPT, numero: 2, producto: 'Miel – 6', cantidad: 1, unidades: 4, precio_total_cents: 900 }],
    ],
    [
      'has more apart if the product has another rate',
      { cantidad: 3 },
      one({ precio_unitario_cents: 900, iva: '4' }),
      [KEPT, { ...KEPT, numero: 2, producto: 'Miel – 6', cantidad: 1, unidades: 6, precio_total_cents: 900, iva: '4' }],
    ],
    [
      'without rate takes that of the product when it grows',
      { cantidad: 3 },
      { kept: { ...KEPT, iva: null }, ...one({ precio_unitario_cents: 900, iva: '4' }) },
      [{ ...KEPT, cantidad: 3, unidades: 18, precio_total_cents: 2700, iva: '4' }],
    ],
    [
      'without rate stays so when it shrinks',
      { cantidad: 1 },
      { kept: { ...KEPT, iva: null } },
      [{ ...KEPT, cantidad: 1, unidades: 6, precio_total_cents: 900, iva: null }],
    ],
    [
      'is priced anew with another pack',
      { pack_id: 'otro' },
      one({ pack_id: 'otro' }),
      [{ ...KEPT, pack_id: 'otro', producto: 'Miel – 6', precio_unitario_cents: 1000, precio_total_cents: 2000 }],
    ],
    ['of text keeps its price', { cantidad: 3 }, { kept: TEXT }, [{ ...TEXT, cantidad: 3, precio_total_cents: 2700 }]],
    ['of text has the rate that an administrator says', { iva: '21' }, { kept: TEXT }, [{ ...TEXT, iva: '21' }]],
    ['of text loses its rate if that is said', { iva: null }, { kept: { ...TEXT, iva: '21' } }, [{ ...TEXT, iva: null }]],
    ['of text keeps its rate if none is said', {}, { kept: { ...TEXT, iva: '21' } }, [{ ...TEXT, iva: '21' }]],
    [
      'of text is written anew',
      { producto: 'Envío', precio_total: 5 },
      { kept: TEXT },
      [{ ...TEXT, producto: 'Envío', precio_unitario_cents: 250, precio_total_cents: 500 }],
    ],
    [
      'of text becomes a pack',
      { pack_id: 'k' },
      { kept: TEXT },
      [{ ...KEPT, producto: 'Miel – 6', precio_unitario_cents: 1000, precio_total_cents: 2000 }],
    ],
    ['of text keeps its text if a reseller sends one', { producto: 'Gratis' }, { kept: TEXT, by: { free: false } }, [TEXT]],
  ])('%s', (_, fields, how, lines) => expect(changed(fields, how)).toEqual(lines));

  test.each<[string, object, Parameters<typeof changed>[1], object]>([
    ['another line', { numero: 2 }, {}, { 'lineas.0.numero': 'Esa línea ya no está en el pedido' }],
    [
      'more of a pack that is not sold',
      { cantidad: 3 },
      { by: { packs: packsById([]) } },
      { 'lineas.0.cantidad': 'Miel – 6 (antes) ya no se vende: como máximo 2' },
    ],
    [
      'another quantity of text, by a reseller',
      { cantidad: 3 },
      { kept: TEXT, by: { free: false } },
      { 'lineas.0.cantidad': 'Esta línea solo la cambia un administrador' },
    ],
    ['another rate than its product’s', { iva: '4' }, {}, { 'lineas.0.iva': 'El tipo de IVA de un pack es el de su producto' }],
  ])('is refused with %s', (_, fields, how, refused) => expect(changed(fields, how)).toEqual(refused));

  test('is refused twice, and left out only by an administrator if it is text', () => {
    const twice = [
      { numero: 1, cantidad: 1 },
      { numero: 1, cantidad: 1 },
    ];
    expect(refusal(twice, { known: [KEPT] })).toEqual({ 'lineas.1.numero': 'Esa línea está dos veces' });
    const other = [{ pack_id: 'k', cantidad: 1 }];
    expect(refusal(other, { known: [TEXT], free: false })).toEqual({ lineas: '«Porte» solo lo quita un administrador' });
    expect(price(other, { known: [TEXT] })).toHaveLength(1);
    expect(price(other, { known: [KEPT], free: false })).toHaveLength(1);
    expect(price([{ numero: 1, cantidad: 2 }], { known: [TEXT], free: false })).toEqual([TEXT]);
  });
});

describe('the sums of an order', () => {
  const NONE = { envio_cents: 0, descuento_cents: 0 };
  const sums = (lines: Line[], amounts: object = {}) => {
    try {
      return summarizeLines(lines, { ...NONE, ...amounts });
    } catch (error) {
      return refusedFields(error);
    }
  };

  test('are those of its line', () => {
    expect(sums([KEPT], { envio_cents: 500, descuento_cents: 300 })).toEqual({
      num_lineas: 1,
      pack_id: 'k',
      producto: 'Miel – 6 (antes)',
      cantidad: 2,
      unidades_retenidas: 12,
      precio_unitario_cents: 900,
      precio_total_cents: 2000,
      envio_cents: 500,
      descuento_cents: 300,
    });
  });

  test('of several lines name the first, and have the mean price', () => {
    expect(sums([KEPT, { ...TEXT, cantidad: 1, precio_total_cents: 100 }])).toMatchObject({
      num_lineas: 2,
      pack_id: null,
      producto: 'Miel – 6 (antes) y 1 más',
      cantidad: 3,
      precio_unitario_cents: 633,
    });
  });

  test('name at most two hundred letters', () => {
    const long = { ...KEPT, producto: 'a'.repeat(201) };
    expect(sums([long])).toMatchObject({ producto: 'a'.repeat(200) });
    expect(sums([long, KEPT, KEPT])).toMatchObject({ producto: `${'a'.repeat(192)} y 2 más` });
  });

  test.each<[string, Line[], object, object]>([
    ['no line', [], {}, { lineas: 'Añade al menos una línea' }],
    [
      'a discount a cent beyond all',
      [KEPT],
      { envio_cents: 1, descuento_cents: 1802 },
      { descuento: 'El descuento no puede superar el importe del pedido' },
    ],
    ['a discount of all', [KEPT], { envio_cents: 1, descuento_cents: 1801 }, { precio_total_cents: 0 }],
    ['the largest amount', [{ ...KEPT, precio_total_cents: 1e12 }], {}, { precio_total_cents: 1e12 }],
    ['a cent more', [{ ...KEPT, precio_total_cents: 1e12 }], { envio_cents: 1 }, { lineas: 'El importe del pedido es demasiado grande' }],
    ['the most units', [{ ...KEPT, unidades: 1e9 }], {}, { unidades_retenidas: 1e9 }],
    ['a unit more', [{ ...KEPT, unidades: 1e9 + 1 }], {}, { lineas: 'El pedido tiene demasiadas unidades' }],
  ])('of %s', (_, lines, amounts, found) => expect(sums(lines, amounts)).toMatchObject(found));
});

test('units of a part of a line are whole, of packs of eleven too', () => {
  expect([1, 2, 3].map((n) => unitsFor({ unidades: 33, cantidad: 3 }, n))).toEqual([11, 22, 33]);
});
