import { z } from 'zod';
import { day, euros, optionalText } from '../kit/schemas.ts';
import { METODOS_PAGO } from '../payments/fields.ts';

/** Payment of a new order that another program has collected, such as a web shop. */
export const pagado = z
  .strictObject({
    metodo: z.enum(METODOS_PAGO, 'Elige cómo se ha pagado'),
    referencia: optionalText(120).describe('Of the payment, such as its number at the bank'),
    fecha: day.nullish().describe('Default: today'),
    importe: euros('Indica el importe en euros')
      .nullish()
      .describe('Less than the total: a part, and the rest stays due; more is refused. Default: the total'),
  })
  .nullish()
  .describe('The order is paid elsewhere, whole or in part; needs «Crear pedidos ya pagados en otro sitio»');
