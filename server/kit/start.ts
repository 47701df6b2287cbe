import { accessSync, constants, mkdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

/** Returns an error of the settings, which ends the program with EX_CONFIG of sysexits.h: deploy/enruta.service does not try again. */
export const settingError = (message: string): Error => Object.assign(new Error(message), { exitCode: 78 });

/** Throws a Spanish sentence naming the variable of a folder that is not writable. */
export function checkFolder(variable: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Accepts a full disk, on which the server starts read-only.
    if (code === 'ENOSPC') return;
    const why = WHY_FOLDER[code ?? ''] ?? code;
    throw new Error(`${variable}: la carpeta ${folder} no se puede usar: ${why ?? String(error)}.`, { cause: error });
  }
}
const WHY_FOLDER: Record<string, string> = {
  EACCES: 'este usuario no tiene permiso para escribir en ella',
  EPERM: 'este usuario no tiene permiso para escribir en ella',
  EROFS: 'está en un disco de solo lectura',
  EEXIST: 'hay un archivo con ese nombre',
  ENOTDIR: 'parte de esa ruta es un archivo',
};

/** Returns the error of `listen` as a Spanish sentence naming the variable. */
export function listenProblem(error: unknown, { port, host }: { port: number; host: string }, variable = 'PORT'): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Error(`${variable}: el puerto ${port} de ${host} ya lo usa otro programa. Ciérralo o elige otro puerto.`, {
        cause: error,
      });
    case 'EACCES':
      return new Error(`${variable}: este usuario no puede abrir el puerto ${port}. Elige uno a partir del 1024.`, { cause: error });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(`HOST: «${host}» no es una dirección de esta máquina. Lo habitual es 127.0.0.1 o 0.0.0.0.`, { cause: error });
  }
  return error;
}

/** Milliseconds within which a second SIGINT counts as the same Ctrl+C. */
const SAME_MS = 1000;

/** Ctrl+C stops the server gracefully, a second one at once. At `npm start` one arrives twice, because npm forwards the signal. */
export function stopOnInterrupt(): void {
  let first: number | undefined;
  process.on('SIGINT', () => {
    if (first === undefined) {
      first = Date.now();
      process.emit('SIGTERM');
    } else if (Date.now() - first > SAME_MS) process.exit(1);
  });
}

/** First descriptor passed by systemd (sd_listen_fds). */
const FIRST_FD = 3;

/** Returns systemd's listening socket (`deploy/enruta.socket`), where connections wait during a restart; undefined without systemd. */
export function socketOfSystemd(env: NodeJS.ProcessEnv, pid = process.pid): { fd: number } | undefined {
  const { LISTEN_FDS, LISTEN_PID } = env;
  for (const name of ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES']) delete env[name];
  if (LISTEN_FDS === undefined || Number(LISTEN_PID) !== pid) return undefined;
  if (LISTEN_FDS !== '1') throw new Error(`systemd pasa ${LISTEN_FDS} sockets: enruta.socket debe tener un solo ListenStream.`);
  return { fd: FIRST_FD };
}

/** Returns lines to print: the addresses for phones in the same network, and a QR code of the first address. */
export async function linesOfNetwork(port: number, found = networkInterfaces()): Promise<string[]> {
  const addresses = Object.values(found).flatMap((each = []) => each.filter(({ internal, family }) => !internal && family === 'IPv4'));
  const [first, ...others] = addresses.map(({ address }) => `http://${address}:${port}`);
  if (!first) return ['Esta máquina no está en ninguna red: desde un teléfono no se puede abrir.'];
  const qr = await import('qrcode');
  return [
    `Desde un teléfono de la misma red: ${[first, ...others].join(' o ')}`,
    await qr.toString(first, { type: 'terminal', small: true }),
    'Sin https no hay avisos, firmas, fotos ni modo sin cobertura: para el día a día pon una dirección pública (docs/public-address.md).',
  ];
}
