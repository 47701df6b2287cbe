import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from './free-port.ts';
import { ready, until } from './until.ts';

const ROOT = join(import.meta.dirname, '..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'enruta-release-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The embedded database is part of it, and a second time would show nothing else.
describe.skipIf(process.env.TEST_DATABASE === 'postgres')('a release', () => {
  test('starts by one command from anywhere, with the Node it brings, and shows the screens', async () => {
    execFileSync(process.execPath, ['deploy/release.ts', folder, '--no-tarball'], { cwd: ROOT });
    const [name = ''] = readdirSync(folder);
    const release = join(folder, name);
    expect(
      ['web', 'node_modules/vite', 'node_modules/react', 'server/app.test.ts'].filter((path) => existsSync(join(release, path))),
    ).toEqual([]);
    expect(existsSync(join(release, 'deploy/enruta.service'))).toBe(true);
    expect(JSON.parse(readFileSync(join(release, 'sbom.json'), 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' });

    const port = await freePort();
    const env = { PATH: '/usr/bin:/bin', PORT: String(port), DATA_DIR: join(folder, 'data') };
    const program = spawn(join(release, 'enruta'), { cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    program.stderr.on('data', (chunk) => (complaints += chunk));
    const ended = new Promise((resolve) => program.once('exit', resolve));
    try {
      const url = `http://127.0.0.1:${port}`;
      await until(
        () => program.exitCode !== null || ready(url),
        () => complaints,
      );
      expect(await (await fetch(url)).text()).toContain('<script type="module"');
    } finally {
      program.kill('SIGTERM');
    }
    expect([await ended, complaints]).toEqual([0, '']);
  });
});

describe.skipIf(process.env.TEST_DATABASE === 'postgres')('a checkout', () => {
  test('that can build no screens says what to run', () => {
    const checkout = join(folder, 'checkout');
    for (const part of ['server', 'contract', 'web', 'vite.config.ts', 'package.json', 'package-lock.json'])
      cpSync(join(ROOT, part), join(checkout, part), { recursive: true });
    mkdirSync(join(checkout, 'node_modules'));
    for (const name of readdirSync(join(ROOT, 'node_modules')).filter((name) => name !== 'vite'))
      symlinkSync(join(ROOT, 'node_modules', name), join(checkout, 'node_modules', name));
    const { status, stderr } = spawnSync(process.execPath, ['server/main.ts'], { cwd: checkout, encoding: 'utf8', env: {} });
    expect(stderr).toBe(
      'Las pantallas no están construidas y aquí no se pueden construir: faltan las dependencias de desarrollo. Ejecuta «npm ci && npm run build» con el usuario que instala Enruta.\n',
    );
    expect(status).toBe(1);
  });
});
