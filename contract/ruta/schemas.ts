import { z } from 'zod';
import { doneMessage, id, operation, sentInstant } from '../kit/schemas.ts';

/* The day's route (decision 075), behind the setting `dayRoute`. */

const MAX_PARADAS = 300;

const orden = { primera: id.nullable().describe('Stays first'), ultima: id.nullable().describe('Stays last') };

export const ruta = z.object({
  pedidos: z.array(id).describe('Own orders in hand, in the order of the visit'),
  ...orden,
  paradas: z.array(z.object({ id, lat: z.number(), lng: z.number() })).describe('Centres of the towns of orders in hand'),
});

export const getRuta = operation('The carrier’s route of today', { 200: z.object({ data: ruta }) });

export const guardarRuta = operation('Replace the own route of a day; one older than what is kept changes nothing', {
  body: z.strictObject({
    pedidos: z.array(id).max(MAX_PARADAS, `Como máximo ${MAX_PARADAS} paradas`),
    ...orden,
    ocurrido: sentInstant.describe('When it was arranged; also says its day'),
  }),
  200: doneMessage,
});
