import { rescueSuperadmin } from './account/rescue.ts';
import { acceptSecretKey } from './backups/restore.ts';
import { readConfig } from './config.ts';
import { migrate, openDatabase } from './db/open.ts';
import { createLog } from './log/log.ts';

const NEW_KEY = '--clave-nueva';

/**
 * `npm run rescue -- EMAIL`: resets the password and second factor of a superadmin who cannot sign in.
 * `npm run rescue -- --clave-nueva`: accepts the `SECRET_KEY` of now in place of a lost one.
 */
try {
  const [account, ...more] = process.argv.slice(2);
  if (!account || more.length) throw new Error('Uso: npm run rescue -- EMAIL_O_USUARIO | --clave-nueva');
  const config = readConfig(process.env);
  const { db, close } = await openDatabase(config, createLog(config.logLevel, process.stderr));
  try {
    await migrate(db);
    if (account === NEW_KEY) {
      await acceptSecretKey(db, config.secretKey);
      console.log(
        'La base de datos acepta la SECRET_KEY de ahora. Vuelve a poner la contraseña del correo, las claves de API y los segundos factores.',
      );
    } else {
      const { email, password } = await rescueSuperadmin(db, account);
      console.log(
        `${email} ya puede entrar con esta contraseña, sin segundo factor:\n  ${password}\nCámbiala en «Mi cuenta» en cuanto entres.`,
      );
    }
  } finally {
    await close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exitCode = 1;
}
