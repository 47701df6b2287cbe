import { dirname, join } from 'node:path';
import type { Rolldown } from 'vite';

/*
 * Divides the bundle into files. Modules shared by several first screens go into one file per set of screens, so that no first screen loads
 * modules of another. The bundler divides the rest by page.
 */

/** Parts of a wide screen, which a telephone loads later (`later` of web/lazy.ts). */
export const WIDE = ['ui/overlay/parts.ts', 'ui/list/rows.tsx', 'shell/side.tsx'];

/** First screens, by the kind of reader that loads them. */
export const FIRST = {
  auth: ['session/auth.page.tsx'],
  pagar: ['payments/pagar.page.tsx'],
  carrier: ['shell/shell.tsx', 'transportista/asignados.page.tsx', 'transportista/disponibles.page.tsx'],
  home: ['stats/transportista.page.tsx'],
  reseller: ['pedidos/mis-pedidos/mis-pedidos.page.tsx'],
  office: ['pedidos/list/pedidos.page.tsx', 'pedidos/entregas/entregas.page.tsx'],
  form: ['pedidos/create/new.page.tsx'],
  wide: WIDE,
  /** Toasts load after every first screen. */
  later: ['ui/page/toasts.tsx'],
};
type Reader = keyof typeof FIRST;
type Graph = Rolldown.ChunkingContext;

/** Chunk groups for the bundler, with a priority each. */
export function chunkGroups(root: string): Rolldown.CodeSplittingGroup[] {
  let readers: Map<string, Set<Reader>> | undefined;
  const readersOf = (id: string, graph: Graph) => {
    readers ??= findReaders(root, graph);
    return readers.get(id) ?? new Set();
  };
  // A module imported by a shared module may have other readers, so the bundler places that module separately.
  const alone = { includeDependenciesRecursively: false };
  return [
    { name: 'app', tags: ['$initial'], priority: 3 },
    { name: (id, graph) => sharedBy(readersOf(id, graph)), priority: 2, ...alone },
    { name: (id, graph) => ownOf(readersOf(id, graph)), priority: 1, minShareCount: 2, ...alone },
  ];
}

/** Name of the file for a module that several kinds of readers load; null for one kind. */
export function sharedBy(readers: ReadonlySet<Reader>): string | null {
  if (readers.size < 2) return null;
  const light = (['auth', 'pagar'] as const).filter((reader) => readers.has(reader));
  // Named after the light screens, so that sign-in and payment page load only modules that they use.
  if (light.length === 1 && light[0] === 'pagar' && readers.has('later')) return 'pagar-later';
  if (light.length) return [...light, ...(readers.size > light.length ? ['all'] : [])].join('-');
  // Toasts also load after sign-in and the payment page, which must not load the frame.
  if (readers.has('carrier')) return readers.has('later') ? 'frame-later' : 'frame';
  return [...readers].toSorted().join('-');
}

/** Name of the file for a module that several screens of carriers, and no other first screen, load. */
export const ownOf = (readers: ReadonlySet<Reader>): string | null => (readers.size === 1 && readers.has('carrier') ? 'carrier' : null);

function findReaders(root: string, graph: Graph): Map<string, Set<Reader>> {
  const readers = new Map<string, Set<Reader>>();
  const targets = targetsIn(graph);
  for (const [reader, files] of Object.entries(FIRST) as [Reader, string[]][]) {
    const waiting = files.map((file) => join(root, file));
    const seen = new Set<string>();
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      readers.set(id, (readers.get(id) ?? new Set()).add(reader));
      waiting.push(...targets(id));
    }
  }
  return readers;
}

const STATEMENT = /\b(import|export)\b\s*(?!type\b)([\w$*\s{},]+?)\s*from\s*["']([^"']+)["']/g;
type Named = { from: string; as: string };
const namesIn = (clause: string): Named[] =>
  (/\{([^}]*)\}/.exec(clause)?.[1] ?? '').split(',').flatMap((part) => {
    const [from = '', as = from] = part.trim().split(/\s+as\s+/);
    return from && !from.startsWith('type ') ? [{ from, as }] : [];
  });
const libraryOf = (id: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
const isWhole = (clause: string) => !clause.trim().startsWith('{');

/**
 * Modules that a module loads. For a library's index that re-exports other files, only the files of the imported names: the index itself
 * imports the whole library.
 */
function targetsIn(graph: Graph): (id: string) => string[] {
  const indexes = new Map<string, ReadonlyMap<string, string>>();
  const indexOf = (id: string) => {
    const known = indexes.get(id) ?? passedOn(id, graph.getModuleInfo(id));
    indexes.set(id, known);
    return known;
  };
  return (id) => {
    const { code, importedIds = [] } = graph.getModuleInfo(id) ?? {};
    const statements = [...(code ?? '').matchAll(STATEMENT)].map(([, , clause = '', specifier = '']) => ({ clause, specifier }));
    return importedIds.flatMap((to) => {
      const library = libraryOf(to);
      const own = statements.filter(({ specifier }) => specifier === library);
      const index = own.length && !own.some(({ clause }) => isWhole(clause)) ? indexOf(to) : undefined;
      if (!index?.size) return [to];
      const named = own.flatMap(({ clause }) => namesIn(clause)).map(({ from }) => index.get(from));
      // A name re-exported by `export *` can come from any file.
      return named.includes(undefined) ? [to] : (named as string[]);
    });
  };
}

/** Files of the names that a module re-exports. */
function passedOn(id: string, index: Rolldown.ModuleInfo | null): ReadonlyMap<string, string> {
  const { code, importedIds = [] } = index ?? {};
  const [imported, exported] = [new Map<string, string>(), new Map<string, string>()];
  for (const [, verb, clause = '', specifier = ''] of (code ?? '').matchAll(STATEMENT)) {
    const path = join(dirname(id), specifier);
    const isIt = (one: string) => (specifier.startsWith('.') ? one === path || one.startsWith(`${path}.`) : libraryOf(one) === specifier);
    const file = importedIds.find(isIt);
    if (file) for (const { as } of namesIn(clause)) (verb === 'import' ? imported : exported).set(as, file);
  }
  for (const [, clause = ''] of (code ?? '').matchAll(/\bexport\s*(\{[^}]*\})\s*;/g))
    for (const { from, as } of namesIn(clause)) {
      const file = imported.get(from);
      if (file) exported.set(as, file);
    }
  return exported;
}
