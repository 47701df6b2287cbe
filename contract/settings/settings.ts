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
export const testMail = endpoint<typeof schemas.testMail>()('POST', '/api/settings/probar-correo', 'settings:manage');
