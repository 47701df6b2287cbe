import { z } from 'zod';
import { doneWith, id, operation, optionalText, sentInstant, version } from '../kit/schemas.ts';
import { estado } from '../pedidos/filters.schemas.ts';
import { lotePedidos } from '../pedidos/lote.schemas.ts';
import { MAX_DESHACER, REVERSAL_NAMES } from '../pedidos/reversals.ts';
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

const ids = z.array(id).min(1, 'Elige al menos un pedido').max(MAX_DESHACER, `Como máximo ${MAX_DESHACER} pedidos a la vez`);

export const verDeshacerVarios = operation('How the last steps of these orders would be taken back, each on its own', {
  body: z.strictObject({ ids }),
  200: z.object({ data: z.array(reversalPreview.extend({ id, numero_orden: z.string() })) }),
});

export const deshacerVarios = operation('Take the last step of each of these orders back, with a result for each', {
  body: z.strictObject({ pedidos: z.array(z.strictObject({ id, paso })).min(1).max(MAX_DESHACER), motivo: optionalText(300) }),
  200: lotePedidos.response[200],
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
