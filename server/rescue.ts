import { rescueSuperadmin } from './account/rescue.ts';
import { readConfig } from './config.ts';
import { migrate, openDatabase } from './db/open.ts';

/** `npm run rescue -- EMAIL`: resets the password and second factor of a superadmin who cannot sign in. */
try {
  const [account, ...more] = process.argv.slice(2);
  if (!account || more.length) throw new Error('Uso: npm run rescue -- EMAIL_O_USUARIO');
  const { db, close } = await openDatabase(readConfig(process.env));
  try {
    await migrate(db);
    const { email, password } = await rescueSuperadmin(db, account);
    console.log(
      `${email} ya puede entrar con esta contraseña, sin segundo factor:\n  ${password}\nCámbiala en «Mi cuenta» en cuanto entres.`,
    );
  } finally {
    await close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exitCode = 1;
}
