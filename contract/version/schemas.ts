import { z } from 'zod';
import type { Schemas } from '../kit/endpoint.ts';

export const getVersion = {
  summary: 'Version of the program, without signing in',
  response: { 200: z.object({ version: z.string() }) },
} satisfies Schemas;
