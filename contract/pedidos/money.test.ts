import fc from 'fast-check';
import { expect, it } from 'vitest';
import { afterDiscount, keptPortions, overpaidPart } from './money.ts';

it('shares of a discount add up to the discounted value of the goods, and none is below 0', () => {
  const cents = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 50 }),
      cents,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (lines, envio, off) => {
        const goods_cents = lines.reduce((sum, line) => sum + line, 0);
        const descuento_cents = Math.floor((goods_cents + envio) * off);
        const shares = lines.map((line) => afterDiscount(line, { goods_cents, descuento_cents }));
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(Math.max(0, goods_cents - descuento_cents), 4);
      },
    ),
  );
});

it('units added to a line are a portion of their own, unless goods and price are the same', () => {
  // Two units for 19,99 € agreed at 10 € each.
  const agreed = { cantidad: 2, precio_unitario_cents: 1000, precio_total_cents: 1999 };
  const line = (cantidad: number, precio_unitario_cents: number, precio_total_cents: number) => ({
    cantidad,
    precio_unitario_cents,
    precio_total_cents,
  });
  expect(keptPortions(agreed, 2, undefined)).toEqual([agreed]);
  expect(keptPortions(agreed, 1, undefined)).toEqual([line(1, 1000, 1000)]);
  expect(keptPortions(agreed, 3, undefined)).toBeUndefined();
  expect(keptPortions(agreed, 3, 1000)).toEqual([line(3, 1000, 2999)]);
  expect(keptPortions(agreed, 3, 1000, false)).toEqual([agreed, line(1, 1000, 1000)]);
  expect(keptPortions(agreed, 4, 1001)).toEqual([agreed, line(2, 1001, 2002)]);
});

it('what is due beyond the goods is what was paid beyond the total, and all of it once the order is deleted', () => {
  const of = (paid: number, due = 500, deleted = false) => overpaidPart({ due, paid, total: 1000, deleted });
  expect([of(999), of(1000), of(1001), of(1600), of(0, 500, true)]).toEqual([0, 0, 1, 500, 500]);
});
