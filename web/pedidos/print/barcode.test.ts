import { expect, test } from 'vitest';
import { code128 } from './barcode.tsx';

test('a Code 128 bar code consists of start, characters, checksum and stop', () => {
  const [START_B, A, CHECK_B, STOP] = ['11010010000', '10100011000', '10001011000', '1100011101011'];
  expect(code128('A')).toBe(START_B + A + CHECK_B + STOP);
});

test('a text with characters outside ASCII has no bar code', () => {
  expect(code128('AÑO-1')).toBeUndefined();
});
