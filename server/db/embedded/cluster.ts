import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../keep-file.ts';
import type { Binaries, Owner } from './binaries.ts';

/** Bundled version; files of another major version cannot be opened. */
const MAJOR = '18';

/** Creates PostgreSQL's files in `folder` unless they exist. Throws a Spanish sentence for another major version, or if initdb fails. */
export function createCluster(
  folder: string,
  {
    binaries,
    owner,
    password,
    locale = LOCALE,
    flags = [],
  }: { binaries: Binaries; owner: Owner | undefined; password?: string | undefined; locale?: string[]; flags?: string[] },
): void {
  if (existsSync(folder)) {
    if (owner) giveTo(folder, owner);
    const found = versionOf(folder);
    if (found !== MAJOR)
      throw new Error(
        `Los datos de ${folder} son de PostgreSQL ${found} y este Enruta trae el ${MAJOR}: haz una copia con la versión anterior de Enruta y restáurala con esta en otra DATA_DIR.`,
      );
    return;
  }
  removeDrafts(folder);
  // Unique name, because an initdb outlives its killed program and goes on writing.
  const draft = mkdtempSync(draftsOf(folder));
  const passwordFile = `${draft}.password`;
  const maker = owner?.named ?? owner;
  if (maker) chownSync(draft, maker.uid, maker.gid);
  try {
    if (password) writeFileSync(passwordFile, password, { mode: 0o600 });
    const access = password ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`] : ['--auth=trust'];
    const [command = '', ...args] = [...binaries.initdb, `--pgdata=${draft}`, '--username=postgres', ...access, ...locale, ...flags];
    const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(problemOf(error?.message ?? stderr), { cause: error });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  if (owner) giveTo(draft, owner);
  renameSync(draft, folder);
  syncFolder(dirname(folder));
}

/** Gives the files of a fresh initdb, or of a version that ran PostgreSQL as another user, to `owner`. */
function giveTo(folder: string, { uid, gid }: Owner): void {
  if (lstatSync(folder).uid === uid) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const found = lstatSync(join(folder, name));
    // A hard link could give away a file that is not PostgreSQL's.
    if (found.isFile() && found.nlink > 1) throw new Error(`${join(folder, name)} tiene más de un nombre: no es de la base de datos.`);
    lchownSync(join(folder, name), uid, gid);
  }
  // Last, because the folder's owner marks the work as done.
  lchownSync(folder, uid, gid);
}

function versionOf(folder: string): string {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  } catch (cause) {
    throw new Error(`No se pueden leer los datos de ${folder}: arranca Enruta con el usuario que los creó.`, { cause });
  }
}

const LOCALE = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-messages=C'];

function problemOf(output: string): string {
  if (/No space left/.test(output)) return 'No hay sitio en el disco de DATA_DIR para crear la base de datos.';
  if (/could not look up effective user ID/.test(output))
    return 'PostgreSQL no crea su base de datos con un usuario sin nombre: arranca Enruta con uno que lo tenga (useradd --system enruta), o indica tu PostgreSQL en DATABASE_URL.';
  return `No se pudo crear la base de datos: ${output.trim().split('\n').at(-1) ?? ''}`;
}

const draftsOf = (folder: string) => `${folder}.tmp-`;

function removeDrafts(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name);
    if (!path.startsWith(draftsOf(folder))) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // initdb still writes; the next creation removes the draft.
    }
  }
}
