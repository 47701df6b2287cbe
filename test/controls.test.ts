import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Row } from '../torture/row.ts';

const ROOT = join(import.meta.dirname, '..');

// Slow on a busy machine: a row imports half the program.
test.each(globSync('torture/rows/*.ts', { cwd: ROOT }).sort())(
  '%s: each guard that its controls take out is still there',
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
