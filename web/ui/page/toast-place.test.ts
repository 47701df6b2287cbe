import { expect, test } from 'vitest';
import { freeBottom } from './toast-place.ts';

/* Position of a 60-pixel toast in an 800-pixel window. */

const place = (...taken: [top: number, bottom: number][]) =>
  freeBottom(
    60,
    784,
    taken.map(([top, bottom]) => ({ top, bottom })),
  );

test('a toast stands in the lowest gap of the window that is high enough', () => {
  expect(place()).toBe(784);
  expect(place([0, 60])).toBe(784);
  expect(place([740, 800])).toBe(732);
  expect(place([640, 680], [740, 800])).toBe(632);
  expect(place([740, 800], [600, 640])).toBe(732);
});

test('a toast has no place if the whole height is taken', () => {
  expect(place([0, 500], [500, 800])).toBeUndefined();
});
