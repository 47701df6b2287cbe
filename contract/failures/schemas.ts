import { z } from 'zod';
import { isoInstant, operation } from '../kit/schemas.ts';

export const failure = z.object({
  name: z.string(),
  titulo: z.string(),
  consejo: z.string(),
  motivo: z.string().describe('Technical reason, without personal data'),
  veces: z.number().describe('Failed runs in a row'),
  desde: isoInstant,
  ultima_vez: isoInstant,
});

export const listFailures = operation('Background jobs whose last run failed', { 200: z.object({ data: z.array(failure) }) });
