import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ROLES } from '../contract/policy/policy.ts';
import { buildApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import type { Tables } from '../server/db/schema.ts';
import { FEATURES } from '../server/features.ts';
import { createLog } from '../server/log/log.ts';
import { endpoints } from './endpoints.ts';

type Source = { path: string; text: string };
type Rule = { name: string; broken: (source: Source) => string | boolean | undefined; bad: Source[] };

const ROOT = join(import.meta.dirname, '..');
const sources: Source[] = globSync('{contract,server,demo,web,test,e2e,bench,torture}/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));

const imports = ({ text }: Source) => [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1] as string);
/** Relative imports as paths from the root, packages by name. */
const targets = (source: Source) =>
  imports(source).map((name) => (name.startsWith('.') ? relative('.', normalize(join(dirname(source.path), name))) : name));
const isTest = ({ path }: Source) => /\.test\.tsx?$/.test(path);
const within = (folder: string) => (path: string) => path.startsWith(`${folder}/`);

const exported = ({ text }: Source) =>
  [...text.matchAll(/^export (?:default )?(?:async )?(?:const|function\*?|type|class) (\w+)/gm)].map(([, name]) => name as string);
/** Files of server and web by the names that they export. */
const EXPORTERS = Map.groupBy(
  sources
    .filter((source) => /^(server|web)\//.test(source.path) && !isTest(source) && !/migrations\//.test(source.path))
    .flatMap((source) => exported(source).map((name) => ({ path: source.path, name }))),
  ({ path, name }) => `${path.split('/')[0]} ${name}`,
);

const loadsLazily = ({ text }: Source) => !/\bfrom\s*['"]\.\.\/demo\//.test(text);

// A fixed wait is too long on one machine and too short on another; class names belong to the UI library.
const SLEEP = /waitForTimeout|node:timers\/promises|new Promise(<\w*>)?\(\s*\(\w*\)\s*=>\s*(void )?setTimeout/;
const CSS_CLASS = /\.mantine-|css=|(locator|querySelector|querySelectorAll)\(\s*(['"`])(?:(?!\2)[^\n])*\.[a-z_-]/i;
const MAY_SLEEP = /^test\/(until|architecture\.test)\.ts$/;

// The type of the column `estado` rejects all writes without a cast or raw SQL (server/db/schema.ts).
const MAY_WRITE_ESTADO = /^server\/(pedidos\/pasos\/transition\.ts$|db\/migrations\/)/;
const WRITES_ESTADO = /\bas MovedEstado\b|\bUPDATE\s+(pedidos\b|\$)(?:(?!\bWHERE\b)[^;`])*?\bestado\s*=|\bestado['"]?\s*[:,]\s*sql\b/;
const writesEstado = ({ path, text }: Source) =>
  /^(server|demo)\//.test(path) && !isTest({ path, text }) && !MAY_WRITE_ESTADO.test(path) && WRITES_ESTADO.test(text);

const WRITING_ENDPOINTS = new Set(
  sources
    .filter(({ path }) => within('contract')(path))
    .flatMap(({ text }) => [...text.matchAll(/export const (\w+) = endpoint<[^>]*>\(\)\(\s*'(?!GET)[A-Z]+'/g)].map(([, name]) => name)),
);
// Writes without a form: signing in and out, a browser's subscription, a photograph, the server's check of a sheet, the
// count of refused steps.
const MAY_CALL_WRITES =
  /^web\/(session\/(session|use-sign-in)|account\/use-proven-download|push\/browser|pedidos\/(actions\/(send-proof|outbox)|import\/use-server-check))\.ts$/;

/**
 * Folders in layers: each imports only from the layers before. A file outside a folder has the layer of its name; without such a layer,
 * the file may import any folder, and no layer imports the file. `api.ts` comes after `ui`, which must not know the server.
 */
const LAYERS = {
  server: [
    'log',
    'db',
    'jobs',
    'kit',
    'files',
    'live',
    'audit',
    'settings',
    'repeats',
    'outbox',
    'mail',
    'push',
    'notifications',
    'api-keys',
    'session',
    'cambios',
    'webhooks',
    'account',
    'products',
    'ganancias',
    'pedidos/lineas',
    'pedidos/lectura',
    'pedidos/historia',
    'pedidos/pagos',
    'pedidos/pruebas',
    'pedidos/pasos',
    'pedidos/escritura',
    'pedidos',
    'pruebas',
    'comentarios',
    'devoluciones',
    'deshacer',
    'users',
    'vistas',
    'sheets',
    'clientes',
    'transportista',
    'etiquetas',
    'ruta',
    'failures',
    'vitals',
    'cuadre',
    'payments',
    'stats',
    'caja',
    'banco',
    'exports',
    'liquidaciones',
    'envios',
    'tienda',
    'facturables',
    'privacidad',
    'backups',
    'archive',
    'openapi',
    'commands',
  ],
  web: [
    'shared.ts',
    'stored.ts',
    'appearance.ts',
    'palette.ts',
    'attended.ts',
    'connection.ts',
    'drafts.ts',
    'keys.ts',
    'unanswered.ts',
    'first-answers.ts',
    'anti-forgery.ts',
    'ended.ts',
    'use-once.ts',
    'lazy.ts',
    'ui',
    'api.ts',
    'routes.ts',
    'access.ts',
    'outbox',
    'session',
    'nav',
    'live',
    'notifications',
    'push',
    'iva',
    'products',
    'devoluciones',
    'vistas',
    'etiquetas',
    'zonas',
    'sheets',
    'pedidos',
    'pedidos/cliente',
    'pedidos/pagos',
    'pedidos/table',
    'pedidos/lineas',
    'pedidos/actions',
    'comentarios',
    'pedidos/print',
    'pedidos/lote',
    'pedidos/edit',
    'pedidos/detail',
    'pedidos/chat',
    'pedidos/create',
    'pedidos/import',
    'pedidos/list',
    'pedidos/mis-pedidos',
    'pedidos/entregas',
    'clientes',
    'users',
    'carga',
    'ruta',
    'transportista',
    'account',
    'audit',
    'cuadre',
    'vitals',
    'failures',
    'stats',
    'panel',
    'banco',
    'payments',
    'pagar',
    'exports',
    'caja',
    'liquidaciones',
    'envios',
    'tienda',
    'facturables',
    'privacidad',
    'api-keys',
    'backups',
    'webhooks',
    'settings',
    'ayuda',
    'command-box',
    'shell',
  ],
};

/** Returns the layer of a file: its folder, or its inner folder where LAYERS lists inner folders. */
function layerOf(path: string) {
  const [root = '', folder = '', inner = '', ...rest] = path.split('/');
  if (root !== 'server' && root !== 'web') return undefined;
  const isInner = rest.length > 0 && LAYERS[root].some((layer) => layer.startsWith(`${folder}/`));
  const layer = isInner ? `${folder}/${inner}` : folder;
  return { root, layer, isLoose: inner === '', level: LAYERS[root].indexOf(layer) };
}

function upwardImport(source: Source): string | undefined {
  const own = layerOf(source.path);
  if (!own || isTest(source)) return undefined;
  if (own.level < 0) return own.isLoose ? undefined : `${own.root}/${own.layer} has no place in the order`;
  const isUp = (target: string) => {
    const other = layerOf(target);
    return other?.root === own.root && (other.level < 0 || other.level > own.level);
  };
  const up = targets(source).find(isUp);
  return up && `imports ${up}`;
}

/** Finds cycles of imports, direct and indirect; types and lazy imports count. */
function circles(among: readonly Source[]): string[][] {
  const next = new Map(among.map((source) => [source.path, targets(source)]));
  const reach = (from: string) => {
    const seen = new Set<string>();
    const queue = [...(next.get(from) ?? [])];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      queue.push(...(next.get(path) ?? []));
    }
    return seen;
  };
  const reached = new Map([...next.keys()].map((path) => [path, reach(path)]));
  const together = [...reached].flatMap(([path, seen]) =>
    seen.has(path) ? [[...seen].filter((other) => reached.get(other)?.has(path)).toSorted()] : [],
  );
  return [...new Map(together.map((circle) => [circle.join(), circle])).values()];
}

const OWNER = new Map(FEATURES.flatMap(({ name, tables = {} }) => Object.keys(tables).map((table) => [table, name])));
// A restore replaces every table, and anonymising rewrites personal data in tables of several features.
const MAY_WRITE_ALL = /^server\/(db\/migrations\/|backups\/restore\.ts$|privacidad\/rewrite\.ts$)/;
const WRITES =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`](\w+)|\b(?:INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE)\s+(\w+)|\bUPDATE\s+(\w+)(?:\s+(?:AS\s+)?\w+)?\s+SET\b/g;

function foreignWrite(source: Source): string | undefined {
  if (!within('server')(source.path) || isTest(source) || MAY_WRITE_ALL.test(source.path)) return undefined;
  const tables = [...source.text.matchAll(WRITES)].map(([, kysely, sql, update]) => kysely ?? sql ?? update ?? '');
  const foreign = tables.find((table) => OWNER.has(table) && OWNER.get(table) !== layerOf(source.path)?.layer.split('/')[0]);
  return foreign && `writes ${foreign}, which is of ${OWNER.get(foreign)}`;
}

// Actions, and tables with an entry for each role, make a new role a decision instead of a leak (decision 038).
const ROLE = `['"\`](?:${ROLES.join('|')})['"\`]`;
const ANY_ROLE = `['"\`](?:${[...ROLES, 'sistema', 'programa'].join('|')})['"\`]`;
const COMPARES_ROLE = new RegExp(
  [
    `[!=]==?\\s*${ROLE}|${ROLE}\\s*[!=]==?`,
    `\\brole\\s*[!=]==?\\s*${ANY_ROLE}`,
    `\\bcase\\s+${ANY_ROLE}\\s*:|\\bincludes\\(\\s*${ANY_ROLE}|${ROLE}\\s+in\\b`,
    // In SQL only 'superadmin' is a permission; the roles of an order's seller and carrier are data.
    `\\brole['"]?\\s*(?:,\\s*['"](?:=|<>|!=|in)['"]\\s*,|=|<>|!=|IN\\s*\\()\\s*\\[?'superadmin'`,
  ].join('|'),
  'i',
);
const MAY_COMPARE_ROLES = /^(contract\/policy\/policy\.ts|web\/routes\.ts|server\/db\/migrations\/.*)$/;

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
    name: 'every file of the contract is in a folder',
    broken: ({ path }) => /^contract\/[^/]+$/.test(path),
    bad: [{ path: 'contract/a.ts', text: '' }],
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
    name: 'the demonstration imports only server and contract, and only server/run.ts imports the demonstration, lazily',
    broken: (s) =>
      !isTest(s) &&
      (within('demo')(s.path)
        ? targets(s).find((t) => /^(web|test|e2e|bench|torture|deploy)\//.test(t))
        : /^(contract|server|web)\//.test(s.path) && targets(s).some(within('demo')) && !(s.path === 'server/run.ts' && loadsLazily(s))),
    bad: [
      { path: 'demo/a.ts', text: "import { x } from '../web/x.ts';" },
      { path: 'server/openapi/a.ts', text: "import { seeded } from '../../demo/random.ts';" },
      { path: 'server/run.ts', text: "import { ensureDemo } from '../demo/demo.ts';" },
      { path: 'web/a.ts', text: "const demo = await import('../demo/demo.ts');" },
    ],
  },
  {
    name: 'only server/kit/csv.ts writes CSV, so that no text becomes a formula',
    broken: (s) =>
      !isTest(s) &&
      s.path !== 'server/kit/csv.ts' &&
      /^(server|web|contract)\//.test(s.path) &&
      /from 'csv-stringify|\.join\('[;\\t]'\)/.test(s.text),
    bad: [
      { path: 'server/envios/a.ts', text: "import { stringify } from 'csv-stringify/sync';" },
      { path: 'server/caja/a.ts', text: "rows.map((row) => row.join(';'))" },
    ],
  },
  {
    name: 'the folders of server and web import only from lower layers',
    broken: upwardImport,
    bad: [
      { path: 'server/settings/a.ts', text: "import { rebuildTotals } from '../pedidos/totals.ts';" },
      { path: 'server/kit/a.ts', text: "import type { Session } from '../session/sessions.ts';" },
      { path: 'server/live/a.ts', text: "const { audit } = await import('../audit/audit.ts');" },
      { path: 'server/backups/a.ts', text: "import { FEATURES } from '../features.ts';" },
      { path: 'server/novelty/a.ts', text: '' },
      { path: 'web/ui/a.tsx', text: "import { useApi } from '../api.ts';" },
      { path: 'web/pedidos/cliente/a.ts', text: "import type { Draft } from '../create/draft.ts';" },
      { path: 'web/pedidos/a.ts', text: "import { queryOf } from './table/query.ts';" },
      { path: 'web/devoluciones/a.tsx', text: "import classes from '../pedidos/pagos/a.module.css';" },
      { path: 'web/command-box/a.ts', text: "const { Shell } = await import('../shell/shell.tsx');" },
      { path: 'web/session/a.ts', text: "import { createAppRouter } from '../router.tsx';" },
      { path: 'web/pedidos/novelty/a.ts', text: '' },
    ],
  },
  {
    name: 'a table is written by the feature that declares it and by no other',
    broken: foreignWrite,
    bad: [
      { path: 'server/users/a.ts', text: "tx.updateTable('pedidos').set({ revendedor_nombre: name })" },
      { path: 'server/payments/a.ts', text: "tx\n  .insertInto(\n    'pedidos',\n  )" },
      { path: 'server/features.ts', text: "db.deleteFrom('sessions')" },
      { path: 'server/jobs/a.ts', text: 'sql`DELETE FROM outbox WHERE sent_at < now()`' },
      { path: 'server/stats/a.ts', text: 'sql`INSERT INTO pedidos_totales_dia AS t (dia) VALUES (1)`' },
      { path: 'server/stats/a.ts', text: 'sql`UPDATE products p SET stock = 0`' },
    ],
  },
  {
    name: 'only the transitions write estado',
    broken: (s) => writesEstado(s) && 'writes estado',
    bad: [
      { path: 'server/pedidos/escritura/pedidos.ts', text: "db.updateTable('pedidos').set({ estado: 'cancelado' as MovedEstado })" },
      { path: 'server/pedidos/escritura/pedidos.ts', text: "db.updateTable('pedidos').set({ estado: sql`'cancelado'` })" },
      { path: 'server/pedidos/escritura/pedidos.ts', text: "db.updateTable('pedidos').set('estado', sql`'cancelado'`)" },
      { path: 'server/jobs/expire.ts', text: "sql`UPDATE pedidos SET version = 2, estado = 'cancelado' WHERE id = 1`" },
    ],
  },
  {
    name: 'roles are compared only in the policy, the routes and migrations',
    broken: (s) =>
      /^(contract|server|web)\//.test(s.path) && !isTest(s) && !MAY_COMPARE_ROLES.test(s.path) && s.text.match(COMPARES_ROLE)?.[0],
    bad: [
      { path: 'server/pedidos/lectura/filter.ts', text: "const id = actor.role === 'revendedor' ? actor.id : null;" },
      { path: 'contract/pedidos/flow.ts', text: "if ('superadmin' !== actor.role) return;" },
      { path: 'web/x/a.tsx', text: "{role === 'sistema' && <Owner />}" },
      { path: 'web/x/a.tsx', text: "const papel = user.role;\nif (papel !== 'superadmin') return;" },
      { path: 'web/x/a.tsx', text: "switch (role) {\n  case 'transportista':" },
      { path: 'server/x/a.ts', text: "['superadmin', 'revendedor'].includes('superadmin')" },
      { path: 'server/x/a.ts', text: "db.selectFrom('users').where('role', '=', 'superadmin')" },
      { path: 'server/x/a.ts', text: "sql`SELECT 1 FROM users u WHERE u.role = 'superadmin'`" },
    ],
  },
  {
    // A few dialogs in web/ui/dialog/dialogs.browser.test.tsx are tested offline, so that not every form needs such a test.
    name: 'screens write through useMutate, which reports failures and preserves the typed text',
    broken: (s) =>
      within('web')(s.path) &&
      !isTest(s) &&
      !MAY_CALL_WRITES.test(s.path) &&
      [...s.text.matchAll(/\bcall\(\s*(\w+)/g)].find(([, name]) => WRITING_ENDPOINTS.has(name))?.[0],
    bad: [{ path: 'web/clientes/nota-dialog.tsx', text: 'const save = async () => call(updateCliente, { params, body });' }],
  },
  {
    // The shared dialog fills a phone's screen, closes on Escape and returns the focus.
    name: 'every dialog uses the shared component',
    broken: ({ path, text }) =>
      /^web\/(?!ui\/dialog\/|command-box\/command-box\.tsx$)/.test(path) &&
      text.match(/import [^;]*\bModal\b[^;]* from '@mantine\/core'/)?.[0],
    bad: [
      { path: 'web/clientes/nota-dialog.tsx', text: "import { Modal, Text } from '@mantine/core';" },
      { path: 'web/ui/page/confirm.tsx', text: "import {\n  Modal,\n} from '@mantine/core';" },
    ],
  },
  {
    // Loading, empty and failed states and scrolling are tested once, in web/ui/list/data-table.browser.test.tsx.
    name: 'every list uses the shared table',
    broken: (s) =>
      within('web')(s.path) &&
      !within('web/ui/list')(s.path) &&
      targets(s).find((t) => /^mantine-datatable$|^web\/ui\/list\/(rows|cards)\.tsx$/.test(t)),
    bad: [
      { path: 'web/clientes/clientes.page.tsx', text: "import { DataTable } from 'mantine-datatable';" },
      { path: 'web/clientes/clientes.page.tsx', text: "import { Cards } from '../ui/list/cards.tsx';" },
    ],
  },
  {
    name: 'settings are read through their accessors',
    broken: ({ path, text }) =>
      within('server')(path) && !/^server\/(settings|db\/migrations)\/|\.test\.ts$/.test(path) && text.match(/\bdata\s*->.*/)?.[0],
    bad: [{ path: 'server/push/push.ts', text: "sql`SELECT (data->>'pushNotifications')::boolean FROM settings`" }],
  },
  {
    // Test files may be longer, because they read like a list; columns.ts is generated.
    name: 'no file of the program has more than 300 lines',
    broken: ({ path, text }) =>
      !/\.(test|spec)\.tsx?$|^server\/db\/columns\.ts$/.test(path) && text.split('\n').length > 301 && `${text.split('\n').length} lines`,
    bad: [{ path: 'web/a.ts', text: '\n'.repeat(301) }],
  },
  {
    name: 'tests wait for conditions, never for a time, and select elements as users do',
    broken: (s) =>
      (isTest(s) || within('e2e')(s.path) || within('test')(s.path)) &&
      !MAY_SLEEP.test(s.path) &&
      (s.text.match(SLEEP) ?? s.text.match(CSS_CLASS))?.[0],
    bad: [
      { path: 'e2e/a.spec.ts', text: 'await page.waitForTimeout(500);' },
      { path: 'server/a.test.ts', text: 'await new Promise((resolve) => setTimeout(resolve, 300));' },
      { path: 'test/a.ts', text: "import { setTimeout as sleep } from 'node:timers/promises';" },
      { path: 'e2e/a.spec.ts', text: "page.locator('main .mantine-Skeleton-root:visible')" },
      { path: 'e2e/a.spec.ts', text: "page.locator('main > .card')" },
      { path: 'e2e/a.ts', text: "page.locator('css=button')" },
    ],
  },
  {
    name: 'tests do not count what the system may repeat: requests in the browser, processes at one instant',
    broken: (s) =>
      (/\.spec\.ts$/.test(s.path) && /\.on\('(request|response)'/.test(s.text) && /\.toHaveLength\(\d/.test(s.text)) ||
      (isTest(s) && /expect\(\w*(processes|postgres|pids)Of\([^)]*\)\)\.to(Equal|HaveLength)/i.test(s.text)),
    bad: [
      { path: 'e2e/a.spec.ts', text: "page.on('request', (r) => asked.push(r.url())); expect(asked).toHaveLength(1);" },
      { path: 'server/a.test.ts', text: `expect(${'processesOf'}(dataDir)).toEqual([postmaster()]);` },
    ],
  },
  {
    name: 'a browser test with a server of its own has contexts of its own, because a reused one returns to the stopped server',
    broken: ({ path, text }) =>
      /\.spec\.ts$/.test(path) && /\bstartServer\(/.test(text) && !/test\.use\(\{ reuseContext: false \}\)/.test(text),
    bad: [{ path: 'e2e/a.spec.ts', text: "import { startServer } from './server.ts';\nconst shop = await startServer();" }],
  },
  {
    name: 'no name is exported twice within server or within web',
    broken: (source) =>
      exported(source).find((name) => EXPORTERS.get(`${source.path.split('/')[0]} ${name}`)?.some(({ path }) => path !== source.path)),
    bad: [{ path: 'server/a.ts', text: 'export async function transact() {}' }],
  },
  {
    name: 'parameters and variables are named by what they hold',
    broken: (s) =>
      !/^server\/db\/migrations\/|^test\/architecture/.test(s.path) &&
      s.text.match(/\b(?:const|let|function) (?:given|said|told)\b|\((?:given|said|told)[:,)]/)?.[0],
    bad: [
      { path: 'web/a.ts', text: 'const given = String(search.pedido);' },
      { path: 'web/a.test.ts', text: 'const told = await notices();' },
    ],
  },
  {
    name: 'a number with its noun is said by `plural` (contract/text)',
    broken: (s) => !isTest(s) && s.text.match(/=== 1 \? (?:'1 \w|singular)|\[\w+\.?\w* === 1 \? 0 : 1\]/)?.[0],
    bad: [
      { path: 'server/a.ts', text: "const words = n === 1 ? '1 pedido' : many;" },
      { path: 'web/a.ts', text: 'WORDS[n === 1 ? 0 : 1]' },
    ],
  },
  {
    name: 'no file is a barrel or called utils',
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
  test('no source breaks the rule', () => {
    const offences = sources.flatMap((source) => (broken(source) ? [`${source.path}: ${broken(source)}`] : []));
    expect(offences).toEqual([]);
  });
  test.each(bad)('the rule rejects $path: $text', (source) => {
    expect(broken(source)).toBeTruthy();
  });
});

test('reads of estado and other writes are not taken for writes of estado', () => {
  const harmless = [
    "db.updateTable('pedidos').set({ version: 2 }).where('estado', '=', 'pendiente')",
    "sql`UPDATE pedidos SET version = 2 WHERE estado = 'pendiente'`",
    'const vistos = new Set(pedidos.map((p) => p.estado === x));',
    "db.insertInto('pedidos_historial').values({ estado_nuevo: 'x' })",
  ];
  expect(harmless.filter((text) => writesEstado({ path: 'server/a.ts', text }))).toEqual([]);
});

test('features follow the order of the layers, and may read or lock each other’s tables', () => {
  const names = FEATURES.map(({ name }) => name);
  expect(names).toEqual(LAYERS.server.filter((folder) => names.includes(folder)));
  expect(OWNER.size).toBe(FEATURES.flatMap(({ tables = {} }) => Object.keys(tables)).length);
  const harmless = ['sql`SELECT 1 FROM users FOR NO KEY UPDATE`', 'ON CONFLICT DO UPDATE SET last = 1', "db.selectFrom('users')"];
  expect(harmless.map((text) => foreignWrite({ path: 'server/stats/a.ts', text }))).toEqual(harmless.map(() => undefined));
});

test.each(['contract', 'server', 'demo', 'web', 'torture'])('no file of %s/ imports itself through other files', (folder) => {
  expect(circles(sources.filter((source) => within(folder)(source.path) && !isTest(source)))).toEqual([]);
});

test('cycles of type imports and lazy imports are noticed', () => {
  const circle = [
    { path: 'web/a/a.tsx', text: "const b = await import('./b.tsx');" },
    { path: 'web/a/b.tsx', text: "import type { A } from '../c.ts';" },
    { path: 'web/c.ts', text: "import { a } from './a/a.tsx';" },
    { path: 'web/d.ts', text: "import { c } from './c.ts';" },
  ];
  expect(circles(circle)).toEqual([['web/a/a.tsx', 'web/a/b.tsx', 'web/c.ts']]);
  const schemas = [
    { path: 'contract/a/a.ts', text: "import type * as schemas from './schemas.ts';" },
    { path: 'contract/a/schemas.ts', text: "import { A } from './a.ts';" },
  ];
  expect(circles(schemas)).toEqual([['contract/a/a.ts', 'contract/a/schemas.ts']]);
});

test('every folder has sources to check', () => {
  for (const folder of ['contract', 'server', 'demo', 'web', 'test', 'e2e']) {
    expect(sources.filter((s) => within(folder)(s.path)).length, folder).toBeGreaterThan(1);
  }
});

test('the server registers every endpoint of the contract and nothing else under /api', async () => {
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (k) => new PostgresIntrospector(k),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const config = readConfig({ SECRET_KEY: 'x'.repeat(32), LOG_LEVEL: 'silent' });
  const app = await buildApp({
    db,
    url: '',
    config,
    log: createLog('silent'),
    connections: () => ({}),
    freeRoom: () => Number.POSITIVE_INFINITY,
    listen: async () => async () => {},
    signal: () => {},
  });
  try {
    await app.ready();
    expect(endpoints.length).toBeGreaterThan(10);
    const missing = endpoints.filter(({ endpoint: e }) => !app.hasRoute({ method: e.method, url: e.path }));
    expect(missing.map(({ name, endpoint: e }) => `${name}: ${e.method} ${e.path}`)).toEqual([]);
  } finally {
    await app.close();
  }
  // An API route outside the contract would bypass its permissions and schemas.
  const direct = sources.filter(
    (s) => within('server')(s.path) && !isTest(s) && /\.(get|post|put|delete|patch|route)\(\s*['"`]\/api/.test(s.text),
  );
  expect(direct.map((s) => s.path)).toEqual([]);
});

/** Functions of one lower-case word, or one word and `Of`: such a name says little away from its file. */
const BARE_FUNCTION =
  /^export (?:async )?(?:function\*? ([a-zñ]+(?:Of)?)\b|const ([a-zñ]+(?:Of)?) =\s*(?:async )?(?:<[^>]*>)?\(.*(?:=>|[({,]$))/gm;
/** From so many files on, everybody knows what a word means here. */
const WELL_KNOWN = 6;

/** Returns the bare names that files import, but too few for everybody to know the word. */
function bareNames(all: readonly Source[]): string[] {
  const program = all.filter(({ path }) => /^(contract|server|demo|web)\//.test(path) && !isTest({ path, text: '' }));
  const users = new Map<string, Set<string>>();
  for (const source of all)
    for (const [, names = '', from = ''] of source.text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm))
      for (const name of names.split(',').map((one) =>
        one
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, ''),
      )) {
        const key = `${relative('.', normalize(join(dirname(source.path), from)))} ${name}`;
        users.set(key, (users.get(key) ?? new Set()).add(source.path));
      }
  return program
    .flatMap(({ path, text }) => [...text.matchAll(BARE_FUNCTION)].map(([, one, other]) => `${path} ${one ?? other}`))
    .filter((key) => {
      const by = [...(users.get(key) ?? [])];
      return by.length > 0 && by.filter((path) => program.some((source) => source.path === path)).length < WELL_KNOWN;
    });
}

test('an exported function says its object, unless six files use it', () => {
  expect(bareNames(sources)).toEqual([]);
  const use = (path: string) => ({ path, text: "import { match } from './a.ts';" });
  const plain = { path: 'web/a.ts', text: 'export function match(text: string) {}' };
  const arrow = { path: 'web/a.ts', text: 'export const match = (text: string) => text;' };
  const clear = { path: 'web/a.ts', text: 'export const matchWord = (text: string) => text;' };
  const many = ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => use(`web/${name}.ts`));
  expect([plain, arrow].map((one) => bareNames([one, use('web/b.ts')]))).toEqual([['web/a.ts match'], ['web/a.ts match']]);
  expect(bareNames([clear, { path: 'web/b.ts', text: "import { matchWord } from './a.ts';" }])).toEqual([]);
  expect(bareNames([plain, ...many])).toEqual([]);
  expect(bareNames([plain, ...many.slice(1)])).toEqual(['web/a.ts match']);
  expect(bareNames([plain])).toEqual([]);
});

test('the field referencia_externa is named only in the listed files', () => {
  const isWritten = ({ path }: Source) => path === 'server/db/columns.ts';
  const naming = sources.filter((source) => /\breferencia_externa\b/.test(source.text) && !isTest(source) && !isWritten(source));
  expect(naming.map(({ path }) => path).sort()).toEqual([
    'contract/payments/schemas.ts',
    'contract/pedidos/fields.ts',
    'contract/pedidos/filters.fields.ts',
    'contract/pedidos/filters.schemas.ts',
    'contract/pedidos/import.schemas.ts',
    'server/banco/expected.ts',
    'server/db/migrations/039-referencia-externa.ts',
    'server/db/migrations/082-external-reference-looked-up.ts',
    'server/pedidos/escritura/doubts.ts',
    'server/pedidos/escritura/import.ts',
    'server/pedidos/pagos/all-pagos.ts',
    'server/tienda/order/create.ts',
    'web/pedidos/cliente/cliente-fields.tsx',
    'web/pedidos/edit/pedido-facts.tsx',
    'web/pedidos/import/check.ts',
  ]);
});
