import type { Schemas } from '../kit/endpoint.ts';

export const live = {
  summary: 'Server-sent events: which topics changed for the caller',
  response: { file: 'text/event-stream' },
} satisfies Schemas;
