import type { z } from 'zod';
import type * as schemas from './failures.schemas.ts';
import { endpoint } from './kit.ts';

export type Failure = z.infer<typeof schemas.failure>;

export const listFailures = endpoint<typeof schemas.listFailures>()('GET', '/api/tareas/errores', { action: 'job:read' });
