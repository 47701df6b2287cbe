import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type ApiKey = z.infer<typeof schemas.apiKey>;

export const isKeyActive = ({ revocada_at, caduca_at }: ApiKey, now = Date.now()): boolean =>
  !revocada_at && !(caduca_at && Date.parse(caduca_at) <= now);

export const listApiKeys = endpoint<typeof schemas.listApiKeys>()('GET', '/api/claves', 'apikey:manage');

export const createApiKey = endpoint<typeof schemas.createApiKey>()('POST', '/api/claves', { action: 'apikey:manage', stepUp: true });

export const revokeApiKey = endpoint<typeof schemas.revokeApiKey>()('DELETE', '/api/claves/:id', 'apikey:manage');
