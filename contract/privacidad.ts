import type { z } from 'zod';
import { endpoint } from './kit.ts';
import type * as schemas from './privacidad.schemas.ts';

/* Personal data (RGPD art. 18, LOPDGDD art. 32). An order identifies the person, so that no URL holds personal data. */

export const MAX_PRIVACIDAD = 500;

export const CONFIRMACION = 'ANONIMIZAR';

export type PersonaEncontrada = z.infer<typeof schemas.personaEncontrada>;

export const buscarPersonas = endpoint<typeof schemas.buscarPersonas>()('GET', '/api/privacidad/personas', {
  action: 'privacidad:manage',
  stepUp: true,
});

export const exportarPersona = endpoint<typeof schemas.exportarPersona>()('GET', '/api/privacidad/export', {
  action: 'privacidad:manage',
  stepUp: true,
});

export const oneOf = ({ persona, pedidos }: { persona?: string | undefined; pedidos?: string[] | undefined }) =>
  (persona === undefined) !== (pedidos === undefined);

export const WHICH = 'Indica una persona o unos pedidos';

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

export const listBloqueos = endpoint<typeof schemas.listBloqueos>()('GET', '/api/privacidad/bloqueos', { action: 'privacidad:manage' });

export const getPlazo = endpoint<typeof schemas.getPlazo>()('GET', '/api/privacidad/plazo', { action: 'privacidad:manage' });
