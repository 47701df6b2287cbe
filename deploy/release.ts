import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const UNUSED = /\.test\.ts$|\/server\/dev\.ts$|\/node_modules\/node\/(?!bin|package\.json)|\.map$|\.d\.[cm]?ts$|\/node_modules\/\.bin\//;
const npm = (...args: string[]) => execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });

buildWebIfStale();
rmSync(folder, { recursive: true, force: true });
const dependencies = npm('ls', '--omit=dev', '--all', '--parseable').trim().split('\n').slice(1);
for (const path of [...PARTS, ...dependencies.map((path) => relative(ROOT, path))]) {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: (source) => !UNUSED.test(source) });
}
writeFileSync(join(folder, 'sbom.json'), npm('sbom', '--omit=dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'));
writeFileSync(
  join(folder, 'enruta'),
  `#!/bin/sh
# Starts Enruta with the Node it brings, or runs one of its commands («./enruta doctor»); README.md has the variables.
here=$(dirname "$(readlink -f "$0")")
case "$1" in "" | --*) part=main.ts ;; *) part=enruta.ts ;; esac
exec "$here/node_modules/node/bin/node" "$here/server/$part" "$@"
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
