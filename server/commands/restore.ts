import { type Restored, restoreBackup } from '../backups/restore.ts';
import { type Command, UsageError } from './command.ts';

const OVERWRITE = '--sobrescribir';

/** A file encrypted with a passphrase, or with another SECRET_KEY, takes it from BACKUP_KEY. */
export const restoreCommand: Command = {
  usage: `restore ARCHIVO [${OVERWRITE}]`,
  what: 'carga una copia; BACKUP_KEY es la contraseña con la que se cifró, si no fue con la SECRET_KEY de ahora',
  run: async (args, { config, open, holding }) => {
    const overwrite = args.includes(OVERWRITE);
    const [path, ...more] = args.filter((argument) => argument !== OVERWRITE);
    if (!path || more.length || path.startsWith('--')) throw new UsageError();
    // Not migrated before the file has been looked at.
    const { db, url, close } = await open();
    try {
      const key = process.env.BACKUP_KEY || undefined;
      sayRestored(await restoreBackup(db, { url, path, key, overwrite, secretKey: config.secretKey, holding }));
    } finally {
      await close();
    }
  },
};

function sayRestored({ filas, created_at, warnings }: Restored): void {
  const when = new Date(created_at).toLocaleString('es-ES', { timeZone: 'Europe/Madrid' });
  console.log(`Restaurada la copia del ${when}: ${filas} filas, comprobadas una a una.`);
  console.log('Se han cerrado todas las sesiones: cada persona entra con la contraseña que tenía entonces.');
  for (const warning of warnings) console.log(warning);
}
