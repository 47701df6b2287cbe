import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spoolOf, waitingPieces } from '../db/embedded/wal-spool.ts';
import type { Config } from '../kit/config.ts';

/*
 * A chain is a base backup and every piece of the log since, without a gap. In the bucket:
 *
 *   wal/CHAIN/key.enc                          random key of the chain, encrypted like a backup
 *   wal/CHAIN/base/TIME-PIECE.tar.gz.enc       files of PostgreSQL; TIME when the files became consistent, PIECE the first piece that the files need
 *   wal/CHAIN/base/TIME-PIECE.json.enc         backup label; written last, so that its presence means a complete base
 *   wal/CHAIN/log/PIECE.gz.enc                 16 MB of the write-ahead log
 */

/** `system`: identifier of the cluster; `sealedWith`: fingerprint of the secret that decrypts the key; `last`: newest piece in the bucket. */
export type Chain = { id: string; key: string; system: string; sealedWith: string; last?: string; base?: { at: string; piece: string } };

const pathOf = (dataDir: string) => join(spoolOf(dataDir), 'chain.json');

export const newChain = (system: string): Chain => ({
  id: randomUUID(),
  key: randomBytes(32).toString('base64url'),
  system,
  sealedWith: '',
});

/** Returns the current chain; undefined if there is none, or if a power cut truncated the file. */
export function readChain(dataDir: string): Chain | undefined {
  if (!existsSync(pathOf(dataDir))) return undefined;
  try {
    return JSON.parse(readFileSync(pathOf(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

export function keepChain(dataDir: string, chain: Chain): void {
  const draft = `${pathOf(dataDir)}.tmp`;
  writeFileSync(draft, JSON.stringify(chain), { mode: 0o600, flush: true });
  renameSync(draft, pathOf(dataDir));
}

export const dropChain = (dataDir: string): void => rmSync(pathOf(dataDir), { force: true });

/** Pieces of 16 MB per log number. */
const PIECES = 0x100;

/** True without `last`, and if `piece` is `last` or the next piece. Timeline history files do not break a chain. */
export function follows(piece: string, last: string | undefined): boolean {
  if (!last || !isPiece(piece)) return true;
  const [number, at] = [Number.parseInt(last.slice(8, 16), 16), Number.parseInt(last.slice(16), 16)];
  const [nextNumber, nextAt] = at + 1 < PIECES ? [number, at + 1] : [number + 1, 0];
  return piece === last || piece === `${last.slice(0, 8)}${hex(nextNumber)}${hex(nextAt)}`;
}
const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
export const isPiece = (name: string): boolean => !name.includes('.');

const BASE = /^wal\/(?<chain>[\w-]+)\/base\/(?<time>\d{8}T\d{9}Z)-(?<piece>[0-9A-F]{24})\.json\.enc$/;
const STORED = /^wal\/(?<chain>[\w-]+)\/(?<kind>key|base|log)/;

export type Base = { chain: string; name: string; at: number; piece: string };

export const keyAt = (chain: string): string => `wal/${chain}/key.enc`;
export const pieceAt = (chain: string, name: string): string => `wal/${chain}/log/${name}.gz.enc`;
export const baseAt = (chain: string, name: string, what: 'tar.gz' | 'json'): string => `wal/${chain}/base/${name}.${what}.enc`;
/** Returns the name of a base: its time in UTC, to the millisecond, and its first piece. */
export const baseName = (at: string, piece: string): string => `${at.replace(/[-:.]/g, '')}-${piece}`;

/** Returns the complete bases among the keys of the bucket, newest first; `at` in milliseconds. */
export function basesOf(keys: readonly string[]): Base[] {
  const found = keys.flatMap((key) => {
    const { chain, time, piece } = BASE.exec(key)?.groups ?? {};
    if (!chain || !time || !piece) return [];
    const at = Date.parse(time.replace(/(....)(..)(..)T(..)(..)(..)(...)Z/, '$1-$2-$3T$4:$5:$6.$7Z'));
    return [{ chain, name: `${time}-${piece}`, at, piece }];
  });
  return found.toSorted((a, b) => b.at - a.at);
}

/** Returns the keys that no restore to a moment of the last `days` needs. Spares the current chain while it has no base. */
export function expiredKeys(keys: readonly string[], current: string, days: number, now = Date.now()): string[] {
  const bases = basesOf(keys);
  const since = now - days * 86_400_000;
  const kept = bases.filter(({ at }, i) => at > since || bases.slice(0, i).every((newer) => newer.at > since));
  return keys.filter((key) => {
    const { chain = '', kind } = STORED.exec(key)?.groups ?? {};
    const own = kept.filter((base) => base.chain === chain);
    if (!chain || (own.length === 0 && chain === current)) return false;
    if (own.length === 0) return true;
    if (kind === 'base') return !own.some(({ name }) => key.includes(name));
    const oldest = own.map(({ piece }) => piece).toSorted()[0] ?? '';
    return kind === 'log' && key.slice(`wal/${chain}/log/`.length) < oldest && !key.includes('history');
  });
}

/** True if the embedded PostgreSQL archives its log: a bucket is configured, and the spool exists. */
export const archives = ({ databaseUrl, s3, dataDir }: Pick<Config, 'databaseUrl' | 's3' | 'dataDir'>): boolean =>
  !databaseUrl && s3 !== undefined && existsSync(spoolOf(dataDir));

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
