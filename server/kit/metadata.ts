import { isDeepStrictEqual } from 'node:util';
import type { MetadataInput } from '../../contract/kit/fields.schemas.ts';
import { MAX_METADATA_KEYS, type Metadata } from '../../contract/kit/fields.ts';
import { invalid } from './errors.ts';

/** Merges `changes` into metadata: null or empty values delete their key. Returns null if no keys are left. Throws 422 for too many keys. */
export function mergeMetadata(before: Metadata | null, changes: MetadataInput | null | undefined): Metadata | null {
  const after = Object.entries({ ...before, ...changes }).filter((entry): entry is [string, string] => !!entry[1]);
  if (after.length > MAX_METADATA_KEYS) throw invalid('metadata', `Como máximo ${MAX_METADATA_KEYS} claves`);
  return after.length ? Object.fromEntries(after) : null;
}

/** True if both have the same keys and values, in any order. */
export const isSameMetadata = (a: Metadata | null, b: Metadata | null): boolean => isDeepStrictEqual(a, b);
