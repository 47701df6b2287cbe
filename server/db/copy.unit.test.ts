import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { copyWhileInUse } from './copy.ts';
import { backUpEmbedded, createEmbeddedPool } from './embedded.ts';
import { openPGlite } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'enruta-copy-'));
const [from, to] = [join(folder, 'from'), join(folder, 'to')];
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is the files, then of the log what the backup needs, and its label; and nothing that a killed run left', async () => {
  for (const name of ['base', 'pg_wal/archive_status']) mkdirSync(join(from, name), { recursive: true });
  for (const name of ['base/kept', 'pg_wal/03', 'pg_wal/04', 'pg_wal/05', 'pg_wal/06']) writeFileSync(join(from, name), 'before');
  mkdirSync(join(to, 'base'), { recursive: true });
  writeFileSync(join(to, 'base/of-a-killed-run'), 'old');

  await copyWhileInUse(from, to, async (copying) => {
    await copying();
    expect(readdirSync(join(to, 'pg_wal'))).toEqual(['archive_status']);
    writeFileSync(join(from, 'pg_wal/05'), 'after');
    return { label: 'where to begin', first: '04', last: '05' };
  });

  expect(readdirSync(join(to, 'base'))).toEqual(['kept']);
  expect(readdirSync(join(to, 'pg_wal')).sort()).toEqual(['04', '05', 'archive_status']);
  expect(readFileSync(join(to, 'pg_wal/05'), 'utf8')).toBe('after');
  expect(readFileSync(join(to, 'backup_label'), 'utf8')).toBe('where to begin');
});

it('passes over what the database removes while it is copied', async () => {
  mkdirSync(from, { recursive: true });
  for (let i = 0; i < 50; i += 1) writeFileSync(join(from, `file-${i}`), 'x');
  const copied = copyWhileInUse(from, to, async (copying) => {
    const done = copying();
    for (let i = 0; i < 50; i += 1) rmSync(join(from, `file-${i}`));
    await done;
    return { label: '', first: '', last: '' };
  });
  await copied;
  expect(existsSync(to)).toBe(true);
  expect(readdirSync(to)).toEqual(['backup_label']);
});

it('holds all of each transaction or nothing, whatever was written while its files were copied, again and again', async () => {
  const { db, copyFiles, close } = await openPGlite(from);
  if (!copyFiles) throw new Error('it has files');
  await sql`CREATE TABLE one AS SELECT i, repeat('x', 500) AS text, 0 AS turn FROM generate_series(1, 2000) i`.execute(db);
  await sql`CREATE INDEX one_turn ON one (turn)`.execute(db);
  await sql`CREATE TABLE other AS TABLE one`.execute(db);
  const turnsOf = async (table: 'one' | 'other', where = db) =>
    (await sql<{ n: number; turns: number }>`SELECT count(*)::int AS n, sum(turn)::int AS turns FROM ${sql.table(table)}`.execute(where))
      .rows;

  for (let copy = 0; copy < 2; copy += 1) {
    let copying = true;
    let turn = 0;
    const writing = (async () => {
      for (; copying; turn += 1) {
        const some = sql`SET turn = turn + 1 WHERE i % 200 = ${turn % 200}::int`;
        await db.transaction().execute(async (tx) => {
          await sql`UPDATE one ${some}`.execute(tx);
          await sql`UPDATE other ${some}`.execute(tx);
        });
        // The engine runs in this thread: lets the copying go on.
        await new Promise(setImmediate);
      }
    })();
    const before = await turnsOf('one');
    await copyFiles(to).finally(() => (copying = false));
    await writing;
    expect(turn).toBeGreaterThan(1);

    const copied = await openPGlite(to);
    const [one, other] = [await turnsOf('one', copied.db), await turnsOf('other', copied.db)];
    expect(one).toEqual(other);
    expect(one[0]?.n).toBe(2000);
    expect(one[0]?.turns).toBeGreaterThanOrEqual(before[0]?.turns ?? 0);
    await copied.close();
  }
  await close();
});

it('that fails leaves the next one possible', async () => {
  const pool = createEmbeddedPool(await PGlite.create());
  await expect(backUpEmbedded(pool, () => Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full');
  expect((await backUpEmbedded(pool, async () => {})).label).toContain('CHECKPOINT LOCATION');
  await pool.end();
});
