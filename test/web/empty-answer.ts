import type { z } from 'zod';

type Def = {
  type: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, unknown>;
  values?: unknown[];
  in?: z.ZodType;
  format?: string;
};

let serial = 0;

/** Returns the smallest value that a response schema allows: empty lists, zeros, nulls, and a new id for each id field. */
export function emptyOf(schema: z.ZodType): unknown {
  const def = schema._zod.def as unknown as Def;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {})
          .map(([name, field]) => [name, emptyOf(field)])
          .filter(([, value]) => value !== undefined),
      );
    case 'array':
      return [];
    case 'record':
      return {};
    case 'string':
      return def.format === 'uuid' ? uuid() : '';
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'enum':
      return Object.values(def.entries ?? {})[0];
    case 'literal':
      return def.values?.[0];
    case 'union':
      return emptyOf(def.options?.[0] as z.ZodType);
    case 'nullable':
      return null;
    case 'optional':
    case 'undefined':
      return undefined;
    case 'pipe':
      return emptyOf(def.in as z.ZodType);
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'lazy':
      return emptyOf(def.innerType as z.ZodType);
    default:
      return null;
  }
}

/** Returns a new id, unique within the test. */
export const uuid = (): string => `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}`;
