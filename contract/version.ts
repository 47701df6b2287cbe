import { endpoint } from './kit.ts';
import type * as schemas from './version.schemas.ts';

export const getVersion = endpoint<typeof schemas.getVersion>()('GET', '/api/version', { action: 'public' });
