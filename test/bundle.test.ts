import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chunkGroups, FIRST, ownOf, sharedBy } from '../web/chunks.ts';

/* Modules loaded by the same first screens share a file of the bundle. */

const WEB = join(import.meta.dirname, '../web');
const LIBRARY = '/node_modules/@lib/ui/index.mjs';

/** Returns a function that names the bundle file of a module, for a graph of modules written as source code. */
function filesOf(code: Record<string, string>) {
  const at = (path: string) => (path.startsWith('/') ? path : join(WEB, path));
  const idOf = (specifier: string, from: string) =>
    specifier.startsWith('.') ? join(at(from), '..', specifier) : `/node_modules/${specifier}/index.mjs`;
  const graph = new Map(
    Object.entries(code).map(([path, text]) => {
      const importedIds = [...text.replaceAll(/import type[^;]*;/g, '').matchAll(/from\s*'([^']+)'/g)].map(([, specifier = '']) =>
        idOf(specifier, path),
      );
      return [at(path), { code: text, importedIds }];
    }),
  );
  const groups = chunkGroups(WEB);
  const context = { getModuleInfo: (id: string) => graph.get(id) ?? null } as never;
  return (path: string) => {
    for (const { name } of groups)
      if (typeof name === 'function') {
        const found = name(at(path), context);
        if (found) return found;
      }
    return null;
  };
}

test('every first screen is a file of web/', () => {
  expect(
    Object.values(FIRST)
      .flat()
      .filter((file) => !existsSync(join(WEB, file))),
  ).toEqual([]);
});

test('modules loaded by the same screens share a file', () => {
  expect(sharedBy(new Set(['office']))).toBeNull();
  expect(sharedBy(new Set(['auth', 'pagar']))).toBe('auth-pagar');
  expect(sharedBy(new Set(['auth', 'carrier', 'office']))).toBe('auth-all');
  expect(sharedBy(new Set(['reseller', 'carrier']))).toBe('frame');
  expect(sharedBy(new Set(['later', 'carrier']))).toBe('frame-later');
  expect(sharedBy(new Set(['pagar', 'later', 'office']))).toBe('pagar-later');
  expect(sharedBy(new Set(['wide', 'office']))).toBe('office-wide');
  expect([ownOf(new Set(['carrier'])), ownOf(new Set(['office'])), ownOf(new Set(['carrier', 'office']))]).toEqual(['carrier', null, null]);
});

test('only the files of a library that define imported names count, in any import syntax', () => {
  const file = filesOf({
    'session/auth.page.tsx': "import { Box } from '@lib/ui'; import { x } from './x.ts';",
    'session/x.ts': "import type { Menu } from '@lib/ui';",
    'payments/pagar.page.tsx': "import{Box as B,type Menu}from'@lib/ui';",
    'pedidos/list/pedidos.page.tsx': "import {\n  Menu,\n} from '@lib/ui';",
    'ui/list/rows.tsx': "export { List } from '@lib/ui';",
    'ui/page/toasts.tsx': "import { Far } from '@lib/ui';",
    [LIBRARY]:
      "import { Box } from './box.mjs'; import { Far } from '@lib/far'; export { Menu, List } from './menu.mjs'; export { Box, Far };",
    '/node_modules/@lib/ui/box.mjs': '',
    '/node_modules/@lib/ui/menu.mjs': '',
  });
  expect(file('/node_modules/@lib/ui/box.mjs')).toBe('auth-pagar');
  expect(file('/node_modules/@lib/ui/menu.mjs')).toBe('office-wide');
  expect(file('session/x.ts')).toBeNull();
});

test('a library imported as a whole counts as a whole', () => {
  const file = filesOf({
    'session/auth.page.tsx': "import * as ui from '@lib/ui';",
    'payments/pagar.page.tsx': "import ui from '@lib/ui';",
    [LIBRARY]: "export { Box } from './box.mjs';",
    '/node_modules/@lib/ui/box.mjs': '',
  });
  expect(file('/node_modules/@lib/ui/box.mjs')).toBe('auth-pagar');
});
