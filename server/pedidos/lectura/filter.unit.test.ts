import { expect, test } from 'vitest';
import { isSearch } from '../../../contract/pedidos/search.ts';

test.each([
  [undefined, false],
  ['', false],
  [' ', false],
  ['a', false],
  ['ñ', false],
  ['7', false],
  ['ab', true],
  ['77', true],
  ['a b', true],
] as const)('%j is a search: %s', (text, expected) => expect(isSearch(text)).toBe(expected));
