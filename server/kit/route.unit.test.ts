import { globSync, readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { EndpointDef } from '../../contract/kit/endpoint.ts';
import { getCsrfToken } from '../../contract/session/session.ts';
import { endpoints } from './endpoints.ts';
import { route } from './route.ts';

test('every endpoint that the contract declares has its schemas', () => {
  const declared = globSync('contract/*/*.ts').flatMap((file) => readFileSync(file, 'utf8').match(/= endpoint</g) ?? []);
  expect(endpoints).toHaveLength(declared.length);
});

test.each([
  ['without a permission', { action: undefined }, 'does not say who may call it'],
  ['with an unknown permission', { action: 'product:mangle' }, 'does not say who may call it'],
  ['with a permission named like a property of every object', { action: 'constructor' }, 'does not say who may call it'],
  ['without schemas', {}, 'has no schemas'],
])('an endpoint %s cannot be registered', (_, wrong, sentence) => {
  const register = (def: object) => route(Fastify(), def as EndpointDef, async () => undefined as never);
  expect(() => register({ ...getCsrfToken, ...wrong })).toThrow(sentence);
  expect(() => register(getCsrfToken)).not.toThrow();
});
