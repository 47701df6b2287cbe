import { describe, expect, it } from 'vitest';
import { ago, agoWords, fecha, fechaCercana, fechaHora, money, number } from './format.ts';

describe('money', () => {
  it('an amount is shown with thousands point, decimal comma and euro sign', () => {
    expect(money(1234.5)).toBe('1.234,50\u00a0€');
    expect(money('16.9')).toBe('16,90\u00a0€');
    expect(money(0)).toBe('0,00\u00a0€');
    expect(money(1_000_000)).toBe('1.000.000,00\u00a0€');
  });
  it('an absent amount is shown as a dash', () => {
    expect(money(null)).toBe('—');
    expect(money('')).toBe('—');
    expect(number(undefined)).toBe('—');
  });
});

describe('fecha', () => {
  it('a time is shown in the time zone of the business, not in UTC', () => {
    expect(fecha('2026-07-31T22:30:00Z')).toBe('01/08/2026');
    expect(fecha('2026-12-31T23:30:00.000Z')).toBe('01/01/2027');
    expect(fechaHora('2026-03-29T01:00:00Z')).toBe('29/03/2026 03:00');
  });
  it('a day without a time is not shifted', () => {
    expect(fecha('2026-10-25')).toBe('25/10/2026');
  });
  it('an absent or invalid date is shown as a dash', () => {
    expect(fecha(null)).toBe('—');
    expect(fecha('ayer')).toBe('—');
  });
});

describe('ago', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  it.each([
    ['2026-11-20T11:59:01Z', 'Ahora'],
    ['2026-11-20T11:59:00Z', 'Hace 1m'],
    ['2026-11-20T11:00:01Z', 'Hace 59m'],
    ['2026-11-20T11:00:00Z', 'Hace 1h'],
    ['2026-11-19T12:00:01Z', 'Hace 23h'],
    ['2026-11-18T12:00:00Z', 'Hace 2d'],
  ])('the time %s is shown as «%s»', (when, text) => expect(ago(when, now)).toBe(text));
});

it('a near day is shown by its weekday, with the month if that is not the current month', () => {
  const now = new Date('2026-11-20T09:00:00Z');
  expect(fechaCercana('2026-11-25T11:00:00Z', now)).toBe('miércoles 25');
  expect(fechaCercana('2026-12-01', now)).toBe('martes 1 de diciembre');
});

it('how long ago something happened is said within a sentence', () => {
  const before = (minutes: number) => agoWords(new Date(Date.now() - minutes * 60_000));
  expect([0, 5, 180, 3000].map(before)).toEqual(['ahora', 'hace 5 min', 'hace 3 h', 'hace 2 d']);
});
