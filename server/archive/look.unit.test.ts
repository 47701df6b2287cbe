import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { spoolFolder } from '../db/embedded/wal-spool.ts';
import type { Bucket } from '../files/bucket.ts';
import { readChain, storeChain } from './chain.ts';
import { checkBucket, lookAtBucket, readSeen } from './look.ts';
import { baseAt, baseName, keyAt, pieceAt } from './names.ts';

const CHAIN = '118a3882-2e3a-413b-91f8-02d02bc1ea3d';
const SHOP = 'tiendas/x/';
const minute = (n: number) => Date.UTC(2026, 10, 28, 12, n);
const segment = (n: number) => `0000000100000000000000${String(n).padStart(2, '0')}`;
const base = baseName(minute(0), segment(1), segment(1));
const BASE = [baseAt(CHAIN, base, 'tar.gz'), baseAt(CHAIN, base, 'json')];
const KEY = keyAt(CHAIN);
const piece = (n: number) => pieceAt(CHAIN, segment(n), minute(n));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'look-'));
  mkdirSync(spoolFolder(dataDir), { recursive: true });
  vi.useFakeTimers({ now: minute(30), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true });
});
const CURRENT = {
  id: CHAIN,
  shop: SHOP,
  key: 'k',
  system: '1',
  sealedWith: '',
  last: segment(2),
  base: { at: new Date(minute(0)).toISOString(), name: base },
};
const bucketOf = (...keys: string[]) => ({ list: async () => keys.map((key) => ({ key: `${SHOP}${key}`, size: 1 })) }) as unknown as Bucket;
const look = (keys: string[], chain: object = {}) => {
  storeChain(dataDir, { ...CURRENT, ...chain });
  return lookAtBucket(bucketOf(...keys), dataDir);
};

test('an archive without a hole can be restored to its last piece', async () => {
  expect(await look([KEY, ...BASE, piece(1), piece(2)])).toEqual({ reach: minute(2) });
  expect(await look([KEY, ...BASE, piece(1), piece(2)], { last: undefined })).toEqual({ reach: minute(2) });
});

test('without a chain, or before its first base, nothing is missing', async () => {
  expect(await lookAtBucket(bucketOf(), dataDir)).toEqual({});
  expect(await look([], { base: undefined })).toEqual({});
});

test.each<[string, string[], object, number?]>([
  ['no está nada de lo que se guardó', [], {}],
  ['falta la clave que lo abre (key.enc)', [...BASE, piece(1), piece(2)], {}],
  ['falta la base del 28/11/2026, 13:00:00, o su registro', [KEY, piece(1), piece(2)], {}],
  ['falta la base del 28/11/2026, 13:00:00, o su registro', [KEY, ...BASE, piece(2)], {}],
  ['falta de 28/11/2026, 13:01:00 a 28/11/2026, 13:03:00', [KEY, ...BASE, piece(1), piece(3)], {}, minute(1)],
  ['falta lo posterior al 28/11/2026, 13:01:00', [KEY, ...BASE, piece(1)], {}, minute(1)],
])('the sentence «%s» names what is missing', async (missing, keys, chain, reach) => {
  expect(await look(keys, chain)).toEqual({ missing, ...(reach && { reach }) });
});

test('the bucket is looked at once in ten minutes; what is missing begins another chain', async () => {
  const check = (...keys: string[]) => checkBucket({ bucket: bucketOf(...keys), dataDir });
  const whole = [KEY, ...BASE, piece(1), piece(2)];
  storeChain(dataDir, CURRENT);
  await check(...whole);
  expect(readSeen(dataDir)).toEqual({ mirado_at: new Date(minute(30)).toISOString(), hasta: new Date(minute(2)).toISOString() });
  vi.setSystemTime(minute(40) - 1);
  await check();
  expect(readSeen(dataDir).mirado_at).toBe(new Date(minute(30)).toISOString());
  vi.setSystemTime(minute(40));
  await expect(check()).rejects.toThrow(/^En el cubo, del archivo continuo no está nada de lo que se guardó\. Se empieza otra vez/);
  expect(readSeen(dataDir)).toEqual({ mirado_at: new Date(minute(40)).toISOString() });
  expect(readChain(dataDir)).toBeUndefined();
});
