import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './formats.schemas.ts';

export type Format = z.output<typeof schemas.keepFormat.body>;

export const listFormats = endpoint<typeof schemas.listFormats>()('GET', '/api/formatos', 'pedido:create');
export const keepFormat = endpoint<typeof schemas.keepFormat>()('PUT', '/api/formatos', { action: 'pedido:create', bodyLimit: 500_000 });
