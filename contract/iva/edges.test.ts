import { expect, it } from 'vitest';
import { chargedVatRows, distributeCents } from './breakdown.ts';
import { chargedRows, rateByAmounts, vatDifference } from './charged.ts';
import { mayBeSupply, type Territorio, taxRegimen } from './territory.ts';

it.each<[number, number[], number[]]>([
  // The cents left go to the largest remainders, and of equal ones to the first.
  [100, [1, 1, 1], [34, 33, 33]],
  [101, [1, 1, 1], [34, 34, 33]],
  [10, [1, 2], [3, 7]],
  [10, [2, 1], [7, 3]],
  [10, [1, 5, 6], [1, 4, 5]],
  [11, [1, 5, 6], [1, 5, 5]],
  [7, [3, 1, 3, 5], [2, 0, 2, 3]],
  [-10, [1, 2], [-3, -7]],
  [1, [1, 1], [1, 0]],
  [5, [0, 0], [5, 0]],
])('%i cents by the weights %j are %j', (total, weights, parts) => expect(distributeCents(total, weights)).toEqual(parts));

it('nothing shared out is 0, not −0', () => expect(distributeCents(0, [1, 2])).toEqual([0, 0]));

it('a shop’s row counts with a base or a tax alone, and not with neither', () => {
  const amounts = (base_cents: number, cuota_cents: number) => ({ base_cents, cuota_cents });
  expect(chargedVatRows({ 21: amounts(0, 1), 10: amounts(1, 0), 4: amounts(0, 0) })).toEqual([
    { tipo: '21', base_cents: 0, cuota_cents: 1, total_cents: 1 },
    { tipo: '10', base_cents: 1, cuota_cents: 0, total_cents: 1 },
  ]);
});

it.each([
  // A tax or a rate of 0 is no tax, of whatever destination.
  [{ percent: 21, base_cents: 100, cuota_cents: 0 }, { 0: { base_cents: 100, cuota_cents: 0 } }],
  [{ percent: 0, base_cents: 100, cuota_cents: 1 }, { 0: { base_cents: 100, cuota_cents: 1 } }],
  [{ percent: 21, base_cents: 5, cuota_cents: 1 }, { 21: { base_cents: 5, cuota_cents: 1 } }],
  [{ percent: 1, base_cents: 100, cuota_cents: 1 }, undefined],
])('a shop’s tax %j is charged as %j', (tax, rows) =>
  expect(chargedRows([tax], tax.base_cents + tax.cuota_cents, { cliente_pais: 'España' })).toEqual(rows),
);

it.each([
  [50, 1, '4'],
  [10, 1, '21'],
  [100, 0, '0'],
])('a base of %i cents with %i of tax has the rate %s', (base, cuota, tipo) => expect(rateByAmounts(base, cuota)).toBe(tipo));

it('a cent of VAT is rounding where the order has no rows', () => {
  const charged = (cuota_cents: number) => ({ 21: { base_cents: 100, cuota_cents } });
  expect(vatDifference([], charged(1), String)).toBeUndefined();
  expect(vatDifference([], charged(2), String)).toContain('cobró 2 de IVA');
});

it.each<[Territorio, string]>([
  [{ cliente_pais: 'Reino Unido', cliente_codigo_postal: 'BT1 5GS' }, 'ue'],
  [{ cliente_pais: 'Reino Unido', cliente_provincia: 'Northern Ireland' }, 'ue'],
  [{ cliente_pais: 'Irlanda del Norte' }, 'ue'],
  [{ cliente_pais: 'Reino Unido' }, 'exportacion'],
  [{ cliente_pais: 'Francia', cliente_codigo_postal: 'BT1' }, 'ue'],
  [{ cliente_pais: 'Suiza', cliente_codigo_postal: 'BT1' }, 'exportacion'],
  // A delivered order without a stored regime is taxed by its address.
  [{ cliente_pais: 'Portugal', estado: 'completado' }, 'ue'],
  [{ cliente_pais: 'Portugal', estado: 'completado', iva_regimen: 'otro' }, 'ue'],
  [{ cliente_pais: 'Portugal', estado: 'completado', iva_regimen: 'anterior' }, 'anterior'],
])('goods to %j are taxed as %s', (order, regimen) => expect(taxRegimen(order)).toBe(regimen));

it.each<[string, string, boolean]>([
  ['Francia', 'FR40303265045', true],
  ['Mónaco', 'FR40303265045', true],
  ['Irlanda del Norte', 'XI980780684', true],
  ['Portugal', 'FR40303265045', false],
  // Neither a state nor a number, and a number of Spain.
  ['Ruritania', '', false],
  ['España', '12345678Z', false],
])('goods to %s with the tax number «%s» may be an intra-Community supply: %s', (cliente_pais, cliente_nif, expected) =>
  expect(mayBeSupply({ cliente_pais, cliente_nif })).toBe(expected),
);
