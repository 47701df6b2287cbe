import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBucket } from './bucket-server.ts';
import { childEnv } from './child-env.ts';
import { freePort } from './free-port.ts';
import { ready, until } from './until.ts';

/* Runs the commands of README.md and of the operator's documents from their text. */

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = ['README.md', 'docs/operating.md', 'docs/public-address.md'];
const COMMAND =
  /^(?:[A-Z_]+='?\S+ )?(?:npm|docker|\/opt\/enruta\/enruta|\.\/enruta|doctor|restore|rescue|backup|systemctl|rsync|chown|chmod|mv)\b/;

/** Sections whose whole script is extracted and run by another test. */
const SCRIPTS = { Installing: 'test/release.test.ts', 'Publishing a release': 'test/release.test.ts', Upgrading: 'test/deploy.test.ts' };

function commandsOf(path: string): string[] {
  const sections = readFileSync(join(ROOT, path), 'utf8').split(/^## /m);
  return sections.flatMap((section) => {
    const ownTest = Object.keys(SCRIPTS).some((title) => section.startsWith(`${title}\n`));
    const blocks = ownTest ? [] : [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
    const words = [...section.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word.replace(/\s+/g, ' '));
    const written = [...blocks.map((line) => line.replace(/\s+#.*$/, '').trim()), ...words.filter((word) => COMMAND.test(word))];
    return written.filter((line) => line !== '' && !line.startsWith('#'));
  });
}
const written = [...new Set(DOCUMENTS.flatMap(commandsOf))];

/** Commands that cannot run here, or would run this test, with the reason; all other commands are run below. */
const ELSEWHERE: Record<string, string> = {
  'npm ci && npm test': 'runs this test',
  'npm run test:all': 'runs this test',
  'npm ci': 'made node_modules, without which no test runs',
  'npm ci --omit=dev': 'takes the tests away; the release does the same in a folder of its own',
  'npm ci && npm run build': 'the build stage runs before; test/release.test.ts runs a checkout without screens',
  'npm ci && npm run release': 'test/release.test.ts',
  'npm run audit': 'asks a registry; test/audit.test.ts reads its answers',
  'npm run torture -- proxies': 'takes minutes, and is no part of the tests',
  'npm run torture -- nginx': 'takes minutes, and is no part of the tests',
  'docker compose build': 'no Docker; test/deploy.test.ts reads the files',
  'docker compose up --detach --wait enruta-1': 'no Docker',
  'docker compose --file compose.one.yaml up --detach --wait': 'no Docker; test/deploy.test.ts reads the file',
  'docker compose --file compose.one.yaml run --rm enruta restore --hasta ahora': 'no Docker; the command itself is run below',
  'systemctl edit caddy': 'no systemd',
  'systemctl restart caddy': 'no systemd; test/deploy.test.ts has Caddy check its file',
  'rsync -a --delete-after $FILES_DIR/ other-machine:pruebas/': 'another machine',
  'npm run enruta -- move': 'server/commands/commands.test.ts, to a real PostgreSQL',
};

const KEYS = ['only for the tests: thirty-two characters', 'another key of thirty-two characters, at least'];
const [SECRET_KEY = '', OTHER_KEY = ''] = KEYS;
const OWNER = { SUPERADMIN_EMAIL: 'ana@tienda.es', SUPERADMIN_PASSWORD: 'miel-de-la-sierra' };

const run = new Set<string>();
/** Marks `command` as run; fails if no document contains the command. */
function asWritten(command: string): string {
  expect(written, `no document says «${command}»`).toContain(command);
  run.add(command);
  return command
    .replace(/^npm ci && /, '')
    .replace(/^(?:\/opt\/enruta\/enruta|\.\/enruta) |^(?=doctor|restore|rescue|backup)/, 'npm run enruta -- ');
}

describe('the commands of the documents', () => {
  let folder: string;
  let bucket: Awaited<ReturnType<typeof startBucket>>;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'enruta-doc-'));
    bucket = await startBucket();
    env = { ...childEnv(), HOME: folder, SECRET_KEY, DATA_DIR: join(folder, 'data') };
  });
  afterAll(() => {
    bucket.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // Asynchronous, because the bucket server runs in this process.
  async function sh(command: string, more: Record<string, string> = {}, fill: Record<string, string> = {}) {
    const filled = Object.entries(fill).reduce((text, [from, to]) => text.replace(from, to), asWritten(command));
    const child = spawn('sh', ['-c', filled], { cwd: ROOT, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    return new Promise<{ status: number | null; output: string }>((resolve) =>
      child.once('close', (status) => resolve({ status, output })),
    );
  }
  const elsewhere = (name: string) => ({ DATA_DIR: join(folder, name) });
  const file = () => join(folder, 'ana.enc');

  /** Runs a command, calls `meanwhile` once the server answers, and stops the command by Ctrl+C. */
  async function shop(command: string, more: Record<string, string>, meanwhile: () => void | Promise<void> = () => {}): Promise<string> {
    const port = await freePort();
    const child = spawn('sh', ['-c', asWritten(command)], { cwd: ROOT, env: { ...env, ...more, PORT: String(port) }, detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = new Promise((resolve) => child.once('close', resolve));
    try {
      await until(
        async () => child.exitCode !== null || (output.includes('Enruta escucha en') && (await ready(`http://127.0.0.1:${port}`))),
        () => output,
      );
      await meanwhile();
    } finally {
      // Signals the whole process group, as a terminal does on Ctrl+C.
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await ended;
    }
    // npm forwards the Ctrl+C that the program has already received from the terminal.
    expect(output).not.toContain('second SIGINT');
    const { DATA_DIR = '' } = { ...env, ...more };
    expect(existsSync(join(DATA_DIR, 'postgres/postmaster.pid')), `a stop in order: ${output}`).toBe(false);
    return output;
  }

  test('the documented commands start, check and back up a shop, and restore it after the loss of its disk', async () => {
    const output = await shop('npm ci && npm start', { ...OWNER, ...bucket.env }, async () => {
      expect(await sh('doctor', bucket.env)).toMatchObject({ status: 3, output: expect.stringContaining('✓ SECRET_KEY') });
      expect((await sh('npm run enruta -- doctor')).output).toContain('PostgreSQL 18');
      expect((await sh('doctor --json')).output).toContain('"estado":"bien"');
      expect((await sh('backup')).output).toMatch(/Copia comprobada/);
      await until(
        () => [...bucket.objects.keys()].some((key) => /\/base\/.*json/.test(key)),
        () => `no base among ${[...bucket.objects.keys()]}`,
        240,
      );
    });
    expect(output).toContain('Enruta escucha en');
    const copias = join(env.DATA_DIR ?? '', 'copias');
    const made = readFileSync(join(copias, readdirSync(copias)[0] ?? ''));
    writeFileSync(file(), made);
    const name = `enruta-${new Date().toISOString().slice(0, 10).replaceAll('-', '')}T000000Z.jsonl.gz.enc`;
    const [, shopId = ''] = [...bucket.objects.keys()].find((key) => key.startsWith('tiendas/'))?.split('/') ?? [];
    bucket.objects.set(`tiendas/${shopId}/copias/${name}`, made);
    rmSync(env.DATA_DIR ?? '', { recursive: true });

    // The minute in the document is before the first base backup.
    expect(await sh("/opt/enruta/enruta restore --hasta '2026-11-26 17:58'", bucket.env)).toMatchObject({ status: 1 });
    expect(await sh('/opt/enruta/enruta restore --hasta ahora', bucket.env)).toMatchObject({
      status: 0,
      output: expect.stringContaining('Recuperado todo lo que hay en el archivo'),
    });
    expect(await sh('/opt/enruta/enruta doctor', bucket.env)).toMatchObject({
      status: 3,
      output: expect.stringContaining('Administradores activos: 1'),
    });
    const loaded = { status: 0, output: expect.stringContaining('Restaurada la copia del') };
    expect(await sh('restore s3:', { ...elsewhere('s3'), ...bucket.env })).toMatchObject(loaded);
    expect(await sh('restore s3:NAME', { ...elsewhere('s3-named'), ...bucket.env }, { NAME: name })).toMatchObject(loaded);
  });

  test('the documented commands restore a backup file and rescue the only superadmin', async () => {
    for (const command of ['npm run enruta -- restore FILE', './enruta restore FILE'])
      expect(await sh(command, elsewhere(command.slice(0, 3)), { FILE: file() })).toMatchObject({ status: 0 });
    expect(await sh('npm run enruta -- restore FILE --sobrescribir', elsewhere('npm'), { FILE: file() })).toMatchObject({ status: 0 });
    const moved = { ...elsewhere('moved'), SECRET_KEY: OTHER_KEY };
    expect(await sh("BACKUP_KEY='…' npm run enruta -- restore FILE", moved, { FILE: file(), '…': SECRET_KEY })).toMatchObject({
      status: 0,
    });
    expect((await sh('npm run enruta -- rescue EMAIL', elsewhere('npm'), { EMAIL: OWNER.SUPERADMIN_EMAIL })).output).toMatch(
      /\n {2}\S{22}\n/,
    );
    expect(await sh('npm run enruta -- rescue --clave-nueva', { ...elsewhere('npm'), SECRET_KEY: OTHER_KEY })).toMatchObject({ status: 0 });
    for (const command of [
      'restore',
      'rescue',
      'npm run enruta -- restore',
      'npm run enruta -- rescue',
      'npm run enruta -- COMMAND',
      '/opt/enruta/enruta COMMAND',
    ])
      expect(await sh(command), 'without what it needs').toMatchObject({ status: 2, output: expect.stringContaining('Uso: ') });
  });

  test('the documented commands open a shop to the local network and start the demonstration', async () => {
    const inNetwork = await shop('npm start -- --red', elsewhere('red'));
    expect(inNetwork).toMatch(/http:\/\/\d+\.\d+\.\d+\.\d+:\d+|red local/);
    expect(await shop('npm start', elsewhere('again'))).toContain('Enruta escucha en');
    const { SECRET_KEY: _, DATA_DIR: __, ...bare } = env;
    env = bare;
    const demo = await shop('npm ci && npm run demo', elsewhere('demo'));
    expect(demo).toContain('admin@demo.enruta.es');
    // SECURITY.md and README.md also name the command without `npm ci`.
    run.add('npm run demo');
    env = { ...bare, SECRET_KEY, DATA_DIR: join(folder, 'data') };
  });

  test('the documented commands write a bill of materials and give restored files to their owner', async () => {
    expect(await sh('npm run build')).toMatchObject({ status: 0 });
    expect(statSync(join(ROOT, 'dist/sbom.json')).size).toBeGreaterThan(1000);
    const FILES_DIR = join(folder, 'pruebas');
    mkdirSync(FILES_DIR, { mode: 0o755 });
    const paths = { FILES_DIR, DATA_DIR: folder };
    expect(await sh('chown -R --reference=$DATA_DIR $FILES_DIR', paths)).toMatchObject({ status: 0 });
    expect(await sh('chmod -R go=', paths, { 'go=': 'go= $FILES_DIR' })).toMatchObject({ status: 0 });
    expect(statSync(FILES_DIR).mode & 0o777).toBe(0o700);
    const OPT = join(folder, 'opt/enruta');
    mkdirSync(OPT, { recursive: true });
    const inFolder = Object.fromEntries([
      ['/opt/enruta', OPT],
      [' /opt/enruta-OLD', ` ${OPT}-OLD`],
    ]);
    expect(await sh('mv /opt/enruta /opt/enruta-OLD', {}, inFolder)).toMatchObject({ status: 0 });
  });

  test('every documented command is run by a test or listed as impossible to run', () => {
    const known = [...run, ...Object.keys(ELSEWHERE)];
    expect(written.filter((command) => !known.includes(command))).toEqual([]);
    expect(Object.keys(ELSEWHERE).filter((command) => !written.includes(command))).toEqual([]);
    for (const [title, path] of Object.entries(SCRIPTS))
      expect(readFileSync(join(ROOT, path), 'utf8'), `${path} runs the script under «${title}»`).toContain('docs/operating.md');
  });
});
