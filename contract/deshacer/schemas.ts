import { z } from 'zod';
import { doneWith, operation, optionalText, sentInstant, version } from '../kit/schemas.ts';
import { estado } from '../pedidos/filters.schemas.ts';
import { REVERSAL_NAMES } from '../pedidos/reversals.ts';
import { pedidoByRole } from '../pedidos/schemas.ts';

const paso = z.enum(REVERSAL_NAMES, 'Indica qué se deshace');

export const reversalPreview = z.object({
  paso: paso.nullable().describe('Null if the last step has no way back for the caller'),
  vuelve_a: estado.nullable().describe('Estado after it'),
  con_motivo: z.boolean().describe('True if a reason must be given'),
  consecuencias: z.array(z.string()).describe('Sentences of what is taken back'),
  rechazo: z.string().nullable().describe('Why it would be refused, and who can help'),
});

export const verDeshacer = operation('How the last step of an order would be taken back, and what that takes back', {
  200: z.object({ data: reversalPreview }),
});

export const deshacerPaso = operation(
  'Take the last step of an order back, by counter-entries: a departure, a delivery or a cancellation',
  {
    body: z.strictObject({
      paso,
      motivo: optionalText(300),
      ocurrido: sentInstant.optional().describe('Of a carrier: when it happened'),
      version,
    }),
    200: doneWith(pedidoByRole),
  },
);
