import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Failure = z.infer<typeof schemas.failure>;

export const listFailures = endpoint<typeof schemas.listFailures>()('GET', '/api/tareas/errores', 'job:read');
