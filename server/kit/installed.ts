import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Path at which `deploy/enruta.service` is installed. */
const UNIT = '/etc/systemd/system/enruta.service';
/** Variables with which the caller chooses a shop. */
const CHOSEN = ['DATA_DIR', 'DATABASE_URL', 'DATABASE_URL_FILE'];

/** Adds the installed service's variables to `env` and returns a Spanish sentence about them, unless `env` chooses a shop. */
export function addInstalledSettings(env: NodeJS.ProcessEnv, unit = UNIT): string | undefined {
  if (CHOSEN.some((name) => env[name])) return undefined;
  const lines = [unit, ...dropIns(unit)].flatMap((path) => linesOf(path).map((line) => line.trim()));
  const valuesOf = (key: string) => lines.flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1).trim()] : []));
  if (!lines.length) return undefined;
  const credentials = new Map(
    valuesOf('LoadCredential').map((value): [string, string] => {
      const at = value.indexOf(':');
      return [value.slice(0, at), value.slice(at + 1)];
    }),
  );
  const files = valuesOf('EnvironmentFile').map((path) => path.replace(/^-/, ''));
  const variables = [...valuesOf('Environment').flatMap(wordsOf), ...files.flatMap(linesOf)].flatMap((line) => {
    const [, name, value = ''] = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
    // Replaces %d, the folder in which systemd puts credentials, by the original path.
    return name ? [[name, unquoted(value.trim()).replace(/^%d\/(.*)$/, (all, key) => credentials.get(key) ?? all)]] : [];
  });
  for (const [name, value] of Object.entries(Object.fromEntries(variables) as Record<string, string>)) env[name] ??= value;
  return `Con los ajustes del servicio: ${[unit, ...files.filter((path) => linesOf(path).length)].join(', ')}`;
}

function dropIns(unit: string): string[] {
  const folder = join(dirname(unit), 'enruta.service.d');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.conf'));
  return names.sort().map((name) => join(folder, name));
}
const wordsOf = (text: string) => (text.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map(unquoted);
const unquoted = (text: string) => text.replace(/^(["'])(.*)\1$/, '$2');

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return [];
    throw new Error(`${path}: solo lo lee root. Ejecuta esta orden como root (con sudo).`, { cause: error });
  }
}
