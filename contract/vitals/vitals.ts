import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type ScreenSpeed = z.infer<typeof schemas.screenSpeed>;

export const sendVitals = endpoint<typeof schemas.sendVitals>()('POST', '/api/velocidad', 'session');

export const listVitals = endpoint<typeof schemas.listVitals>()('GET', '/api/velocidad', 'job:read');
