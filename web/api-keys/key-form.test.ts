import { expect, test } from 'vitest';
import { KEY_PURPOSES } from '../../contract/api-keys/fields.ts';
import { completed } from './key-form.tsx';

test('a permission brings what it needs', () => {
  expect(completed(['pedido:create-free'], [])).toEqual(['pedido:read', 'pedido:prices', 'pedido:create', 'pedido:create-free']);
});

test('taking a permission away takes along those that need it', () => {
  const before = completed(['pedido:create-free', 'stats:read'], []);
  const without = (name: string) => before.filter((one) => one !== name);
  expect(completed(without('pedido:prices'), before)).toEqual(['pedido:read', 'stats:read']);
  expect(completed(without('pedido:create'), before)).toEqual(['pedido:read', 'pedido:prices', 'stats:read']);
});

test.each(Object.entries(KEY_PURPOSES))('the purpose %s lacks no permission that its own need', (_, { acciones }) => {
  expect([...acciones].toSorted()).toEqual(completed([...acciones], []).toSorted());
});
