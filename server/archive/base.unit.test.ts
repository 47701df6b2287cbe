import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freeRoom, LOW } from '../db/disk.ts';
import { spoolFolder } from '../db/embedded/wal-spool.ts';
import { takeBase } from './base.ts';
import { baseName } from './names.ts';

/* The files of a base backup, with a PostgreSQL that only answers; archive.test.ts has a real one. */

const AT = '2026-11-28T12:00:00.250Z';
const [FIRST, LAST] = ['00000001000000000000000A', '00000001000000000000000B'];

let dataDir: string;
let asked: string[];
let bytes: number;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'enruta-base-'));
  const cluster = join(dataDir, 'postgres');
  for (const folder of ['base/1', 'base/pgsql_tmp', 'pg_wal', 'pg_replslot/x']) mkdirSync(join(cluster, folder), { recursive: true });
  for (const name of ['PG_VERSION', 'base/1/2', 'base/pgsql_tmp/t', 'pg_wal/w', 'pg_replslot/x/y', 'postmaster.pid', 'postmaster.opts'])
    writeFileSync(join(cluster, name), name);
  mkdirSync(join(spoolFolder(dataDir), 'base', 'left'), { recursive: true });
  asked = [];
  bytes = 1000;
  const answers: [RegExp, () => object][] = [
    [/pg_database_size/, () => ({ bytes: String(bytes) })],
    [/pg_backup_start/, () => ({ piece: FIRST })],
    [/pg_backup_stop/, () => ({ label: 'START WAL LOCATION', last: LAST })],
    [/clock_timestamp/, () => ({ at: AT })],
  ];
  vi.spyOn(pg.Client.prototype, 'connect').mockImplementation(async () => void asked.push('connect'));
  vi.spyOn(pg.Client.prototype, 'end').mockImplementation(async () => void asked.push('end'));
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async (text: string) => {
    const [pattern, row] = answers.find(([each]) => each.test(text)) ?? expect.fail(text);
    asked.push(pattern.source);
    return { rows: [row()] };
  });
});
afterEach(() => rmSync(dataDir, { recursive: true }));
const take = () => takeBase('postgres://enruta@none/enruta', dataDir);

test('a base has the files of the cluster between start and end of a backup, without log, locks and temporary files', async () => {
  const base = await take();
  expect(asked).toEqual(['connect', 'pg_database_size', 'pg_backup_start', 'pg_backup_stop', 'clock_timestamp', 'end']);
  expect(base).toMatchObject({ name: baseName(Date.parse(AT), FIRST, LAST), at: AT });
  const listed = spawnSync('tar', ['--list', '--gzip', `--file=${base.path}`], { encoding: 'utf8' }).stdout.split('\n');
  expect(listed.filter((name) => name && !name.endsWith('/')).toSorted()).toEqual(['./PG_VERSION', './base/1/2']);
  expect(listed).toContain('./pg_wal/');
  expect(JSON.parse(readFileSync(base.labelPath, 'utf8'))).toEqual({ label: 'START WAL LOCATION' });
  const folder = join(spoolFolder(dataDir), 'base');
  expect([statSync(folder), statSync(base.path)].map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
  expect(readdirSync(folder).toSorted()).toEqual(['base.tar.gz', 'label.json']);
  // Also if the folder is gone.
  for (let i = 0; i < 2; i += 1) await base.remove();
  expect(existsSync(folder)).toBe(false);
});

test('a base is not begun without room for half of the database', async () => {
  const room = freeRoom(dataDir) - LOW;
  bytes = Math.floor(room * 1.8);
  await take();
  bytes = Math.ceil(room * 2.2);
  asked = [];
  await expect(take()).rejects.toThrow('para la base del archivo continuo hacen falta');
  expect(asked).toEqual(['connect', 'pg_database_size', 'end']);
  expect(existsSync(join(spoolFolder(dataDir), 'base'))).toBe(false);
});

test('a base that cannot be packed says why, ends the backup and leaves nothing', async () => {
  rmSync(join(dataDir, 'postgres'), { recursive: true });
  await expect(take()).rejects.toThrow(/^tar: tar: ./);
  expect(asked).toEqual(['connect', 'pg_database_size', 'pg_backup_start', 'end']);
  expect(existsSync(join(spoolFolder(dataDir), 'base'))).toBe(false);
});
