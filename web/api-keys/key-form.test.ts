import { expect, test } from 'vitest';
import { KEY_PURPOSES } from '../../contract/api-keys/fields.ts';
import { completeScopes } from './key-form.tsx';

test('choosing a permission adds the permissions it needs', () => {
  expect(completeScopes(['pedido:create-free'], [])).toEqual(['pedido:read', 'pedido:prices', 'pedido:create', 'pedido:create-free']);
});

test('removing a permission also removes the permissions that need it', () => {
  const before = completeScopes(['pedido:create-free', 'stats:read'], []);
  const without = (name: string) => before.filter((action) => action !== name);
  expect(completeScopes(without('pedido:prices'), before)).toEqual(['pedido:read', 'stats:read']);
  expect(completeScopes(without('pedido:create'), before)).toEqual(['pedido:read', 'pedido:prices', 'stats:read']);
});

test.each(Object.entries(KEY_PURPOSES))('the purpose %s includes every permission that its permissions need', (_, { acciones }) => {
  expect([...acciones].toSorted()).toEqual(completeScopes([...acciones], []).toSorted());
});
