import { z } from 'zod';
import { operation } from '../kit/schemas.ts';

export const getVersion = operation('Version of the program, without signing in', { 200: z.object({ version: z.string() }) });
