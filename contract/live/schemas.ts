import * as z from 'zod';
import { operation } from '../kit/schemas.ts';

export const live = operation('Server-sent events: which topics changed for the caller', {
  query: z.strictObject({ edad: z.coerce.number().int().min(0).default(0) }),
  file: 'text/event-stream',
});
