import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { EndpointDef } from '../../contract/kit.ts';
import { route } from './route.ts';

const ENDPOINT: EndpointDef = { method: 'GET', path: '/api/x', action: 'public', summary: '', response: { file: 'text/plain' } };

test.each([
  ['without a permission', { action: undefined }, 'does not say who may call it'],
  ['of no known permission', { action: 'product:mangle' }, 'does not say who may call it'],
  ['of a permission that every object has', { action: 'constructor' }, 'does not say who may call it'],
  ['without a schema for its answer', { response: {} }, 'has no schema for its answer'],
])('an endpoint %s refuses to register', (_, wrong, sentence) => {
  const register = (def: object) => route(Fastify(), def as EndpointDef, async () => undefined as never);
  expect(() => register({ ...ENDPOINT, ...wrong })).toThrow(sentence);
  expect(() => register(ENDPOINT)).not.toThrow();
});
