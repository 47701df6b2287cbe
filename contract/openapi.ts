import { endpoint } from './kit.ts';
import type * as schemas from './openapi.schemas.ts';

export const getOpenapi = endpoint<typeof schemas.getOpenapi>()('GET', '/api/openapi.json', { action: 'api:describe' });
