import { expect, test } from 'vitest';
import { plural } from './plural.ts';

test.each([
  [plural(0, 'pedido'), '0 pedidos'],
  [plural(1, 'pedido'), '1 pedido'],
  [plural(2, 'mes', 'meses'), '2 meses'],
  [plural(1200, 'pedido nuevo', 'pedidos nuevos'), '1.200 pedidos nuevos'],
])('«%s»', (words, expected) => {
  expect(words).toBe(expected);
});
