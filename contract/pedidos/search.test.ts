import { describe, expect, test } from 'vitest';
import { beginsWord, isFoundIn, isSearch, readSearch, searchTerms, termSpellings, wholeNumbers } from './search.ts';

describe('the terms of a search', () => {
  test.each<[string, string[]]>([
    ['Ana  Ruiz', ['Ana', 'Ruiz']],
    ['Ruiz, Ana;', ['Ruiz', 'Ana']],
    ['- Ana · / #', ['Ana']],
    ['#648', ['648']],
    ['+34 600-11 22 33', ['600112233']],
    ['Ana 600 11 22 33', ['Ana', '600112233']],
    ['600112233 / 611223344', ['600112233', '611223344']],
    ['123 456 789', ['123456789']],
    ['Ana 123 456 789', ['Ana', '123456789']],
    ['12 345', ['12345']],
    ['1 234', ['1', '234']],
    ['Ana 12 345', ['Ana', '12', '345']],
    ['1.234,50 €', ['1.234,50']],
    ['12,50 euros', ['12,50']],
    ['12,50eur', ['12,50']],
    ['12,50 europa', ['12,50', 'europa']],
    ['1234.50', ['1234.50']],
    ['ord 2026 000048', ['ORD-2026000048']],
    ['ORD/2026.000048', ['ORD-2026000048']],
    ['ord 2026 00048', ['ord', '202600048']],
    ['palabord 2026 000048', ['palabord', '2026', '000048']],
    ['28013–28014', ['2801328014']],
    ['a b c d e f g h i j', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
  ])('of «%s»', (search, terms) => expect(searchTerms(search)).toEqual(terms));
});

test.each<[string, string[]]>([
  ['Ana', ['Ana']],
  ['12,50', ['12,50']],
  ['12.50', ['12.50', '12,50']],
  ['1.234,50', ['1.234,50', '1234,50']],
  ['1234.50', ['1234.50', '1234,50']],
  ['1.23,50', ['1.23,50', '12350']],
  ['ORD-2026000048', ['ORD-2026000048', 'ORD2026000048']],
  ['B-12', ['B-12']],
  ['B-123', ['B-123', 'B123']],
  ['Ana-Ruiz', ['Ana-Ruiz']],
])('a term %s is also found as it is stored', (term, spellings) => expect(termSpellings(term)).toEqual(spellings));

test.each<[string | undefined, boolean]>([
  ['Ana', true],
  ['ab', true],
  ['a', false],
  ['ñ', false],
  ['7', false],
  ['', false],
  [undefined, false],
  ['· -', false],
])('«%s» is a search: %s', (text, is) => expect(isSearch(text)).toBe(is));

test('an order number alone is looked up in all its spellings', () => {
  expect(wholeNumbers('ord-2026000048')).toEqual(['ord-2026000048', 'ORD-2026000048', 'ORD-2026000048', 'ORD2026000048']);
  expect(wholeNumbers('ord 2026 000048')).toContain('ORD-2026000048');
  for (const other of ['ORD-202600004', 'ORD-2026000048 Ana', 'Ana', '', 'XORD-2026000048']) expect(wholeNumbers(other)).toBeUndefined();
});

test('every term is found, a short one at the beginning of a word', () => {
  expect([beginsWord('a'), beginsWord('ab'), beginsWord('abc'), beginsWord('a-')]).toEqual([true, true, false, false]);
  const text = ' maria lopez 1234,50';
  const found = (search: string) => isFoundIn(text, search);
  expect(['María', 'lo', 'ría', 'op', 'pez María', 'maria ruiz', '1.234,50', '1.234,51'].map(found)).toEqual([
    true,
    true,
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
});

test('a search is read without the blanks around it', () => expect(readSearch('\u00a0 Ana ')).toBe('Ana'));
