import { z } from 'zod';
import { doneMessage, doneWith, id, idsQuery, integer, isoInstant, operation, text } from '../kit/schemas.ts';
import { KEY_ACTION_NAMES, KEY_ACTIONS, KEY_DAYS, KEY_NEEDS } from './fields.ts';

const acciones = z.array(z.enum(KEY_ACTION_NAMES, 'Permiso no válido'));

export const apiKey = z.object({
  id,
  nombre: z.string(),
  inicio: z.string().describe('First characters of the key, to recognise it; the rest is stored only as a hash'),
  acciones,
  created_at: isoInstant,
  creada_por: z.string(),
  creada_por_id: id.nullable(),
  usada_at: isoInstant.nullable(),
  caduca_at: isoInstant.nullable(),
  revocada_at: isoInstant.nullable(),
});

export const listApiKeys = operation('The keys with which other programs use this interface; those revoked are kept for a month', {
  query: z.strictObject(idsQuery),
  200: z.object({ data: z.array(apiKey) }),
});

export const createApiKey = operation('Make a key; the answer is the only one that holds it', {
  body: z.strictObject({
    nombre: text(60, 'Ponle un nombre: el del programa que la usará'),
    acciones: acciones.min(1, 'Elige al menos un permiso').superRefine((chosen, context) => {
      for (const name of chosen)
        for (const needed of KEY_NEEDS[name] ?? [])
          if (!chosen.includes(needed)) {
            const message = `«${KEY_ACTIONS[name]}» necesita también «${KEY_ACTIONS[needed]}»`;
            context.addIssue({ code: 'custom', message });
          }
    }),
    dias: integer(1, 3650, 'De 1 a 3650 días').nullable().default(KEY_DAYS).describe('Lifetime in days; null: until revoked'),
  }),
  201: doneWith(apiKey.extend({ clave: z.string() })),
});

export const revokeApiKey = operation('Revoke a key, at once', { 200: doneMessage });
