import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';

const ROOT = join(import.meta.dirname, '..');

test('there are at least fifty faults, each once', () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(50);
  expect(new Set(FAULTS.map(({ file, find, replace }) => [file, find, replace].join('|'))).size).toBe(FAULTS.length);
});

test.each(FAULTS)('$file: the code of the fault «$replace» occurs exactly once, and its tests exist', ({ file, find, tests }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(find).length - 1, `${file} holds «${find}»`).toBe(1);
  for (const name of tests) expect(existsSync(join(ROOT, name)), name).toBe(true);
});
