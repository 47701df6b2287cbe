import fc from 'fast-check';
import { expect, it } from 'vitest';
import { afterDiscount } from './money.ts';

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
