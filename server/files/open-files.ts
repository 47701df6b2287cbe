import type { Config } from '../kit/config.ts';
import { openBucket } from './bucket.ts';
import { diskFiles } from './disk.ts';
import { checkBytes, checkName, type Files, MAX_BYTES } from './store.ts';

/** Opens the configured file store: a bucket if `S3_…` is set, else a folder. */
export const openFiles = ({ s3, filesDir }: Pick<Config, 's3' | 'filesDir'>): Files => (s3 ? s3Files(s3) : diskFiles(filesDir));

/** Stores files in a bucket of an S3-compatible service, with path-style addresses. */
export function s3Files(config: NonNullable<Config['s3']>): Files {
  const bucket = openBucket(config);
  return {
    put: async (name, bytes) => bucket.put(checkName(name), bytes),
    get: async (name) => {
      const bytes = await bucket.get(checkName(name), MAX_BYTES);
      return bytes && checkBytes(name, bytes);
    },
    remove: async (name) => bucket.remove(checkName(name)),
  };
}
