import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { spoolFolder } from '../db/embedded/wal-spool.ts';
import type { Config } from '../kit/config.ts';
import { archiveState, archivesLog, dropChain, newChain, readChain, storeChain } from './chain.ts';

const NOW = Date.UTC(2026, 10, 28, 12);
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'enruta-chain-'));
  mkdirSync(spoolFolder(dataDir));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true });
});

test('a new chain has an identifier and a random key of 32 bytes', () => {
  const [one, other] = [newChain('7', 'tiendas/x/'), newChain('7', 'tiendas/x/')];
  expect(one).toEqual({ id: expect.any(String), shop: 'tiendas/x/', key: expect.any(String), system: '7', sealedWith: '' });
  expect(Buffer.from(one.key, 'base64url')).toHaveLength(32);
  expect(new Set([one.id, other.id, one.key, other.key]).size).toBe(4);
});

test('a chain is stored whole, for its user alone, and is none when it is gone or cannot be read', () => {
  expect(readChain(dataDir)).toBeUndefined();
  const chain = newChain('7', 'tiendas/x/');
  storeChain(dataDir, chain);
  expect(readChain(dataDir)).toEqual(chain);
  const [file = '', ...more] = readdirSync(spoolFolder(dataDir));
  expect([more, statSync(join(spoolFolder(dataDir), file)).mode & 0o777]).toEqual([[], 0o600]);
  writeFileSync(join(spoolFolder(dataDir), file), '{"id"');
  expect(readChain(dataDir)).toBeUndefined();
  for (let i = 0; i < 2; i += 1) dropChain(dataDir);
  expect(readdirSync(spoolFolder(dataDir))).toEqual([]);
});

const S3 = {} as Config['s3'];
test.each<[string, Partial<Config>, boolean]>([
  ['the own database, a bucket and a spool', { s3: S3 }, true],
  ['no bucket', {}, false],
  ['a foreign database', { s3: S3, databaseUrl: 'postgres://x' }, false],
  ['no spool', { s3: S3, dataDir: 'none' }, false],
])('with %s the log is archived: %s', (_, config, isArchived) => {
  expect(archivesLog({ databaseUrl: undefined, s3: undefined, dataDir, ...config })).toBe(isArchived);
});

test('the state tells the last base, and the oldest piece that waits, in seconds', () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  expect(archiveState(dataDir)).toEqual({ base: undefined, waiting: 0, seconds: 0 });
  for (const [n, age] of [
    [1, 4000],
    [2, 60],
  ] as const) {
    const path = join(spoolFolder(dataDir), `00000001000000000000000${n}.gz`);
    writeFileSync(path, '');
    utimesSync(path, NOW / 1000 - age, NOW / 1000 - age);
  }
  storeChain(dataDir, { ...newChain('7', ''), base: { at: '2026-11-28T00:00:00.000Z', name: 'x' } });
  expect(archiveState(dataDir)).toEqual({ base: '2026-11-28T00:00:00.000Z', waiting: 2, seconds: 4000 });
});
