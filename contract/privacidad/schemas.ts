import { z } from 'zod';
import { doneWith, id, isoInstant, operation, paged, pageQuery, text } from '../kit/schemas.ts';
import { CONFIRMACION, MAX_PRIVACIDAD, personOrOrders, WHICH } from './fields.ts';

const veces = z.object({ lugar: z.string(), veces: z.number() });

export const personaEncontrada = z.object({
  pedido_id: id.describe('Latest order, which identifies the person in the other calls'),
  nombres: z.array(z.string()),
  telefonos: z.array(z.string()),
  lugar: z.string(),
  pedidos: z.number(),
  abiertos: z.number().describe('Open orders; their data cannot be blocked or anonymised'),
  primero: isoInstant,
  ultimo: isoInstant,
  coincide: z.array(z.string()),
  lista: z
    .array(z.object({ id, numero_orden: z.string(), cliente_nombre: z.string(), fecha_pedido: isoInstant }))
    .describe('Each order, latest first'),
  aparece: z.array(veces).describe('Other places with data of these orders'),
});

export const buscarPersonas = operation(
  'People by name, telephone or e-mail in every place that may hold them: customers by person, and people of the program',
  {
    query: z.strictObject({ ...pageQuery, search: z.string().trim().min(3, 'Escribe al menos 3 letras o cifras').max(200) }),
    200: paged(personaEncontrada).extend({
      usuarios: z.array(z.object({ id, full_name: z.string(), email: z.string(), role: z.string(), activo: z.boolean() })),
      usuarios_total: z.number(),
      sueltos: z.array(veces),
    }),
  },
);

export const exportarPersona = operation(
  'Everything held about the person of an order, or about these orders (ids, separated by commas), as a JSON file in Spanish',
  {
    query: z
      .strictObject({
        persona: id.optional(),
        pedidos: z
          .string()
          .transform((ids) => ids.split(','))
          .pipe(z.array(id).min(1).max(MAX_PRIVACIDAD))
          .optional(),
      })
      .refine(({ persona, pedidos }) => (persona === undefined) !== (pedidos === undefined), 'Indica una persona o unos pedidos'),
    file: 'application/json',
  },
);

const MOTIVO = { motivo: text(300, 'Indica el motivo') };

const DE_QUIEN = {
  persona: id.optional().describe('Every order of the person of this order'),
  pedidos: z.array(id).min(1).max(MAX_PRIVACIDAD).optional(),
};

const hechos = doneWith(z.object({ pedidos: z.number() }));

export const bloquear = operation(
  'Take the personal data out of finished orders and keep it encrypted; 409 names those that are not finished',
  { body: z.strictObject({ ...DE_QUIEN, ...MOTIVO }).refine(personOrOrders, WHICH), 200: hechos },
);

export const desbloquear = operation('Put the personal data of blocked orders back as it was', {
  body: z.strictObject({ pedidos: z.array(id).min(1).max(MAX_PRIVACIDAD), ...MOTIVO }),
  200: hechos,
});

export const anonimizar = operation('Take the personal data out of finished orders for ever; amounts, dates and province stay', {
  body: z
    .strictObject({ ...DE_QUIEN, ...MOTIVO, confirmacion: z.literal(CONFIRMACION, `Escribe ${CONFIRMACION} para confirmar`) })
    .refine(personOrOrders, WHICH),
  200: hechos,
});

export const bloqueo = z.object({
  pedido_id: id,
  numero_orden: z.string(),
  motivo: z.string(),
  bloqueado_por: z.string().nullable(),
  created_at: isoInstant,
});

export const listBloqueos = operation('Orders whose personal data is blocked, latest first; nothing of the data itself', {
  query: z.strictObject(pageQuery),
  200: paged(bloqueo),
});

export const getPlazo = operation('What the setting will anonymise, and when next', {
  200: z.object({
    data: z.object({
      meses: z.number(),
      pendientes: z.number(),
      proxima: isoInstant.nullable(),
      anonimizados: z.number(),
    }),
  }),
});
