import { z } from 'zod';
import { doneWith, id, operation, sentInstant } from '../kit/schemas.ts';
import { pedidoFilters } from '../pedidos/filters.schemas.ts';
import { pedidoDisponible, pedidoTransportista } from '../pedidos/schemas.ts';
import { readScanned } from '../text/scanned.ts';
import { FORMATOS_ETIQUETA, type FormatoEtiqueta, MAX_CODIGO, MAX_IDS_ETIQUETAS } from './fields.ts';

const { ids: _, ...filters } = pedidoFilters;
const ids = z
  .union([z.string(), z.array(z.string())], 'Identificadores no válidos')
  .transform((ids) => [...new Set([ids].flat().flatMap((some) => some.split(',')))])
  .pipe(z.array(id).max(MAX_IDS_ETIQUETAS, `Como máximo ${MAX_IDS_ETIQUETAS} pedidos a la vez: usa los filtros`)) as z.ZodType as z.ZodType<
  string[],
  string
>;

export const imprimirEtiquetas = operation(
  'Labels of the given orders, or of all that match a filter, to be printed; a carrier’s own only',
  {
    query: z
      .strictObject({
        ...filters,
        ids: ids.optional().describe(`Ids of the orders, up to ${MAX_IDS_ETIQUETAS}, separated by commas or repeated`),
        todos: z.literal('si', 'Valor no válido').optional().describe('All that match the filters, up to 500, instead of `ids`'),
        formato: z.enum(Object.keys(FORMATOS_ETIQUETA) as [FormatoEtiqueta], 'Formato no válido').default('rollo'),
      })
      .refine(({ ids, todos }) => !ids !== !todos, { error: 'Elige los pedidos', path: ['ids'] }),
    file: 'application/pdf',
  },
);

export const escanearPedido = operation(
  'The carrier’s own orders, and those to be taken, that a scanned number or its last digits name; 404 for any other',
  {
    query: z.strictObject({
      codigo: z.string().trim().overwrite(readScanned).min(1, 'Escribe el número').max(MAX_CODIGO, 'El número es demasiado largo'),
    }),
    200: z.object({ pedidos: z.array(z.union([pedidoTransportista, pedidoDisponible])) }),
  },
);

export const cargarPedido = operation('The carrier has loaded the order, or unloaded it', {
  body: z.strictObject({
    cargado: z.boolean('Valor no válido'),
    ocurrido: sentInstant.optional().describe('When it happened'),
  }),
  200: doneWith(pedidoTransportista),
});
