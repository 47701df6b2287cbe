import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type PersonaEncontrada = z.infer<typeof schemas.personaEncontrada>;

export const buscarPersonas = endpoint<typeof schemas.buscarPersonas>()('GET', '/api/privacidad/personas', {
  action: 'privacidad:manage',
  stepUp: true,
});

export const exportarPersona = endpoint<typeof schemas.exportarPersona>()('GET', '/api/privacidad/export', {
  action: 'privacidad:manage',
  stepUp: true,
});

export const bloquear = endpoint<typeof schemas.bloquear>()('POST', '/api/privacidad/bloquear', {
  action: 'privacidad:manage',
  stepUp: true,
});

export const desbloquear = endpoint<typeof schemas.desbloquear>()('POST', '/api/privacidad/desbloquear', {
  action: 'privacidad:manage',
  stepUp: true,
});

export const anonimizar = endpoint<typeof schemas.anonimizar>()('POST', '/api/privacidad/anonimizar', {
  action: 'privacidad:manage',
  stepUp: true,
});

export type Bloqueo = z.infer<typeof schemas.bloqueo>;

export const listBloqueos = endpoint<typeof schemas.listBloqueos>()('GET', '/api/privacidad/bloqueos', 'privacidad:manage');

export const getPlazo = endpoint<typeof schemas.getPlazo>()('GET', '/api/privacidad/plazo', 'privacidad:manage');
