import { expect, test } from 'vitest';
import { ceiling, isProgram, weigh, weightLine } from './weight.ts';

test('the program has no more lines than its ceiling', () => {
  const total = Object.values(weigh()).reduce((sum, lines) => sum + lines, 0);
  expect(total, `${weightLine()}: shorten the program, or say in the commit why test/weight.json rises`).toBeLessThanOrEqual(ceiling);
});

test('tests, migrations and generated columns do not count', () => {
  const paths = ['web/lazy.ts', 'web/lazy.test.ts', 'web/base.css', 'server/db/migrations/001-start.ts', 'server/db/columns.ts'];
  expect(paths.filter(isProgram)).toEqual(['web/lazy.ts', 'web/base.css']);
});
