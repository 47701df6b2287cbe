import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spoolFolder, waitingPieces } from '../db/embedded/wal-spool.ts';
import type { Config } from '../kit/config.ts';

/** `shop`: folder in the bucket; `system`: identifier of the cluster; `sealedWith`: fingerprint of the secret that decrypts the key; `last`: newest piece in the bucket. */
export type Chain = {
  id: string;
  shop: string;
  key: string;
  system: string;
  sealedWith: string;
  last?: string;
  base?: { at: string; name: string };
};

const pathOf = (dataDir: string) => join(spoolFolder(dataDir), 'chain.json');

export const newChain = (system: string, shop: string): Chain => ({
  id: randomUUID(),
  shop,
  key: randomBytes(32).toString('base64url'),
  system,
  sealedWith: '',
});

/** Returns the current chain; undefined if there is none, or if a power cut truncated the file. */
export function readChain(dataDir: string): Chain | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

export function storeChain(dataDir: string, chain: Chain): void {
  const draft = `${pathOf(dataDir)}.tmp`;
  writeFileSync(draft, JSON.stringify(chain), { mode: 0o600, flush: true });
  renameSync(draft, pathOf(dataDir));
}

export const dropChain = (dataDir: string): void => rmSync(pathOf(dataDir), { force: true });

/** True if the embedded PostgreSQL archives its log: a bucket is configured, and the spool exists. */
export const archivesLog = ({ databaseUrl, s3, dataDir }: Pick<Config, 'databaseUrl' | 's3' | 'dataDir'>): boolean =>
  !databaseUrl && s3 !== undefined && existsSync(spoolFolder(dataDir));

/** Returns the time of the last base (ISO 8601), the number of waiting pieces, and the age of the oldest piece in seconds. */
export function archiveState(dataDir: string): { base: string | undefined; waiting: number; seconds: number } {
  const pieces = waitingPieces(dataDir);
  const since = pieces[0]?.since;
  return {
    base: readChain(dataDir)?.base?.at,
    waiting: pieces.length,
    seconds: since === undefined ? 0 : Math.round((Date.now() - since) / 1000),
  };
}
