import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { copyWhileInUse } from './copy.ts';

const folder = mkdtempSync(join(tmpdir(), 'enruta-copy-'));
const [from, to] = [join(folder, 'from'), join(folder, 'to')];
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LONG_AGO = new Date('2020-01-01');
function write(name: string, content: string) {
  writeFileSync(join(from, name), content);
  utimesSync(join(from, name), LONG_AGO, LONG_AGO);
}
const read = (name: string) => readFileSync(join(to, name), 'utf8');

it('holds what the folder holds at the end: what was written, renamed, made and removed meanwhile, and the part of the log it needs', async () => {
  for (const name of ['base', 'pg_wal/archive_status']) mkdirSync(join(from, name), { recursive: true });
  for (const name of ['base/kept', 'base/written', 'base/renamed', 'base/removed', 'pg_wal/03', 'pg_wal/04', 'pg_wal/05'])
    write(name, 'before');
  mkdirSync(join(to, 'base'), { recursive: true });
  writeFileSync(join(to, 'base/of-a-killed-run'), 'old');

  await copyWhileInUse(from, to, async (work) => {
    expect(read('base/kept')).toBe('before');
    // With the times of old ones: what changes within a tick of the clock has them too.
    write('base/written', 'after');
    write('base/other', 'other');
    renameSync(join(from, 'base/other'), join(from, 'base/renamed'));
    rmSync(join(from, 'base/removed'));
    write('base/made', 'made');
    await work({ first: '04', last: '04' });
  });

  expect(readdirSync(join(to, 'base')).sort()).toEqual(['kept', 'made', 'renamed', 'written']);
  expect(['kept', 'written', 'renamed', 'made'].map((name) => read(`base/${name}`))).toEqual(['before', 'after', 'other', 'made']);
  expect(readdirSync(join(to, 'pg_wal')).sort()).toEqual(['04', 'archive_status']);
});

it('passes over what the database removes while it is copied', async () => {
  mkdirSync(from, { recursive: true });
  for (let i = 0; i < 50; i += 1) write(`file-${i}`, 'x');
  const copying = copyWhileInUse(from, to, (work) => work({ first: '', last: '' }));
  for (let i = 0; i < 50; i += 1) rmSync(join(from, `file-${i}`));
  await copying;
  expect(existsSync(to)).toBe(true);
  expect(readdirSync(to)).toEqual([]);
});
