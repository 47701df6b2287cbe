import { expect, it } from 'vitest';
import { epcText } from './epc.ts';

it('the code of a transfer cuts texts at the lengths of the standard, and writes cents', () => {
  const text = epcText({ beneficiario: 'A'.repeat(80), iban: 'ES91 2100', bic: 'BIC', importe_cents: 1205, concepto: 'C'.repeat(150) });
  const lines = ['BCD', '002', '1', 'SCT', 'BIC', 'A'.repeat(70), 'ES912100', 'EUR12.05', '', '', 'C'.repeat(140)];
  expect(text.split('\n')).toEqual(lines);
});
