import { expect, test } from 'vitest';
import { lugarDe, type RoutePlace } from './lugar.ts';

const at = (cliente_codigo_postal: string | null, cliente_ciudad: string | null, more: Partial<RoutePlace> = {}) =>
  lugarDe({ cliente_codigo_postal, cliente_ciudad, cliente_provincia: null, cliente_pais: null, ...more });

test.each([
  ['45001', 'Toledo', [39.858, -4.023]],
  ['45 001', null, [39.858, -4.023]],
  ['20008', 'Donostia', [43.313, -1.975]],
  ['45593', 'un barrio de Bargas', [39.94, -4.02]],
  [null, 'getafe', [40.306, -3.733]],
  [null, 'Ninguna Parte', null],
  ['99999', 'Getafe', null],
  [null, null, null],
])('the address «%s %s» is at %j', (postcode, town, found) => {
  const punto = at(postcode, town);
  expect(punto && [punto.lat, punto.lng]).toEqual(found && [expect.closeTo(found[0] as number, 1), expect.closeTo(found[1] as number, 1)]);
});

test('an address abroad has no place, even if its postcode looks Spanish', () => {
  expect(at('45001', 'Toledo', { cliente_pais: 'Francia' })).toBeNull();
});
