import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvText } from './csv.ts';

const hostile = fc
  .array(fc.constantFrom('=1+1', '+', '-', '@', '＝', '\t', '\r', '\n', ',', ';', '|', '"', ' ', 'Peña', '+34 600 11 22 33', '-7'), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

it('no text begins a formula, whichever separator a program splits at and whether or not it knows quotes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(hostile, { minLength: 2, maxLength: 3 }), { minLength: 1 }),
      fc.constantFrom(',', ';', '\t', '|'),
      (rows, separator) => {
        for (const cell of csvText(rows, separator).split(/[,;|\t\r\n]/))
          if (!/^"?\+[ (]*\d[\d ().-]*"?$/.test(cell)) expect(cell).not.toMatch(/^"?[=+\-@＝]/);
      },
    ),
    { numRuns: 2000 },
  );
});

it('numbers and telephones stay as they are', () => {
  expect(csvText([['+34 600-11', { n: -12.5, decimals: 2 }, 'a,=b', '=c']])).toBe("+34 600-11;-12,50;a,'=b;'=c\r\n");
});
