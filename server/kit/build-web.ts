import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
export const WEB_DIST = join(ROOT, 'dist/web');
/** The customer's page for the server: `page.js`, with React in it. */
export const PAGE_DIST = join(ROOT, 'dist/pagar');
const SOURCES = ['web', 'contract', 'docs/guia', 'vite.config.ts', 'package-lock.json', 'deploy/bill.ts', 'deploy/parts.json'];
const STAMP = join(WEB_DIST, '.built');
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

/** Builds the screens if sources are newer. Uses a child process, so that the memory is freed. Throws a Spanish sentence on failure. */
export function buildWebIfStale(): void {
  // A release has the built screens, and of web/ only the towns.
  if (!existsSync(join(ROOT, 'web/index.html'))) return;
  // Reads the stamp once, because another process may be building.
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (SOURCES.every((source) => newest(join(ROOT, source)) <= built)) return;
  const problem = buildProblem();
  if (problem)
    throw new Error(
      `${built ? 'Las pantallas construidas son de otra versión' : 'Las pantallas no están construidas'} y aquí no se pueden construir: ${problem}. Ejecuta «npm ci && npm run build» con el usuario que instala Enruta.`,
    );
  console.log('Construyendo la parte web…');
  rmSync(STAMP, { force: true });
  // The native loader does not write temporary files next to the sources.
  const options = ['--config', join(ROOT, 'vite.config.ts'), '--configLoader', 'native', '--logLevel', 'error'];
  // With another NODE_ENV, the build would contain React's development version.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync(process.execPath, [VITE, 'build', join(ROOT, 'web'), ...options], { stdio: 'inherit', env });
  if (status !== 0) throw new Error('Las pantallas no se han podido construir: el motivo está en las líneas anteriores.');
  writeFileSync(STAMP, '');
}

function buildProblem(): string | undefined {
  if (!existsSync(VITE)) return 'faltan las dependencias de desarrollo';
  try {
    mkdirSync(WEB_DIST, { recursive: true });
    accessSync(WEB_DIST, constants.W_OK);
  } catch {
    return `este usuario no puede escribir en ${WEB_DIST}`;
  }
  return undefined;
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
