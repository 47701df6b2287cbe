import { expect, test } from 'vitest';
import { ceiling, isProgram, isTest, MAX_FOLDER, weigh, weightLine } from './weight.ts';

const { program, folders } = weigh();

test('the program has no more lines than its ceiling', () => {
  expect(program, `${weightLine()}\nShorten the program; a raise is a decision (CONTRIBUTING.md)`).toBeLessThanOrEqual(ceiling);
});

test(`no folder has more than ${MAX_FOLDER} lines of its own`, () => {
  expect(folders.filter(([, lines]) => lines > MAX_FOLDER)).toEqual([]);
});

test('tests, migrations and generated columns are no program', () => {
  const paths = ['web/lazy.ts', 'web/lazy.test.ts', 'web/base.css', 'server/db/migrations/001-start.ts', 'server/db/columns.ts'];
  expect(paths.filter(isProgram)).toEqual(['web/lazy.ts', 'web/base.css']);
});

test('compressed folders and fixtures are no tests', () => {
  const paths = ['web/lazy.test.ts', 'test/world.ts', 'test/folders/0.2.0.tar.br', 'test/woo-messages/paid.json', 'web/base.css'];
  expect(paths.filter(isTest)).toEqual(['web/lazy.test.ts', 'test/world.ts']);
});
