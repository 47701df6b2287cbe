import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export const getOpenapi = endpoint<typeof schemas.getOpenapi>()('GET', '/api/openapi.json', 'api:describe');
