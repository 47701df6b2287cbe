import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const WEB = import.meta.dirname;
const read = (path: string) => readFileSync(join(WEB, path), 'utf8');
// Matches imports only: a comment that names a sheet does not load it.
const sheets = (source: string) =>
  new Set([...source.matchAll(/^@?import ['"]@mantine\/core\/styles\/(\w+)\.css/gm)].map(([, name]) => name));

/** Mantine components in a source that have their own sheet. */
function components(source: string): string[] {
  const names = [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, list = '']) => list.split(','));
  return names
    .map((name) => name.trim().split(' as ')[0] ?? '')
    .filter((name) => /^[A-Z]/.test(name) && existsSync(join(WEB, `../node_modules/@mantine/core/styles/${name}.css`)));
}

/** Lists the missing imports, by file: sheets of used components that neither the file imports nor `loaded` has. */
function bare(paths: string[], loaded: Set<string | undefined>): string[] {
  return paths.flatMap((path) => {
    const source = read(path);
    const own = sheets(source);
    const missing = components(source).filter((name) => !loaded.has(name) && !own.has(name));
    return missing.map((name) => `${path}: import '@mantine/core/styles/${name}.css'`);
  });
}

// A component without its sheet works but looks broken, and the compiler cannot tell.
it('every screen loads the sheet of each Mantine component that it uses', () => {
  expect(bare(globSync('**/*.tsx', { cwd: WEB }), sheets(read('base.css') + read('shell/mantine.css')))).toEqual([]);
});

it('screens outside the frame load the sheets that base.css lacks', () => {
  const outside = ['not-found.page.tsx', 'ui/page/loading.tsx', 'crash-page.tsx', ...globSync('session/*.tsx', { cwd: WEB })];
  expect(bare(outside, sheets(read('base.css')))).toEqual([]);
});
