import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWebIfStale } from '../server/kit/build-web.ts';

/*
 * `npm run release [-- folder]`: makes a folder, by default in dist/, and a tarball of it (not with `--no-tarball`) that
 * run on a machine of the same system without npm or a network: the server, the built screens, the server's
 * dependencies, its own Node and a bill of materials. `./enruta` starts it.
 */
const ROOT = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const NAME = `enruta-${version}-${process.platform}-${process.arch}`;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'no-tarball': { type: 'boolean' } } });
const into = positionals[0] ?? join(ROOT, 'dist');
const folder = join(into, NAME);

// What a running program reads, without tests and sources of the screens.
const PARTS = [
  ...['server', 'contract', 'dist/web', 'package.json'],
  ...['deploy/enruta.service', 'deploy/nginx.conf', 'deploy/Caddyfile'],
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/guia.md', 'docs/operating.md'],
];
const UNUSED = [
  /\.test\.ts$|\/server\/dev\.ts$|\.map$/,
  // Of a dependency: its tests, documents, sources and types; its licence stays.
  /\/node_modules\/.*\/(?:\..*|tests?|docs|examples?|benchmarks?|coverage)(?:\/|$)|\/node_modules\/\.bin\//,
  /\/node_modules\/.*(?:\.[cm]?ts|\/(?!licen[cs]e)[^/]*\.md)$/i,
  /\/node_modules\/node\/(?!bin|package\.json)/,
];
const used = (source: string) => !UNUSED.some((pattern) => pattern.test(source));
const npm = (...args: string[]) => execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });

buildWebIfStale();
rmSync(folder, { recursive: true, force: true });
const dependencies = npm('ls', '--omit=dev', '--all', '--parseable').trim().split('\n').slice(1);
for (const path of [...PARTS, ...dependencies.map((path) => relative(ROOT, path))]) {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: used });
}
writeFileSync(join(folder, 'sbom.json'), npm('sbom', '--omit=dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'));
writeFileSync(
  join(folder, 'enruta'),
  `#!/bin/sh
# Starts Enruta with the Node it brings, or runs one of its commands («./enruta doctor»); README.md has the variables.
here=$(dirname "$(readlink -f "$0")")
case "$1" in "" | --*) part=main.ts ;; *) part=enruta.ts ;; esac
export NODE_COMPILE_CACHE="$here/compiled" NODE_COMPILE_CACHE_PORTABLE=1
exec "$here/node_modules/node/bin/node" "$here/server/$part" "$@"
`,
  { mode: 0o755 },
);
await compile();
const megabytes = (path: string) => `${path} (${execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]} MB)`;
console.log(megabytes(folder));
if (!values['no-tarball']) {
  const tarball = `${folder}.tar.gz`;
  execFileSync('tar', ['--create', '--gzip', '--file', tarball, '--directory', into, NAME]);
  console.log(megabytes(tarball));
}

/** Starts the program once, on a database that is thrown away: V8 leaves what it compiled, without which a start takes half as long again. */
async function compile(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'enruta-release-data-'));
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', DATA_DIR: data };
  const program = spawn(join(folder, 'enruta'), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(program, 'exit');
  // It says where it listens once it has started.
  await Promise.race([once(program.stdout, 'data'), ended]);
  program.kill('SIGTERM');
  const [code] = await ended;
  rmSync(data, { recursive: true });
  if (code !== 0) throw new Error(`The release does not start: it ended with ${code}`);
}
