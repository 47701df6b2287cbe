import { describe, expect, test } from 'vitest';
import { localPage, matches, sortedBy } from './local-list.ts';

describe('matches', () => {
  test.each([
    ['', true],
    ['muñoz', true],
    ['MUNOZ', true],
    ['maría', true],
    ['maria muñoz', true],
    ['muñoz ana.m', true],
    ['pérez', false],
    ['maría pérez', false],
  ])('the search «%s» in María Muñoz <ana.m@x.es> returns %s', (search, expected) => {
    expect(matches(search, 'María Muñoz', 'ana.m@x.es', null)).toBe(expected);
  });
});

describe('sortedBy', () => {
  test('text is sorted in Spanish order, with numbers in the text by value', () => {
    const names = ['Ñu', 'zeta', 'Óleo', 'nuez', 'Pack 10', 'Pack 9', 'oler'];
    expect(sortedBy(names, (name) => name)).toEqual(['nuez', 'Ñu', 'Óleo', 'oler', 'Pack 9', 'Pack 10', 'zeta']);
  });
  test('sorting in descending order leaves the given list unchanged', () => {
    const numbers = [2, 10, 1];
    expect(sortedBy(numbers, (n) => n, 'desc')).toEqual([10, 2, 1]);
    expect(numbers).toEqual([2, 10, 1]);
  });
  test('false is sorted before true', () => {
    expect(sortedBy([true, false], (b) => b)).toEqual([false, true]);
  });
});

describe('pageOf', () => {
  const rows = Array.from({ length: 45 }, (_, i) => i);
  test('a page of a local list has its rows and the totals', () => {
    expect(localPage(rows, 3)).toEqual({ data: [40, 41, 42, 43, 44], total: 45, current_page: 3, last_page: 3, per_page: 20 });
  });
  test('an empty list has one empty page', () => {
    expect(localPage([], 1)).toMatchObject({ data: [], total: 0, last_page: 1 });
  });
  test('a page beyond the last page is empty, and has the number of the last page', () => {
    expect(localPage(rows, 9)).toMatchObject({ data: [], last_page: 3 });
  });
});
