import { z } from 'zod';
import type { Schemas } from '../kit/endpoint.ts';
import { isoInstant } from '../kit/schemas.ts';

export const failure = z.object({
  name: z.string(),
  titulo: z.string(),
  consejo: z.string(),
  motivo: z.string().describe('Technical reason, without personal data'),
  veces: z.number().describe('Failed runs in a row'),
  desde: isoInstant,
  ultima_vez: isoInstant,
});

export const listFailures = {
  summary: 'Background jobs whose last run failed',
  response: { 200: z.object({ data: z.array(failure) }) },
} satisfies Schemas;
