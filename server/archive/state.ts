import { existsSync } from 'node:fs';
import { spoolOf, waitingPieces } from '../db/embedded/wal-spool.ts';
import type { Config } from '../kit/config.ts';
import { readChain } from './chain.ts';

/** True if the embedded PostgreSQL archives its log: a bucket is set, and the system has what it takes. */
export const archives = ({ databaseUrl, s3, dataDir }: Pick<Config, 'databaseUrl' | 's3' | 'dataDir'>): boolean =>
  !databaseUrl && s3 !== undefined && existsSync(spoolOf(dataDir));

/** Time of the last base backup in ISO 8601, pieces that wait for the bucket, and seconds since the oldest of them was written. */
export function archiveState(dataDir: string): { base: string | undefined; waiting: number; seconds: number } {
  const pieces = waitingPieces(dataDir);
  const since = pieces[0]?.since;
  return {
    base: readChain(dataDir)?.base?.at,
    waiting: pieces.length,
    seconds: since === undefined ? 0 : Math.round((Date.now() - since) / 1000),
  };
}
