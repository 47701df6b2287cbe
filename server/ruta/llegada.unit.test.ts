import { expect, test } from 'vitest';
import { arrivalRange } from './llegada.ts';

const at = (hour: string) => Date.parse(`2026-11-25T${hour}:00Z`);
const hours = ({ desde, hasta }: { desde: number; hasta: number }) =>
  [desde, hasta].map((when) => new Date(when).toISOString().slice(11, 16));
const toledo = { lat: 39.858, lng: -4.023 };
const mora = { lat: 39.685, lng: -3.774 };

test('each stop before an order widens and delays the range of its arrival', () => {
  const fields = { since: at('10:00'), from: undefined, minutes: 10 };
  expect(hours(arrivalRange({ ...fields, stops: [toledo] }, at('10:00')))).toEqual(['10:00', '10:15']);
  expect(hours(arrivalRange({ ...fields, stops: Array.from({ length: 5 }, () => toledo) }, at('10:00')))).toEqual(['10:15', '11:30']);
});

test('travel between towns is estimated by road, longer than the straight line', () => {
  const fields = { since: at('10:00'), from: toledo, minutes: 5 };
  // 29 km in a straight line.
  expect(hours(arrivalRange({ ...fields, stops: [mora] }, at('10:00')))).toEqual(['10:15', '11:00']);
});

test('a late carrier is expected later, and never in the past', () => {
  const fields = { since: at('10:00'), from: undefined, minutes: 10 };
  expect(hours(arrivalRange({ ...fields, stops: [toledo, toledo, toledo] }, at('12:05')))).toEqual(['12:00', '13:00']);
});
