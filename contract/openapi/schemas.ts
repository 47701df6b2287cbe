import { z } from 'zod';
import type { Schemas } from '../kit/endpoint.ts';

export const getOpenapi = {
  summary: 'This interface, described by OpenAPI 3.1',
  response: { 200: z.record(z.string(), z.unknown()) },
} satisfies Schemas;
