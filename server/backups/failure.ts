import { DomainError } from '../kit/errors.ts';

export class NoRoom extends Error {
  readonly folder: string;

  constructor(message: string, folder: string) {
    super(message);
    this.folder = folder;
  }
}

const FOLDER = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'];

/** Returns why a backup in `folder` failed and what to do, in Spanish. */
export function backupFailure(error: unknown, folder: string): string {
  if (error instanceof DomainError) return error.message;
  const { code = '', message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  if (error instanceof NoRoom || code === 'ENOSPC') {
    const [how, where] = error instanceof NoRoom ? [message, error.folder] : ['No hay sitio en el disco.', folder];
    return `${how} Libera sitio en el disco de ${where}, o guarda las copias menos días, y haz otra.`;
  }
  if (code === '53100') return 'No hay sitio en el disco del servidor de PostgreSQL para comprobar la copia. Libera sitio allí y haz otra.';
  if (FOLDER.includes(code))
    return `No se puede escribir en la carpeta de las copias, ${folder}. Comprueba que existe y que el usuario que ejecuta Enruta puede escribir en ella (BACKUP_DIR), y haz otra.`;
  return `No se pudo hacer: ${message}. Haz otra; si vuelve a fallar, enseña esta frase a quien lleva el servidor.`;
}
