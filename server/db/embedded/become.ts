import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, fchownSync, fstatSync, openSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { constants as os } from 'node:os';

/** Environment variable of the process that root's command starts as the owner of the data folder. */
const HELPER = 'ENRUTA_AS_OWNER';
export const isHelperOfRoot = (): boolean => process.env[HELPER] === '1';

/**
 * As root, gives root's leftovers in the data folder to the folder's owner, and runs this program again as that user. Resolves if this
 * process continues itself. Otherwise never resolves, and this process exits with the status of its child. `reads`: the child
 * may read every file, as root may, such as a backup in /root or a secret. Throws a Spanish sentence if the owner cannot run the program.
 */
export async function becomeOwner(folder: string, { reads }: { reads: boolean }): Promise<void> {
  if (process.getuid?.() !== 0 || process.platform !== 'linux' || !existsSync(folder)) return;
  const { uid, gid } = statSync(folder);
  if (uid === 0) return;
  handOver(realpathSync(folder), uid, gid);
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const passes = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  const node = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const here = [folder, process.execPath, import.meta.filename];
  if (!reads && here.some((path) => spawnSync('setpriv', [...user, 'test', '-r', path]).status !== 0))
    throw new Error(
      `DATA_DIR: ${folder} es del usuario ${uid}. Arranca Enruta con ese usuario y no como root, en una carpeta que pueda leer.`,
    );
  // `--pdeathsig` ends the child even if this process is killed.
  await runInstead(
    ['setpriv', '--pdeathsig=KILL', ...user, ...(reads ? passes : []), ...node],
    reads ? { ...process.env, [HELPER]: '1' } : process.env,
  );
}

async function runInstead([command = '', ...args]: string[], env: NodeJS.ProcessEnv): Promise<never> {
  const child = spawn(command, args, { env, stdio: 'inherit' });
  // The terminal sends Ctrl+C to both processes, so the parent ignores the signal.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((_, fail) => {
    child.once('error', (cause) => fail(new Error('Como root hace falta «setpriv», de util-linux.', { cause })));
    child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? os.signals[signal] : 0)));
  });
}

/** Gives root's files and folders within `folder`, left by an interrupted command, to the owner. Follows no links. */
function handOver(folder: string, uid: number, gid: number): void {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  // Uses file handles, because the owner could replace a folder by a link meanwhile.
  const into = (handle: number) => {
    for (const name of readdirSync(`/proc/self/fd/${handle}`)) {
      let entry: number;
      try {
        entry = openSync(`/proc/self/fd/${handle}/${name}`, flags);
      } catch {
        continue;
      }
      const found = fstatSync(entry);
      const isFolder = found.isDirectory();
      if (found.uid === 0 && (isFolder || (found.isFile() && found.nlink === 1))) {
        fchownSync(entry, uid, gid);
        if (isFolder) into(entry);
      }
      closeSync(entry);
    }
  };
  const handle = openSync(folder, flags | constants.O_DIRECTORY);
  into(handle);
  closeSync(handle);
}
