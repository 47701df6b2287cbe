import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { VERIFICACION } from '../../contract/backups/backups.ts';
import { backupKey } from '../backups/backups.job.ts';
import { verifyBackup } from '../backups/verify.ts';
import { writeChecked } from '../backups/write.ts';
import { pendingMigrations } from '../db/open.ts';
import { type Command, UsageError } from './command.ts';

const OLDER = 'La base de datos es de una versión anterior: haz la copia con esa versión, o ponla antes al día con «migrate».';

export const backupCommand: Command = {
  usage: 'backup [ARCHIVO]',
  what: 'hace una copia cifrada, en BACKUP_DIR si no se dice dónde, y la comprueba; también con la tienda abierta',
  run: async ([file, ...more], { config, openBeside, holding }) => {
    if (more.length) throw new UsageError();
    const path = resolve(file ?? join(config.backupDir, `enruta-${new Date().toISOString().replace(/[-:.]/g, '')}.jsonl.gz.enc`));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const { db, url, close } = await openBeside();
    try {
      // Refuses instead of migrating, because an older version may be running on this database.
      if ((await pendingMigrations(db)).length) throw new Error(OLDER);
      const key = await backupKey(db, config.secretKey);
      const written = await writeChecked(db, path, { secretKey: config.secretKey, key, holding: await holding() });
      const verdict = await verifyBackup({ ...written, path, secret: key.secret, url });
      if ('problem' in verdict) throw new Error(verdict.problem);
      const opens = key.clave === 'passphrase' ? 'la contraseña de las copias' : 'SECRET_KEY';
      const { filas, size } = written;
      const how = VERIFICACION[verdict.verificacion];
      console.log(`Copia comprobada: ${path} (${filas} filas, ${Math.ceil(size / 1024)} KB), ${how}. La abre ${opens}.`);
    } finally {
      await close();
    }
  },
};
