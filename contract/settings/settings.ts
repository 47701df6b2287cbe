import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';
import { provenWords } from './values.ts';

export type ShownSettings = z.infer<typeof schemas.shown>;

export const getSettings = endpoint<typeof schemas.getSettings>()('GET', '/api/settings', 'settings:manage');
export const updateSettings = endpoint<typeof schemas.updateSettings>()('PUT', '/api/settings', {
  action: 'settings:manage',
  stepUp: (body: object) => provenWords(Object.keys(body)).length > 0,
});
export const setLogo = endpoint<typeof schemas.setLogo>()('PUT', '/api/settings/logo', 'settings:manage');
export const getLogo = endpoint<typeof schemas.getLogo>()('GET', '/api/empresa/logo', 'public');
export const testDatabase = endpoint<typeof schemas.testDatabase>()('POST', '/api/settings/probar-base-datos', 'settings:manage');
export type Red = z.infer<typeof schemas.localNetwork>;

export const getRed = endpoint<typeof schemas.getRed>()('GET', '/api/red', 'settings:manage');
/** Opening lets other devices reach the sign-in, so it asks for the password. */
export const setRed = endpoint<typeof schemas.setRed>()('PUT', '/api/red', {
  action: 'settings:manage',
  stepUp: ({ abierta }: z.output<typeof schemas.setRedBody>) => abierta,
});
export const comprobarDireccion = endpoint<typeof schemas.comprobarDireccion>()('POST', '/api/red/comprobar', 'settings:manage');
export const testMail = endpoint<typeof schemas.testMail>()('POST', '/api/settings/probar-correo', 'settings:manage');
