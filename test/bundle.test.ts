import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { groups } from '../vite.config.ts';

const ROOT = join(import.meta.dirname, '..');
const LIBRARIES = '{@mantine/{core,form,hooks,notifications}/esm,@tabler/icons-react/dist/esm,react-remove-scroll/dist}';
const modules = globSync(['{web,contract}/**/*.{ts,tsx}', `node_modules/${LIBRARIES}/**/*.{js,mjs}`], { cwd: ROOT }).map(
  (path) => `/${path}`,
);

/** Splits at the bars that are in no parenthesis. */
function alternatives(source: string): string[] {
  const found = [''];
  let depth = 0;
  for (const [i, letter] of [...source].entries()) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === '|' && depth === 0 && source[i - 1] !== '\\') found.push('');
    else found[found.length - 1] += letter;
  }
  return found;
}

/** The patterns that a pattern stands for: «a(?:b|c)» is «ab» and «ac». Of «a(?!b)» it is «ab», which has to be there to be left out. */
function expand(source: string): string[] {
  return alternatives(source).flatMap((one) => {
    const open = /\((?:\?[:!])?/.exec(one);
    if (!open) return [one];
    let depth = 0;
    const close = [...one].findIndex((letter, i) => {
      if (i >= open.index) depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
      return i >= open.index && depth === 0;
    });
    const [before, inner, after] = [one.slice(0, open.index), one.slice(open.index + open[0].length, close), one.slice(close + 1)];
    return alternatives(inner).flatMap((choice) => expand(`${before}${choice}${after}`));
  });
}

test('a pattern is taken apart', () => {
  expect(expand('a/(?:b(?:c|d)|e)\\.ts|f')).toEqual(['a/bc\\.ts', 'a/bd\\.ts', 'a/e\\.ts', 'f']);
  expect(expand('web/(?!x|z)|y')).toEqual(['web/x', 'web/z', 'y']);
});

test('every pattern of the bundle’s groups matches a module of ours or of a library', () => {
  const patterns = groups.flatMap(({ test: pattern }) => (pattern ? expand(pattern.source) : []));
  expect(patterns.length).toBeGreaterThan(20);
  expect(patterns.filter((pattern) => !modules.some((path) => new RegExp(pattern).test(path)))).toEqual([]);
});
