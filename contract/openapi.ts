import { z } from 'zod';
import { endpoint } from './kit.ts';

export const getOpenapi = endpoint('GET', '/api/openapi.json', {
  action: 'api:describe',
  summary: 'This interface, described by OpenAPI 3.1',
  response: { 200: z.record(z.string(), z.unknown()) },
});
