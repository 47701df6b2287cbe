import { expect, test } from 'vitest';
import type { Reglas } from '../../contract/liquidaciones/liquidaciones.ts';
import { asLogged } from './rules.ts';

/* What the log says of somebody's rules. */

const RULES = { iban: null, titular: null, margen: null, tarifas: [], version: 1 };
test.each<[Partial<Reglas>, object]>([
  [{ role: 'revendedor' }, { iban: null, titular: null, margen: null }],
  [
    { role: 'revendedor', margen: { tipo: 'porcentaje', valor: 12.5 } },
    { iban: null, titular: null, margen: '12.5 %' },
  ],
  [
    { role: 'revendedor', margen: { tipo: 'pack', valor: 1.5 } },
    { iban: null, titular: null, margen: '1.5 € por pack' },
  ],
  [
    { role: 'transportista', iban: 'ES9121000418450200051332', titular: 'Ana' },
    { iban: '…1332', titular: 'Ana', tarifas: [] },
  ],
  [
    {
      role: 'transportista',
      tarifas: [
        { zona: 'peninsula', entrega: 3.5, intento: null },
        { zona: 'canarias', entrega: null, intento: 1 },
      ],
    },
    { iban: null, titular: null, tarifas: ['Península: 3.5 € / — €', 'Canarias: — € / 1 €'] },
  ],
])('rules %o are logged without the account', (rules, logged) => {
  expect(asLogged({ ...RULES, ...rules } as Reglas)).toEqual(logged);
});
