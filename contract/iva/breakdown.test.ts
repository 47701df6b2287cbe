import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakdown, distribute } from './breakdown.ts';
import { FILAS_IVA, percentOf, TIPOS_IVA } from './fields.ts';

const MADRID = { cliente_codigo_postal: '28013', cliente_pais: 'España' };
const line = (iva: string | null, precio_total_cents: number) => ({ iva, precio_total_cents });
const of = (lines: ReturnType<typeof line>[], envio_cents = 0, descuento_cents = 0, address: object = MADRID) =>
  breakdown({ lines, envio_cents, descuento_cents, address });

describe('the breakdown of an order', () => {
  it('the amount of each rate is split into base and VAT', () => {
    expect(of([line('10', 2310), line('21', 1210), line('10', 110)])).toEqual([
      { tipo: '21', base_cents: 1000, cuota_cents: 210, total_cents: 1210 },
      { tipo: '10', base_cents: 2200, cuota_cents: 220, total_cents: 2420 },
    ]);
  });

  it('shipping and discount are spread over the rates in proportion to the goods', () => {
    expect(of([line('21', 3000), line('4', 1000)], 500, 100).map(({ tipo, total_cents }) => [tipo, total_cents])).toEqual([
      ['21', 3300],
      ['4', 1100],
    ]);
  });

  it('the shipping of free goods is taxed at the highest rate', () => {
    expect(of([line('4', 0), line('21', 0)], 605)).toEqual([{ tipo: '21', base_cents: 500, cuota_cents: 105, total_cents: 605 }]);
  });

  it.each([
    ['35001', 'España'],
    ['51001', 'España'],
    ['52006', ''],
    ['', 'Islas Canarias'],
  ])('an order to the address «%s %s» has a single row without VAT', (cliente_codigo_postal, cliente_pais) => {
    expect(of([line('21', 1000), line(null, 200)], 300, 0, { cliente_codigo_postal, cliente_pais })).toEqual([
      { tipo: 'no_sujeto', base_cents: 1500, cuota_cents: 0, total_cents: 1500 },
    ]);
  });

  it('lines without a rate have a separate row, and rows of 0 € are omitted', () => {
    expect(of([line(null, 700), line('exento', 300)])).toEqual([
      { tipo: 'exento', base_cents: 300, cuota_cents: 0, total_cents: 300 },
      { tipo: 'sin_tipo', base_cents: 700, cuota_cents: 0, total_cents: 700 },
    ]);
    expect(of([line('21', 0)])).toEqual([]);
  });

  it('the breakdown adds up to the total to the cent, in ten thousand random orders', () => {
    const cents = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 1_000_000_000_000 }));
    const lines = fc.array(fc.record({ iva: fc.option(fc.constantFrom(...TIPOS_IVA), { nil: null }), precio_total_cents: cents }), {
      minLength: 1,
      maxLength: 50,
    });
    const address = fc.constantFrom(MADRID, { cliente_codigo_postal: '38001' }, { cliente_pais: 'Portugal' }, {});
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 0, max: 100_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        address,
        (own, envio, off, to) => {
          const before = own.reduce((sum, { precio_total_cents }) => sum + precio_total_cents, 0) + envio;
          const descuento = Math.min(before, Math.floor(before * off));
          const rows = of(own, envio, descuento, to);
          const sum = (name: 'base_cents' | 'cuota_cents' | 'total_cents') => rows.reduce((all, row) => all + row[name], 0);
          expect(sum('total_cents')).toBe(before - descuento);
          expect(sum('base_cents') + sum('cuota_cents')).toBe(before - descuento);
          for (const { tipo, base_cents, cuota_cents, total_cents } of rows) {
            expect(total_cents).toBeGreaterThan(0);
            expect(Math.abs(cuota_cents - (base_cents * percentOf(tipo)) / 100)).toBeLessThanOrEqual(1);
          }
          expect(rows.map(({ tipo }) => FILAS_IVA.indexOf(tipo))).toEqual(
            rows.map(({ tipo }) => FILAS_IVA.indexOf(tipo)).toSorted((a, b) => a - b),
          );
        },
      ),
      { numRuns: 10_000 },
    );
  });
});

it('distribute() splits a negative amount too, without losing a cent', () => {
  expect(distribute(-100, [1, 1, 1])).toEqual([-34, -33, -33]);
  expect(distribute(5, [0, 0])).toEqual([5, 0]);
});
