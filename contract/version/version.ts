import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export const getVersion = endpoint<typeof schemas.getVersion>()('GET', '/api/version', 'public');
