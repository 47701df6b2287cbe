import { z } from 'zod';
import { CANAL_NAMES, MOMENTO_NAMES } from './fields.ts';

export const avisosCliente = z.object({
  tienda: z.string(),
  canales: z.array(z.enum(CANAL_NAMES)),
  textos: z.partialRecord(z.enum(MOMENTO_NAMES), z.string()).describe('Only texts that the business has changed and the person may use'),
});
