import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, test } from 'vitest';
import { buildApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import type { Tables } from '../server/db/schema.ts';
import { endpoints } from './endpoints.ts';

type Source = { path: string; text: string };
type Rule = { name: string; broken: (source: Source) => string | boolean | undefined; bad: Source[] };

const ROOT = join(import.meta.dirname, '..');
const sources: Source[] = globSync('{contract,server,web,test,e2e,bench}/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));

const imports = ({ text }: Source) => [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1] as string);
/** Paths from the root for relative imports, names for packages. */
const targets = (source: Source) =>
  imports(source).map((name) => (name.startsWith('.') ? relative('.', normalize(join(dirname(source.path), name))) : name));
const isTest = ({ path }: Source) => /\.test\.tsx?$/.test(path);
const within = (folder: string) => (path: string) => path.startsWith(`${folder}/`);

// The column's type refuses any other write (server/db/schema.ts).
const MAY_WRITE_ESTADO = /^server\/(pedidos\/transition\.ts$|db\/migrations\/)/;
const WRITES_ESTADO = /\bas MovedEstado\b|\bUPDATE\s+(pedidos\b|\$)(?:(?!\bWHERE\b)[^;`])*?\bestado\s*=|\bestado['"]?\s*[:,]\s*sql\b/;
const writesEstado = ({ path, text }: Source) =>
  path.startsWith('server/') && !isTest({ path, text }) && !MAY_WRITE_ESTADO.test(path) && WRITES_ESTADO.test(text);

const RULES: Rule[] = [
  {
    name: 'contract imports only Zod and itself',
    broken: (s) => within('contract')(s.path) && !isTest(s) && targets(s).find((t) => t !== 'zod' && !within('contract')(t)),
    bad: [
      { path: 'contract/a.ts', text: "import { sql } from 'kysely';" },
      { path: 'contract/a.ts', text: "import type { Db } from '../server/db/open.ts';" },
    ],
  },
  {
    name: 'server and web never import each other',
    broken: (s) =>
      (within('server')(s.path) && targets(s).find(within('web'))) || (within('web')(s.path) && targets(s).find(within('server'))),
    bad: [
      { path: 'server/x/a.ts', text: "import { x } from '../../web/x.ts';" },
      { path: 'web/x/a.tsx', text: "const x = await import('../../server/x/a.ts');" },
    ],
  },
  {
    name: 'only the transitions write estado',
    broken: (s) => writesEstado(s) && 'writes estado',
    bad: [
      { path: 'server/pedidos/pedidos.ts', text: "db.updateTable('pedidos').set({ estado: 'cancelado' as MovedEstado })" },
      { path: 'server/pedidos/pedidos.ts', text: "db.updateTable('pedidos').set({ estado: sql`'cancelado'` })" },
      { path: 'server/pedidos/pedidos.ts', text: "db.updateTable('pedidos').set('estado', sql`'cancelado'`)" },
      { path: 'server/jobs/expire.ts', text: "sql`UPDATE pedidos SET version = 2, estado = 'cancelado' WHERE id = 1`" },
    ],
  },
  {
    name: 'settings are read by their accessors',
    broken: ({ path, text }) =>
      within('server')(path) && !/^server\/(settings|db\/migrations)\/|\.test\.ts$/.test(path) && text.match(/\bdata\s*->.*/)?.[0],
    bad: [{ path: 'server/push/queue.ts', text: "sql`SELECT (data->>'pushNotifications')::boolean FROM settings`" }],
  },
  {
    // A test file is read from the top like a list; it may be longer. columns.ts is generated.
    name: 'no file of the program has more than 300 lines',
    broken: ({ path, text }) =>
      !/\.(test|spec)\.ts$|^server\/db\/columns\.ts$/.test(path) && text.split('\n').length > 301 && `${text.split('\n').length} lines`,
    bad: [{ path: 'web/a.ts', text: '\n'.repeat(301) }],
  },
  {
    name: 'no barrels and nothing called utils',
    broken: ({ path, text }) => /\butils?\b/.test(path) || text.match(/^export\s+(type\s+)?(\*|\{[^}]*\})[^;]*\bfrom\b.*/m)?.[0],
    bad: [
      { path: 'web/utils/dates.ts', text: '' },
      { path: 'web/utils.ts', text: '' },
      { path: 'web/ui/index.ts', text: "export * from './money.tsx';" },
      { path: 'web/ui/index.ts', text: "export {\n  Money,\n} from './money.tsx';" },
    ],
  },
];

describe.each(RULES)('$name', ({ broken, bad }) => {
  test('holds', () => {
    const offences = sources.flatMap((source) => (broken(source) ? [`${source.path}: ${broken(source)}`] : []));
    expect(offences).toEqual([]);
  });
  test.each(bad)('would notice $path: $text', (source) => {
    expect(broken(source)).toBeTruthy();
  });
});

test('the harmless is not taken for a write of estado', () => {
  const harmless = [
    "db.updateTable('pedidos').set({ version: 2 }).where('estado', '=', 'pendiente')",
    "sql`UPDATE pedidos SET version = 2 WHERE estado = 'pendiente'`",
    'const vistos = new Set(pedidos.map((p) => p.estado === x));',
    "db.insertInto('pedidos_historial').values({ estado_nuevo: 'x' })",
  ];
  expect(harmless.filter((text) => writesEstado({ path: 'server/a.ts', text }))).toEqual([]);
});

test('there are sources to look at', () => {
  for (const folder of ['contract', 'server', 'web', 'test', 'e2e']) {
    expect(sources.filter((s) => within(folder)(s.path)).length, folder).toBeGreaterThan(1);
  }
});

test('the server registers every endpoint of the contract, and under /api nothing else', async () => {
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (k) => new PostgresIntrospector(k),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const config = readConfig({ SECRET_KEY: 'x'.repeat(32), LOG_LEVEL: 'silent' });
  const app = await buildApp({ db, engine: 'pglite', config, listen: async () => async () => {} });
  try {
    await app.ready();
    expect(endpoints.length).toBeGreaterThan(10);
    const missing = endpoints.filter(({ endpoint: e }) => !app.hasRoute({ method: e.method, url: e.path }));
    expect(missing.map(({ name, endpoint: e }) => `${name}: ${e.method} ${e.path}`)).toEqual([]);
  } finally {
    await app.close();
  }
  // A route of the API that is not in the contract escapes its permission and its schemas.
  const direct = sources.filter(
    (s) => within('server')(s.path) && !isTest(s) && /\.(get|post|put|delete|patch|route)\(\s*['"`]\/api/.test(s.text),
  );
  expect(direct.map((s) => s.path)).toEqual([]);
});
