import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distributeCents, vatBreakdown } from './breakdown.ts';
import { chargedRows, rateByAmounts, vatDifference } from './charged.ts';
import { FILAS_IVA, TIPOS_IVA, vatPercent } from './fields.ts';
import { taxRegimen } from './territory.ts';

const MADRID = { cliente_codigo_postal: '28013', cliente_pais: 'España' };
const line = (iva: string | null, precio_total_cents: number) => ({ iva, precio_total_cents });
const of = (lines: ReturnType<typeof line>[], envio_cents = 0, descuento_cents = 0, address: object = MADRID) =>
  vatBreakdown({ lines, envio_cents, descuento_cents, address });

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
    expect(of([line('4', 0)], 104)).toEqual([{ tipo: '4', base_cents: 100, cuota_cents: 4, total_cents: 104 }]);
  });

  it.each([
    ['35001', 'España'],
    ['51001', 'España'],
    ['52006', ''],
    ['', 'Islas Canarias'],
    ['AD500', 'Andorra'],
    ['SW1A 1AA', 'United Kingdom'],
    ['8001', 'Suiza'],
    ['97400', 'Francia'],
    ['GX11 1AA', 'Gibraltar'],
    ['0150', 'Norge'],
    ['10001', 'EE. UU.'],
  ])('an order to the address «%s %s» is an exempt export', (cliente_codigo_postal, cliente_pais) => {
    expect(of([line('21', 1000), line(null, 200)], 300, 0, { cliente_codigo_postal, cliente_pais })).toEqual([
      { tipo: 'exportacion', base_cents: 1500, cuota_cents: 0, total_cents: 1500 },
    ]);
  });

  it.each([
    ['75001', 'France', 'ue'],
    ['98000', 'Mónaco', 'ue'],
    ['BT1 5GS', 'Reino Unido', 'ue'],
    ['1000-001', 'PT', 'ue'],
    ['07001', 'España', 'interior'],
    ['1234', 'Ruritania', 'desconocido'],
  ])('an order to the address «%s %s» (%s) has the shop’s own rate', (cliente_codigo_postal, cliente_pais, regimen) => {
    expect(taxRegimen({ cliente_codigo_postal, cliente_pais })).toBe(regimen);
    expect(of([line('21', 1210)], 0, 0, { cliente_codigo_postal, cliente_pais })[0]).toMatchObject({ tipo: '21', cuota_cents: 210 });
  });

  it('an intra-Community supply needs the owner’s word and a VAT number of the state that the goods go to', () => {
    const supply = { cliente_pais: 'Francia', cliente_nif: 'FR40303265045', iva_regimen: 'intracomunitaria' };
    expect(taxRegimen(supply)).toBe('intracomunitaria');
    expect(taxRegimen({ ...supply, iva_regimen: null })).toBe('ue');
    for (const cliente_nif of ['DE136695976', '12345678Z', null]) expect(taxRegimen({ ...supply, cliente_nif })).toBe('ue');
    expect(taxRegimen({ ...supply, cliente_pais: 'España' })).toBe('interior');
  });

  it('a delivered order keeps the territory of its delivery, whatever its address says later', () => {
    const kept = { estado: 'completado', iva_regimen: 'exportacion', cliente_codigo_postal: null, cliente_pais: 'España' };
    expect(of([line('10', 7000)], 0, 0, kept).map(({ tipo }) => tipo)).toEqual(['exportacion']);
    expect(taxRegimen({ ...kept, estado: 'en_ruta' })).toBe('interior');
  });

  it('an order of a web shop has the VAT that the shop charged, until its total changes', () => {
    const taxes = [
      { percent: 21, base_cents: 3719, cuota_cents: 781 },
      { percent: 10, base_cents: 1000, cuota_cents: 100 },
    ];
    const iva_cobrado = chargedRows(taxes, 5601, MADRID);
    const lines = [line('21', 4500), line('21', 1101)];
    const rows = of(lines, 0, 0, { ...MADRID, iva_cobrado });
    expect(rows.map(({ tipo, base_cents, cuota_cents }) => [tipo, base_cents, cuota_cents])).toEqual([
      ['21', 3720, 781],
      ['10', 1000, 100],
    ]);
    expect(vatDifference(of(lines), iva_cobrado ?? {}, String)).toBe(
      'La tienda cobró 881 de IVA y aquí serían 972: queda lo que cobró la tienda',
    );
    expect(of([...lines, line('21', 100)], 0, 0, { ...MADRID, iva_cobrado })).toHaveLength(1);
  });

  it('amounts that a shop charged without tax get the exemption of the destination; a foreign rate or a wrong sum is refused', () => {
    const free = [{ percent: 0, base_cents: 4500, cuota_cents: 0 }];
    expect(chargedRows(free, 4500, { cliente_pais: 'Andorra' })).toEqual({ exportacion: { base_cents: 4500, cuota_cents: 0 } });
    expect(chargedRows(free, 4500, { cliente_pais: 'Francia' })).toEqual({ 0: { base_cents: 4500, cuota_cents: 0 } });
    expect(chargedRows([{ percent: 20, base_cents: 1000, cuota_cents: 200 }], 1200, { cliente_pais: 'Francia' })).toBeUndefined();
    expect(chargedRows(free, 4600, MADRID)).toBeUndefined();
    expect(vatDifference(of([line('21', 4500)]), { 0: { base_cents: 4500, cuota_cents: 0 } }, String)).toMatch(/no cobró IVA/);
  });

  it.each([
    [1, -2],
    [1, 2],
    [2, -3],
    [2, 3],
  ])('the sums of %i taxes may be %i cents off the total, and no cent more', (count, off) => {
    const taxes = [
      { percent: 10, base_cents: 500, cuota_cents: 50 },
      { percent: 21, base_cents: 3000, cuota_cents: 630 },
    ].slice(-count);
    const total = taxes.reduce((sum, { base_cents, cuota_cents }) => sum + base_cents + cuota_cents, 0);
    // The largest base takes the difference.
    expect(chargedRows(taxes, total + off, MADRID)).toMatchObject({ 21: { base_cents: 3000 + off, cuota_cents: 630 } });
    expect(chargedRows(taxes, total + off + Math.sign(off), MADRID)).toBeUndefined();
  });

  it('two taxes of one rate are one row, and without a tax there are none', () => {
    const tax = { percent: 21, base_cents: 1000, cuota_cents: 210 };
    expect(chargedRows([tax, tax], 2420, MADRID)).toEqual({ 21: { base_cents: 2000, cuota_cents: 420 } });
    expect(chargedRows([], 0, MADRID)).toBeUndefined();
  });

  it.each([
    [1, 1],
    [3, 3],
  ])('with %i rows of ours, %i cents of VAT are rounding, and one more is told', (count, cents) => {
    const ours = Array.from({ length: count }, () => ({ tipo: '21' as const, base_cents: 1000, cuota_cents: 210, total_cents: 1210 }));
    const charged = (off: number) => ({ 21: { base_cents: 1000 * count, cuota_cents: 210 * count + off } });
    for (const off of [cents, -cents]) expect(vatDifference(ours, charged(off), String)).toBeUndefined();
    for (const off of [cents + 1, -cents - 1])
      expect(vatDifference(ours, charged(off), String)).toContain(`cobró ${210 * count + off} de IVA`);
    expect(vatDifference([], charged(0), String)).toContain('aquí no lleva');
  });

  it('a rate explains a tax within two cents of it; no tax is the rate 0, and a cent of tax is not', () => {
    expect([2098, 2100, 2102].map((cuota) => rateByAmounts(10_000, cuota))).toEqual(['21', '21', '21']);
    expect([2097, 2103].map((cuota) => rateByAmounts(10_000, cuota))).toEqual([undefined, undefined]);
    expect([rateByAmounts(10_000, 0), rateByAmounts(10_000, 1)]).toEqual(['0', undefined]);
    // Two cents of tax of nearly nothing have a rate that is not 0.
    expect(rateByAmounts(10, 2)).not.toBe('0');
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
            expect(Math.abs(cuota_cents - (base_cents * vatPercent(tipo)) / 100)).toBeLessThanOrEqual(1);
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
  expect(distributeCents(-100, [1, 1, 1])).toEqual([-34, -33, -33]);
  expect(distributeCents(5, [0, 0])).toEqual([5, 0]);
});
