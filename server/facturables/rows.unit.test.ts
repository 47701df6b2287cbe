import { describe, expect, test } from 'vitest';
import type { FilaIva } from '../../contract/iva/fields.ts';
import { releasedWords, takenWords, untaxedWords } from './facturables.ts';
import { invoiceDocument, isFilled, motivoOfRows, rowDifferences } from './settle.ts';

/* What is written of an order that has changed, without a database. */

const row = (tipo: FilaIva, base_cents: number, cuota_cents: number, total_cents = base_cents + cuota_cents) => ({
  tipo,
  base_cents,
  cuota_cents,
  total_cents,
});
const written = (...values: Parameters<typeof row>) => ({ ...row(...values), devueltos: 0 });

describe('the difference of an order to its rows', () => {
  test.each<[string, Parameters<typeof rowDifferences>[0], Parameters<typeof rowDifferences>[1], ReturnType<typeof rowDifferences>]>([
    ['is all of it, highest rate first', [row('4', 100, 4), row('21', 100, 21)], [], [row('21', 100, 21), row('4', 100, 4)]],
    ['is nothing when it is written', [row('21', 100, 21)], [written('21', 100, 21)], []],
    ['is what is too much', [], [written('21', 100, 21)], [row('21', -100, -21)]],
    ['is by rate', [row('10', 100, 10)], [written('21', 100, 21)], [row('21', -100, -21), row('10', 100, 10)]],
    ['may be of the base alone', [row('21', 101, 20)], [written('21', 100, 21)], [row('21', 1, -1, 0)]],
    ['may be of the quota alone', [row('21', 100, 22, 121)], [written('21', 100, 21)], [row('21', 0, 1, 0)]],
    ['may be of the total alone', [row('21', 100, 21, 122)], [written('21', 100, 21)], [row('21', 0, 0, 1)]],
  ])('%s', (_, ought, before, expected) => expect(rowDifferences(ought, before)).toEqual(expected));
});

describe('the reason of rows', () => {
  const less = [row('21', -1, 0), row('10', 0, 0)];
  test.each<[string, boolean, number, number[], typeof less, string]>([
    ['the first', true, 0, [], less, 'venta'],
    ['the first of a deleted order', false, 0, [], less, 'venta'],
    ['less, and more goods returned', true, 2, [1], less, 'devolucion'],
    ['less, with the same goods returned', true, 1, [1], less, 'correccion'],
    ['less, with fewer goods returned', true, 1, [2], less, 'correccion'],
    ['more of a rate, and more goods returned', true, 2, [1], [...less, row('4', 1, 0)], 'correccion'],
    ['less of an order that no longer counts', false, 2, [1], less, 'correccion'],
  ])('%s', (_, is_due, devueltos, before, differences, motivo) => {
    const rows = before.map((each) => ({ ...written('21', 1, 0), devueltos: each }));
    expect(motivoOfRows({ is_due, devueltos } as Parameters<typeof motivoOfRows>[0], rows, differences)).toBe(motivo);
  });
});

test.each([
  ['only move between rates', [row('21', 100, 21), row('10', -110, -11)], true, true],
  ['only move between rates of an exported sale', [row('21', 100, 21), row('10', -110, -11)], false, false],
  ['are more', [row('21', 100, 21), row('10', -110, -10)], true, false],
] as const)('rows that %s fill their open sale: %s', (_, rows, is_open, expected) => {
  expect(isFilled(rows, { documento: 'V26-000001', fecha: '2026-11-27', is_open })).toBe(expected);
});

describe('a document', () => {
  const ORDER = { id: 'p', numero_orden: 'ORD-1', cliente: 'Ana', cliente_codigo_postal: '28013' } as Parameters<typeof invoiceDocument>[0];
  const SALE = { documento: 'V26-000001', fecha: '2026-11-27', is_open: true };
  const BARE = { ...{ nif: null, direccion: null, codigo_postal: '28013', ciudad: null, provincia: null, pais: null }, regimen: null };
  test('has the address of its order, and nothing where that has nothing', () => {
    const made = invoiceDocument(ORDER, 'venta', '2026-11-28', undefined);
    expect(made).toStrictEqual({
      ...{ pedido_id: 'p', motivo: 'venta', corrige: null, fecha: '2026-11-28', numero_orden: 'ORD-1', cliente: 'Ana' },
      ...BARE,
      regimen: made.regimen,
    });
    const whole = {
      ...{ cliente_nif: 'N', cliente_direccion: 'D', cliente_codigo_postal: '28001', cliente_ciudad: 'C', cliente_provincia: 'P' },
      cliente_pais: 'España',
    };
    expect(invoiceDocument({ ...ORDER, ...whole }, 'venta', '2026-11-28', undefined)).toMatchObject({
      ...{ nif: 'N', direccion: 'D', codigo_postal: '28001', ciudad: 'C', provincia: 'P', pais: 'España' },
    });
    expect(invoiceDocument({ ...ORDER, cliente_codigo_postal: null }, 'venta', '2026-11-28', undefined).codigo_postal).toBeNull();
  });
  test('corrects the sale of its order, unless it is the sale', () => {
    const corrects = (motivo: 'venta' | 'devolucion' | 'correccion', sale: typeof SALE | undefined) =>
      invoiceDocument(ORDER, motivo, '2026-11-28', sale).corrige;
    expect([
      corrects('venta', SALE),
      corrects('devolucion', SALE),
      corrects('correccion', SALE),
      corrects('correccion', undefined),
    ]).toEqual([null, 'V26-000001', 'V26-000001', null]);
  });
});

test.each([
  [0, 'Falta el tipo de IVA de algún pedido. Ponlo y vuelve a marcar'],
  [1, 'Falta el tipo de IVA de «P1». Ponlo y vuelve a marcar'],
  [2, 'Falta el tipo de IVA de 2 productos: P1, P2. Ponlo y vuelve a marcar'],
  [5, 'Falta el tipo de IVA de 5 productos: P1, P2, P3, P4, P5. Ponlo y vuelve a marcar'],
  [6, 'Falta el tipo de IVA de 6 productos: P1, P2, P3, P4, P5…. Ponlo y vuelve a marcar'],
])('%i products without a rate are named up to five', (n, words) => {
  expect(untaxedWords(Array.from({ length: n }, (_, i) => ({ producto: `P${i + 1}` })))).toBe(words);
});

test('rows are counted in words', () => {
  expect([1, 2].map((n) => [takenWords(n), releasedWords(n)])).toEqual([
    ['1 fila marcada como facturada', '1 fila vuelve a estar por facturar'],
    ['2 filas marcadas como facturadas', '2 filas vuelven a estar por facturar'],
  ]);
});
