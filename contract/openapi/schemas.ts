import { z } from 'zod';
import { operation } from '../kit/schemas.ts';

export const getOpenapi = operation('This interface, described by OpenAPI 3.1', { 200: z.record(z.string(), z.unknown()) });
