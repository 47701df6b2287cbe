import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Row } from '../torture/row.ts';

const ROOT = join(import.meta.dirname, '..');

// Slow on a busy machine: a row imports half the program.
test.each(globSync('torture/rows/*.ts', { cwd: ROOT }).sort())(
  '%s: the code that each control removes occurs exactly once',
  async (path) => {
    const { row } = (await import(join(ROOT, path))) as { row: Row };
    expect(row.name).toBe(basename(path, '.ts'));
    for (const { guard, edits } of row.control)
      for (const { file, find } of edits) {
        const times = readFileSync(join(ROOT, file), 'utf8').split(find).length - 1;
        expect(times, `${guard}: ${file} holds «${find}»`).toBe(1);
      }
  },
  30_000,
);

test('the table of docs/security.md names exactly the rows of torture/rows', () => {
  const table = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').split('| `npm run torture -- …` |')[1]?.split('\n\n')[0] ?? '';
  const named = [...table.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) => names.match(/[\w-]+/g) ?? []);
  const rows = globSync('torture/rows/*.ts', { cwd: ROOT }).map((path) => basename(path, '.ts'));
  expect(named.sort()).toEqual(rows.sort());
});
