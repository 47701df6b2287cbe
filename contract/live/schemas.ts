import * as z from 'zod';
import type { Schemas } from '../kit/endpoint.ts';

export const live = {
  summary: 'Server-sent events: which topics changed for the caller',
  query: z.strictObject({ edad: z.coerce.number().int().min(0).default(0) }),
  response: { file: 'text/event-stream' },
} satisfies Schemas;
