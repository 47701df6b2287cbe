import { parseArgs } from 'node:util';
import { restoreBackup } from './backups/restore.ts';
import { holdingOf } from './backups/tables.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './db/open.ts';
import { FEATURES } from './features.ts';
import { createLog } from './log/log.ts';

/**
 * `npm run restore -- FILE [--sobrescribir]`: restores a backup into the database of DATABASE_URL or DATA_DIR. One that
 * was encrypted with a passphrase, or with another SECRET_KEY, takes it from BACKUP_KEY.
 */
try {
  const { path, overwrite } = readArguments();
  const config = readConfig(process.env);
  const { db, close } = await openDatabase(config, createLog(config.logLevel, process.stderr));
  try {
    const { filas, created_at, warnings } = await restoreBackup(db, {
      path,
      key: process.env.BACKUP_KEY || undefined,
      overwrite,
      secretKey: config.secretKey,
      holding: holdingOf(FEATURES),
    });
    const when = new Date(created_at).toLocaleString('es-ES', { timeZone: 'Europe/Madrid' });
    console.log(`Restaurada la copia del ${when}: ${filas} filas, comprobadas una a una.`);
    console.log('Se han cerrado todas las sesiones: cada persona entra con la contraseña que tenía entonces.');
    for (const warning of warnings) console.log(warning);
  } finally {
    await close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exitCode = 1;
}

function readArguments(): { path: string; overwrite: boolean } {
  const { values, positionals } = parseArgs({
    options: { sobrescribir: { type: 'boolean', default: false } },
    allowPositionals: true,
    strict: false,
  });
  const [path, ...more] = positionals;
  const unknown = Object.keys(values).filter((name) => name !== 'sobrescribir');
  if (!path || more.length || unknown.length) throw new Error('Uso: npm run restore -- ARCHIVO [--sobrescribir]');
  return { path, overwrite: values.sobrescribir === true };
}
