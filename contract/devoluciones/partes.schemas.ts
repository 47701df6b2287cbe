import { z } from 'zod';
import { integer } from '../kit/schemas.ts';
import { MAX_LINEAS } from '../pedidos/fields.ts';
import { MOTIVOS_PARTE } from './partes.ts';

const parte = z.strictObject({
  numero: integer(1, MAX_LINEAS, 'Esa línea ya no está en el pedido'),
  cantidad: integer(1, 9999, 'Indica cuántos no se entregan'),
  motivo: z.enum(MOTIVOS_PARTE, 'Elige por qué no se entrega'),
});

/** Undelivered goods: each line at most once per reason. */
export const partes = z
  .array(parte)
  .max(MAX_LINEAS * MOTIVOS_PARTE.length)
  .refine((all) => new Set(all.map(({ numero, motivo }) => `${numero} ${motivo}`)).size === all.length, 'Cada línea, una vez por motivo');
