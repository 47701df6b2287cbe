import { expect, it } from 'vitest';
import { readScanned } from './scanned.ts';

it.each([
  ['ORD-2026000017', 'ORD-2026000017'],
  ["ORD'2026000017", 'ORD-2026000017'],
  ['ord/2026000017', 'ord-2026000017'],
  ['ORDß2026000017', 'ORD-2026000017'],
  ['ORD?2026000017', 'ORD-2026000017'],
  [']Q1ORD-2026000017', 'ORD-2026000017'],
  ["+Q1ORD'2026000017", 'ORD-2026000017'],
  [' ]C1ORD-2026000017 ', 'ORD-2026000017'],
  ['ORD)éàé-ààà"çè', 'ORD-2026000397'],
  // Scanners that name the kind of code, on a French and a Portuguese keyboard, and one that types a bar code's kind.
  ['$A&ORD)éàé-ààà"çè', 'ORD-2026000397'],
  ["´Q1ORD'2026000017", 'ORD-2026000017'],
  [']E0ORD-2026000017', 'ORD-2026000017'],
  // No order numbers.
  ["O'Brien", "O'Brien"],
  ['A/1', 'A/1'],
  ['0017', '0017'],
  ['Calle 5, 28013', 'Calle 5, 28013'],
  ['ORD 2026000017', 'ORD 2026000017'],
  ['#R2 Ana', '#R2 Ana'],
])('«%s» is read as «%s»', (typed, read) => {
  expect(readScanned(typed)).toBe(read);
});
