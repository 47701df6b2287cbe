import fc from 'fast-check';
import { expect, it } from 'vitest';
import { epcText, transferConcept } from './epc.ts';

it('the code of a transfer cuts texts at the lengths of the standard, and writes cents', () => {
  const text = epcText({ beneficiario: 'A'.repeat(80), iban: 'ES91 2100', bic: 'BIC', importe_cents: 1205, concepto: 'C'.repeat(150) });
  const lines = ['BCD', '002', '1', 'SCT', 'BIC', 'A'.repeat(70), 'ES912100', 'EUR12.05', '', '', 'C'.repeat(140)];
  expect(text.split('\n')).toEqual(lines);
});

/** Characters of every bank: EPC217-08, section 1.4. */
const CARRIED = /^(?!\/)(?!.*\/\/)[A-Za-z0-9/\-?:().,'+ ]+(?<!\/)$/;
const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

it('a concept and the texts of the code bear only what banks carry, and never nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (numero_orden) => {
      const concepto = transferConcept({ numero_orden, id });
      expect(concepto).toMatch(CARRIED);
      const lines = epcText({ beneficiario: `Peña & Łódź ${numero_orden}`, iban: 'ES91', bic: '', importe_cents: 1, concepto }).split('\n');
      expect(lines).toHaveLength(11);
      expect([lines[5], lines[10]]).toEqual([expect.stringMatching(CARRIED), concepto]);
    }),
  );
});

it('only a number that a bank would change is followed by digits of our own', () => {
  expect(transferConcept({ numero_orden: 'ORD-2026000048', id })).toBe('ORD-2026000048');
  expect(transferConcept({ numero_orden: 'WEB_Ñ#42', id })).toBe('WEB N 42 7728950E');
  expect(transferConcept({ numero_orden: '№ 7 & Łódź', id })).toBe('No 7 Lodz 7728950E');
});
