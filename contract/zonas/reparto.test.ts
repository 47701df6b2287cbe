import { describe, expect, test } from 'vitest';
import { problemOf } from '../kit/fields.ts';
import { deliversTo, inZonas, normalizeZonas, ZONAS_FIELD } from './reparto.ts';

describe('zones', () => {
  test.each(['28*', '28*, 450*', '28013', '28013 28014;45*,', '2*'])('«%s» is valid', (text) => {
    expect(problemOf(ZONAS_FIELD, text)).toBeUndefined();
  });
  test.each(['*', '28', '280130', '28013*', 'Madrid', '28*13', '28*,,x', '*28'])('«%s» is refused', (text) => {
    expect(problemOf(ZONAS_FIELD, text)).toBe(ZONAS_FIELD.invalid);
  });
  test('long input is refused quickly', () => {
    const before = process.cpuUsage();
    expect(problemOf({ ...ZONAS_FIELD, max: 1e6 }, `${'1 '.repeat(50_000)}x`)).toBeDefined();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(500);
  });

  test('zones are stored sorted, without duplicates or zones inside another', () => {
    expect(normalizeZonas(' 45001;28* 28013,28*  280* ')).toBe('28*, 45001');
    expect(normalizeZonas(' ')).toBeNull();
    expect(normalizeZonas(null)).toBeNull();
  });

  test.each([
    ['28*', '28013', true],
    ['28*', '28 013', true],
    ['28*', '08280', false],
    ['450*, 28013', '45071', true],
    ['450*, 28013', '45100', false],
    ['450*, 28013', '28013', true],
    ['28013', '28014', false],
    ['28*', '', false],
    ['28*', null, false],
    [null, '28013', false],
  ])('the zones %s contain the postcode %s: %s', (zonas, postcode, expected) => {
    expect(inZonas(zonas, postcode)).toBe(expected);
  });

  test('a carrier without zones delivers everywhere', () => {
    expect([deliversTo(null, '28013'), deliversTo(null, null), deliversTo('45*', '28013'), deliversTo('45*', null)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
