import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { layEmpty } from './empty.ts';
import { openPGlite } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'enruta-empty-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('lays the same files for each new database, over what a killed start left of them, and none over another', () => {
  const [one, other, used] = ['one', 'other', 'used'].map((name) => join(folder, name)) as [string, string, string];
  mkdirSync(`${one}.tmp`);
  writeFileSync(join(`${one}.tmp`, 'half'), 'x');
  mkdirSync(used);
  for (const path of [one, other, used]) layEmpty(path);
  // Its identifier is random when PostgreSQL makes it.
  const identifier = (path: string) => readFileSync(join(path, 'global/pg_control')).subarray(0, 8);
  expect(identifier(one)).toEqual(identifier(other));
  expect(readdirSync(one)).not.toContain('half');
  expect(readdirSync(used)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['one', 'other', 'used']);
});

it('is what a new embedded database is opened from', async () => {
  const laid = join(folder, 'laid');
  layEmpty(laid);
  const data = join(folder, 'data');
  const { close } = await openPGlite(data);
  await close();
  expect(readFileSync(join(data, 'pglite/global/pg_control')).subarray(0, 8)).toEqual(
    readFileSync(join(laid, 'global/pg_control')).subarray(0, 8),
  );
});
