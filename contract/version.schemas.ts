import { z } from 'zod';
import type { Schemas } from './kit.ts';

export const getVersion = {
  summary: 'Version of the program, without signing in',
  response: { 200: z.object({ version: z.string() }) },
} satisfies Schemas;
