import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const WEB = import.meta.dirname;
const read = (path: string) => readFileSync(join(WEB, path), 'utf8');
// Only imports: a comment that names a sheet brings nothing.
const sheets = (source: string) =>
  new Set([...source.matchAll(/^@?import ['"]@mantine\/core\/styles\/(\w+)\.css/gm)].map(([, name]) => name));

/** Mantine's components of a source that have a sheet of their own. */
function components(source: string): string[] {
  const names = [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, list = '']) => list.split(','));
  return names
    .map((name) => name.trim().split(' as ')[0] ?? '')
    .filter((name) => /^[A-Z]/.test(name) && existsSync(join(WEB, `../node_modules/@mantine/core/styles/${name}.css`)));
}

/** The files that use a component whose sheet neither they nor `loaded` bring, with the line that they lack. */
function bare(paths: string[], loaded: Set<string | undefined>): string[] {
  return paths.flatMap((path) => {
    const source = read(path);
    const own = sheets(source);
    const missing = components(source).filter((name) => !loaded.has(name) && !own.has(name));
    return missing.map((name) => `${path}: import '@mantine/core/styles/${name}.css'`);
  });
}

// Without its sheet a component still works and looks broken, which no type says.
it('loads the sheet of every Mantine component that a screen uses', () => {
  expect(bare(globSync('**/*.tsx', { cwd: WEB }), sheets(read('base.css') + read('shell/mantine.css')))).toEqual([]);
});

it('loads by themselves the sheets of the screens outside the frame', () => {
  const outside = [
    'not-found.page.tsx',
    'ui/page/loading.tsx',
    'ui/page/crash-page.tsx',
    ...globSync('{session,payments}/*.tsx', { cwd: WEB }),
  ];
  expect(bare(outside, sheets(read('base.css')))).toEqual([]);
});
