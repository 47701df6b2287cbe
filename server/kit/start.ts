import { accessSync, constants, mkdirSync } from 'node:fs';

/** Throws a Spanish sentence naming the variable of a folder that is not writable. */
export function checkFolder(variable: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // With a full disk the program starts, read-only.
    if (code === 'ENOSPC') return;
    const why = WHY_FOLDER[code ?? ''] ?? code;
    throw new Error(`${variable}: la carpeta ${folder} no se puede usar: ${why}.`, { cause: error });
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
